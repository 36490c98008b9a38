//! What a frame sent to the GPU.

/// Writes and bytes of one kind of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upload {
    /// Buffer writes.
    pub writes: u64,
    /// Bytes in them.
    pub bytes: u64,
}

impl Upload {
    pub(super) fn count(&mut self, bytes: u64) {
        self.writes += 1;
        self.bytes += bytes;
    }
}

/// What the latest frame sent to the GPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uploads {
    /// Positions, normals and passing colours of surfaces that move: all of a frame go in one write, unless they are more
    /// than a buffer holds.
    pub skins: Upload,
    /// Triangles of items without a mesh to remember them by.
    pub passing_triangles: Upload,
    /// Triangles, colours and rest shapes of meshes that are kept: nothing once all have been seen.
    pub meshes: Upload,
    /// Balls and rods.
    pub markers: Upload,
    /// Camera and lights, and colour and place of every item.
    pub settings: Upload,
    /// Items that were left out because they are larger than a buffer of this device can be.
    pub left_out: u64,
}
