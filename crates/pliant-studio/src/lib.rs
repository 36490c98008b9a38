//! The studio: see Pliant scenes and touch them, natively and in the browser.
//!
//! - [`app`] is the window. All below works without one.
//! - [`Session`] is what is done to a scene, so that it can be undone, done again and kept in a file; [`Stage`] lets it run.
//! - [`Hand`] is the tool on the cursor: rays in, [`Input`]s out. [`Orbit`] is the camera.
//! - [`WorldView`] makes a [`Drawing`] of a world, with [`Overlays`] of what is inside its bodies. [`render()`] draws it without a GPU,
//!   the same bytes on any number of threads; [`gpu`] draws it with one.
//! - [`Recording`] makes films of sessions; a [`Picture`] can be written as PNG, or several as one animated GIF.

mod animation;
#[cfg(feature = "window")]
pub mod app;
mod blades;
mod camera;
mod collider_meshes;
mod cpu;
mod gallery;
#[cfg(feature = "window")]
pub mod gpu;
mod hand;
mod kin;
mod motion;
mod orbit;
pub mod overlay;
mod palette;
mod picture;
mod recording;
pub mod session;
pub mod shapes;
mod stage;
mod view;
mod world_view;

pub use animation::{gif_bytes, write_gif};
pub use camera::Camera;
pub use cpu::render;
pub use gallery::scene_picture;
pub use hand::{Hand, Ray, ToolKind};
pub use motion::{Motion, painted};
pub use orbit::{Orbit, bounds};
pub use overlay::Overlays;
pub use palette::{BODY_COLORS, COLLIDER_COLOR, body_color, linear_from_srgb};
pub use picture::{Picture, PictureError};
pub use recording::{Film, FilmError, Recording};
pub use session::{Input, Session};
pub use stage::{Running, Stage};
pub use view::{Background, Drawing, Item, Light, Marker, View};
pub use world_view::WorldView;
