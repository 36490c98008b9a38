//! Signs and ghosts: what is drawn to explain.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::glam::Vec3;
use pliant_studio::{Camera, Item, Marker, Picture, View, body_color, render, shapes};

const WIDTH: usize = 200;
const HEIGHT: usize = 160;

fn front() -> View {
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 6.0), target: Vec3::Y, fov_y_radians: 0.6 };
    View { floor: None, ..View::new(camera) }
}

fn draw(items: &[Item<'_>], markers: &[Marker]) -> Picture {
    render(&front(), items, markers, WIDTH, HEIGHT).unwrap()
}

/// Share of the pixels in which only one of two pictures differs from the empty one.
fn outlines_apart(a: &Picture, b: &Picture) -> f32 {
    let empty = draw(&[], &[]);
    let covered = |p: &Picture, i: usize| p.rgb[3 * i..3 * i + 3] != empty.rgb[3 * i..3 * i + 3];
    let apart = (0..WIDTH * HEIGHT).filter(|&i| covered(a, i) != covered(b, i)).count();
    apart as f32 / (0..WIDTH * HEIGHT).filter(|&i| covered(a, i)).count() as f32
}

#[test]
fn balls_and_rods_cover_what_they_would_as_meshes() {
    let color = [0.1, 0.5, 0.2];
    // In the middle, and where perspective stretches a ball to an ellipse.
    for centre in [Vec3::Y, Vec3::new(1.6, 2.2, 1.0)] {
        let mesh = shapes::sphere(centre, 0.5, 96);
        let sign = draw(&[], &[Marker::Ball { centre, radius: 0.5, color }]);
        assert!(outlines_apart(&sign, &draw(&[shapes::item(&mesh, color)], &[])) < 0.03, "{centre}");
    }
    let (from, to, radius) = (Vec3::new(-1.5, 0.2, 0.5), Vec3::new(1.2, 1.9, -2.0), 0.06);
    let mesh = shapes::capsule(from, to, radius, 32);
    let sign = draw(&[], &[Marker::Line { from, to, radius, color }]);
    assert!(outlines_apart(&sign, &draw(&[shapes::item(&mesh, color)], &[])) < 0.06);
}

#[test]
fn signs_hide_and_are_hidden_by_their_depth() {
    let wall = shapes::cuboid(Vec3::Y, Vec3::new(2.0, 2.0, 0.1), pliant::glam::Quat::IDENTITY);
    let wall = [shapes::item(&wall, [0.5; 3])];
    let bare = draw(&wall, &[]);
    let color = [0.8, 0.0, 0.0];
    for (z, seen) in [(-1.0, false), (1.0, true)] {
        let at = Vec3::new(0.0, 1.0, z);
        let signs = [
            Marker::Ball { centre: at, radius: 0.3, color },
            Marker::Line { from: at, to: at + Vec3::X, radius: 0.05, color },
        ];
        for sign in signs {
            assert_eq!(draw(&wall, &[sign]) != bare, seen, "{sign:?}");
        }
    }
    // A rod through the wall is seen on this side of it only.
    let (from, to) = (Vec3::new(-0.9, 1.0, 0.9), Vec3::new(0.9, 1.0, -0.9));
    let through = draw(&wall, &[Marker::Line { from, to, radius: 0.05, color }]);
    let differs = |x: usize| (0..HEIGHT).any(|y| through.pixel(x, y) != bare.pixel(x, y));
    assert!(differs(WIDTH / 2 - 12) && !differs(WIDTH / 2 + 12));
}

#[test]
fn lines_too_thin_to_see_are_seen() {
    let line = Marker::Line {
        from: Vec3::new(-1.0, 0.5, 0.0),
        to: Vec3::new(1.0, 1.4, 0.0),
        radius: 1e-6,
        color: [0.0; 3],
    };
    let (empty, picture) = (draw(&[], &[]), draw(&[], &[line]));
    for x in WIDTH / 2 - 30..WIDTH / 2 + 30 {
        assert!((0..HEIGHT).any(|y| picture.pixel(x, y) != empty.pixel(x, y)), "a gap at {x}");
    }
}

#[test]
fn a_ghost_veils_what_is_inside_and_its_outline_is_clearest() {
    let skin = shapes::sphere(Vec3::Y, 1.0, 64);
    let ghost = Item { ghost: true, ..shapes::item(&skin, body_color(1)) };
    let sign = [Marker::Ball { centre: Vec3::Y, radius: 0.4, color: [0.8, 0.0, 0.0] }];
    let (bare, veiled, empty) = (draw(&[], &sign), draw(&[ghost], &sign), draw(&[], &[]));
    let [r, _, b] = veiled.pixel(100, 80).unwrap();
    assert!(veiled.pixel(100, 80) != bare.pixel(100, 80) && r > 2 * b, "{r} {b}");
    // Along the row of its middle: stronger at the rim than between it and the sign.
    let off = |x: usize| {
        let (a, b) = (veiled.pixel(x, 80).unwrap(), empty.pixel(x, 80).unwrap());
        (0..3).map(|k| i32::from(a[k].abs_diff(b[k]))).sum::<i32>()
    };
    let rim = (0..100).find(|&x| off(x) > 0).unwrap();
    assert!(off(rim + 2) > off(rim + 16) && off(rim + 16) > 0, "{} {}", off(rim + 2), off(rim + 16));
}

#[test]
fn only_the_nearest_ghost_counts_and_solid_things_hide_ghosts() {
    let (outer, inner) = (shapes::sphere(Vec3::Y, 1.0, 64), shapes::sphere(Vec3::Y, 0.6, 64));
    let ghost = |mesh, color| Item { ghost: true, ..shapes::item(mesh, color) };
    let (outer, inner) = (ghost(&outer, body_color(0)), ghost(&inner, body_color(1)));
    assert!(draw(&[outer, inner], &[]) == draw(&[outer], &[]));
    assert!(draw(&[inner, outer], &[]) == draw(&[outer], &[]));
    let far = shapes::sphere(Vec3::new(0.0, 1.0, -2.0), 0.3, 64);
    let wall = shapes::cuboid(Vec3::Y, Vec3::new(2.0, 2.0, 0.1), pliant::glam::Quat::IDENTITY);
    let wall = shapes::item(&wall, [0.5; 3]);
    assert!(draw(&[wall, ghost(&far, body_color(2))], &[]) == draw(&[wall], &[]));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes_with_ghosts_and_signs() {
    let skin = shapes::sphere(Vec3::Y, 1.0, 64);
    let ghost = Item { ghost: true, ..shapes::item(&skin, body_color(1)) };
    let signs: Vec<Marker> = (0..2000)
        .map(|i| {
            let t = i as f32;
            let at = Vec3::new((t * 0.37).sin(), 1.0 + (t * 0.73).cos(), (t * 1.31).sin()) * 0.8;
            if i % 2 == 0 {
                Marker::Ball { centre: at, radius: 0.03, color: body_color(i) }
            } else {
                Marker::Line { from: at, to: -at, radius: 0.004, color: body_color(i) }
            }
        })
        .collect();
    let draw = || draw(&[ghost], &signs);
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(draw);
    let five = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap().install(draw);
    assert!(one == five);
}
