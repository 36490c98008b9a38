//! The stored pictures: which there are, how they are drawn, and how two are compared.

use pliant_studio::{Overlays, Picture, WorldView};
use std::path::PathBuf;

pub const WIDTH: usize = 160;
pub const HEIGHT: usize = 100;

/// Each overlay is shown on the sixtieth frame of a scene that has something to show.
pub const OVERLAYS: [(&str, &str); 8] = [
    ("nodes", "hand-stiffness"),
    ("cells", "hand-adaptive"),
    ("regions", "hand-adaptive"),
    ("graph", "hand-adaptive"),
    ("clusters", "skin-patch-2x2"),
    ("contacts", "duck-drop"),
    ("strain", "hand-adaptive"),
    ("energy", "dinosaur-pulled"),
];

/// The file of a stored picture.
pub fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("pictures").join(format!("{name}.png"))
}

/// All pictures of a scene, with their names: before the first step, after sixty, and with overlays.
pub fn pictures(scene_name: &str) -> Vec<(String, Picture)> {
    let mut scene = pliant_scenes::build(scene_name).expect("a scene of the list");
    let from = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
    let mut view = WorldView::new(&scene.world, from);
    let mut pictures = Vec::new();
    let mut draw = |view: &mut WorldView, world: &pliant::World, name: String| {
        let picture = view.draw(world, WIDTH, HEIGHT).expect("the size is good");
        pictures.push((name, picture));
    };
    draw(&mut view, &scene.world, format!("{scene_name}-00"));
    for _ in 0..60 {
        scene.step();
    }
    draw(&mut view, &scene.world, format!("{scene_name}-60"));
    for (overlay, _) in OVERLAYS.iter().filter(|(_, shown_on)| *shown_on == scene_name) {
        view.overlays = overlay.parse::<Overlays>().expect("the name of an overlay");
        draw(&mut view, &scene.world, format!("overlay-{overlay}"));
    }
    pictures
}

/// How far two pictures of one size are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Mean over all channels, in byte steps.
    pub mean: f32,
    /// Share of the pixels that differ clearly in a channel.
    pub clear: f32,
}

/// Byte steps from which a difference is clear.
const CLEAR: u8 = 24;

impl Difference {
    pub fn of(a: &Picture, b: &Picture) -> Self {
        assert_eq!((a.width, a.height), (b.width, b.height));
        let apart = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        let pixels = a.rgb.chunks_exact(3).zip(b.rgb.chunks_exact(3));
        let clear = pixels.filter(|(a, b)| apart(a, b) >= CLEAR).count();
        let sum: u64 = a.rgb.iter().zip(&b.rgb).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        Self { mean: sum as f32 / a.rgb.len() as f32, clear: clear as f32 / (a.width * a.height) as f32 }
    }

    /// What another CPU may do: rounding moves an outline by a part of a pixel, never a body by two.
    pub fn is_small(&self) -> bool {
        self.mean < 0.5 && self.clear < 0.003
    }
}
