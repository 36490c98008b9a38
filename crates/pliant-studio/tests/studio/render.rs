//! What every picture must do, whatever is in it.

use pliant::glam::{Quat, Vec3};
use pliant_studio::{
    Camera, Item, Marker, Picture, PictureError, View, body_color, render, shapes, write_gif,
};

fn front() -> View {
    let camera = Camera { eye: Vec3::new(0.0, 1.0, 6.0), target: Vec3::Y, fov_y_radians: 0.6 };
    View { floor: None, ..View::new(camera) }
}

fn luma(p: [u8; 3]) -> i32 {
    p.iter().map(|&c| i32::from(c)).sum()
}

#[test]
fn the_same_input_gives_the_same_bytes_on_any_number_of_threads() {
    let ball = shapes::sphere(Vec3::Y, 1.0, 32);
    let items = [shapes::item(&ball, body_color(0))];
    let view = View { floor: Some(0.0), ..front() };
    let draw = || render(&view, &items, &[], 160, 100).unwrap();
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap().install(draw);
    let five = rayon::ThreadPoolBuilder::new().num_threads(5).build().unwrap().install(draw);
    assert!(one == five);
}

#[test]
fn a_ball_covers_the_pixels_of_its_outline() {
    let (width, height) = (200, 160);
    let view = front();
    let empty = render(&view, &[], &[], width, height).unwrap();
    let ball = shapes::sphere(Vec3::Y, 1.0, 128);
    let seen = render(&view, &[shapes::item(&ball, [0.8, 0.1, 0.1])], &[], width, height).unwrap();
    // Tangent cone of the ball: sin = radius / distance.
    let slope = (1f32 / 6.0).asin().tan();
    let radius = 0.5 * height as f32 * slope / 0.3f32.tan();
    for y in 0..height {
        for x in 0..width {
            let off = ((x as f32 + 0.5 - 100.0).powi(2) + (y as f32 + 0.5 - 80.0).powi(2)).sqrt();
            let differs = empty.pixel(x, y) != seen.pixel(x, y);
            if off < radius - 1.5 {
                assert!(differs, "hole at {x}, {y}");
            } else if off > radius + 1.5 {
                assert!(!differs, "paint at {x}, {y}");
            }
        }
    }
}

#[test]
fn nearer_hides_farther_in_any_order() {
    let near = shapes::cuboid(Vec3::new(0.0, 1.0, 1.0), Vec3::splat(0.3), Quat::IDENTITY);
    let far = shapes::cuboid(Vec3::new(0.0, 1.0, -1.0), Vec3::splat(0.9), Quat::IDENTITY);
    let (red, blue) = (shapes::item(&near, [0.8, 0.05, 0.05]), shapes::item(&far, [0.05, 0.05, 0.8]));
    let a = render(&front(), &[red, blue], &[], 80, 80).unwrap();
    let b = render(&front(), &[blue, red], &[], 80, 80).unwrap();
    assert!(a == b);
    let [r, _, blue_in_front] = a.pixel(40, 40).unwrap();
    assert!(r > 2 * blue_in_front);
    let [r, _, b] = a.pixel(29, 40).unwrap();
    assert!(b > 2 * r, "the larger box is seen beside the smaller");
}

#[test]
fn shadows_darken_the_floor_below_a_body() {
    let camera = Camera { eye: Vec3::new(0.0, 6.0, 0.01), target: Vec3::ZERO, fov_y_radians: 0.8 };
    let mut view = View::new(camera);
    view.key.toward = Vec3::new(1.0, 1.0, 0.0);
    let ball = shapes::sphere(Vec3::Y, 0.5, 32);
    let without = render(&view, &[], &[], 120, 120).unwrap();
    let with = render(&view, &[shapes::item(&ball, [0.5; 3])], &[], 120, 120).unwrap();
    // The light comes from +x at 45°: the shadow of a ball at height 1 lies at x = −1.
    let column = 60 - (60.0 / 6.0 / 0.4f32.tan()) as usize;
    let (bare, dark) = (luma(without.pixel(column, 60).unwrap()), luma(with.pixel(column, 60).unwrap()));
    assert!(dark + 60 < bare, "{dark} in the shadow, {bare} without");
    assert_eq!(without.pixel(115, 60), with.pixel(115, 60), "no shadow on the other side");
}

#[test]
fn a_body_throws_its_shadow_on_another() {
    let camera = Camera { eye: Vec3::new(0.0, 8.0, 6.0), target: Vec3::ZERO, fov_y_radians: 0.5 };
    let mut view = View { floor: None, ..View::new(camera) };
    view.key.toward = Vec3::new(1.0, 1.0, 0.0);
    let plate = shapes::cuboid(Vec3::new(0.0, -0.1, 0.0), Vec3::new(2.0, 0.1, 2.0), Quat::IDENTITY);
    let ball = shapes::sphere(Vec3::new(1.0, 1.0, 0.0), 0.4, 32);
    let (plate, ball) = (shapes::item(&plate, [0.6; 3]), shapes::item(&ball, [0.6; 3]));
    let alone = render(&view, &[plate], &[], 100, 100).unwrap();
    let both = render(&view, &[plate, ball], &[], 100, 100).unwrap();
    assert!(luma(both.pixel(50, 50).unwrap()) + 60 < luma(alone.pixel(50, 50).unwrap()));
}

#[test]
fn nothing_makes_it_panic() {
    let nan = [Vec3::NAN, Vec3::INFINITY, Vec3::ZERO, Vec3::X, Vec3::splat(3e38), Vec3::new(0.0, 1.0, 5.9)];
    let triangles = [[0, 1, 2], [2, 2, 3], [2, 3, 99], [3, 4, 5], [2, 5, 3], [2, 3, 4]];
    let bad = Item {
        positions: &nan,
        normals: &[Vec3::NAN; 6],
        triangles: &triangles,
        colors: Some(&[[f32::NAN; 4]; 2]),
        color: [f32::NAN; 3],
        offset: Vec3::NAN,
        mesh: None,
        ghost: false,
    };
    let empty = Item { positions: &[], normals: &[], triangles: &[], colors: None, ..bad };
    let markers = [
        Marker::Ball { centre: Vec3::NAN, radius: f32::NAN, color: [1.0; 3] },
        Marker::Line { from: Vec3::ZERO, to: Vec3::ZERO, radius: 0.0, color: [1.0; 3] },
    ];
    let mut mad = View::new(Camera { eye: Vec3::NAN, target: Vec3::INFINITY, fov_y_radians: f32::NAN });
    mad.floor = Some(f32::NAN);
    mad.key.toward = Vec3::ZERO;
    for view in [mad, View::default(), front()] {
        for size in [(1, 1), (33, 17)] {
            let picture = render(&view, &[bad, empty], &markers, size.0, size.1).unwrap();
            assert_eq!(picture.rgb.len(), 3 * size.0 * size.1);
        }
    }
}

#[test]
fn bad_sizes_are_errors() {
    for (width, height) in [(0, 10), (10, 0), (100_000, 1)] {
        assert!(matches!(render(&front(), &[], &[], width, height), Err(PictureError::Size { .. })));
    }
    let torn = Picture { width: 4, height: 4, rgb: vec![0; 7] };
    let path = std::env::temp_dir().join("pliant-torn.png");
    assert!(matches!(torn.write_png(path), Err(PictureError::Bytes { .. })));
}

#[test]
fn a_png_holds_the_picture() {
    let picture = render(&front(), &[], &[], 20, 10).unwrap();
    let path = std::env::temp_dir().join(format!("pliant-{}-a.png", std::process::id()));
    picture.write_png(&path).unwrap();
    let file = std::io::BufReader::new(std::fs::File::open(&path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(bytes == picture.rgb);
}

#[test]
fn a_gif_plays_back_close_to_its_pictures() {
    let view = View { floor: Some(0.0), ..front() };
    let frames: Vec<Picture> = (0..4)
        .map(|i| {
            let ball = shapes::sphere(Vec3::new(i as f32 * 0.2, 1.0, 0.0), 0.6, 24);
            render(&view, &[shapes::item(&ball, body_color(1))], &[], 90, 60).unwrap()
        })
        .collect();
    let path = std::env::temp_dir().join(format!("pliant-{}-b.gif", std::process::id()));
    write_gif(&path, &frames, 4).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(&path).unwrap()).unwrap();
    let mut canvas = vec![0; 90 * 60 * 4];
    for picture in &frames {
        let frame = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!(frame.delay, 4);
        let (left, top, across) = (frame.left as usize, frame.top as usize, frame.width as usize);
        for (i, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, p)| p[3] != 0) {
            let at = 4 * ((top + i / across) * 90 + left + i % across);
            canvas[at..at + 4].copy_from_slice(pixel);
        }
        let off = |(a, b): (&[u8], &[u8])| (0..3).map(|k| u64::from(a[k].abs_diff(b[k]))).sum::<u64>();
        let total: u64 = canvas.chunks_exact(4).zip(picture.rgb.chunks_exact(3)).map(off).sum();
        assert!(total / (90 * 60 * 3) < 6, "mean error {}", total / (90 * 60 * 3));
    }
    assert!(decoder.read_next_frame().unwrap().is_none());
    std::fs::remove_file(path).unwrap();
    assert!(matches!(write_gif("x.gif", &[], 4), Err(PictureError::NoFrames)));
}

#[test]
fn a_view_that_frames_itself_shows_the_floor_that_bodies_fall_on() {
    use pliant::{Body, Collider, World};
    let mut world = World::new();
    world.add_collider(Collider::floor(0.0)).unwrap();
    let ball = pliant::geometry::shapes::sphere(0.3, 2);
    let handle = world.add_body(Body::builder(ball).at([0.0, 1.5, 0.0]).build().unwrap());
    let mut view = pliant_studio::WorldView::new(&world, None);
    let mut drawn = |world: &World| view.draw(world, 120, 90).unwrap();
    let high = drawn(&world);
    world.body_mut(handle).unwrap().place([0.0, 0.3, 0.0], pliant::glam::Quat::IDENTITY).unwrap();
    let low = drawn(&world);
    world.remove_body(handle).unwrap();
    let none = drawn(&world);
    // All of the ball is in the picture, up there and down here, and not cut off by the picture's rim.
    for picture in [high, low] {
        let differs = |x: usize, y: usize| picture.pixel(x, y) != none.pixel(x, y);
        assert!((0..90).any(|y| (0..120).any(|x| differs(x, y))));
        assert!((0..120).all(|x| !differs(x, 0) && !differs(x, 89)));
    }
}
