//! `pliant render`, and what plain `pliant` does.

use crate::run::{check_writable, simulate};
use crate::say::say;
use crate::{Failure, RenderArguments, SceneArguments};
use pliant_io::scene::Scene;
use pliant_studio::{Picture, WorldView, write_gif};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where the pictures go.
enum Target {
    /// One PNG file a frame.
    Folder(PathBuf),
    /// The last frame.
    Png(PathBuf),
    /// All frames.
    Gif(PathBuf),
}

/// Most pixels a GIF may have in all its frames: they are held in memory until its palette is known.
const GIF_PIXELS: usize = 400_000_000;

/// Draws a scene into files.
pub fn render(arguments: &RenderArguments) -> Result<(), Failure> {
    let Size { width, height } = arguments.size;
    let target = Target::new(&arguments.out)?;
    // GIF viewers slow down anything faster than 50 a second: frames in between are left out.
    let every = if matches!(target, Target::Gif(_)) { arguments.every.max(2) } else { arguments.every };
    let mut view: Option<WorldView> = None;
    let mut pictures: Vec<Picture> = Vec::new();
    let mut index = 0;
    let scene = simulate(&arguments.scene, |scene, _| {
        let view = view.get_or_insert_with(|| look_at(scene));
        index += 1;
        if (index - 1) % every == 0 && !matches!(target, Target::Png(_)) {
            let picture = view.draw(&scene.world, width, height).map_err(Failure::input)?;
            match &target {
                Target::Folder(folder) => {
                    make_folder(folder)?;
                    picture
                        .write_png(folder.join(format!("{:05}.png", index - 1)))
                        .map_err(Failure::input)?;
                }
                _ if (pictures.len() + 1) * width * height > GIF_PIXELS => {
                    return Err(Failure::input(
                        "too many pixels for one GIF; use fewer --frames, a smaller --size or --every",
                    ));
                }
                _ => pictures.push(picture),
            }
        }
        Ok(())
    })?;
    match &target {
        Target::Folder(_) => {}
        Target::Png(path) => {
            let picture = view.unwrap_or_else(|| look_at(&scene)).draw(&scene.world, width, height);
            picture.and_then(|picture| picture.write_png(path)).map_err(Failure::input)?;
        }
        Target::Gif(path) => {
            let delay_cs = (100.0 * scene.dt_secs * every as f32).round().clamp(2.0, 1000.0) as u16;
            write_gif(path, &pictures, delay_cs).map_err(Failure::input)?;
        }
    }
    if arguments.scene.quiet { Ok(()) } else { say(&format!("written {}", arguments.out.display())) }
}

/// Plain `pliant`: there is no window yet, so the first scene is drawn into files.
pub fn default_scene() -> Result<(), Failure> {
    let name = pliant_scenes::SCENES[0].name;
    let out = PathBuf::from("out").join(format!("{name}.gif"));
    say(&format!(
        "pliant has no window in this version: drawing the scene {name} into {}\n\
         (`pliant --help` lists the commands, `pliant scenes` the scenes)",
        out.display()
    ))?;
    make_folder(Path::new("out"))?;
    let scene = SceneArguments {
        scene: name.into(),
        frames: Some(240),
        threads: None,
        settings: Vec::new(),
        budget_ms: None,
        quiet: false,
    };
    render(&RenderArguments { scene, size: Size { width: 640, height: 400 }, out, every: 2 })
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    let fail = |error| Failure::input(format!("{}: cannot make the folder: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(fail)
}

fn look_at(scene: &Scene) -> WorldView {
    WorldView::new(&scene.world, scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians)))
}

/// Width and height of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    width: usize,
    height: usize,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once(['x', 'X', '×']);
        let sides = sides.and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
        let (width, height) = sides.ok_or("write it as WIDTHxHEIGHT, for example 1280x720")?;
        let most = Picture::MOST;
        if [width, height].iter().all(|side| (1..=most).contains(side)) {
            return Ok(Self { width, height });
        }
        Err(format!("both must be from 1 to {most} pixels"))
    }
}

impl Target {
    fn new(out: &Path) -> Result<Self, Failure> {
        let ending = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            _ if out.is_dir() => Ok(Self::Folder(out.into())),
            "png" => check_writable(out).map(|()| Self::Png(out.into())),
            "gif" => check_writable(out).map(|()| Self::Gif(out.into())),
            "" if out.exists() => Err(Failure::input(format!(
                "{}: this is a file; --out takes a folder, a .png or a .gif",
                out.display()
            ))),
            "" => Ok(Self::Folder(out.into())),
            _ => Err(Failure::input(format!("{}: --out takes a folder, a .png or a .gif", out.display()))),
        }
    }
}
