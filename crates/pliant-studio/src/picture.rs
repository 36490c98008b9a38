//! A finished picture and its PNG file.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

/// An sRGB picture, three bytes a pixel, rows from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue of each pixel, row by row.
    pub rgb: Vec<u8>,
}

/// Why a picture could not be made or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The size is zero or larger than this renderer or the file format can do.
    #[error("a picture of {width} × {height} pixels cannot be made: use 1 to {most} for both", most = Picture::MOST)]
    Size {
        /// Asked width.
        width: usize,
        /// Asked height.
        height: usize,
    },
    /// The bytes are not three for each pixel.
    #[error("a picture of {width} × {height} pixels needs {} bytes, not {found}", 3 * width * height)]
    Bytes {
        /// Pixels in a row.
        width: usize,
        /// Rows.
        height: usize,
        /// How many bytes there are.
        found: usize,
    },
    /// An animation without pictures.
    #[error("an animation needs at least one picture")]
    NoFrames,
    /// Pictures of an animation differ in size.
    #[error("picture {frame} of the animation is {width} × {height}, unlike the first")]
    FrameSize {
        /// The first picture that differs.
        frame: usize,
        /// Its width.
        width: usize,
        /// Its height.
        height: usize,
    },
    /// The file could not be made.
    #[error("cannot write {path}: {source}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The PNG could not be encoded.
    #[error("cannot write {path}: {source}", path = path.display())]
    Png {
        /// The file.
        path: PathBuf,
        /// What the encoder said.
        source: png::EncodingError,
    },
    /// The GIF could not be encoded.
    #[error("cannot write {path}: {source}", path = path.display())]
    Gif {
        /// The file.
        path: PathBuf,
        /// What the encoder said.
        source: gif::EncodingError,
    },
}

impl Picture {
    /// Largest width and height.
    pub const MOST: usize = 16384;

    /// The three bytes of a pixel, or `None` outside the picture.
    pub fn pixel(&self, x: usize, y: usize) -> Option<[u8; 3]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let at = 3 * (y * self.width + x);
        self.rgb.get(at..at + 3).map(|p| [p[0], p[1], p[2]])
    }

    /// Writes the picture as a PNG file.
    ///
    /// # Errors
    /// When the size and the bytes do not fit, or the file cannot be written.
    pub fn write_png(&self, path: impl AsRef<Path>) -> Result<(), PictureError> {
        self.validate()?;
        let path = path.as_ref();
        let file = create(path)?;
        let mut encoder = png::Encoder::new(BufWriter::new(file), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let write = || -> Result<(), png::EncodingError> {
            let mut writer = encoder.write_header()?;
            writer.write_image_data(&self.rgb)?;
            writer.finish()
        };
        write().map_err(|source| PictureError::Png { path: path.into(), source })
    }

    /// Checks that size and bytes fit each other.
    pub(crate) fn validate(&self) -> Result<(), PictureError> {
        let Self { width, height, .. } = *self;
        check_size(width, height)?;
        let found = self.rgb.len();
        if found == 3 * width * height { Ok(()) } else { Err(PictureError::Bytes { width, height, found }) }
    }
}

/// An error unless both sides are from 1 to [`Picture::MOST`].
pub(crate) fn check_size(width: usize, height: usize) -> Result<(), PictureError> {
    let fits = 1..=Picture::MOST;
    if fits.contains(&width) && fits.contains(&height) {
        Ok(())
    } else {
        Err(PictureError::Size { width, height })
    }
}

/// Opens a file for writing.
pub(crate) fn create(path: &Path) -> Result<File, PictureError> {
    File::create(path).map_err(|source| PictureError::File { path: path.into(), source })
}
