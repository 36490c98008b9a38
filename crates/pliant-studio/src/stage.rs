//! A session that runs: on a thread of its own, or, where there are none, a little in every frame.

use crate::session::Session;
use parking_lot::{FairMutex, FairMutexGuard};
use std::sync::Arc;
use std::time::Duration;
use web_time::Instant;

/// A session and how fast it runs.
#[derive(Debug)]
pub struct Running {
    /// What runs.
    pub session: Session,
    /// Whether time passes.
    pub playing: bool,
    /// Simulated seconds a second.
    pub speed: f32,
    /// The step at which it pauses by itself.
    pub until: Option<u64>,
    /// Seconds that are due.
    due: f64,
    /// Simulated seconds a second over the last while, as it really was.
    pub rate: f32,
    measured: (Option<Instant>, u64),
}

/// Seconds that may be due: what a slow machine misses beyond this is not made up for.
const MOST_DUE: f64 = 0.1;

impl Running {
    fn new(session: Session) -> Self {
        Self { session, playing: true, speed: 1.0, until: None, due: 0.0, rate: 0.0, measured: (None, 0) }
    }

    /// Lets `elapsed` pass: makes the steps that are due, but begins none after `budget`. Returns whether steps are left to do.
    pub fn advance(&mut self, elapsed: Duration, budget: Duration) -> bool {
        let start = Instant::now();
        if !self.playing {
            self.due = 0.0;
            self.measured = (None, self.session.steps());
            self.rate = 0.0;
            return false;
        }
        let dt = f64::from(self.session.scene().dt_secs).max(1e-6);
        self.due = (self.due + elapsed.as_secs_f64() * f64::from(self.speed)).min(MOST_DUE.max(dt));
        while self.due >= dt {
            if self.until.is_some_and(|until| self.session.steps() >= until) {
                (self.playing, self.until) = (false, None);
                break;
            }
            self.session.step();
            self.due -= dt;
            if start.elapsed() >= budget {
                break;
            }
        }
        self.measure(dt);
        self.playing && self.due >= dt
    }

    fn measure(&mut self, dt: f64) {
        let (since, step) = self.measured;
        let now = Instant::now();
        match since {
            Some(since) if now - since < Duration::from_millis(500) => return,
            Some(since) => {
                let steps = self.session.steps().saturating_sub(step) as f64;
                self.rate = (steps * dt / (now - since).as_secs_f64()) as f32;
            }
            None => {}
        }
        self.measured = (Some(now), self.session.steps());
    }
}

/// A session that runs while somebody looks at it.
#[derive(Debug)]
pub struct Stage {
    running: Arc<FairMutex<Running>>,
    last: Instant,
    /// No thread does the steps: frames do.
    in_frames: bool,
}

/// What a frame may spend on steps where there is no other thread: half of a frame at 60 a second, a quarter of slower ones, and
/// never so much that it is felt.
fn frame_budget(frame: Duration) -> Duration {
    (frame / 4).clamp(Duration::from_millis(8), Duration::from_millis(50))
}

impl Stage {
    /// Lets a session run.
    pub fn new(session: Session) -> Self {
        let driven = Self::driven(session);
        let in_frames = !runs_on_a_thread(&driven.running);
        Self { in_frames, ..driven }
    }

    /// A session that stands still until it is told to step; for tests and tools that drive it themselves.
    pub fn driven(session: Session) -> Self {
        let running = Arc::new(FairMutex::new(Running::new(session)));
        Self { running, last: Instant::now(), in_frames: false }
    }

    /// The session, for whoever has to hold it while changing something that has the stage.
    pub fn shared(&self) -> Arc<FairMutex<Running>> {
        self.running.clone()
    }

    /// The session, to look at and to change; time stands still meanwhile.
    pub fn lock(&self) -> FairMutexGuard<'_, Running> {
        self.running.lock()
    }

    /// To be called once a frame: does the steps where no thread does them.
    pub fn frame(&mut self) {
        let now = Instant::now();
        let elapsed = now - self.last;
        self.last = now;
        if self.in_frames {
            self.lock().advance(elapsed, frame_budget(elapsed));
        }
    }
}

/// Lets a thread do the steps; `false` where there can be none.
fn runs_on_a_thread(running: &Arc<FairMutex<Running>>) -> bool {
    let weak = Arc::downgrade(running);
    let thread = std::thread::Builder::new().name("simulation".into());
    !cfg!(target_arch = "wasm32") && thread.spawn(move || simulate(&weak)).is_ok()
}

/// Runs the session, a step at a time, until nobody holds it any more.
fn simulate(running: &std::sync::Weak<FairMutex<Running>>) {
    let mut last = Instant::now();
    loop {
        let Some(strong) = running.upgrade() else { return };
        let now = Instant::now();
        // One step, then whoever waits gets the session: the lock is fair.
        let more = strong.lock().advance(now - last, Duration::ZERO);
        drop(strong);
        last = now;
        if !more {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
