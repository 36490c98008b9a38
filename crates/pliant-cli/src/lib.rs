//! The commands of `pliant`, as functions.
//!
//! Exit codes: 0 success, 2 bad arguments or input, 1 a failure of ours (so too a run in which nodes had to be contained, or after
//! which a surface is open that was closed). Errors go to stderr, machine output to stdout.

mod bench;
mod cube_plot;
mod export;
mod mesh;
mod movie;
mod plot;
mod progress;
mod render;
mod renderer;
mod report;
mod run;
mod say;
mod scenes;
mod series;
mod studio;
mod tetrahedra;

pub use report::RunReport;

use clap::{Args, Parser, Subcommand};
use pliant::sampling::stuffing::StuffingSettings;
use pliant_io::is_volume;
use std::fmt;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Without a command, the studio opens; where there is no display, the first scene is drawn into out/.

Examples:
  pliant                                            see it and touch it
  pliant studio my-mesh.obj                         your own mesh as a soft body
  pliant scenes                                     what there is to see
  pliant render duck-drop --out duck.mp4            draw it (a .gif or a folder of .png need no ffmpeg)
  pliant render hand-adaptive --overlay cells --out hand.gif
  pliant run duck-drop --export duck.glb            simulate it, and keep the motion for other programs
  pliant run my-scene.toml --report report.json     a scene of your own: docs/scenes.md
  pliant run duck-drop --export duck.vtu            the nodes of each frame for ParaView
  pliant mesh my-mesh.obj --repair --out mended.obj
  pliant mesh my-mesh.obj --tetrahedra 0.02 --out my-mesh.msh";

/// Real-time deformable bodies
#[derive(Debug, Parser)]
#[command(name = "pliant", version, after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the scenes, or print one as a scene file
    Scenes {
        /// Print this scene as a scene file, to begin your own with
        name: Option<String>,
        /// The list as JSON
        #[arg(long, conflicts_with = "name")]
        json: bool,
    },
    /// Open the studio's window with a scene, or with a scene file, a session or a mesh of yours
    Studio {
        /// A scene's name, or a .toml, .pliant or mesh file; the scene that was open last unless given
        what: Option<String>,
    },
    /// Simulate a scene
    Run(RunArguments),
    /// Draw a scene into PNG files, a GIF or an MP4
    Render(RenderArguments),
    /// Tell what a mesh is and what is wrong with it, and mend it
    Mesh {
        /// OBJ, PLY, STL, OFF, glTF or GLB; or a tetrahedral mesh: MSH, VTK, VTU, TetGen or Medit
        file: PathBuf,
        /// Weld, drop bad triangles, orient, fill small holes
        #[arg(long)]
        repair: bool,
        /// Fill the mesh with tetrahedra that have edges of about this many meters
        #[arg(long, value_name = "SIZE")]
        tetrahedra: Option<f32>,
        /// How many times tetrahedra may double their size away from the surface
        #[arg(long, value_name = "N", default_value_t = 0, requires = "tetrahedra", value_parser = clap::value_parser!(u32).range(..=20))]
        levels: u32,
        /// Where to write the mesh (.obj, .ply or .glb; tetrahedra as .msh or .vtu)
        #[arg(long)]
        out: Option<PathBuf>,
        /// What was found, as JSON
        #[arg(long)]
        json: bool,
    },
    /// Measure, side by side with others, and compare with earlier measurements
    Bench(BenchArguments),
    /// Draw a plot of a paper from our own runs
    Plot {
        /// Which: energy
        figure: String,
        /// The SVG file to write
        #[arg(long)]
        out: PathBuf,
    },
}

/// What scene, and how it is changed.
#[derive(Debug, Args)]
pub struct SceneArguments {
    /// A scene's name (see `pliant scenes`), a scene file, or a session that the studio saved
    scene: String,
    /// Frames to simulate; the scene's own number unless given
    #[arg(long, value_name = "N")]
    frames: Option<u32>,
    /// Threads to use; all cores unless given. The result does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Change a value of the scene, such as world.substeps=4 or body[*].material.alpha=0.8; may be given again
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
    /// Milliseconds that a frame may take: bodies that adapt get as many nodes as this machine can move in that time
    #[arg(long, value_name = "B", value_parser = milliseconds)]
    budget_ms: Option<f32>,
    /// No progress, no summary
    #[arg(long)]
    quiet: bool,
}

fn milliseconds(text: &str) -> Result<f32, String> {
    let ms = text.parse().map_err(|_| "a number is needed".to_owned())?;
    if ms > 0.0 && f32::is_finite(ms) { Ok(ms) } else { Err("it must be above 0 and finite".into()) }
}

#[derive(Debug, Args)]
struct RunArguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Write what was measured as JSON
    #[arg(long, value_name = "OUT.json")]
    report: Option<PathBuf>,
    /// Write the skins: .glb with the motion, .obj or .ply as they are at the end; or, as .vtu, the nodes of each frame for ParaView
    #[arg(long, value_name = "OUT.glb|obj|ply|vtu")]
    export: Option<PathBuf>,
    /// Exit with 0 although nodes were not finite or flew off and had to be put back
    #[arg(long)]
    allow_contained: bool,
}

#[derive(Debug, Args)]
struct RenderArguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// Width and height in pixels
    #[arg(long, default_value = "960x600", value_name = "WxH")]
    size: render::Size,
    /// A folder for PNG files, or a .png of the last frame, or a .gif, or an .mp4 (by ffmpeg, which must be installed)
    #[arg(long, value_name = "DIR|OUT.png|gif|mp4")]
    out: PathBuf,
    /// Draw every n-th frame (GIFs show 30 a second at most)
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// What is inside the bodies, with commas between: nodes, cells, regions, graph, clusters, contacts, strain, energy
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true)]
    overlay: pliant_studio::Overlays,
    /// Which level the overlay of energy shows; 0 is the finest
    #[arg(long, value_name = "N", default_value_t = 0)]
    level: u32,
    /// Who draws
    #[arg(long, value_enum, default_value_t)]
    renderer: renderer::Wish,
}

#[derive(Debug, Args)]
struct BenchArguments {
    /// Which suite: kernels, octree, cut, contacts, materials or studio; all of them unless given
    suite: Option<String>,
    /// Write the rows as JSON
    #[arg(long, value_name = "OUT.json")]
    json: Option<PathBuf>,
    /// Write the rows with machine and date, to compare with later
    #[arg(long, value_name = "BASELINE.json")]
    save: Option<PathBuf>,
    /// Print each row that is more than 15 % worse than in this file (of --save or --json); the exit code is 1 if there is one
    #[arg(long, value_name = "BASELINE.json")]
    against: Option<PathBuf>,
    /// Threads that worlds are stepped on; one unless given, all cores in the studio
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Bad arguments or input.
    Input(String),
    /// Our own.
    Ours(String),
}

impl Failure {
    /// Bad arguments or input.
    pub fn input(fault: impl fmt::Display) -> Self {
        Self::Input(fault.to_string())
    }

    /// Something of ours that does not work.
    pub fn ours(fault: impl fmt::Display) -> Self {
        Self::Ours(fault.to_string())
    }

    /// What the process returns.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Ours(_) => 1,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(fault) | Self::Ours(fault) => f.write_str(fault),
        }
    }
}

/// Runs what the arguments ask for.
///
/// # Errors
/// With the exit code that the process should have.
pub fn run_command(arguments: Arguments) -> Result<(), Failure> {
    match arguments.command {
        Some(Command::Scenes { name: Some(name), .. }) => scenes::print(&name),
        Some(Command::Scenes { name: None, json }) => scenes::list(json),
        Some(Command::Run(run)) => run::run(&run),
        Some(Command::Render(render)) => render::render(&render),
        Some(Command::Mesh { file, repair, tetrahedra: Some(size), levels, out, json }) => {
            tetrahedra::fill(&file, repair, &StuffingSettings { size, levels }, out.as_deref(), json)
        }
        Some(Command::Mesh { file, out, json, .. }) if is_volume(&file) => {
            tetrahedra::tell(&file, out.as_deref(), json)
        }
        Some(Command::Mesh { file, repair, out, json, .. }) => {
            mesh::mesh(&file, repair, out.as_deref(), json)
        }
        Some(Command::Bench(bench)) => bench::bench(&bench),
        Some(Command::Plot { figure, out }) => plot::plot(&figure, &out),
        Some(Command::Studio { what: Some(what) }) => studio::open(&what),
        Some(Command::Studio { what: None }) | None => studio::open_or_draw(),
    }
}
