//! The GPU draws what the software renderer draws, and sends no more than it must.
#![cfg(feature = "window")]

use pliant::glam::{Quat, Vec3};
use pliant::{TriMesh, World};
use pliant_studio::gpu::Offscreen;
use pliant_studio::{Camera, Drawing, Item, Marker, Picture, View, WorldView, shapes};
use std::sync::Arc;

/// An adapter, or a word about why the test is not done.
fn offscreen() -> Option<Offscreen> {
    let found = Offscreen::new();
    found.inspect_err(|error| println!("not tested: {error}")).ok()
}

fn front() -> View {
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 6.0), target: Vec3::Y, fov_y_radians: 0.6 };
    View { floor: None, ..View::new(camera) }
}

fn item(mesh: &Arc<TriMesh>, color: [f32; 3]) -> Item<'_> {
    Item { mesh: Some(mesh), ..shapes::item(mesh, color) }
}

fn drawing<'a>(view: View, items: &[Item<'a>]) -> Drawing<'a> {
    Drawing { view, items: items.to_vec(), markers: &[] }
}

/// Mean difference of bytes.
fn difference(a: &Picture, b: &Picture) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let sum: u64 = a.rgb.iter().zip(&b.rgb).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / a.rgb.len() as f64
}

/// Where two pictures differ by more than a shadow's edge may.
fn mask(a: &Picture, b: &Picture) -> Vec<bool> {
    let pairs = a.rgb.chunks_exact(3).zip(b.rgb.chunks_exact(3));
    pairs.map(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 40)).collect()
}

#[test]
fn the_gpu_draws_what_the_software_renderer_draws() {
    let Some(mut gpu) = offscreen() else { return };
    let (width, height) = (480, 300);
    for name in ["hand-adaptive", "duck-drop", "jelly-cubes"] {
        let mut scene = pliant_scenes::build(name).unwrap();
        for _ in 0..20 {
            scene.step();
        }
        let from = scene.camera.map(|c| (c.eye, c.target, c.fov_y_radians));
        let mut view = WorldView::new(&scene.world, from);
        let drawing = view.drawing(&scene.world);
        let bare = Drawing { items: Vec::new(), ..drawing.clone() };
        let [a, b] = [gpu.picture(&drawing, width, height).unwrap(), drawing.render(width, height).unwrap()];
        let off = difference(&a, &b);
        assert!(off < 1.5, "{name}: pixels differ by {off} of 255 on average");

        // Where bodies are seen at all.
        let seen_by_gpu = mask(&a, &gpu.picture(&bare, width, height).unwrap());
        let seen = mask(&b, &bare.render(width, height).unwrap());
        let all = seen.iter().filter(|s| **s).count();
        let wrong = seen.iter().zip(&seen_by_gpu).filter(|(a, b)| a != b).count();
        assert!(all > 500 && wrong * 25 < all, "{name}: {wrong} of {all} pixels of the outline differ");
    }
}

#[test]
fn ghosts_are_a_veil_over_what_is_inside() {
    // Thin lines look alike only with as many samples.
    if offscreen().is_none() {
        return;
    }
    let mut gpu = Offscreen::with_samples(4).unwrap();
    let mut scene = pliant_scenes::build("hand-adaptive").unwrap();
    for _ in 0..20 {
        scene.step();
    }
    let from = scene.camera.map(|c| (c.eye, c.target, c.fov_y_radians));
    let mut view = WorldView::new(&scene.world, from);
    let solid = gpu.picture(&view.drawing(&scene.world), 480, 300).unwrap();
    for name in ["cells", "nodes", "graph", "contacts"] {
        view.overlays = name.parse().unwrap();
        let drawing = view.drawing(&scene.world);
        let [a, b] = [gpu.picture(&drawing, 480, 300).unwrap(), drawing.render(480, 300).unwrap()];
        let off = difference(&a, &b);
        assert!(off < 3.5, "{name}: pixels differ by {off} of 255 on average");
        assert!(difference(&a, &solid) > 2.0 * off.max(0.5), "{name}: the inside is not seen");
    }
}

#[test]
fn a_moved_body_moves_in_the_picture() {
    let Some(mut gpu) = offscreen() else { return };
    let ball = Arc::new(shapes::sphere(Vec3::ZERO, 0.4, 32));
    let empty = gpu.picture(&drawing(front(), &[]), 120, 100).unwrap();
    let mut middle = |x: f32| {
        let offset = Vec3::new(x, 1.0, 0.0);
        let picture =
            gpu.picture(&drawing(front(), &[Item { offset, ..item(&ball, [0.8, 0.1, 0.1]) }]), 120, 100);
        let seen = mask(&picture.unwrap(), &empty);
        let columns: Vec<usize> = (0..seen.len()).filter(|i| seen[*i]).map(|i| i % 120).collect();
        columns.iter().sum::<usize>() as f32 / columns.len() as f32
    };
    // A metre at 6 m.
    let pixels = 50.0 / 6.0 / 0.3f32.tan();
    assert!((middle(0.0) - 59.5).abs() < 0.6);
    assert!((middle(0.5) - 59.5 - 0.5 * pixels).abs() < 1.5);
    assert!((middle(-0.5) - 59.5 + 0.5 * pixels).abs() < 1.5);
}

#[test]
fn colours_of_vertices_replace_the_colour_of_the_item() {
    let Some(mut gpu) = offscreen() else { return };
    let mut cube = shapes::cuboid(Vec3::Y, Vec3::splat(0.8), Quat::IDENTITY);
    let plain = cube.clone();
    cube.colors = cube
        .positions
        .iter()
        .map(|p| if p.x < 0.0 { [0.8, 0.0, 0.0, 1.0] } else { [0.0, 0.0, 0.8, 1.0] })
        .collect();
    let cube = Arc::new(cube);
    let mut check = |item: Item<'_>, what: &str| {
        let picture = gpu.picture(&drawing(front(), &[item]), 100, 100).unwrap();
        let (left, right) = (picture.pixel(34, 50).unwrap(), picture.pixel(65, 50).unwrap());
        assert!(left[0] > left[2] + 40 && right[2] > right[0] + 40, "{what}: {left:?} {right:?}");
    };
    check(item(&cube, [0.0, 0.8, 0.0]), "the mesh's own");
    check(shapes::item(&cube, [0.0, 0.8, 0.0]), "without a mesh to keep");
    check(Item { colors: Some(&cube.colors), ..shapes::item(&plain, [0.0, 0.8, 0.0]) }, "passing");
    check(Item { normals: &[], ..item(&cube, [0.0, 0.8, 0.0]) }, "flat");
}

#[test]
fn nearer_hides_farther_and_both_sides_are_seen() {
    let Some(mut gpu) = offscreen() else { return };
    let near = Arc::new(shapes::cuboid(Vec3::new(0.0, 1.0, 1.0), Vec3::splat(0.3), Quat::IDENTITY));
    let far = Arc::new(shapes::cuboid(Vec3::new(0.0, 1.0, -1.0), Vec3::splat(0.9), Quat::IDENTITY));
    let (red, blue) = (item(&near, [0.8, 0.05, 0.05]), item(&far, [0.05, 0.05, 0.8]));
    for items in [[red, blue], [blue, red]] {
        let picture = gpu.picture(&drawing(front(), &items), 80, 80).unwrap();
        let ([r, _, b], [side_r, _, side_b]) =
            (picture.pixel(40, 40).unwrap(), picture.pixel(29, 40).unwrap());
        assert!(r > b + 60 && side_b > side_r + 60);
    }
    let mut turned = (*near).clone();
    turned.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    turned.triangles.retain(|t| t.iter().all(|v| turned.positions[*v as usize].z < 1.0));
    let back = gpu.picture(&drawing(front(), &[shapes::item(&turned, [0.8, 0.05, 0.05])]), 80, 80).unwrap();
    let [r, _, b] = back.pixel(40, 40).unwrap();
    assert!(r > b + 60, "the inside of an open box is seen");
}

#[test]
fn the_second_frame_sends_only_skins() {
    let Some(mut gpu) = offscreen() else { return };
    let mut scene = pliant_scenes::build("jelly-cubes").unwrap();
    let mut view = WorldView::new(&scene.world, None);
    gpu.picture(&view.drawing(&scene.world), 64, 64).unwrap();
    assert!(gpu.uploads().meshes.writes > 0);
    scene.step();
    gpu.picture(&view.drawing(&scene.world), 64, 64).unwrap();
    let uploads = *gpu.uploads();
    let vertices = |world: &World| world.bodies().map(|(_, body)| body.skin().positions.len()).sum::<usize>();
    assert_eq!(uploads.meshes.writes, 0, "triangles and colliders are kept");
    assert_eq!(uploads.passing_triangles.writes, 0);
    assert_eq!(uploads.skins.writes, 1);
    assert_eq!(uploads.skins.bytes, 24 * vertices(&scene.world) as u64);
    assert_eq!(uploads.left_out, 0);

    // What was not in a frame is not kept.
    let nothing = drawing(view.view, &[]);
    gpu.picture(&nothing, 64, 64).unwrap();
    assert_eq!(gpu.uploads().skins.bytes, 0);
    gpu.picture(&view.drawing(&scene.world), 64, 64).unwrap();
    assert!(gpu.uploads().meshes.writes > 0);
}

#[test]
fn markers_are_seen_where_they_are() {
    let Some(mut gpu) = offscreen() else { return };
    let markers = [
        Marker::Ball { centre: Vec3::new(-0.8, 1.0, 0.0), radius: 0.3, color: [0.8, 0.05, 0.05] },
        Marker::Line {
            from: Vec3::new(0.4, 0.2, 0.0),
            to: Vec3::new(0.8, 1.8, 0.0),
            radius: 0.05,
            color: [0.05, 0.05, 0.8],
        },
        Marker::Ball { centre: Vec3::new(0.6, 1.0, -1.0), radius: 0.2, color: [0.05, 0.8, 0.05] },
    ];
    let drawing = Drawing { markers: &markers, ..drawing(front(), &[]) };
    let [a, b] = [gpu.picture(&drawing, 200, 160).unwrap(), drawing.render(200, 160).unwrap()];
    assert!(difference(&a, &b) < 1.0, "{}", difference(&a, &b));

    let many: Vec<Marker> = (0..5000)
        .map(|i| {
            let at = Vec3::new((i % 100) as f32 * 0.02 - 1.0, (i / 100) as f32 * 0.04, 0.0);
            let to = at + Vec3::X * 0.01;
            if i % 2 == 0 {
                Marker::Ball { centre: at, radius: 0.005, color: [0.5; 3] }
            } else {
                Marker::Line { from: at, to, radius: 0.001, color: [0.5; 3] }
            }
        })
        .collect();
    gpu.picture(&Drawing { markers: &many, ..drawing }, 200, 160).unwrap();
    assert_eq!(gpu.uploads().markers.writes, 1);
}

#[test]
fn nothing_makes_it_panic() {
    let Some(mut gpu) = offscreen() else { return };
    let nan = [Vec3::NAN, Vec3::INFINITY, Vec3::ZERO, Vec3::X, Vec3::splat(3e38), Vec3::new(0.0, 1.0, 5.9)];
    let triangles = [[0, 1, 2], [2, 2, 3], [2, 3, 99], [3, 4, 5], [2, 5, 3], [2, 3, 4]];
    let bad = Item {
        positions: &nan,
        normals: &[Vec3::NAN; 6],
        triangles: &triangles,
        colors: Some(&[[f32::NAN; 4]; 2]),
        color: [f32::NAN; 3],
        offset: Vec3::ZERO,
        mesh: None,
        ghost: false,
    };
    let lost = Item { offset: Vec3::NAN, ..bad };
    let flat = Item { normals: &[], colors: None, ..bad };
    let empty = Item { positions: &[], normals: &[], triangles: &[], colors: None, ..bad };
    let torn = Arc::new(TriMesh { triangles: triangles.to_vec(), ..shapes::sphere(Vec3::Y, 0.3, 8) });
    let torn = item(&torn, [0.5; 3]);
    let short = Item { positions: &torn.positions[..3], ..torn };
    let markers = [
        Marker::Ball { centre: Vec3::NAN, radius: f32::NAN, color: [1.0; 3] },
        Marker::Ball { centre: front().camera.eye, radius: 1.0, color: [f32::NAN; 3] },
        Marker::Ball { centre: Vec3::ZERO, radius: f32::INFINITY, color: [1.0; 3] },
        Marker::Line { from: Vec3::ZERO, to: Vec3::ZERO, radius: 0.0, color: [1.0; 3] },
        Marker::Line { from: front().camera.eye, to: Vec3::ZERO, radius: 0.1, color: [1.0; 3] },
    ];
    let mut mad = View::new(Camera { eye: Vec3::NAN, target: Vec3::INFINITY, fov_y_radians: f32::NAN });
    mad.floor = Some(f32::NAN);
    mad.key.toward = Vec3::ZERO;
    let down = View::new(Camera { eye: Vec3::Y * 3.0, target: Vec3::ZERO, fov_y_radians: 0.5 });
    let below = View::new(Camera { eye: Vec3::new(0.0, -1.0, 3.0), target: Vec3::ZERO, fov_y_radians: 0.5 });
    for view in [mad, View::default(), front(), down, below] {
        for size in [(1, 1), (33, 17)] {
            let items = vec![bad, lost, flat, empty, torn, short];
            let picture = gpu.picture(&Drawing { view, items, markers: &markers }, size.0, size.1).unwrap();
            assert_eq!(picture.rgb.len(), 3 * size.0 * size.1);
        }
    }
    let good = drawing(front(), &[]);
    assert!(gpu.picture(&good, 0, 10).is_err() && gpu.picture(&good, 10, 1_000_000).is_err());
    let many = vec![torn; 3000];
    gpu.picture(&drawing(front(), &many), 32, 32).unwrap();
}

#[test]
fn a_broken_vertex_takes_only_its_own_triangles_along() {
    let Some(mut gpu) = offscreen() else { return };
    let ball = Arc::new(shapes::sphere(Vec3::Y, 0.8, 32));
    let mut positions = ball.positions.clone();
    positions[0] = Vec3::NAN;
    positions[40] = Vec3::INFINITY;
    let broken = drawing(front(), &[Item { positions: &positions, ..item(&ball, [0.8, 0.1, 0.1]) }]);
    let [a, b] = [gpu.picture(&broken, 120, 100).unwrap(), broken.render(120, 100).unwrap()];
    assert!(difference(&a, &b) < 2.0, "{}", difference(&a, &b));
}
