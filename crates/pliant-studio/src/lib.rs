//! Pictures of Pliant scenes: a small software renderer that needs no window and no GPU.
//!
//! [`render()`] draws [`Item`]s and [`Marker`]s as seen in a [`View`]; the result is a [`Picture`] that can be
//! written as PNG, or several as one animated GIF. The same input gives the same bytes on any number of threads.

mod animation;
mod camera;
mod floor;
mod palette;
mod picture;
mod raster;
mod render;
mod shade;
mod shadow;
pub mod shapes;
mod view;
mod world_view;

pub use animation::write_gif;
pub use camera::Camera;
pub use palette::{BODY_COLORS, COLLIDER_COLOR, body_color, linear_from_srgb};
pub use picture::{Picture, PictureError};
pub use render::render;
pub use view::{Background, Item, Light, Marker, View};
pub use world_view::WorldView;
