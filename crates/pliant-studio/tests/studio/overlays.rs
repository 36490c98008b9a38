//! Overlays show what they say, and nothing when they are off.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::glam::DVec3;
use pliant_studio::overlay::{distance_color, strain_color};
use pliant_studio::{Marker, Overlays, WorldView};

fn of_scene(name: &str, frames: usize) -> (pliant_io::scene::Scene, WorldView) {
    let mut scene = pliant_scenes::build(name).unwrap();
    let from = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
    let view = WorldView::new(&scene.world, from);
    for _ in 0..frames {
        scene.step();
    }
    (scene, view)
}

#[test]
fn switched_off_they_leave_no_trace() {
    let (scene, mut view) = of_scene("jelly-cubes", 0);
    let drawing = view.drawing(&scene.world);
    assert!(drawing.markers.is_empty());
    assert!(drawing.items.iter().all(|item| !item.ghost && item.colors.is_none()));
}

#[test]
fn every_overlay_shows_something_where_there_is_something_to_show() {
    let shown = [
        ("nodes", "jelly-cubes"),
        ("cells", "hand-adaptive"),
        ("regions", "hand-adaptive"),
        ("graph", "hand-adaptive"),
        ("clusters", "skin-patch-2x2"),
        ("contacts", "duck-drop"),
        ("strain", "hand-adaptive"),
        ("energy", "willow-medium-wind"),
    ];
    assert_eq!(shown.map(|(overlay, _)| overlay), Overlays::NAMES);
    for (overlay, name) in shown {
        let (scene, mut view) = of_scene(name, 60);
        let before = view.drawing(&scene.world).markers.len();
        view.overlays = overlay.parse().unwrap();
        let drawing = view.drawing(&scene.world);
        let last = drawing.items.last().unwrap();
        if overlay == "strain" {
            assert_eq!(last.colors.map(<[_]>::len), Some(last.positions.len()));
            assert!(!last.ghost);
        } else {
            assert!(drawing.markers.len() > before && last.ghost, "{overlay}");
        }
        for marker in drawing.markers {
            let (Marker::Ball { centre, radius, .. } | Marker::Line { from: centre, radius, .. }) = *marker;
            assert!(centre.is_finite() && radius > 0.0 && radius.is_finite(), "{overlay}: {marker:?}");
        }
    }
}

#[test]
fn a_body_at_rest_has_the_colour_of_no_strain() {
    for name in ["hand-uniform", "hand-adaptive", "fish-held"] {
        let (scene, mut view) = of_scene(name, 0);
        view.overlays.strain = true;
        let zero = strain_color(0.0);
        for item in view.drawing(&scene.world).items.iter().filter_map(|item| item.colors) {
            let close = |color: &[f32; 4]| (0..3).all(|k| (color[k] - zero[k]).abs() < 0.02);
            assert!(item.iter().all(close), "{name}");
        }
    }
}

#[test]
fn the_region_is_that_of_the_node_nearest_to_the_focus() {
    let (scene, mut view) = of_scene("hand-adaptive", 0);
    let body = scene.world.bodies().next().unwrap().1;
    view.overlays.regions = true;
    for node in [0, body.nodes.positions.len() - 1] {
        let focus = body.nodes.world_position(node);
        view.focus = Some(focus + DVec3::splat(1e-6));
        let region = body.region(node);
        let origin = view.origin;
        let drawing = view.drawing(&scene.world);
        let near = distance_color(0.0);
        let middle = drawing.markers.iter().find_map(|marker| match *marker {
            Marker::Ball { centre, color, .. } if color == near => Some(centre),
            _ => None,
        });
        assert!((middle.unwrap().as_dvec3() - (focus - origin)).length() < 1e-5);
        let lines = drawing.markers.iter().filter(|marker| matches!(marker, Marker::Line { .. })).count();
        assert!(lines >= region.len());
    }
}
