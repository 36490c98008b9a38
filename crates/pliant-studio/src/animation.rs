//! Several pictures as one animated GIF.
//!
//! One palette serves all frames. Colours between its entries are dithered with a fixed pattern, so that what does
//! not move does not flicker; and only the pixels that change are stored.

use crate::picture::{Picture, PictureError, create};
use std::borrow::Cow;
use std::io::BufWriter;
use std::path::Path;

/// Pixels that the palette is made from, over all frames.
const PALETTE_PIXELS: usize = 400_000;
/// Largest change that dithering makes to a channel, in byte steps. More is seen as a pattern.
const DITHER: i32 = 5;

/// Writes `frames`, all of one size, as an endless animation; each is shown for `delay_cs` hundredths of a second.
///
/// # Errors
/// Without frames, when sizes differ, or when the file cannot be written.
pub fn write_gif(path: impl AsRef<Path>, frames: &[Picture], delay_cs: u16) -> Result<(), PictureError> {
    let path = path.as_ref();
    check(frames)?;
    let file = BufWriter::new(create(path)?);
    encode(file, frames, delay_cs).map_err(|source| PictureError::Gif { path: path.into(), source })
}

/// As [`write_gif`], into memory.
///
/// # Errors
/// Without frames, or when sizes differ.
pub fn gif_bytes(frames: &[Picture], delay_cs: u16) -> Result<Vec<u8>, PictureError> {
    check(frames)?;
    let mut bytes = Vec::new();
    encode(&mut bytes, frames, delay_cs)
        .map_err(|source| PictureError::Gif { path: "animation.gif".into(), source })?;
    Ok(bytes)
}

/// An error unless there are frames and all are of one size.
fn check(frames: &[Picture]) -> Result<(), PictureError> {
    let first = frames.first().ok_or(PictureError::NoFrames)?;
    for (frame, picture) in frames.iter().enumerate() {
        picture.validate()?;
        let Picture { width, height, .. } = *picture;
        if (width, height) != (first.width, first.height) {
            return Err(PictureError::FrameSize { frame, width, height });
        }
    }
    Ok(())
}

fn encode(file: impl std::io::Write, frames: &[Picture], delay: u16) -> Result<(), gif::EncodingError> {
    let (width, height) = (frames[0].width, frames[0].height);
    let palette = Palette::new(frames);
    let mut encoder = gif::Encoder::new(file, width as u16, height as u16, &palette.rgb)?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    let mut shown: Option<Vec<u8>> = None;
    for picture in frames {
        let indices = palette.indices(picture);
        let (rect, buffer, transparent) = match &shown {
            None => ([0, 0, width, height], indices.clone(), None),
            Some(shown) => {
                let rect = changed(shown, &indices, width);
                (rect, difference(shown, &indices, width, rect, palette.unused), Some(palette.unused))
            }
        };
        let [left, top, across, down] = rect.map(|v| v as u16);
        encoder.write_frame(&gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent,
            left,
            top,
            width: across,
            height: down,
            buffer: Cow::Owned(buffer),
            ..gif::Frame::default()
        })?;
        shown = Some(indices);
    }
    Ok(())
}

/// Left, top, width and height of what differs; one pixel when nothing does.
fn changed(shown: &[u8], next: &[u8], width: usize) -> [usize; 4] {
    let (mut lo, mut hi) = ([usize::MAX; 2], [0; 2]);
    for (y, (a, b)) in shown.chunks_exact(width).zip(next.chunks_exact(width)).enumerate() {
        let mut differing = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b).map(|(x, _)| x);
        if let Some(first) = differing.next() {
            let last = differing.next_back().unwrap_or(first);
            lo = [lo[0].min(first), lo[1].min(y)];
            hi = [hi[0].max(last + 1), y + 1];
        }
    }
    if hi[1] == 0 { [0, 0, 1, 1] } else { [lo[0], lo[1], hi[0] - lo[0], hi[1] - lo[1]] }
}

/// The pixels of a rectangle, `unused` where they stay as they are.
fn difference(shown: &[u8], next: &[u8], width: usize, rect: [usize; 4], unused: u8) -> Vec<u8> {
    let [left, top, across, down] = rect;
    let rows = (top..top + down).map(|y| y * width + left);
    rows.flat_map(|at| at..at + across).map(|i| if shown[i] == next[i] { unused } else { next[i] }).collect()
}

/// 256 colours, and for each coarse colour the nearest of them.
struct Palette {
    rgb: Vec<u8>,
    /// The entry that stands for "as before" and is no colour.
    unused: u8,
    /// Nearest entry for each colour of 5, 6 and 5 bits.
    nearest: Vec<u8>,
}

impl Palette {
    fn new(frames: &[Picture]) -> Self {
        let total: usize = frames.iter().map(|f| f.rgb.len() / 3).sum();
        // Odd, so that samples do not fall into a few columns.
        let step = total.div_ceil(PALETTE_PIXELS) | 1;
        let mut sample: Vec<u8> =
            frames.iter().flat_map(|f| f.rgb.chunks_exact(3)).step_by(step).flatten().copied().collect();
        let width = 256;
        while !sample.len().is_multiple_of(3 * width) {
            sample.extend(&frames[0].rgb[..3]);
        }
        let rows = (sample.len() / 3 / width).min(usize::from(u16::MAX));
        sample.truncate(rows * width * 3);
        let quantised = gif::Frame::from_rgb_speed(width as u16, rows as u16, &sample, 3);
        let mut rgb = quantised.palette.unwrap_or_default();
        rgb.truncate(256 * 3);
        let unused = if rgb.len() < 256 * 3 {
            rgb.extend([0, 0, 0]);
            rgb.len() / 3 - 1
        } else {
            // The least used colour gives way.
            let mut uses = [0usize; 256];
            quantised.buffer.iter().for_each(|&i| uses[usize::from(i)] += 1);
            (0..256).min_by_key(|&i| uses[i]).unwrap_or(0)
        };
        let nearest = (0..1u32 << 16).map(|i| nearest(&rgb, unused, coarse(i))).collect();
        Self { rgb, unused: unused as u8, nearest }
    }

    fn indices(&self, picture: &Picture) -> Vec<u8> {
        let of = |(i, rgb): (usize, &[u8])| {
            let shift = dither(i % picture.width, i / picture.width);
            let [r, g, b] = [rgb[0], rgb[1], rgb[2]].map(|c| (i32::from(c) + shift).clamp(0, 255) as usize);
            self.nearest[(r >> 3) << 11 | (g >> 2) << 5 | b >> 3]
        };
        picture.rgb.chunks_exact(3).enumerate().map(of).collect()
    }
}

/// The middle of a coarse colour.
fn coarse(i: u32) -> [i32; 3] {
    [(i >> 11) << 3 | 4, (i >> 5 & 63) << 2 | 2, (i & 31) << 3 | 4].map(|c| c as i32)
}

/// The entry nearest to a colour, green weighing most as in the eye.
fn nearest(palette: &[u8], unused: usize, color: [i32; 3]) -> u8 {
    let far = |p: &[u8]| {
        let d = [0, 1, 2].map(|k| (i32::from(p[k]) - color[k]).pow(2));
        2 * d[0] + 4 * d[1] + 3 * d[2]
    };
    let entries = palette.chunks_exact(3).enumerate().filter(|(i, _)| *i != unused);
    entries.min_by_key(|(_, p)| far(p)).map_or(0, |(i, _)| i as u8)
}

/// The fixed pattern: an 8 × 8 Bayer matrix from −`DITHER` to `DITHER`.
fn dither(x: usize, y: usize) -> i32 {
    let (x, y) = (x as i32 & 7, y as i32 & 7);
    let mut value = 0;
    for bit in 0..3 {
        let (bx, by) = (x >> bit & 1, y >> bit & 1);
        value = value << 2 | (bx ^ by) << 1 | by;
    }
    value * (2 * DITHER + 1) / 64 - DITHER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dither_pattern_is_fair() {
        let all: Vec<i32> = (0..64).map(|i| dither(i % 8, i / 8)).collect();
        assert!(all.iter().all(|v| (-DITHER..=DITHER).contains(v)));
        assert!(all.iter().sum::<i32>().abs() <= 64);
    }

    #[test]
    fn only_what_changes_is_stored() {
        let shown = vec![1; 20];
        let mut next = shown.clone();
        next[7] = 2;
        next[13] = 3;
        assert_eq!(changed(&shown, &next, 5), [2, 1, 2, 2]);
        assert_eq!(difference(&shown, &next, 5, [2, 1, 2, 2], 9), [2, 9, 9, 3]);
        assert_eq!(changed(&shown, &shown, 5), [0, 0, 1, 1]);
    }
}
