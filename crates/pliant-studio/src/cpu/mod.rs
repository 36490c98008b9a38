//! The software renderer: from a drawing to a picture, without a GPU and the same on every machine.
//!
//! 1. shadow maps
//! 2. what touches each band of rows
//! 3. band by band: what is seen at each sample, then one shading a pixel and thing seen in it, averaged in linear light
//!
//! Ghosts are a second layer over the rest: the nearest of their surfaces at each sample, blended where it is in front.

pub(crate) mod floor;
mod floor_shadow;
mod frame;
mod impostor;
mod raster;
pub(crate) mod shade;
mod shadow;
mod soup;

use crate::picture::{Picture, PictureError, check_size};
use crate::view::{Item, Marker, View};
use frame::{BAND, Frame, Layers};
use rayon::prelude::*;

/// Draws `items` and `markers` as seen in `view`.
///
/// Whatever cannot be drawn (non-finite corners, indices out of range, triangles without area) is left out.
///
/// # Errors
/// When the size is zero or above [`Picture::MOST`].
pub fn render(
    view: &View,
    items: &[Item<'_>],
    markers: &[Marker],
    width: usize,
    height: usize,
) -> Result<Picture, PictureError> {
    check_size(width, height)?;
    let frame = Frame::new(view, items, markers, width, height);
    let mut rgb = vec![0; 3 * width * height];
    rgb.par_chunks_mut(3 * width * BAND)
        .enumerate()
        .for_each_init(Layers::default, |layers, (band, rgb)| frame.draw_band(band, rgb, layers));
    Ok(Picture { width, height, rgb })
}
