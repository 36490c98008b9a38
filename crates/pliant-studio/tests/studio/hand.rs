//! The tools on the cursor, without a window.

use pliant::glam::{DVec3, Vec2};
use pliant::{Tool, World};
use pliant_studio::{Hand, Session, ToolKind, WorldView};

const SIZE: Vec2 = Vec2::new(640.0, 400.0);

struct Bench {
    session: Session,
    view: WorldView,
    hand: Hand,
}

impl Bench {
    fn new(scene: &str, kind: ToolKind) -> Self {
        let scene = pliant_scenes::build(scene).expect("a scene");
        let camera = scene.camera.map(|camera| (camera.eye, camera.target, camera.fov_y_radians));
        let view = WorldView::new(&scene.world, camera);
        Self { session: Session::new(scene), view, hand: Hand::new(kind) }
    }

    fn world(&self) -> &World {
        self.session.world()
    }

    fn press(&mut self, at: Vec2) -> bool {
        self.hand.press(&mut self.session, &self.view, self.view.ray(at, SIZE)).expect("it can be done")
    }

    fn drag(&mut self, at: Vec2) {
        self.hand.drag(&mut self.session, &self.view, self.view.ray(at, SIZE)).expect("it can be done");
    }

    fn wheel(&mut self, at: Vec2, notches: f32) {
        self.hand
            .wheel(&mut self.session, &self.view, self.view.ray(at, SIZE), notches)
            .expect("it can be done");
    }

    fn run(&mut self, steps: usize) {
        (0..steps).for_each(|_| {
            self.session.step();
        });
    }

    /// Where the first body's centre of mass is seen.
    fn body_at(&self) -> Vec2 {
        let (_, body) = self.world().bodies().next().expect("a body");
        self.view.project(body.center_of_mass(), SIZE).expect("in front of the eye")
    }
}

#[test]
fn a_ray_hits_what_the_user_sees() {
    // The picture with a body is unlike the one without it just where rays hit the body.
    for scene in ["duck-drop", "hand-adaptive", "jelly-spheres"] {
        let mut bench = Bench::new(scene, ToolKind::Pick);
        bench.run(10);
        let (width, height) = (160, 100);
        let with = bench.view.draw(bench.session.world(), width, height).unwrap();
        let mut bare = World::new();
        for (_, collider) in bench.world().colliders() {
            bare.add_collider(collider.clone()).unwrap();
        }
        bench.view.view.key.color = [0.0; 3];
        let with_no_shadow = bench.view.draw(bench.session.world(), width, height).unwrap();
        let without = bench.view.draw(&bare, width, height).unwrap();
        assert_eq!(with.rgb.len(), without.rgb.len());
        let (mut seen, mut agree, mut total) = (0, 0, 0);
        for y in (2..height - 2).step_by(3) {
            for x in (2..width - 2).step_by(3) {
                let ray = bench
                    .view
                    .ray(Vec2::new(x as f32 + 0.5, y as f32 + 0.5), Vec2::new(width as f32, height as f32));
                let hit = bench.world().cast_ray(ray.from, ray.direction).is_some();
                let (a, b) = (with_no_shadow.pixel(x, y).unwrap(), without.pixel(x, y).unwrap());
                let differs = a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap() > 24;
                seen += usize::from(hit);
                total += 1;
                agree += usize::from(hit == differs);
            }
        }
        assert!(seen > 20, "{scene}: {seen}");
        assert!(agree * 100 > total * 95, "{scene}: {agree} of {total}");
    }
}

#[test]
fn a_projected_place_is_on_its_own_ray() {
    let bench = Bench::new("duck-drop", ToolKind::Pick);
    for place in [DVec3::new(0.1, 0.4, 0.2), DVec3::new(-0.5, 1.0, 0.0)] {
        let seen = bench.view.project(place, SIZE).unwrap();
        let ray = bench.view.ray(seen, SIZE);
        assert!(ray.at(bench.view.depth(place)).distance(place) < 1e-3);
    }
}

#[test]
fn picking_moves_the_vertex_under_the_cursor() {
    let mut bench = Bench::new("duck-drop", ToolKind::Pick);
    bench.run(90);
    let at = bench.body_at();
    let ray = bench.view.ray(at, SIZE);
    let hit = bench.world().cast_ray(ray.from, ray.direction).unwrap();
    assert!(bench.press(at));
    let to = at + Vec2::new(60.0, -80.0);
    for i in 0..60 {
        bench.drag(at.lerp(to, (i as f32 / 30.0).min(1.0)));
        bench.run(1);
    }
    bench.run(60);
    let vertex = bench.world().body(hit.body).unwrap().vertex_position(hit.vertex as usize);
    let seen = bench.view.project(vertex, SIZE).unwrap();
    assert!(seen.distance(to) < 20.0, "{seen} instead of {to}");
    // Let go, it falls.
    bench.hand.release(&mut bench.session).unwrap();
    assert_eq!(bench.world().tools().count(), 0);
    bench.run(60);
    let fallen = bench.world().body(hit.body).unwrap().vertex_position(hit.vertex as usize);
    assert!(fallen.y < vertex.y - 0.05);
}

#[test]
fn the_wheel_moves_what_is_held_in_depth() {
    let mut bench = Bench::new("duck-drop", ToolKind::Pick);
    let at = bench.body_at();
    assert!(bench.press(at));
    let depth = |bench: &Bench| {
        let held = bench.world().tool(bench.session.held().unwrap()).unwrap().position().unwrap();
        bench.view.depth(held)
    };
    let before = depth(&bench);
    bench.wheel(at, 3.0);
    assert!(depth(&bench) > 1.1 * before);
    bench.wheel(at, -6.0);
    assert!(depth(&bench) < 0.9 * before);
}

#[test]
fn locked_picks_stay_and_can_be_taken_again() {
    let mut bench = Bench::new("duck-drop", ToolKind::Pick);
    let at = bench.body_at();
    bench.press(at);
    bench.drag(at + Vec2::new(0.0, -30.0));
    bench.hand.lock(&mut bench.session).unwrap();
    assert!(!bench.hand.is_busy());
    bench.hand.release(&mut bench.session).unwrap();
    bench.run(30);
    assert_eq!(bench.world().tools().count(), 1);
    // A second one elsewhere: several can stay.
    bench.press(at + Vec2::new(8.0, 12.0));
    bench.hand.lock(&mut bench.session).unwrap();
    assert_eq!(bench.world().tools().count(), 2);
    let (first, target) = match bench.world().tools().next().unwrap() {
        (handle, Tool::Pick(pick)) => (handle, pick.target),
        _ => panic!("a pick"),
    };
    let seen = bench.view.project(target, SIZE).unwrap();
    assert!(bench.press(seen));
    assert_eq!(bench.session.held(), Some(first));
    bench.hand.release(&mut bench.session).unwrap();
    assert_eq!(bench.world().tools().count(), 1);
}

#[test]
fn a_ball_pushes_what_it_is_dragged_against() {
    let mut bench = Bench::new("duck-drop", ToolKind::Push);
    bench.run(120);
    let at = bench.body_at();
    let before = bench.world().bodies().next().unwrap().1.center_of_mass();
    assert!(bench.press(at - Vec2::new(150.0, 0.0)));
    for i in 0..40 {
        bench.drag(at + Vec2::new(-150.0 + 6.0 * i as f32, 0.0));
        bench.run(1);
    }
    let after = bench.world().bodies().next().unwrap().1.center_of_mass();
    assert!(after.distance(before) > 0.02, "{before} {after}");
    bench.hand.release(&mut bench.session).unwrap();
    assert_eq!(bench.world().tools().count(), 0);
}

#[test]
fn a_click_pins_and_a_click_on_a_pin_unpins() {
    let mut bench = Bench::new("duck-drop", ToolKind::Pin);
    let at = bench.body_at();
    bench.press(at);
    bench.hand.release(&mut bench.session).unwrap();
    let held = bench.world().bodies().next().unwrap().1.center_of_mass();
    bench.run(120);
    let after = bench.world().bodies().next().unwrap().1.center_of_mass();
    assert!(after.distance(held) < 0.3, "it hangs where it was pinned");
    let place = match bench.world().tools().next().unwrap().1 {
        Tool::Pin(pin) => pin.held().next().unwrap().1,
        _ => panic!("a pin"),
    };
    let seen = bench.view.project(place, SIZE).unwrap();
    bench.press(seen);
    bench.drag(seen + Vec2::new(0.0, -60.0));
    bench.hand.release(&mut bench.session).unwrap();
    assert_eq!(bench.world().tools().count(), 1, "a drag moves the pin");
    bench.run(2);
    let place = match bench.world().tools().next().unwrap().1 {
        Tool::Pin(pin) => pin.held().next().unwrap().1,
        _ => panic!("a pin"),
    };
    bench.press(bench.view.project(place, SIZE).unwrap());
    bench.hand.release(&mut bench.session).unwrap();
    assert_eq!(bench.world().tools().count(), 0);
}

#[test]
fn a_drag_blows_and_letting_go_stops_it() {
    let mut bench = Bench::new("duck-drop", ToolKind::Wind);
    bench.press(Vec2::new(100.0, 100.0));
    bench.drag(Vec2::new(300.0, 100.0));
    let wind = |bench: &Bench| match bench.world().tools().next() {
        Some((_, Tool::Wind(wind))) => Some(wind.velocity),
        _ => None,
    };
    let blown = wind(&bench).unwrap();
    bench.drag(Vec2::new(500.0, 100.0));
    assert!(wind(&bench).unwrap().length() > 1.5 * blown.length());
    bench.hand.release(&mut bench.session).unwrap();
    assert_eq!(wind(&bench), None);
}

#[test]
fn beside_everything_a_drag_is_left_to_the_view() {
    for kind in [ToolKind::Pick, ToolKind::Pin] {
        let mut bench = Bench::new("duck-drop", kind);
        assert!(!bench.press(Vec2::new(3.0, 3.0)));
        assert!(!bench.hand.is_busy());
        assert!(bench.session.inputs().is_empty());
    }
}
