//! Who draws the pictures.

use crate::Failure;
use clap::ValueEnum;
use pliant_studio::gpu::Offscreen;
use pliant_studio::{Drawing, Picture};

/// Who should draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Wish {
    /// The GPU if there is one in hardware, else the CPU.
    #[default]
    Auto,
    /// The GPU, or nobody.
    Gpu,
    /// The software renderer, whose pictures are the same on every machine.
    Cpu,
}

/// Who draws.
pub enum Renderer {
    /// The software renderer.
    Cpu,
    /// A graphics adapter, and a renderer on it.
    Gpu(Box<Offscreen>),
}

impl Renderer {
    /// Finds who can draw as wished.
    pub fn new(wish: Wish) -> Result<Self, Failure> {
        match wish {
            Wish::Cpu => Ok(Self::Cpu),
            // Outside of any user's session, as in containers and services, a GPU is rare, and Mesa's drivers complain on stderr when
            // they are asked.
            Wish::Auto if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() => {
                Ok(Self::Cpu)
            }
            // A driver that computes on the CPU is slower than the software renderer, and looks no better.
            Wish::Auto => Ok(match Offscreen::new() {
                Ok(gpu) if !gpu.is_software() => Self::Gpu(Box::new(gpu)),
                _ => Self::Cpu,
            }),
            Wish::Gpu => Offscreen::new()
                .map(|gpu| Self::Gpu(Box::new(gpu)))
                .map_err(|error| Failure::input(format!("--renderer gpu: {error} (--renderer cpu)"))),
        }
    }

    /// Draws a picture.
    pub fn picture(&mut self, drawing: &Drawing, width: usize, height: usize) -> Result<Picture, Failure> {
        match self {
            Self::Cpu => drawing.render(width, height).map_err(Failure::input),
            Self::Gpu(gpu) => gpu.picture(drawing, width, height).map_err(Failure::input),
        }
    }
}
