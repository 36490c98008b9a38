//! Names of cells of any size on a lattice of finest cells.
//!
//! A key is the cell's low corner on the finest lattice in Morton order, then its level. Sorted by key, cells stand depth-first,
//! parents before children.

use glam::{IVec3, UVec3};
use serde::{Deserialize, Serialize};

/// Names a cell: its place and its level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CellKey(u64);

/// Levels a key has room for.
const LEVEL_BITS: u32 = 5;
const TOP: u64 = (1 << LEVEL_BITS) - 1;

impl CellKey {
    /// The cell with a low corner on the finest lattice and a level; level 0 is the finest, each is twice as wide as the one
    /// below.
    pub fn new(low: UVec3, level: u32) -> Self {
        let spread = |v: u32| {
            let mut v = u64::from(v) & 0x7_ffff;
            v = (v | (v << 32)) & 0x001f_0000_0000_ffff;
            v = (v | (v << 16)) & 0x001f_0000_ff00_00ff;
            v = (v | (v << 8)) & 0x100f_00f0_0f00_f00f;
            v = (v | (v << 4)) & 0x10c3_0c30_c30c_30c3;
            (v | (v << 2)) & 0x1249_2492_4924_9249
        };
        let morton = spread(low.x) | (spread(low.y) << 1) | (spread(low.z) << 2);
        Self((morton << LEVEL_BITS) | (TOP - u64::from(level)))
    }

    /// 0 is the finest.
    pub fn level(self) -> u32 {
        (TOP - (self.0 & TOP)) as u32
    }

    /// Edge in finest cells.
    pub fn edge(self) -> u32 {
        1 << self.level()
    }

    /// Low corner on the finest lattice.
    pub fn low(self) -> UVec3 {
        let gather = |v: u64| {
            let mut v = v & 0x1249_2492_4924_9249;
            v = (v | (v >> 2)) & 0x10c3_0c30_c30c_30c3;
            v = (v | (v >> 4)) & 0x100f_00f0_0f00_f00f;
            v = (v | (v >> 8)) & 0x001f_0000_ff00_00ff;
            v = (v | (v >> 16)) & 0x001f_0000_0000_ffff;
            ((v | (v >> 32)) & 0x7_ffff) as u32
        };
        let morton = self.0 >> LEVEL_BITS;
        UVec3::new(gather(morton), gather(morton >> 1), gather(morton >> 2))
    }

    /// Middle in half finest cells, in which it is whole.
    pub fn middle(self) -> IVec3 {
        (2 * self.low() + self.edge()).as_ivec3()
    }

    /// The cell one level up that contains it.
    pub fn parent(self) -> Self {
        let level = self.level() + 1;
        Self::new((self.low() >> level) << level, level)
    }

    /// The eight cells one level down.
    ///
    /// # Panics
    /// At the finest level.
    pub fn children(self) -> [Self; 8] {
        let level = self.level() - 1;
        let half = 1 << level;
        std::array::from_fn(|k| {
            let k = k as u32;
            Self::new(self.low() + half * UVec3::new(k & 1, (k >> 1) & 1, k >> 2), level)
        })
    }

    /// Whether `other` is this cell or inside it.
    pub fn contains(self, other: Self) -> bool {
        let level = self.level();
        other.level() <= level && (other.low() >> level) << level == self.low()
    }
}
