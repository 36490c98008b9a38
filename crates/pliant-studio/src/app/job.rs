//! Work that the interface does not wait for.

use std::sync::mpsc::{Receiver, channel};

/// Work on a thread of its own; where there are none, a slice of it is done every frame.
pub struct Job<T> {
    receiver: Receiver<T>,
    later: Option<Later>,
}

struct Later {
    /// Frames to wait.
    frames: u8,
    /// Does a slice; returns whether it was the last.
    work: Box<dyn FnMut() -> bool>,
}

/// Frames after which the message that something is being done is on the screen.
const FRAMES: u8 = 2;

impl<T: Send + 'static> Job<T> {
    /// Begins work that cannot be divided.
    pub fn new(work: impl FnOnce() -> T + Send + 'static) -> Self {
        let mut work = Some(work);
        Self::in_slices(move || work.take().map(|work| work()))
    }

    /// Begins work in slices: each returns what came of it all if it is the last, or nothing.
    pub fn in_slices(mut work: impl FnMut() -> Option<T> + Send + 'static) -> Self {
        let (sender, receiver) = channel();
        let mut slice = move || match work() {
            Some(result) => {
                // Nobody waits for it any more if the receiver is gone.
                let _ = sender.send(result);
                true
            }
            None => false,
        };
        if cfg!(target_arch = "wasm32") {
            return Self { receiver, later: Some(Later { frames: FRAMES, work: Box::new(slice) }) };
        }
        std::thread::spawn(move || while !slice() {});
        Self { receiver, later: None }
    }

    /// What came of it, once. To be called every frame.
    pub fn poll(&mut self) -> Option<T> {
        if let Some(later) = &mut self.later {
            match later.frames.checked_sub(1) {
                Some(left) => later.frames = left,
                None if (later.work)() => self.later = None,
                None => {}
            }
        }
        self.receiver.try_recv().ok()
    }
}
