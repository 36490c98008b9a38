//! What the studio begins with, and what is opened in it later: scenes of the list, and files.

use super::files::{self, Brought, Opened, Room};
use super::{Recorded, Settings, Studio, canvas};
use crate::session::NewBody;
use crate::{Input, Running, Session, Stage, WorldView};
use eframe::egui;
use pliant::BodyHandle;

impl Studio {
    /// A studio with the scene that was open last.
    pub fn new(context: &eframe::CreationContext<'_>) -> Self {
        let settings = context.storage.map(Settings::kept_in).unwrap_or_default();
        Self::with_settings(&context.egui_ctx, settings)
    }

    /// A studio as settings say, with their scene.
    pub fn with_settings(ctx: &egui::Context, settings: Settings) -> Self {
        let scene = pliant_scenes::find(&settings.scene).unwrap_or(&pliant_scenes::SCENES[0]);
        let mut studio = Self::empty(ctx, settings);
        studio.open_scene(scene.name);
        studio
    }

    /// A studio with a scene of that name, or else with a file of the user's.
    pub fn opening(context: &eframe::CreationContext<'_>, what: &str) -> Self {
        let settings = context.storage.map(Settings::kept_in).unwrap_or_default();
        let mut studio = Self::empty(&context.egui_ctx, settings);
        match pliant_scenes::find(what) {
            Some(scene) => studio.open_scene(scene.name),
            None => {
                let bytes = std::fs::read(what).map_err(|error| format!("{what}: {error}"));
                studio.open_file(Brought { path: std::path::absolute(what).unwrap_or(what.into()), bytes });
            }
        }
        studio
    }

    /// Whether a scene or a file is being opened.
    pub fn is_opening(&self) -> bool {
        self.opening.is_some() || !self.waiting.is_empty()
    }

    /// Opens a scene of the list, instead of what is being opened.
    pub fn open_scene(&mut self, name: &str) {
        self.settings.scene = name.into();
        self.opening = Some((name.into(), files::open_scene(name)));
    }

    /// Opens a file, after what is being opened: a session, a scene or a mesh. A mesh becomes a body of the scene that is open,
    /// or, if there is none yet, a scene of its own.
    pub fn open_file(&mut self, file: Brought) {
        self.waiting.push_back(file);
    }

    /// Lets a session run.
    pub fn show_session(&mut self, session: Session) {
        let scene = session.scene();
        let camera = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
        self.view = WorldView::new(session.world(), camera);
        canvas::reset(self);
        (self.selected, self.draft, self.recorded, self.turning) = (None, None, Recorded::No, false);
        self.hand.forget();
        self.stage = Stage::new(session);
        self.stage.lock().speed = self.settings.speed;
        self.is_empty = false;
    }

    /// Begins to open the next file, and shows what has been opened meanwhile.
    pub(super) fn poll_opening(&mut self, ctx: &egui::Context) {
        self.inbox.take_dropped(ctx);
        self.waiting.extend(std::iter::from_fn(|| self.inbox.next()));
        if self.opening.is_none()
            && let Some(file) = self.waiting.pop_front()
        {
            let name = file.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let room = (!self.is_empty).then(|| Room::of(&self.view));
            self.opening = Some((name, files::open_file(file, room)));
        }
        let Some((name, job)) = &mut self.opening else { return };
        let name = name.clone();
        let Some(opened) = job.poll() else { return ctx.request_repaint() };
        self.opening = None;
        match opened {
            Ok(Opened::Session(session, warnings)) => {
                warnings.into_iter().for_each(|warning| self.notes.error(warning));
                self.show_session(*session);
            }
            Ok(Opened::Body(made, warnings)) => {
                warnings.iter().for_each(|warning| self.notes.error(format!("{name}: {warning}")));
                let shared = self.stage.shared();
                let (new, body) = *made;
                self.add_body(&mut shared.lock(), new, body);
            }
            Err(fault) => self.notes.error(fault),
        }
        if !self.waiting.is_empty() {
            ctx.request_repaint();
        }
    }

    fn add_body(&mut self, running: &mut Running, new: NewBody, body: pliant::Body) {
        let name = new.name.clone();
        let before: Vec<BodyHandle> = running.session.world().bodies().map(|(handle, _)| handle).collect();
        match running.session.apply_with(Input::Add(Box::new(new)), Some(body)) {
            Ok(()) => {
                let mut bodies = running.session.world().bodies().map(|(handle, _)| handle);
                self.selected = bodies.find(|handle| !before.contains(handle));
                self.notes.say(format!("{name} is now a body"));
            }
            Err(error) => self.notes.error(error.to_string()),
        }
    }
}
