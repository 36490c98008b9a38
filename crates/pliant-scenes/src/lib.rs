//! Scenes for Pliant, and the figures that they need.
//!
//! [`SCENES`] is the one list of all scenes: the command line, the studio, the tests and the benchmarks take theirs from it.
//!
//! ```
//! let mut scene = pliant_scenes::build("jelly-cubes").unwrap();
//! let report = scene.step();
//! assert!(report.nodes > 0);
//! ```

// States are the same on every machine.
#![warn(clippy::disallowed_methods)]

pub mod beams;
mod clusters;
mod contact;
mod cut;
mod elements;
pub mod equilibria;
pub mod figures;
mod hierarchy;
mod moduli;
mod octree;
pub mod oscillation;
pub mod solvers;

use clusters::{area, complex, crowd, jelly, l_bar, skin_patch, tools};
use contact::{
    bounce, folded, funnel, gripper, knot, liver as liver_halves, moving, pile, towers, trampoline,
};
use cut::{ball, cube, liver, scissors, sheet};
use elements::{beam as cut_beam, liver as pressed, moduli as stars};
use hierarchy::{dinosaur, elephant, willow};
use octree::{crowd as adaptive_crowd, flowers, hand, plastic};
use pliant::TriMesh;
use pliant_io::scene::{Scene, SceneError, SceneFile, set};
use std::path::Path;

/// One scene of the list.
#[derive(Clone, Copy, Debug)]
pub struct SceneEntry {
    /// What it shows: a model or a part of the engine.
    pub category: &'static str,
    /// One word, for the command line.
    pub name: &'static str,
    /// One line that says what there is to see.
    pub description: &'static str,
    build: fn(&SceneEntry) -> SceneFile,
}

const fn entry(
    category: &'static str,
    name: &'static str,
    description: &'static str,
    build: fn(&SceneEntry) -> SceneFile,
) -> SceneEntry {
    SceneEntry { category, name, description, build }
}

/// All scenes. The first is the one that a new user sees.
pub const SCENES: &[SceneEntry] = &[
    entry(
        "jelly",
        "duck-drop",
        "A rubber duck falls on the floor, wobbles and comes to rest",
        tools::duck_drop,
    ),
    entry(
        "jelly",
        "jelly-cubes",
        "Three cubes that deform rigidly, linearly and quadratically",
        jelly::cubes,
    ),
    entry(
        "jelly",
        "jelly-spheres",
        "Three spheres that deform rigidly, linearly and quadratically",
        jelly::spheres,
    ),
    entry(
        "jelly",
        "small-objects",
        "144 small cubes, balls, bears and rings dropped at once",
        crowd::small_objects,
    ),
    entry(
        "clusters",
        "l-bar-one-cluster",
        "An L-bar pulled apart: one cluster only shears",
        l_bar::one_cluster,
    ),
    entry(
        "clusters",
        "l-bar-two-clusters",
        "An L-bar pulled apart: two clusters open the corner",
        l_bar::two_clusters,
    ),
    entry("clusters", "skin-patch-1", "A patch of skin under a pick, all one cluster", skin_patch::one),
    entry("clusters", "skin-patch-2x2", "A patch of skin under a pick, 2×2 clusters", skin_patch::two_by_two),
    entry(
        "clusters",
        "skin-patch-5x5",
        "A patch of skin under a pick, 5×5 clusters",
        skin_patch::five_by_five,
    ),
    entry("area", "ball-wall-no-cap", "A ball smashed against a wall turns into a pancake", area::no_cap),
    entry("area", "ball-wall-hard-caps", "The same with three hard caps on its area", area::hard_caps),
    entry("area", "ball-wall-soft-caps", "The same with three soft caps on its area", area::soft_caps),
    entry("tools", "fish-held", "A fish bent between two locked picks", complex::fish_held),
    entry("tools", "torus-knot-swung", "A torus knot swung about by one pick", complex::torus_knot_swung),
    entry(
        "tools",
        "pick-and-throw",
        "A hand is picked up by a finger and thrown over a bar",
        tools::pick_and_throw,
    ),
    entry("tools", "push-through", "A ball pushes its way through a row of cushions", tools::push_through),
    entry("tools", "stars-in-wind", "Three starfish held by an arm in gusts of wind", tools::stars_in_wind),
    entry("plasticity", "plastic-bear", "Two bears hit the floor: one keeps its dents", tools::plastic_bear),
    entry(
        "materials",
        "moduli",
        "Beams of five Young's moduli: each bends half as far as the one below",
        moduli::beams,
    ),
    entry("octree", "hand-uniform", "A finger is pulled: a hand of one fine lattice", hand::uniform),
    entry("octree", "hand-adaptive", "The same hand with cells as large as its shape allows", hand::adaptive),
    entry("octree", "hand-stiffness", "A shaken hand: a soft little finger, a hard thumb", hand::stiffness),
    entry(
        "octree",
        "plastic-block",
        "A block falls on a ball and an edge, and keeps the dents",
        plastic::block,
    ),
    entry(
        "octree",
        "flowers-in-wind",
        "40 flowers in gusts of wind; those that a ball pushes aside get finer",
        flowers::in_wind,
    ),
    entry(
        "octree",
        "crowd-under-budget",
        "Figures fall; near ones are finer, and the nodes of all stay within a budget",
        adaptive_crowd::under_budget,
    ),
    entry(
        "hierarchy",
        "willow-light-wind",
        "A willow in a breeze: only its hanging branches sway",
        willow::light,
    ),
    entry("hierarchy", "willow-medium-wind", "A willow in a fresh wind: all its boughs sway", willow::medium),
    entry(
        "hierarchy",
        "willow-strong-wind",
        "A willow in a storm: stem, boughs and branches are bent aside, and none breaks",
        willow::strong,
    ),
    entry(
        "hierarchy",
        "elephant-trunks",
        "Two shaken trunks: one matched on a single level lags, one on six levels swings",
        elephant::shaken,
    ),
    entry(
        "hierarchy",
        "dinosaur-pulled",
        "A dinosaur of five levels is pulled by its head and tail to extremes and let go",
        dinosaur::pulled,
    ),
    entry(
        "elements",
        "soft-to-stiff",
        "Shaken stars of four Young's moduli, each four times as stiff as the one before",
        stars::soft_to_stiff,
    ),
    entry(
        "elements",
        "liver-pressed",
        "A liver of elements is pressed by a round tip and let go",
        pressed::pressed,
    ),
    entry(
        "elements",
        "cut-beam",
        "A stretched beam is cut: the slit gapes, then its halves spring back",
        cut_beam::cut,
    ),
    entry(
        "cutting",
        "liver-cut",
        "A hanging liver is cut by a knife: a flap opens, a slit, and a piece comes off",
        liver::cut_live,
    ),
    entry(
        "cutting",
        "cylinder-out-of-cube",
        "A core is cut out of a cube, lifted out of its hole and set down",
        cube::cylinder_out,
    ),
    entry(
        "cutting",
        "crossing-cuts",
        "Crossing cuts divide the top of a cube into many posts, which are pulled apart",
        cube::crossing,
    ),
    entry(
        "cutting",
        "scissors-fish",
        "Scissors cut a fish on a ridge in half; the halves roll apart and are cut again",
        scissors::fish,
    ),
    entry(
        "cutting",
        "scissors-torus-knot",
        "Scissors cut a torus knot on a ridge; the parts roll apart and are cut again",
        scissors::torus_knot,
    ),
    entry("cutting", "talking-ball", "A ball is cut nearly in half and then talks", ball::talking),
    entry("cutting", "torn-sheet", "A notched sheet is pulled at both ends until it tears", sheet::torn),
    entry(
        "contacts",
        "pile",
        "100 jelly cubes and balls fall into a heap and come to rest",
        pile::cubes_and_balls,
    ),
    entry(
        "contacts",
        "liver-halves",
        "A liver is cut in two, and the upper half slides off the lower one",
        liver_halves::halves,
    ),
    entry("contacts", "knot", "A knot in a rope is pulled tight", knot::pulled_tight),
    entry(
        "contacts",
        "ball-between-plates",
        "A ball is squeezed between two plates again and again",
        moving::ball_between_plates,
    ),
    entry(
        "contacts",
        "jelly-on-platform",
        "Jellies ride on a platform that moves sideways, up and down",
        moving::jelly_on_platform,
    ),
    entry(
        "contacts",
        "trampoline",
        "A hard ball bounces on a sheet of jelly that is held at its rim",
        trampoline::ball,
    ),
    entry(
        "contacts",
        "funnel",
        "150 small balls and cubes fall into a funnel and through its spout",
        funnel::poured,
    ),
    entry(
        "contacts",
        "towers",
        "Soft blocks in two towers: below the height at which a column buckles, and above it",
        towers::below_and_above,
    ),
    entry("contacts", "restitution", "Five balls that bounce more and more", bounce::five_restitutions),
    entry(
        "contacts",
        "ball-on-stairs",
        "A ball rolls and bounces down a flight of stairs",
        bounce::ball_on_stairs,
    ),
    entry("contacts", "folded-bar", "A bar is folded over on itself and pressed together", folded::bar),
    entry(
        "contacts",
        "soft-gripper",
        "Three soft fingers, attached to knuckles that move, lift a ball and set it down",
        gripper::soft,
    ),
];

impl SceneEntry {
    /// The scene's description as a scene file would give it.
    pub fn file(&self) -> SceneFile {
        (self.build)(self)
    }

    /// The scene, with `key=value` changes.
    ///
    /// # Errors
    /// If a change does not fit the scene.
    pub fn build_with(&self, settings: &[String]) -> Result<Scene, SceneError> {
        let file = settings.iter().try_fold(self.file(), |file, setting| set(&file, setting))?;
        file.build(Path::new(""), &figure).map_err(with_figures)
    }
}

/// Reads a scene file, with `key=value` changes, and builds its world; it may use the [`figures`].
///
/// # Errors
/// With file, line and key.
pub fn load(path: &Path, settings: &[String]) -> Result<Scene, SceneError> {
    SceneFile::load(path, settings, &figure).map_err(with_figures)
}

/// Builds the world of a scene file's text; it may use the [`figures`]. Mesh files are looked for in `folder`.
///
/// # Errors
/// With line and key.
pub fn read(text: &str, folder: &Path) -> Result<Scene, SceneError> {
    SceneFile::parse(text)?.build(folder, &figure).map_err(with_figures)
}

/// An error about a figure's name, with the names there are.
fn with_figures(mut error: SceneError) -> SceneError {
    if error.message.starts_with("there is no figure") {
        let names: Vec<&str> = figures::FIGURES.iter().map(|figure| figure.name).collect();
        error.message += &format!("; there are {}", names.join(", "));
    }
    error
}

/// The scene of that name.
pub fn find(name: &str) -> Option<&'static SceneEntry> {
    SCENES.iter().find(|entry| entry.name == name)
}

/// Builds the scene of that name; `None` if there is none.
pub fn build(name: &str) -> Option<Scene> {
    find(name)?.build_with(&[]).ok()
}

/// The mesh of a figure by its name, for scene files.
pub fn figure(name: &str) -> Option<TriMesh> {
    figures::FIGURES.iter().find(|figure| figure.name == name).map(figures::FigureEntry::mesh)
}
