//! Files in and out: dropped on the window, chosen in a dialog, saved or downloaded.

use super::job::Job;
use crate::session::NewBody;
use crate::{Session, WorldView};
use eframe::egui;
use pliant::glam::{DVec3, Vec3};
use pliant::model::{Feature, WORDS};
use pliant::{Body, Collider, ModelSettings, TriMesh, World, WorldSettings};
use pliant_io::scene::{Scene, Script};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A file that a user brings.
#[derive(Debug)]
pub struct Brought {
    /// Its name, with the folder where there are folders.
    pub path: PathBuf,
    /// What is in it.
    pub bytes: Result<Vec<u8>, String>,
}

/// Files that users bring, whichever way.
#[derive(Debug)]
pub struct Inbox {
    sender: Sender<Brought>,
    receiver: Receiver<Brought>,
}

impl Default for Inbox {
    fn default() -> Self {
        let (sender, receiver) = channel();
        Self { sender, receiver }
    }
}

impl Inbox {
    /// The next file.
    pub fn next(&self) -> Option<Brought> {
        self.receiver.try_recv().ok()
    }

    /// Takes files that were dropped on the window.
    pub fn take_dropped(&self, ctx: &egui::Context) {
        for file in ctx.input(|input| input.raw.dropped_files.clone()) {
            let (sender, ctx) = (self.sender.clone(), ctx.clone());
            let path = file.path().to_owned();
            #[cfg(not(target_arch = "wasm32"))]
            {
                let _ = sender.send(Brought { path, bytes: file.bytes() });
                ctx.request_repaint();
            }
            #[cfg(target_arch = "wasm32")]
            wasm_bindgen_futures::spawn_local(async move {
                let bytes = file.bytes_async().await;
                let _ = sender.send(Brought { path, bytes });
                ctx.request_repaint();
            });
        }
    }

    /// Asks for a file.
    pub fn ask(&self, ctx: &egui::Context) {
        let (sender, ctx) = (self.sender.clone(), ctx.clone());
        let asked = async move {
            let kinds = ["pliant", "toml", "obj", "ply", "stl", "off", "glb", "gltf"];
            let dialog = rfd::AsyncFileDialog::new().add_filter("sessions, scenes and meshes", &kinds);
            if let Some(file) = dialog.pick_file().await {
                #[cfg(not(target_arch = "wasm32"))]
                let path = file.path().to_owned();
                #[cfg(target_arch = "wasm32")]
                let path = PathBuf::from(file.file_name());
                let _ = sender.send(Brought { path, bytes: Ok(file.read().await) });
                ctx.request_repaint();
            }
        };
        #[cfg(not(target_arch = "wasm32"))]
        std::thread::spawn(move || pollster::block_on(asked));
        #[cfg(target_arch = "wasm32")]
        wasm_bindgen_futures::spawn_local(asked);
    }
}

/// What a file turned out to be.
pub enum Opened {
    /// A scene or a session, and what was put right in it.
    Session(Box<Session>, Vec<String>),
    /// A body for the scene that is open.
    Body(Box<(NewBody, Body)>, Vec<String>),
}

/// What is being opened.
pub type Opening = Job<Result<Opened, String>>;

/// Opens a scene of the list.
pub fn open_scene(name: &str) -> Opening {
    let name = name.to_owned();
    Job::new(move || {
        let entry = pliant_scenes::find(&name).ok_or_else(|| format!("there is no scene {name}"))?;
        let scene = entry.build_with(&[]).map_err(|error| error.to_string())?;
        Ok(Opened::Session(Box::new(Session::new(scene)), Vec::new()))
    })
}

/// Where a body that a user brings goes.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The middle of what is looked at.
    pub target: DVec3,
    /// How high the floor is there, if there is one.
    pub floor: Option<f64>,
    /// Metres that fill about a third of the picture.
    pub size: f32,
}

impl Room {
    /// The room in a view.
    pub fn of(view: &WorldView) -> Self {
        let camera = &view.view.camera;
        let size = 0.7 * camera.distance() * (0.5 * camera.fov_y_radians).tan();
        let floor = view.view.floor.map(|floor| view.origin.y + f64::from(floor));
        Self { target: view.origin + camera.target.as_dvec3(), floor, size }
    }
}

/// The room of a world with a floor and no body.
const ON_THE_FLOOR: Room = Room { target: DVec3::new(0.0, 0.5, 0.0), floor: Some(0.0), size: 1.0 };

/// A world with a floor and no body.
pub fn floor() -> Scene {
    let mut world = World::new();
    // A floor is valid wherever it is.
    let _ = world.add_collider(Collider::floor(0.0));
    Scene::resumed(Script::default(), world)
}

/// Opens a file that a user brought: a session, a scene or a mesh, which becomes a body in a room, or without one a scene.
pub fn open_file(Brought { path, bytes }: Brought, room: Option<Room>) -> Opening {
    Job::new(move || {
        let bytes = bytes?;
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let fail = |error: &dyn std::fmt::Display| format!("{name}: {error}");
        match ending.as_str() {
            Session::ENDING => {
                let session = Session::from_bytes(&bytes).map_err(|error| fail(&error))?;
                Ok(Opened::Session(Box::new(session), Vec::new()))
            }
            "toml" => {
                let text = String::from_utf8(bytes).map_err(|_| fail(&"it is not text"))?;
                let folder = path.parent().unwrap_or(Path::new(""));
                let scene = pliant_scenes::read(&text, folder).map_err(|error| fail(&error))?;
                let warnings = scene.warnings.clone();
                Ok(Opened::Session(Box::new(Session::new(scene)), warnings))
            }
            _ => {
                let in_folder = path.is_absolute() && path.exists();
                let loaded = match in_folder {
                    // Textures and materials lie beside it.
                    true => pliant_io::read_mesh(&path),
                    false => pliant_io::read_mesh_bytes(&name, &bytes),
                };
                let loaded = loaded.map_err(|error| error.to_string())?;
                let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let (new, body, note) =
                    body_of(loaded.mesh, stem, room.unwrap_or(ON_THE_FLOOR)).map_err(|error| fail(&error))?;
                let of_body = body
                    .warnings(&WorldSettings::default().stepping(1.0 / 60.0))
                    .into_iter()
                    .map(|warning| warning.to_string());
                let warnings = loaded.warnings.into_iter().chain(note).chain(of_body.collect::<Vec<_>>());
                if room.is_some() {
                    return Ok(Opened::Body(Box::new((new, body)), warnings.collect()));
                }
                let mut scene = floor();
                (scene.name, scene.description) = (new.name, format!("{name} falls on the floor"));
                scene.world.add_body(body);
                let warnings = warnings.map(|warning| fail(&warning)).collect();
                Ok(Opened::Session(Box::new(Session::new(scene)), warnings))
            }
        }
    })
}

/// A body of a mesh of any size, above the middle of a room. An octree, or where that cannot be, clusters.
pub fn body_of(
    mesh: TriMesh,
    name: String,
    room: Room,
) -> Result<(NewBody, Body, Option<String>), pliant::BodyError> {
    mesh.validate()?;
    let (lo, hi) = extent(&mesh);
    let largest = (hi - lo).max_element();
    // Meshes come in metres, millimetres and anything else.
    let fits = (0.2..3.0).contains(&(largest / room.size));
    let scale = if fits || largest <= 0.0 { 1.0 } else { room.size / largest };
    let (lo, hi, largest) = (lo * scale, hi * scale, largest * scale);
    let middle = ((lo + hi) * 0.5).as_dvec3();
    let floor = room.floor.unwrap_or(room.target.y);
    let bottom = floor.max(room.target.y - 0.25 * f64::from(largest)) + 0.25 * f64::from(largest);
    let origin = mesh.origin * f64::from(scale);
    let position =
        DVec3::new(room.target.x - middle.x, bottom - f64::from(lo.y), room.target.z - middle.z) - origin;
    // Finest cells of a 24th of the body, where the model has cells.
    let size = (largest * 4.0 / 3.0).max(f32::MIN_POSITIVE);
    let mut all = WORDS.iter().filter_map(|word| ModelSettings::for_size(word, size));
    let simple = ModelSettings::default();
    let model = all.find(|model| model.can_use(Feature::Rules)).unwrap_or(simple.clone());
    let refine = model.rules_for_size(size);
    let mut new = NewBody { name, mesh, scale, position, model, refine };
    match new.make() {
        Ok(body) => Ok((new, body, None)),
        Err(error) => {
            let wanted = std::mem::replace(&mut new.model, simple);
            new.refine.clear();
            let body = new.make()?;
            let instead = format!("{} instead of {}: {error}", new.model.name(), wanted.name());
            Ok((new, body, Some(instead)))
        }
    }
}

fn extent(mesh: &TriMesh) -> (Vec3, Vec3) {
    let points = mesh.positions.iter().map(|p| (*p, *p));
    points.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))).unwrap_or_default()
}

/// Saves bytes under a name that is not taken yet, in the folder `out`; returns where.
///
/// # Errors
/// What the system says.
#[cfg(not(target_arch = "wasm32"))]
pub fn save(stem: &str, ending: &str, bytes: &[u8]) -> Result<String, String> {
    let folder = Path::new("out");
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot make the folder out: {error}"))?;
    let free = (1..10_000).map(|n| folder.join(format!("{stem}-{n}.{ending}"))).find(|path| !path.exists());
    let path = free.ok_or("the folder out is full")?;
    pliant_io::write_file(&path, bytes).map_err(|error| error.to_string())?;
    Ok(path.display().to_string())
}

/// Lets the browser download bytes under a name; returns the name.
///
/// # Errors
/// If the browser does not let us.
#[cfg(target_arch = "wasm32")]
pub fn save(stem: &str, ending: &str, bytes: &[u8]) -> Result<String, String> {
    use wasm_bindgen::JsCast;
    let name = format!("{stem}.{ending}");
    let download = || -> Result<(), wasm_bindgen::JsValue> {
        let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(bytes));
        let blob = web_sys::Blob::new_with_u8_array_sequence(&parts)?;
        let url = web_sys::Url::create_object_url_with_blob(&blob)?;
        let document = web_sys::window().and_then(|window| window.document());
        let anchor = document.ok_or("no document")?.create_element("a")?;
        let anchor: web_sys::HtmlAnchorElement = anchor.dyn_into().map_err(|_| "no anchor")?;
        anchor.set_href(&url);
        anchor.set_download(&name);
        anchor.click();
        web_sys::Url::revoke_object_url(&url)
    };
    download().map_err(|error| format!("the browser refused the download: {error:?}"))?;
    Ok(name)
}
