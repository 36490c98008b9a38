//! `pliant render`, and what plain `pliant` does without a display.

use crate::movie::{self, Movie};
use crate::renderer::{Renderer, Wish};
use crate::run::{check_writable, simulate};
use crate::say::say;
use crate::{Failure, RenderArguments, SceneArguments};
use pliant_io::scene::Scene;
use pliant_studio::{Overlays, Picture, WorldView, write_gif};
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
    /// All frames, by `ffmpeg`.
    Movie(PathBuf),
}

/// What has been drawn.
enum Drawn {
    /// Is in its files already.
    Files,
    /// Waits for its palette.
    Gif(Vec<Picture>),
    /// Is with `ffmpeg`.
    Movie(Movie),
}

/// Most pixels a GIF may have in all its frames: they are held in memory until its palette is known.
const GIF_PIXELS: usize = 400_000_000;

/// Draws a scene into files.
pub fn render(arguments: &RenderArguments) -> Result<(), Failure> {
    let Size { width, height } = arguments.size;
    let overlays = Overlays { level: arguments.level, ..arguments.overlay };
    let target = Target::new(&arguments.out)?;
    let mut renderer = Renderer::new(arguments.renderer)?;
    // GIF viewers slow down anything faster than 50 a second: frames in between are left out.
    let every = if matches!(target, Target::Gif(_)) { arguments.every.max(2) } else { arguments.every };
    let mut view: Option<WorldView> = None;
    let mut drawn: Option<Drawn> = None;
    let mut index = 0;
    let scene = simulate(&arguments.scene, |scene, _| {
        let view = view.get_or_insert_with(|| look_at(scene, overlays));
        index += 1;
        if (index - 1) % every != 0 || matches!(target, Target::Png(_)) {
            return Ok(());
        }
        if drawn.is_none() {
            drawn = Some(target.begin(arguments.size, 1.0 / (scene.dt_secs * every as f32))?);
        }
        let picture = renderer.picture(&view.drawing(&scene.world), width, height)?;
        match &mut drawn {
            Some(Drawn::Gif(pictures)) if (pictures.len() + 1) * width * height > GIF_PIXELS => {
                Err(Failure::input(
                    "too many pixels for one GIF; use fewer --frames, a smaller --size or --every, or an .mp4",
                ))
            }
            Some(Drawn::Gif(pictures)) => {
                pictures.push(picture);
                Ok(())
            }
            Some(Drawn::Movie(movie)) => movie.add(&picture),
            _ => {
                picture.write_png(arguments.out.join(format!("{:05}.png", index - 1))).map_err(Failure::input)
            }
        }
    })?;
    match (&target, drawn) {
        (Target::Png(path), _) => {
            let mut view = view.unwrap_or_else(|| look_at(&scene, overlays));
            let picture = renderer.picture(&view.drawing(&scene.world), width, height)?;
            picture.write_png(path).map_err(Failure::input)?;
        }
        (Target::Gif(path), Some(Drawn::Gif(pictures))) => {
            let delay_cs = (100.0 * scene.dt_secs * every as f32).round().clamp(2.0, 1000.0) as u16;
            write_gif(path, &pictures, delay_cs).map_err(Failure::input)?;
        }
        (_, Some(Drawn::Movie(movie))) => movie.finish()?,
        _ => {}
    }
    if arguments.scene.quiet { Ok(()) } else { say(&format!("written {}", arguments.out.display())) }
}

/// What plain `pliant` does where there is no window: the first scene is drawn into a file.
pub fn default_scene(why: &dyn std::fmt::Display) -> Result<(), Failure> {
    let name = pliant_scenes::SCENES[0].name;
    let out = PathBuf::from("out").join(format!("{name}.gif"));
    say(&format!(
        "{why}: there is no window for the studio, so the scene {name} is drawn into {} instead\n\
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
    render(&RenderArguments {
        scene,
        size: Size { width: 640, height: 400 },
        out,
        every: 2,
        overlay: Overlays::default(),
        level: 0,
        renderer: Wish::Auto,
    })
}

fn make_folder(folder: &Path) -> Result<(), Failure> {
    let fail = |error| Failure::input(format!("{}: cannot make the folder: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(fail)
}

fn look_at(scene: &Scene, overlays: Overlays) -> WorldView {
    let from = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
    let mut view = WorldView::new(&scene.world, from);
    view.overlays = overlays;
    view
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

/// What `--out` may be.
const OUT: &str = "--out takes a folder, a .png, a .gif or an .mp4";

impl Target {
    fn new(out: &Path) -> Result<Self, Failure> {
        let ending = out.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match ending.as_str() {
            _ if out.is_dir() => Ok(Self::Folder(out.into())),
            "png" => check_writable(out).map(|()| Self::Png(out.into())),
            "gif" => check_writable(out).map(|()| Self::Gif(out.into())),
            "mp4" => {
                check_writable(out)?;
                movie::check_ffmpeg().map(|()| Self::Movie(out.into()))
            }
            "" if out.exists() => Err(Failure::input(format!("{}: this is a file; {OUT}", out.display()))),
            "" => Ok(Self::Folder(out.into())),
            _ => Err(Failure::input(format!("{}: {OUT}", out.display()))),
        }
    }

    /// Makes what the first picture goes to.
    fn begin(&self, size: Size, per_second: f32) -> Result<Drawn, Failure> {
        match self {
            Self::Folder(folder) => make_folder(folder).map(|()| Drawn::Files),
            Self::Png(_) => Ok(Drawn::Files),
            Self::Gif(_) => Ok(Drawn::Gif(Vec::new())),
            Self::Movie(path) => Movie::start(path, size.width, size.height, per_second).map(Drawn::Movie),
        }
    }
}
