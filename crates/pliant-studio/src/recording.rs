//! What was done in a session as a film: the session is done again, and drawn.

use crate::{Motion, Picture, PictureError, Session, WorldView, gif_bytes};
use pliant_io::IoError;
use std::time::Duration;
use web_time::Instant;

/// What a recording becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Film {
    /// Pictures, as seen in a view.
    Gif,
    /// Moving meshes for other programs.
    Glb,
}

impl Film {
    /// What its files end in.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Glb => "glb",
        }
    }
}

/// Why a film cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// A picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A mesh.
    #[error(transparent)]
    Mesh(#[from] IoError),
}

/// A film in the making.
#[derive(Debug)]
pub struct Recording {
    session: Session,
    view: WorldView,
    film: Film,
    size: [usize; 2],
    steps: [u64; 2],
    every: u64,
    pictures: Vec<Picture>,
    motion: Motion,
}

/// Pictures that a GIF has at most: more are left out evenly.
const MOST_PICTURES: u64 = 240;

impl Recording {
    /// Prepares to film a session from one step to another.
    pub fn new(session: &Session, view: WorldView, film: Film, steps: [u64; 2], size: [usize; 2]) -> Self {
        let last = steps[1].min(session.last_step());
        let first = steps[0].min(last);
        let session = session.fork();
        let every = match film {
            Film::Gif => (last - first).div_ceil(MOST_PICTURES).max(2),
            Film::Glb => 1,
        };
        let (pictures, motion) = (Vec::new(), Motion::default());
        Self { session, view, film, size, steps: [first, last], every, pictures, motion }
    }

    /// How much is done, from 0 to 1.
    pub fn progress(&self) -> f32 {
        self.session.steps() as f32 / self.steps[1].max(1) as f32
    }

    /// Works for about that long. Returns whether it is done.
    ///
    /// # Errors
    /// If the pictures cannot be that large.
    pub fn work(&mut self, budget: Duration) -> Result<bool, FilmError> {
        let start = Instant::now();
        loop {
            let filmed = self.session.steps().checked_sub(self.steps[0]);
            if filmed.is_some_and(|steps| steps.is_multiple_of(self.every)) {
                match self.film {
                    Film::Gif => {
                        let [width, height] = self.size;
                        self.pictures.push(self.view.draw(self.session.world(), width, height)?);
                    }
                    Film::Glb => self.motion.frame(self.session.world()),
                }
            }
            if self.session.steps() >= self.steps[1] {
                return Ok(true);
            }
            self.session.step();
            if start.elapsed() >= budget {
                return Ok(false);
            }
        }
    }

    /// The film as the bytes of a file, and what could not be kept.
    ///
    /// # Errors
    /// If there is nothing to see, or too much.
    pub fn finish(self) -> Result<(Vec<u8>, Vec<String>), FilmError> {
        match self.film {
            Film::Gif => {
                let delay = 100.0 * self.session.scene().dt_secs * self.every as f32;
                Ok((gif_bytes(&self.pictures, delay.round().clamp(2.0, 1000.0) as u16)?, Vec::new()))
            }
            Film::Glb => Ok(self.motion.glb()?),
        }
    }
}
