//! How far a run is: a bar on a terminal, plain lines elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::IsTerminal;

/// How far a run is.
pub enum Progress {
    /// Nothing is shown.
    Quiet,
    /// On a terminal.
    Bar(ProgressBar),
    /// A line at every tenth.
    Lines {
        /// All there is to do.
        frames: u32,
    },
}

impl Progress {
    /// Shows progress on stderr.
    pub fn new(frames: u32, quiet: bool) -> Self {
        if quiet {
            return Self::Quiet;
        }
        if !std::io::stderr().is_terminal() {
            return Self::Lines { frames };
        }
        let bar = ProgressBar::new(u64::from(frames));
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} frames, {eta} left {msg}") {
            bar.set_style(style);
        }
        Self::Bar(bar)
    }

    /// One frame more is done.
    pub fn frame(&self, done: u32) {
        match self {
            Self::Quiet => {}
            Self::Bar(bar) => bar.set_position(u64::from(done)),
            Self::Lines { frames } => {
                if done == *frames
                    || u64::from(done) * 10 / u64::from(*frames)
                        != u64::from(done - 1) * 10 / u64::from(*frames)
                {
                    eprintln!("{done}/{frames} frames");
                }
            }
        }
    }

    /// All is done.
    pub fn finish(&self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
