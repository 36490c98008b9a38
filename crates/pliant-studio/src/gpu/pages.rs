//! Buffers for what changes every frame.
//!
//! All skins of a frame are written through one view of one staging buffer, a copy for the positions of a body and one for its
//! normals. Only more than a buffer may hold goes on in a second one, its next page.

use super::bytes::{Piece, write};
use super::uploads::Upload;

/// A place in a buffer.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub buffer: wgpu::Buffer,
    pub at: u64,
}

/// Buffers that are filled anew every frame.
pub(super) struct Pages {
    usage: wgpu::BufferUsages,
    most: u64,
    buffers: Vec<wgpu::Buffer>,
}

/// What goes into the pages in this frame.
pub(super) struct Filling<'p, 'a> {
    pages: &'p mut Pages,
    /// Bytes that are still to come.
    left: u64,
    /// For each page used its pieces, one after the other, and their length.
    pieces: Vec<(Vec<Piece<'a>>, u64)>,
}

impl Pages {
    /// No buffers yet; none will be larger than `most` bytes.
    pub fn new(usage: wgpu::BufferUsages, most: u64) -> Self {
        Self { usage: usage | wgpu::BufferUsages::COPY_DST, most, buffers: Vec::new() }
    }

    /// Starts a frame that needs `bytes` bytes.
    pub fn fill<'a>(&mut self, bytes: u64) -> Filling<'_, 'a> {
        Filling { pages: self, left: bytes, pieces: Vec::new() }
    }

    /// Makes page `index` hold `bytes`, but not four times as much.
    fn fit(&mut self, device: &wgpu::Device, index: usize, bytes: u64) {
        let fits = |buffer: &wgpu::Buffer| (bytes..=(4 * bytes).max(1 << 16)).contains(&buffer.size());
        if self.buffers.get(index).is_some_and(fits) {
            return;
        }
        // Room for bodies that are cut or divided, so that few frames make a buffer.
        let size = (bytes + bytes / 4).next_multiple_of(256).min(self.most).max(bytes);
        let descriptor = wgpu::BufferDescriptor {
            label: Some("page"),
            size,
            usage: self.usage,
            mapped_at_creation: false,
        };
        let buffer = device.create_buffer(&descriptor);
        match self.buffers.get_mut(index) {
            Some(place) => *place = buffer,
            None => self.buffers.push(buffer),
        }
    }
}

impl<'a> Filling<'_, 'a> {
    /// Puts pieces side by side; `None` if they are more than a buffer holds. Their lengths are multiples of 4.
    pub fn add<const N: usize>(&mut self, device: &wgpu::Device, pieces: [Piece<'a>; N]) -> Option<Place> {
        let bytes: u64 = pieces.iter().map(|piece| piece.len() as u64).sum();
        let most = self.pages.most;
        if bytes == 0 || bytes > most {
            return None;
        }
        let room = |(_, used): &(Vec<_>, u64)| used + bytes <= most;
        if !self.pieces.last().is_some_and(room) {
            let wanted = self.left.max(bytes).min(most);
            self.pages.fit(device, self.pieces.len(), wanted);
            self.pieces.push((Vec::new(), 0));
        }
        let index = self.pieces.len() - 1;
        let (page, used) = &mut self.pieces[index];
        let buffer = self.pages.buffers.get(index)?;
        // What was announced may have been too little.
        if *used + bytes > buffer.size() {
            return None;
        }
        let place = Place { buffer: buffer.clone(), at: *used };
        page.extend(pieces);
        *used += bytes;
        self.left = self.left.saturating_sub(bytes);
        Some(place)
    }

    /// Sends everything, one write a page, and lets go of pages that are not used.
    pub fn send(self, queue: &wgpu::Queue) -> Upload {
        let mut upload = Upload::default();
        self.pages.buffers.truncate(self.pieces.len());
        for ((pieces, used), buffer) in self.pieces.iter().zip(&self.pages.buffers) {
            if write(queue, buffer, pieces) {
                upload.count(*used);
            }
        }
        upload
    }
}
