//! Knife and scissors: on the cursor, in sessions, in pictures and films.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Vec2, Vec3};
use pliant::{Body, LatticeSettings, World};
use pliant_io::scene::{Scene, Script};
use pliant_studio::{Film, Hand, Input, Marker, Overlays, Picture, Recording, Session, ToolKind, WorldView};
use std::path::Path;
use std::time::Duration;

const SIZE: Vec2 = Vec2::new(640.0, 400.0);

/// A blue cube that floats, one metre wide, around (0, 1, 0).
fn cube() -> Session {
    let mut mesh = shapes::cuboid(Vec3::ONE, [4, 4, 4]);
    mesh.colors = vec![[0.05, 0.1, 0.7, 1.0]; mesh.positions.len()];
    let mut world = World::new();
    world.settings.gravity = Vec3::ZERO;
    let body = Body::builder(mesh)
        .name("cube")
        .model(pliant::ModelSettings::Lattice(LatticeSettings { cell: Some(0.1), width: Some(0.2) }))
        .at(DVec3::Y);
    world.add_body(body.build().unwrap());
    Session::new(Scene::resumed(Script::default(), world))
}

struct Bench {
    session: Session,
    view: WorldView,
    hand: Hand,
}

impl Bench {
    fn new(session: Session, kind: ToolKind) -> Self {
        let from = (DVec3::new(0.3, 1.4, 4.0), DVec3::Y, 0.6);
        Self { view: WorldView::new(session.world(), Some(from)), session, hand: Hand::new(kind) }
    }

    fn world(&self) -> &World {
        self.session.world()
    }

    fn bodies(&self) -> usize {
        self.world().bodies().count()
    }

    /// Drags from one place to another, with a step after every move; returns whether the tool did something.
    fn stroke(&mut self, from: Vec2, to: Vec2, moves: u32) -> bool {
        let Self { session, view, hand } = self;
        let found = hand.press(session, view, view.ray(from, SIZE)).unwrap();
        for i in 1..=moves {
            let at = from.lerp(to, i as f32 / moves as f32);
            hand.drag(session, view, view.ray(at, SIZE)).unwrap();
            session.step();
        }
        hand.release(session).unwrap();
        found
    }

    fn run(&mut self, steps: u64) {
        for _ in 0..steps {
            self.session.step();
        }
    }

    fn drawn(&mut self) -> Picture {
        self.view.draw(self.session.world(), SIZE.x as usize, SIZE.y as usize).unwrap()
    }

    fn save(&mut self, name: &str) {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cutting");
        std::fs::create_dir_all(&folder).unwrap();
        self.drawn().write_png(folder.join(name)).unwrap();
    }
}

fn hash(session: &Session) -> u64 {
    session.world().state_hash()
}

const ABOVE: Vec2 = Vec2::new(320.0, 40.0);
const BELOW: Vec2 = Vec2::new(325.0, 380.0);

#[test]
fn a_knife_drawn_through_a_cube_from_beside_makes_two_bodies() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    let ray = bench.view.ray(ABOVE, SIZE);
    assert!(bench.world().cast_ray(ray.from, ray.direction).is_none(), "it begins beside");
    assert!(bench.stroke(ABOVE, BELOW, 20));
    bench.run(1);
    assert_eq!(bench.bodies(), 2);
    assert_eq!(bench.world().tools().count(), 0, "the knife is gone");
    assert!(bench.session.cuts() > 0);
    let halves: Vec<DVec3> = bench.world().bodies().map(|(_, body)| body.center_of_mass()).collect();
    assert!((halves[0].x - halves[1].x).abs() > 0.3, "{halves:?}");
}

#[test]
fn a_knife_cuts_the_last_of_its_way_after_it_is_let_go() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    // All of the stroke between two steps: time stands still.
    let Bench { session, view, hand } = &mut bench;
    hand.press(session, view, view.ray(ABOVE, SIZE)).unwrap();
    hand.drag(session, view, view.ray(BELOW, SIZE)).unwrap();
    hand.release(session).unwrap();
    assert_eq!(session.held(), None);
    bench.run(1);
    assert_eq!((bench.bodies(), bench.world().tools().count()), (2, 0));
}

#[test]
fn a_shallow_stroke_leaves_one_body_with_a_slit() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    bench.hand.knife_depth = 0.5;
    let before = bench.world().bodies().next().unwrap().1.rest().mesh.triangles.len();
    bench.stroke(ABOVE, BELOW, 20);
    bench.run(1);
    assert_eq!(bench.bodies(), 1);
    let mesh = bench.world().bodies().next().unwrap().1.rest().mesh.clone();
    assert!(mesh.triangles.len() > before);
    assert!(mesh.triangle_paints.iter().any(|&paint| mesh.paints[paint as usize].name == "cut"));
    // Pulled at both sides it opens.
    let pull = |bench: &mut Bench, x: f64| {
        let (handle, body) = bench.world().bodies().next().unwrap();
        let corner = DVec3::new(x, 1.0, 0.5);
        let away = |v: &usize| body.vertex_position(*v).distance(corner);
        let vertex = (0..body.skin().positions.len()).min_by(|a, b| away(a).total_cmp(&away(b))).unwrap();
        let settings = pliant::PickSettings::default();
        bench.session.apply(Input::Pick { body: handle, vertex: vertex as u32, settings }).unwrap();
        bench.session.apply(Input::Move(corner + DVec3::X * (0.7 * x))).unwrap();
        bench.session.apply(Input::Lock).unwrap();
    };
    pull(&mut bench, -0.5);
    pull(&mut bench, 0.5);
    bench.run(60);
    let from = (DVec3::new(1.0, 2.8, 3.6), DVec3::Y, 0.6);
    bench.view = WorldView::new(bench.session.world(), Some(from));
    assert!(flesh(&bench.drawn()) > 500, "{}", flesh(&bench.drawn()));
    bench.save("slit.png");
    // And half way is not through either.
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    bench.stroke(ABOVE, ABOVE.lerp(BELOW, 0.5), 10);
    bench.run(1);
    assert_eq!(bench.bodies(), 1);
    assert!(bench.session.cuts() > 0);
}

#[test]
fn the_wheel_changes_how_deep_a_knife_cuts() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    let Bench { session, view, hand } = &mut bench;
    let edge = |session: &Session| match session.inputs().last().unwrap().1 {
        Input::Knife(edge) | Input::Edge(edge) => edge[0].distance(edge[1]),
        _ => 0.0,
    };
    hand.press(session, view, view.ray(ABOVE, SIZE)).unwrap();
    let through = edge(session);
    hand.wheel(session, view, view.ray(ABOVE, SIZE), -10.0).unwrap();
    assert!(edge(session) < 0.8 * through, "{} {through}", edge(session));
    hand.wheel(session, view, view.ray(ABOVE, SIZE), 20.0).unwrap();
    assert_eq!(hand.knife_depth, 1.0);
}

#[test]
fn scissors_cut_what_is_under_their_line() {
    let mut bench = Bench::new(cube(), ToolKind::Scissors);
    assert!(bench.stroke(ABOVE, BELOW, 5));
    assert_eq!(bench.bodies(), 1, "until the next step");
    bench.run(1);
    assert_eq!(bench.bodies(), 2);
    // A click is no line.
    bench.stroke(ABOVE, ABOVE, 1);
    bench.run(1);
    assert_eq!(bench.bodies(), 2);
    // Beside all bodies there is nothing to cut, unless all are meant.
    let (left, right) = (Vec2::new(20.0, 230.0), Vec2::new(120.0, 230.0));
    let Bench { session, view, hand } = &mut bench;
    hand.press(session, view, view.ray(left, SIZE)).unwrap();
    hand.drag(session, view, view.ray(right, SIZE)).unwrap();
    assert!(hand.release(session).unwrap_err().to_string().contains("no body"));
    hand.cuts_all = true;
    bench.stroke(left, right, 2);
    bench.run(1);
    assert_eq!(bench.bodies(), 4);
}

#[test]
fn a_blade_is_shown_before_it_cuts() {
    let lines = |bench: &Bench, at: Vec2| {
        let signs = bench.hand.cursor(&bench.session, &bench.view, bench.view.ray(at, SIZE));
        signs.iter().filter(|sign| matches!(sign, Marker::Line { .. })).count()
    };
    let mut bench = Bench::new(cube(), ToolKind::Scissors);
    let Bench { session, view, hand } = &mut bench;
    hand.press(session, view, view.ray(ABOVE, SIZE)).unwrap();
    hand.drag(session, view, view.ray(BELOW, SIZE)).unwrap();
    assert!(lines(&bench, BELOW) > 10, "a frame, and where it goes through the skin");
    bench.view.cursor = bench.hand.cursor(&bench.session, &bench.view, bench.view.ray(BELOW, SIZE));
    bench.save("scissors-before.png");

    let mut bench = Bench::new(cube(), ToolKind::Knife);
    let Bench { session, view, hand } = &mut bench;
    hand.press(session, view, view.ray(ABOVE, SIZE)).unwrap();
    for i in 1..=8 {
        let at = ABOVE.lerp(BELOW, 0.08 * i as f32);
        hand.drag(session, view, view.ray(at, SIZE)).unwrap();
        session.step();
    }
    assert!(lines(&bench, BELOW) > 8);
    bench.view.cursor = bench.hand.cursor(&bench.session, &bench.view, bench.view.ray(BELOW, SIZE));
    bench.save("knife-half-way.png");
}

#[test]
fn a_cut_is_undone_bit_for_bit() {
    for kind in [ToolKind::Knife, ToolKind::Scissors] {
        let mut bench = Bench::new(cube(), kind);
        bench.run(7);
        let before = hash(&bench.session);
        bench.stroke(ABOVE, BELOW, 12);
        bench.run(9);
        assert_eq!(bench.bodies(), 2);
        assert!(bench.session.undoable().is_some_and(|what| what.starts_with("cut with")));
        assert!(bench.session.undo());
        // Scissors cut when they are let go: what was before is there again then.
        let steps = bench.session.steps();
        assert_eq!(steps, if kind == ToolKind::Knife { 7 } else { 19 });
        assert_eq!((bench.bodies(), bench.session.cuts()), (1, 0));
        let mut plain = Bench::new(cube(), kind);
        plain.run(steps);
        assert_eq!(hash(&bench.session), hash(&plain.session));
        assert!(kind == ToolKind::Scissors || hash(&bench.session) == before);
    }
}

/// Cuts with knife and scissors, and more in between; returns the state after each step.
fn play(bench: &mut Bench) -> Vec<u64> {
    let mut states = vec![hash(&bench.session)];
    let ways = [
        (ToolKind::Knife, ABOVE, BELOW),
        (ToolKind::Scissors, Vec2::new(150.0, 190.0), Vec2::new(500.0, 230.0)),
        (ToolKind::Knife, Vec2::new(330.0, 150.0), Vec2::new(500.0, 330.0)),
        (ToolKind::Pick, Vec2::new(340.0, 160.0), Vec2::new(500.0, 100.0)),
    ];
    for (kind, from, to) in ways {
        let Bench { session, view, hand } = bench;
        hand.kind = kind;
        hand.press(session, view, view.ray(from, SIZE)).unwrap();
        for i in 1..=9 {
            hand.drag(session, view, view.ray(from.lerp(to, i as f32 / 9.0), SIZE)).unwrap();
            session.step();
            states.push(hash(session));
        }
        hand.release(session).unwrap();
        for _ in 0..3 {
            session.step();
            states.push(hash(session));
        }
    }
    states
}

#[test]
fn stepping_back_across_cuts_gives_every_state_again() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    let states = play(&mut bench);
    let pieces = bench.bodies();
    assert!(pieces >= 4, "{pieces}");
    let session = &mut bench.session;
    for step in (0..states.len()).rev() {
        assert_eq!((session.steps(), hash(session)), (step as u64, states[step]), "back");
        session.step_back();
    }
    for (step, state) in states.iter().enumerate() {
        session.seek(step as u64);
        assert_eq!(hash(session), *state, "on at {step}");
    }
    assert_eq!(bench.bodies(), pieces);
}

#[test]
fn a_session_file_cuts_again_bit_for_bit() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    let states = play(&mut bench);
    let mut again = Session::from_bytes(&bench.session.to_bytes()).unwrap();
    for state in &states[1..] {
        again.step();
        assert_eq!(hash(&again), *state);
    }
    assert_eq!(again.is_reproduced(), Some(true));
    assert_eq!(again.cuts(), bench.session.cuts());
}

/// How many pixels are of the colour of cut faces.
fn flesh(picture: &Picture) -> usize {
    let is_red = |p: &&[u8]| p[0] > 90 && p[0] > p[1].max(p[2]).saturating_add(40);
    picture.rgb.chunks_exact(3).filter(is_red).count()
}

/// A cube in two halves that have been moved apart, seen from the side.
fn parted() -> Bench {
    let mut bench = Bench::new(cube(), ToolKind::Scissors);
    bench.stroke(ABOVE, BELOW, 3);
    bench.run(1);
    let bodies: Vec<_> = bench.world().bodies().map(|(handle, _)| handle).collect();
    let mut world = World::new();
    world.restore(&bench.world().snapshot());
    for body in bodies {
        let body = world.body_mut(body).unwrap();
        let way = body.center_of_mass().x.signum() as f32;
        body.nodes.velocities.iter_mut().for_each(|v| *v = Vec3::X * way);
    }
    let mut bench = Bench::new(Session::new(Scene::resumed(Script::default(), world)), ToolKind::Pick);
    bench.run(24);
    let from = (DVec3::new(2.5, 2.0, 3.2), DVec3::Y, 0.6);
    bench.view = WorldView::new(bench.session.world(), Some(from));
    bench
}

#[test]
fn cut_faces_have_the_colour_of_their_paint() {
    let mut whole = Bench::new(cube(), ToolKind::Pick);
    assert_eq!(flesh(&whole.drawn()), 0);
    let mut bench = parted();
    bench.save("parted.png");
    let seen = flesh(&bench.drawn());
    assert!(seen > 1500, "{seen}");
    let mesh = bench.world().bodies().next().unwrap().1.rest().mesh.clone();
    let drawing = bench.view.drawing(bench.session.world());
    let colors = drawing.items.iter().find(|item| item.positions.len() == mesh.positions.len());
    let colors = colors.and_then(|item| item.colors).unwrap();
    for (triangle, paint) in mesh.triangles.iter().zip(&mesh.triangle_paints) {
        let paint = &mesh.paints[*paint as usize];
        let same = triangle.iter().all(|&v| colors[v as usize] == paint.base_color);
        assert_eq!(same, paint.name == "cut");
    }
}

#[cfg(feature = "window")]
#[test]
fn both_renderers_draw_cut_bodies_alike_while_they_are_cut() {
    let Ok(mut gpu) = pliant_studio::gpu::Offscreen::new().inspect_err(|why| println!("not tested: {why}"))
    else {
        return;
    };
    let mut close = |bench: &mut Bench| {
        let drawing = bench.view.drawing(bench.session.world());
        let soft = drawing.render(320, 200).unwrap();
        let hard = gpu.picture(&drawing, 320, 200).unwrap();
        let off: u64 = soft.rgb.iter().zip(&hard.rgb).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        let off = off as f64 / soft.rgb.len() as f64;
        assert!(off < 1.5, "{off}");
        (flesh(&soft), flesh(&hard))
    };
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    for i in 0..12 {
        let Bench { session, view, hand } = &mut bench;
        let ray = view.ray(ABOVE.lerp(BELOW, i as f32 / 11.0), SIZE);
        match i {
            0 => drop(hand.press(session, view, ray).unwrap()),
            _ => hand.drag(session, view, ray).unwrap(),
        }
        session.step();
        close(&mut bench);
    }
    let (soft, hard) = close(&mut parted());
    assert!(soft > 300 && hard > 300 && soft.abs_diff(hard) < soft / 5, "{soft} {hard}");
}

#[test]
fn pieces_keep_the_colour_of_what_they_were_cut_off() {
    let mut bench = Bench::new(cube(), ToolKind::Scissors);
    let colors = |bench: &mut Bench| -> Vec<[f32; 3]> {
        bench.view.drawing(bench.session.world()).items.iter().map(|item| item.color).collect()
    };
    let before = colors(&mut bench);
    bench.stroke(ABOVE, BELOW, 3);
    // Drawn only some steps later.
    bench.run(5);
    assert_eq!(colors(&mut bench), vec![before[0]; 2]);
}

#[test]
fn films_show_bodies_as_they_were_before_and_after_a_cut() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    bench.run(10);
    bench.stroke(ABOVE, BELOW, 12);
    bench.run(20);
    let last = bench.session.steps();
    for film in [Film::Glb, Film::Gif] {
        let view = WorldView::new(bench.world(), None);
        let mut recording = Recording::new(&bench.session, view, film, [0, last], [64, 40]);
        while !recording.work(Duration::MAX).unwrap() {}
        let (bytes, warnings) = recording.finish().unwrap();
        if film == Film::Glb {
            let loaded = pliant_io::read_mesh_bytes("film.glb", &bytes).unwrap();
            let whole = cube().world().bodies().next().unwrap().1.rest().mesh.triangles.len();
            let now: usize = bench.world().bodies().map(|(_, body)| body.rest().mesh.triangles.len()).sum();
            assert_eq!(loaded.mesh.triangles.len(), whole + now);
            let text = String::from_utf8_lossy(&bytes);
            assert_eq!(text.matches("\"weights\":[").count(), 3, "the cube and its halves");
            assert!(warnings.iter().any(|why| why.contains("moment")), "{warnings:?}");
        }
    }
}

#[test]
fn what_cannot_be_cut_is_told_in_plain_words() {
    let mut session = cube();
    // A plane that only shaves a corner off.
    let corner = DVec3::new(0.49, 1.49, 0.49);
    session.apply(Input::Scissors { bodies: Vec::new(), point: corner, normal: Vec3::ONE }).unwrap();
    session.step();
    assert_eq!(session.world().bodies().count(), 1);
    let told = session.take_refusals();
    assert!(told.len() == 1 && told[0].starts_with("not cut: "), "{told:?}");
    assert!(session.take_refusals().is_empty());
    let nowhere = Input::Scissors { bodies: Vec::new(), point: DVec3::ZERO, normal: Vec3::ZERO };
    assert!(session.apply(nowhere).is_err());
    assert!(session.apply(Input::Edge([DVec3::ZERO; 2])).is_err(), "no knife is held");
}

#[test]
fn what_is_inside_cut_bodies_can_be_seen() {
    let mut bench = Bench::new(cube(), ToolKind::Knife);
    bench.hand.knife_depth = 0.6;
    bench.stroke(ABOVE, BELOW, 12);
    bench.hand.kind = ToolKind::Scissors;
    bench.stroke(Vec2::new(150.0, 190.0), Vec2::new(500.0, 230.0), 3);
    bench.run(2);
    assert_eq!(bench.bodies(), 2);
    for name in Overlays::NAMES {
        bench.view.overlays = name.parse().unwrap();
        let shown = bench.drawn();
        bench.view.overlays = Overlays::default();
        let plain = bench.drawn();
        assert!(shown != plain || ["clusters", "contacts"].contains(&name), "{name}");
    }
}

#[test]
fn knife_and_scissors_cut_bodies_of_every_model() {
    for name in ["duck-drop", "hand-adaptive", "jelly-cubes"] {
        for kind in [ToolKind::Knife, ToolKind::Scissors] {
            let scene = pliant_scenes::build(name).unwrap();
            let camera = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
            let view = WorldView::new(&scene.world, camera);
            let mut bench = Bench { session: Session::new(scene), view, hand: Hand::new(kind) };
            bench.run(30);
            bench.drawn();
            let before = bench.bodies();
            let (_, body) = bench.world().bodies().next().unwrap();
            let at = bench.view.project(body.center_of_mass(), SIZE).unwrap();
            bench.stroke(at - Vec2::X * 250.0, at + Vec2::X * 250.0, 15);
            bench.run(20);
            assert!(bench.session.cuts() > 0, "{name} {kind:?}");
            assert!(kind == ToolKind::Knife || bench.bodies() > before, "{name}");
            assert_eq!(bench.session.contained(), 0);
            bench.save(&format!("{name}-{}.png", kind.name()));
        }
    }
}
