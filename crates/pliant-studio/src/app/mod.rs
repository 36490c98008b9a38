//! The studio's window, native and in the browser.

mod canvas;
pub mod files;
mod gallery;
pub mod help;
mod inspector;
mod job;
#[cfg(not(target_arch = "wasm32"))]
mod launch;
mod levels;
mod model;
mod notes;
mod numbers;
mod opening;
mod panels;
mod plots;
mod rules;
mod settings;
mod transport;

#[cfg(not(target_arch = "wasm32"))]
pub use launch::{NoWindow, run};
pub use settings::Settings;

use crate::recording::{Film, Recording};
use crate::{Hand, Input, Orbit, Running, Session, Stage, ToolKind, View, WorldView};
use canvas::Canvas;
use eframe::egui::{self, Ui};
use files::{Brought, Inbox, Opening};
use help::Action;
use job::Job;
use notes::Notes;
use pliant::BodyHandle;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The studio.
pub struct Studio {
    settings: Settings,
    stage: Stage,
    view: WorldView,
    orbit: Orbit,
    hand: Hand,
    canvas: Canvas,
    pictures: gallery::Pictures,
    selected: Option<BodyHandle>,
    /// Settings of a body's model that the user is changing: body, version, settings.
    draft: Option<model::Draft>,
    /// Whether a drag with the left button turns the view.
    turning: bool,
    inbox: Inbox,
    /// Files to open, one after the other.
    waiting: VecDeque<Brought>,
    opening: Option<(String, Opening)>,
    /// Whether nothing has been opened yet.
    is_empty: bool,
    film: Film,
    recorded: Recorded,
    filming: Option<Filming>,
    notes: Notes,
    help: bool,
    /// Smoothed.
    pictures_a_second: f32,
}

/// Whether a recording has begun.
enum Recorded {
    No,
    /// At that step.
    Since(u64),
}

/// A film that is being written.
struct Filming {
    job: Job<Result<(String, Vec<String>), String>>,
    /// Thousandths that are done.
    done: Arc<AtomicU32>,
}

impl Filming {
    fn progress(&self) -> f32 {
        self.done.load(Ordering::Relaxed) as f32 / 1000.0
    }
}

/// What is done of a film at a time: half of a frame, where frames have to do it.
const FILM_SLICE: Duration = Duration::from_millis(8);
/// Pictures of a film, in pixels.
const FILM_SIZE: [usize; 2] = [640, 400];

impl Studio {
    /// A studio in which nothing has been opened yet: there is a floor, and no body.
    fn empty(ctx: &egui::Context, settings: Settings) -> Self {
        ctx.set_theme(settings.theme);
        ctx.set_zoom_factor(settings.zoom.clamp(0.5, 3.0));
        ctx.options_mut(|options| options.zoom_with_keyboard = false);
        let stage = Stage::new(Session::new(files::floor()));
        let view = WorldView::new(stage.lock().session.world(), None);
        let mut hand = Hand::new(settings.tool);
        hand.size = settings.tool_size;
        Self {
            orbit: Orbit::of(&view),
            view,
            stage,
            hand,
            canvas: Canvas::default(),
            pictures: gallery::Pictures::default(),
            selected: None,
            draft: None,
            turning: false,
            inbox: Inbox::default(),
            waiting: VecDeque::new(),
            opening: None,
            is_empty: true,
            film: Film::Gif,
            recorded: Recorded::No,
            filming: None,
            notes: Notes::default(),
            help: false,
            pictures_a_second: 0.0,
            settings,
        }
    }

    /// What it remembers.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What runs in it.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Where the picture of the world is on the screen, and what it shows.
    pub fn picture(&self) -> Option<(egui::Rect, &WorldView)> {
        self.canvas.rect.map(|rect| (rect, &self.view))
    }

    /// Whether a film is being written.
    pub fn is_filming(&self) -> bool {
        self.filming.is_some()
    }

    /// Does something to the world, and says so if it cannot be done.
    fn act(&mut self, running: &mut Running, input: Input) {
        if let Err(error) = running.session.apply(input) {
            self.notes.error(error.to_string());
        }
    }

    /// Sees what has been opened and written meanwhile.
    fn poll(&mut self, ctx: &egui::Context) {
        self.poll_opening(ctx);
        if let Some(filming) = &mut self.filming {
            ctx.request_repaint_after(Duration::from_millis(50));
            match filming.job.poll() {
                None => {}
                Some(Ok((path, warnings))) => {
                    self.filming = None;
                    self.notes.say(format!("written {path}"));
                    warnings.into_iter().for_each(|warning| self.notes.error(warning));
                }
                Some(Err(fault)) => {
                    self.filming = None;
                    self.notes.error(fault);
                }
            }
        }
    }

    /// Does what a key or a button asks for.
    fn perform(&mut self, running: &mut Running, ctx: &egui::Context, action: Action) {
        match action {
            Action::Play => running.playing = !running.playing,
            Action::Step => {
                running.playing = false;
                running.session.step();
            }
            Action::Back => {
                running.playing = false;
                running.session.step_back();
            }
            Action::Reset => running.session.reset(),
            Action::SlowMotion => transport::toggle_slow_motion(self, running),
            Action::Tool(kind) => self.choose(running, kind),
            Action::Lock => {
                if self.hand.is_busy()
                    && let Err(error) = self.hand.lock(&mut running.session)
                {
                    self.notes.error(error.to_string());
                }
            }
            Action::Focus => {
                let body =
                    self.selected.or(running.session.world().bodies().next().map(|(handle, _)| handle));
                if let Some((lo, hi)) = body.and_then(|body| crate::bounds(running.session.world(), body)) {
                    self.orbit.focus(lo, hi);
                }
            }
            Action::Home => {
                let camera = running.session.scene().camera;
                let camera = camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
                self.orbit = Orbit::of(&WorldView::new(running.session.world(), camera));
            }
            Action::Undo => {
                if !running.session.undo() {
                    self.notes.say("there is nothing to undo");
                }
            }
            Action::Picture => self.save_picture(running),
            Action::Record => self.record(running),
            Action::Save => self.save_session(running),
            Action::Open => self.inbox.ask(ctx),
            Action::Gallery => self.settings.gallery ^= true,
            Action::Inspector => self.settings.inspector ^= true,
            Action::Plots => self.settings.plots ^= true,
            Action::Help => self.help ^= true,
        }
    }

    fn choose(&mut self, running: &mut Running, kind: ToolKind) {
        // What was begun with one tool is not ended with another.
        if self.hand.kind == ToolKind::Scissors {
            self.hand.forget();
        }
        let _ = self.hand.release(&mut running.session);
        self.hand.kind = kind;
        self.settings.tool = kind;
    }

    fn stem(running: &Running) -> String {
        match running.session.scene().name.as_str() {
            "" => "session".into(),
            name => name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '-' }).collect(),
        }
    }

    fn told(&mut self, saved: Result<String, String>) {
        match saved {
            Ok(path) => self.notes.say(format!("written {path}")),
            Err(fault) => self.notes.error(fault),
        }
    }

    fn save_session(&mut self, running: &Running) {
        let bytes = running.session.to_bytes();
        self.told(files::save(&Self::stem(running), Session::ENDING, &bytes));
    }

    fn save_picture(&mut self, running: &Running) {
        let size = self.canvas.rect.map_or(egui::vec2(1280.0, 720.0), |rect| rect.size());
        let mut view = self.view.clone();
        view.cursor.clear();
        let picture = view.draw(running.session.world(), size.x as usize, size.y as usize);
        let bytes = picture.and_then(|picture| picture.png_bytes()).map_err(|error| error.to_string());
        let saved = bytes.and_then(|bytes| files::save(&Self::stem(running), "png", &bytes));
        self.told(saved);
    }

    /// Begins a recording, or ends it and writes the film.
    fn record(&mut self, running: &mut Running) {
        let Recorded::Since(first) = std::mem::replace(&mut self.recorded, Recorded::No) else {
            self.recorded = Recorded::Since(running.session.steps());
            return;
        };
        let last = running.session.steps();
        if last <= first {
            return self.notes.error("nothing was recorded: no step was made");
        }
        let mut view = self.view.clone();
        view.cursor.clear();
        let recording = Recording::new(&running.session, view, self.film, [first, last], FILM_SIZE);
        let (film, stem, done) = (self.film, Self::stem(running), Arc::new(AtomicU32::new(0)));
        let progress = done.clone();
        let mut recording = Some(recording);
        let job = Job::in_slices(move || {
            let at_work = recording.as_mut()?;
            let written = match at_work.work(FILM_SLICE) {
                Ok(false) => {
                    progress.store((1000.0 * at_work.progress()) as u32, Ordering::Relaxed);
                    return None;
                }
                Ok(true) => recording.take()?.finish(),
                Err(error) => Err(error),
            };
            let saved = written
                .map_err(|error| error.to_string())
                .and_then(|(bytes, warnings)| Ok((files::save(&stem, film.ending(), &bytes)?, warnings)));
            Some(saved)
        });
        self.filming = Some(Filming { job, done });
    }

    fn top(&mut self, running: &mut Running, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.strong("Pliant");
            ui.separator();
            for (i, kind) in ToolKind::ALL.into_iter().enumerate() {
                let hover = format!("{} ({})", kind.help(), i + 1);
                if ui.selectable_label(self.hand.kind == kind, kind.name()).on_hover_text(hover).clicked() {
                    self.choose(running, kind);
                }
            }
            if running.session.own_wind().is_some()
                && !self.hand.is_busy()
                && ui.button("stop the wind").clicked()
            {
                self.act(running, Input::Wind(None));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.toggle_value(&mut self.help, "Help").on_hover_text("Keys and buttons (H)");
                ui.toggle_value(&mut self.settings.plots, "Plots").on_hover_text("T");
                ui.toggle_value(&mut self.settings.inspector, "Parameters").on_hover_text("I");
                ui.toggle_value(&mut self.settings.gallery, "Scenes").on_hover_text("G");
                if running.session.contained() > 0 {
                    ui.colored_label(egui::Color32::from_rgb(220, 40, 40), "contained");
                }
            });
        });
    }
}

impl eframe::App for Studio {
    fn ui(&mut self, ui: &mut Ui, frame: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.stage.frame();
        let seconds = ctx.input(|input| input.unstable_dt).max(1e-4);
        self.pictures_a_second += (1.0 / seconds - self.pictures_a_second) * seconds.min(0.2) * 2.0;
        self.poll(&ctx);
        let shared = self.stage.shared();
        let mut running = shared.lock();
        let running = &mut *running;
        running.session.take_refusals().into_iter().for_each(|why| self.notes.error(why));
        for action in help::actions(&ctx) {
            self.perform(running, &ctx, action);
        }
        let bright = self.view.view.background == View::default().background;
        if bright == ctx.global_style().visuals.dark_mode {
            self.view.view.set_dark(bright);
        }
        let (gallery, inspector, plots) =
            (self.settings.gallery, self.settings.inspector, self.settings.plots);
        egui::Panel::top("top").show(ui, |ui| self.top(running, ui));
        let mut asked = Vec::new();
        egui::Panel::bottom("transport").show(ui, |ui| {
            ui.add_space(3.0);
            asked = transport::show(self, running, ui);
            running.session.measure_energy(plots);
            if plots {
                plots::show(&running.session, ui);
            }
            ui.add_space(3.0);
        });
        if gallery {
            let panel = egui::Panel::left("gallery").default_size(270.0).size_range(180.0..=420.0);
            panel.show(ui, |ui| gallery::show(self, ui));
        }
        if inspector {
            let panel = egui::Panel::right("inspector").default_size(260.0).size_range(220.0..=420.0);
            panel.show(ui, |ui| inspector::show(self, running, ui));
        }
        egui::CentralPanel::no_frame().show(ui, |ui| canvas::show(self, running, ui, frame));
        asked.into_iter().for_each(|action| self.perform(running, &ctx, action));
        help::show(self, &ctx);
        if let Some(rect) = self.canvas.rect {
            self.notes.show(&ctx, rect.left_bottom());
            if let Some((name, _)) = &self.opening {
                let text = format!("opening {name} …");
                let painter = ctx
                    .layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("opening")));
                let color = ctx.global_style().visuals.strong_text_color();
                painter.text(
                    rect.center_top() + egui::vec2(0.0, 24.0),
                    egui::Align2::CENTER_TOP,
                    text,
                    egui::FontId::proportional(18.0),
                    color,
                );
            }
            if ctx.input(|input| !input.raw.hovered_files.is_empty()) {
                let painter =
                    ctx.layer_painter(egui::LayerId::new(egui::Order::Foreground, egui::Id::unique("drop")));
                painter.rect_filled(rect, 0.0, egui::Color32::from_black_alpha(120));
                painter.text(
                    rect.center(),
                    egui::Align2::CENTER_CENTER,
                    "drop a mesh, a scene or a session here",
                    egui::FontId::proportional(22.0),
                    egui::Color32::WHITE,
                );
            }
        }
        if running.playing {
            ctx.request_repaint();
        }
    }

    fn save(&mut self, storage: &mut dyn eframe::Storage) {
        self.settings.keep_in(storage);
    }

    #[cfg(target_arch = "wasm32")]
    fn as_any_mut(&mut self) -> Option<&mut dyn std::any::Any> {
        Some(&mut *self)
    }
}
