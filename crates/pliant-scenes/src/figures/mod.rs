//! Figures made from formulas: no files, any resolution.
//!
//! Each is a signed distance function (negative inside) whose surface [`surface_nets`] extracts. All are closed and
//! oriented outward, stand on y = 0 with their middle above the origin, and measure about one metre.

mod bear;
mod dinosaur;
mod duck;
mod elephant;
mod fish;
mod flower;
mod hand;
mod kidney;
mod liver;
mod sdf;
mod star;
pub mod surface_nets;
mod willow;

pub use bear::bear;
pub use dinosaur::dinosaur;
pub use duck::duck;
pub use elephant::elephant;
pub use fish::fish;
pub use flower::flower;
pub use hand::hand;
pub use kidney::kidney;
pub use liver::liver;
pub use star::star;
pub use willow::willow;

use pliant::geometry::TriMesh;

/// A figure in the list of all figures.
#[derive(Clone, Copy, Debug)]
pub struct FigureEntry {
    /// One word.
    pub name: &'static str,
    /// One line.
    pub description: &'static str,
    /// Makes it, with a number of cells along its longest side.
    pub build: fn(usize) -> TriMesh,
    /// Cells along the longest side that show all of its features with few triangles.
    pub resolution: usize,
}

impl FigureEntry {
    const fn new(
        name: &'static str,
        description: &'static str,
        build: fn(usize) -> TriMesh,
        resolution: usize,
    ) -> Self {
        Self { name, description, build, resolution }
    }

    /// The figure at its own resolution.
    pub fn mesh(&self) -> TriMesh {
        (self.build)(self.resolution)
    }
}

/// All figures.
pub const FIGURES: &[FigureEntry] = &[
    FigureEntry::new("fish", "a trout with forked tail, swimming along x", fish, 44),
    FigureEntry::new("duck", "a rubber duck that looks along x", duck, 36),
    FigureEntry::new("hand", "a right hand with five separate fingers, palm toward z", hand, 54),
    FigureEntry::new("bear", "a gummy bear that looks along z", bear, 42),
    FigureEntry::new("kidney", "a kidney lying on its flat side", kidney, 32),
    FigureEntry::new("liver", "a liver, its large lobe toward -x, seen from the front along z", liver, 34),
    FigureEntry::new("star", "a starfish lying on the floor", star, 40),
    FigureEntry::new("flower", "a flower with eight separate petals that looks up and along z", flower, 92),
    FigureEntry::new("elephant", "an elephant that looks along x, its trunk hanging free", elephant, 52),
    FigureEntry::new(
        "dinosaur",
        "a long-necked dinosaur with plates along its back that looks along x",
        dinosaur,
        64,
    ),
    FigureEntry::new("willow", "a weeping willow with 32 branches that touch nothing", willow, 112),
];
