//! `pliant run`.

use crate::export::{self, Export};
use crate::progress::Progress;
use crate::report::{Recorder, RunReport};
use crate::say::say;
use crate::{Failure, RunArguments, SceneArguments, scenes};
use pliant::{Budget, StepReport};
use pliant_io::scene::Scene;
use pliant_studio::Session;
use std::path::Path;

/// Simulates a scene, and writes what was asked for.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let mut export = arguments.export.as_deref().map(Export::to).transpose()?;
    if let Some(path) = arguments.report.as_deref() {
        check_writable(path)?;
    }
    let mut recorder: Option<Recorder> = None;
    let scene = simulate(&arguments.scene, |scene, step| {
        match (&mut recorder, step) {
            (Some(recorder), Some(step)) => recorder.frame(scene, step),
            _ => recorder = Some(Recorder::start(scene)),
        }
        if let Some(export) = &mut export {
            export.frame(scene)?;
        }
        Ok(())
    })?;
    let report = recorder.map(|r| r.finish(&scene));
    if let Some(export) = export {
        for warning in export.finish(&scene)? {
            eprintln!("pliant: {warning}");
        }
    }
    if let Some(report) = report {
        if let Some(path) = arguments.report.as_deref() {
            write_json(path, &report)?;
        }
        if !arguments.scene.quiet {
            say(&report.summary())?;
            let exported = arguments.export.as_deref().map(export::written);
            let written = [exported.as_deref(), arguments.report.as_deref()];
            written
                .into_iter()
                .flatten()
                .try_for_each(|path| say(&format!("  written {}", path.display())))?;
        }
        return report.verdict(arguments.allow_contained);
    }
    Ok(())
}

/// Runs a scene for as long as asked; `frame` sees it before the first step (without a report) and after each.
pub fn simulate(
    arguments: &SceneArguments,
    mut frame: impl FnMut(&Scene, Option<&StepReport>) -> Result<(), Failure> + Send,
) -> Result<Scene, Failure> {
    let threads = arguments.threads.map_or(0, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Failure::Ours(format!("cannot start threads: {error}")))?;
    pool.install(|| {
        let mut source = Source::find(arguments)?;
        let frames = arguments.frames.unwrap_or(source.frames());
        let progress = Progress::new(frames, arguments.quiet);
        frame(source.scene(), None)?;
        for done in 1..=frames {
            let step = source.step();
            frame(source.scene(), Some(&step))?;
            progress.frame(done);
        }
        progress.finish();
        source.into_scene(arguments.quiet)
    })
}

/// What is run: a scene, or a session that is done again.
enum Source {
    Scene(Box<Scene>),
    Session(Box<Session>),
}

impl Source {
    fn find(arguments: &SceneArguments) -> Result<Self, Failure> {
        let path = Path::new(&arguments.scene);
        if !has_ending(path, &[Session::ENDING]) {
            let mut scene = scenes::find(arguments)?;
            if let Some(ms) = arguments.budget_ms {
                scene.world.set_budget(Some(Budget::Millis(ms)));
            }
            return Ok(Self::Scene(Box::new(scene)));
        }
        if !arguments.settings.is_empty() || arguments.budget_ms.is_some() {
            let fault = "a session is done again as it was: --set and --budget-ms are for scenes";
            return Err(Failure::input(fault));
        }
        let fail = |fault: &dyn std::fmt::Display| Failure::input(format!("{}: {fault}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| fail(&error))?;
        let session = Session::from_bytes(&bytes).map_err(|error| fail(&error))?;
        Ok(Self::Session(Box::new(session)))
    }

    fn scene(&self) -> &Scene {
        match self {
            Self::Scene(scene) => scene,
            Self::Session(session) => session.scene(),
        }
    }

    /// Frames that it has unless another number is asked for.
    fn frames(&self) -> u32 {
        match self {
            Self::Scene(scene) => scene.frames,
            Self::Session(session) => session.last_step().min(u64::from(u32::MAX)) as u32,
        }
    }

    fn step(&mut self) -> StepReport {
        match self {
            Self::Scene(scene) => scene.step(),
            Self::Session(session) => session.step(),
        }
    }

    /// The scene as it is in the end; a session that came to its own end says whether the state is the same.
    fn into_scene(self, quiet: bool) -> Result<Scene, Failure> {
        match self {
            Self::Scene(scene) => Ok(*scene),
            Self::Session(session) => {
                match session.is_reproduced() {
                    Some(true) if !quiet => say("reproduced exactly")?,
                    Some(false) => eprintln!("pliant: the state differs from that in the file"),
                    _ => {}
                }
                Ok(session.into_scene())
            }
        }
    }
}

/// Fails early if a file cannot be made there, before minutes of work are lost.
pub fn check_writable(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if path.is_dir() {
        return Err(Failure::input(format!(
            "{}: this is a directory, a file name is needed",
            path.display()
        )));
    }
    if !folder.is_dir() {
        return Err(Failure::input(format!("{}: there is no folder {}", path.display(), folder.display())));
    }
    Ok(())
}

/// Whether a file's name ends in one of these, in small or capital letters.
pub fn has_ending(path: &Path, endings: &[&str]) -> bool {
    path.extension().is_some_and(|ending| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Writes a value as JSON.
pub fn write_json(path: &Path, value: &impl serde::Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|error| Failure::Ours(error.to_string()))?;
    std::fs::write(path, text + "\n")
        .map_err(|error| Failure::input(format!("{}: cannot write it: {error}", path.display())))
}

impl RunReport {
    /// Whether the run is one to rely on: nodes that had to be put back, and surfaces that came open, are a failure of ours.
    fn verdict(&self, allow_contained: bool) -> Result<(), Failure> {
        let contained = (self.contained > 0 && !allow_contained).then(|| {
            format!(
                "contained {}: not finite or flew off, and was put back (--allow-contained accepts that)",
                count(self.contained, "node", "nodes")
            )
        });
        let opened = (self.opened > 0).then(|| {
            format!(
                "the surface of {} is open at the end and was closed at first",
                count(self.opened, "body", "bodies")
            )
        });
        let faults: Vec<String> = contained.into_iter().chain(opened).collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(Failure::Ours(format!("{}: {}", self.scene, faults.join("; "))))
        }
    }

    /// Bodies, and the pieces that they have come into where those are more.
    fn bodies_in_words(&self) -> String {
        let bodies = count(self.bodies.len(), "body", "bodies");
        match self.bodies.iter().map(|body| body.pieces).sum::<usize>() {
            pieces if pieces > self.bodies.len() => format!("{bodies} in {pieces} pieces"),
            _ => bodies,
        }
    }

    /// A summary for people.
    fn summary(&self) -> String {
        let ms = &self.ms_per_frame;
        let nodes: usize = self.bodies.iter().map(|body| body.nodes_last).sum();
        let contained = match self.contained {
            0 => String::new(),
            count => format!("  {count} times a node was not finite or flew off, and was put back\n"),
        };
        let times = match self.frames {
            0 => String::new(),
            _ => format!(
                "  a frame took {:.3} ms (median), {:.3} ms (p95), {:.3} ms (max) on {}\n",
                ms.all.median,
                ms.all.p95,
                ms.all.max,
                count(self.threads, "thread", "threads")
            ),
        };
        format!(
            "{}: {}, {}, {} of {:.4} s\n{times}  volume {:.3} of rest, state {}\n{contained}",
            self.scene,
            self.bodies_in_words(),
            count(nodes, "node", "nodes"),
            count(self.frames, "frame", "frames"),
            self.dt_secs,
            self.volume_ratio,
            self.state_hash
        )
    }
}

/// A number of things, in words.
pub fn count(n: usize, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}
