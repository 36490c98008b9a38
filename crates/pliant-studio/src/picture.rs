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
        let file = BufWriter::new(create(path)?);
        self.encode_png(file).map_err(|source| PictureError::Png { path: path.into(), source })
    }

    /// The picture as the bytes of a PNG file.
    ///
    /// # Errors
    /// When the size and the bytes do not fit.
    pub fn png_bytes(&self) -> Result<Vec<u8>, PictureError> {
        self.validate()?;
        let mut bytes = Vec::new();
        self.encode_png(&mut bytes)
            .map_err(|source| PictureError::Png { path: PathBuf::from("picture.png"), source })?;
        Ok(bytes)
    }

    fn encode_png(&self, file: impl std::io::Write) -> Result<(), png::EncodingError> {
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_compression(png::Compression::Balanced);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgb)?;
        writer.finish()
    }

    /// Reads the bytes of a PNG file; transparency is left out, grey becomes a colour.
    ///
    /// # Errors
    /// When they are not a PNG file, or it is too large.
    pub fn from_png(bytes: &[u8]) -> Result<Self, png::DecodingError> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info()?;
        let size = reader.output_buffer_size().ok_or(png::DecodingError::LimitsExceeded)?;
        let mut samples = vec![0; size];
        let info = reader.next_frame(&mut samples)?;
        samples.truncate(info.buffer_size());
        let rgb = match info.color_type.samples() {
            3 => samples,
            4 => samples.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect(),
            count => samples.chunks_exact(count).flat_map(|p| [p[0]; 3]).collect(),
        };
        Ok(Self { width: info.width as usize, height: info.height as usize, rgb })
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
