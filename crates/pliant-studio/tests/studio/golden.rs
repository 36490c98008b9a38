//! Every scene looks as it did when its pictures were stored.
//!
//! A picture that should look different now is renewed, with all others, by
//! `cargo run --release -p pliant-studio --example golden`; look at what changed before you keep it.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../common/golden.rs"]
mod stored;

use pliant::glam::Vec3;
use pliant_scenes::SCENES;
use pliant_studio::{Camera, Overlays, Picture, View, body_color, render, scene_picture, shapes};
use rayon::prelude::*;
use std::path::PathBuf;
use stored::{Difference, HEIGHT, OVERLAYS, WIDTH};

/// What is wrong with a picture, after writing it and what differs to where one can look at them.
fn complaint(name: &str, actual: &Picture) -> Option<String> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("golden");
    let written = folder.join(format!("{name}.png"));
    let renew = "renew it with: cargo run --release -p pliant-studio --example golden";
    let stored = match std::fs::read(stored::path(name)) {
        Ok(bytes) => Picture::from_png(&bytes).unwrap(),
        Err(error) => return Some(format!("{}: {error}; {renew}", stored::path(name).display())),
    };
    let difference = Difference::of(&stored, actual);
    if difference.is_small() {
        return None;
    }
    std::fs::create_dir_all(&folder).unwrap();
    actual.write_png(&written).unwrap();
    let apart = folder.join(format!("{name}-difference.png"));
    let rgb = stored.rgb.iter().zip(&actual.rgb).map(|(a, b)| a.abs_diff(*b).saturating_mul(4)).collect();
    Picture { rgb, ..*actual }.write_png(&apart).unwrap();
    Some(format!(
        "{name}: {:.2} byte steps off in the mean, {:.2} % of the pixels clearly\n  now {}\n  difference {}\n  {renew}",
        difference.mean,
        100.0 * difference.clear,
        written.display(),
        apart.display()
    ))
}

#[test]
fn every_scene_looks_as_it_did() {
    let complaints: Vec<String> = SCENES
        .par_iter()
        .flat_map_iter(|scene| stored::pictures(scene.name))
        .filter_map(|(name, picture)| complaint(&name, &picture))
        .collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_scene_has_a_picture_for_the_gallery_and_every_overlay_one_to_compare() {
    for scene in SCENES {
        let picture = Picture::from_png(scene_picture(scene.name).expect(scene.name)).unwrap();
        assert_eq!((picture.width, picture.height), (WIDTH, HEIGHT), "{}", scene.name);
    }
    assert!(scene_picture("no-such-scene").is_none());
    assert_eq!(OVERLAYS.map(|(overlay, _)| overlay), Overlays::NAMES);
    // Nothing is stored that no scene has.
    let mut stored: Vec<String> = std::fs::read_dir(stored::path("x").parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    stored.sort();
    let scenes =
        SCENES.iter().flat_map(|scene| ["00", "60"].map(|frame| format!("{}-{frame}.png", scene.name)));
    let overlays = Overlays::NAMES.iter().map(|name| format!("overlay-{name}.png"));
    let mut expected: Vec<String> = scenes.chain(overlays).collect();
    expected.sort();
    assert_eq!(stored, expected);
}

#[test]
fn a_small_body_two_pixels_off_is_noticed_and_a_tenth_of_one_is_not() {
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 6.0), target: Vec3::Y, fov_y_radians: 0.6 };
    let view = View { floor: None, ..View::new(camera) };
    // Metres in a pixel, where the ball is.
    let pixel = 2.0 * 6.0 * 0.3_f32.tan() / HEIGHT as f32;
    let drawn = |off: f32| {
        let ball = shapes::sphere(Vec3::new(off * pixel, 1.0, 0.0), 8.0 * pixel, 48);
        render(&view, &[shapes::item(&ball, body_color(0))], &[], WIDTH, HEIGHT).unwrap()
    };
    let at = drawn(0.0);
    assert!(Difference::of(&at, &drawn(0.1)).is_small());
    assert!(!Difference::of(&at, &drawn(2.0)).is_small(), "{:?}", Difference::of(&at, &drawn(2.0)));
}
