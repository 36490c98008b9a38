//! What is copied into buffers.

use pliant::glam::Vec3;
use std::borrow::Cow;
use wgpu::WriteOnly;

/// Something that is copied into a buffer as it is; its length is a multiple of 4 bytes.
pub(super) enum Piece<'a> {
    Bytes(Cow<'a, [u8]>),
    /// Positions or normals, straight from the skin.
    Points(&'a [Vec3]),
}

impl<'a> Piece<'a> {
    pub fn of<T: bytemuck::NoUninit>(slice: Cow<'a, [T]>) -> Self {
        Self::Bytes(match slice {
            Cow::Borrowed(slice) => Cow::Borrowed(bytemuck::cast_slice(slice)),
            Cow::Owned(slice) => Cow::Owned(bytemuck::cast_slice(&slice).to_vec()),
        })
    }

    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Points(points) => size_of_val(*points),
        }
    }

    fn write(&self, mut to: WriteOnly<'_, [u8]>) {
        match self {
            Self::Bytes(bytes) => to.copy_from_slice(bytes),
            Self::Points(points) => {
                let (to, _) = to.into_chunks::<12>();
                to.write_iter(points.iter().map(|p| bytemuck::cast(p.to_array())));
            }
        }
    }
}

/// Writes pieces one after the other, all through one view; `false` if the buffer cannot take them.
pub(super) fn write(queue: &wgpu::Queue, buffer: &wgpu::Buffer, pieces: &[Piece<'_>]) -> bool {
    let bytes: usize = pieces.iter().map(Piece::len).sum();
    let size = wgpu::BufferSize::new(bytes as u64);
    let Some(mut view) = size.and_then(|size| queue.write_buffer_with(buffer, 0, size)) else { return false };
    let mut at = 0;
    for piece in pieces {
        piece.write(view.slice(at..at + piece.len()));
        at += piece.len();
    }
    true
}
