//! Bodies against colliders: they rest, stick, slide, bounce, and come out where they were put in.

mod common;

use common::{kinetic_energy, small_box};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Quat, Vec3};
use pliant::{Body, BodyHandle, Clustering, Collider, LatticeSettings, Material, Shape, World};

const H: f32 = 1.0 / 60.0;
const G: f64 = 9.81;

fn colliders() -> [(Collider, f64); 4] {
    [
        (Collider::floor(0.0), 0.0),
        (Collider::new(Shape::Sphere { radius: 3.0 }), 3.0),
        (Collider::new(Shape::Box { half: Vec3::new(2.0, 0.5, 2.0) }), 0.5),
        (
            Collider::new(Shape::Capsule { radius: 2.0, half_height: 2.0 })
                .turned(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
            2.0,
        ),
    ]
}

/// How deep the deepest node is inside the collider.
fn depth(body: &Body, collider: &Collider) -> f64 {
    let inverse = collider.rotation.inverse().as_dquat();
    let local = |i: usize| (inverse * (body.nodes.world_position(i) - collider.position)).as_vec3();
    let distance = |i: usize| f64::from(collider.shape.distance(local(i)).0);
    (0..body.nodes.positions.len()).map(|i| -distance(i)).fold(f64::NEG_INFINITY, f64::max)
}

fn world_with(collider: Collider, body: Body) -> (World, BodyHandle) {
    let mut world = World::new();
    world.add_collider(collider).expect("a collider");
    let handle = world.add_body(body);
    (world, handle)
}

#[test]
fn a_body_rests_on_every_shape_without_sinking() {
    for (collider, top) in colliders() {
        for clustering in common::clusterings() {
            let sticky = Material::default().with_friction(1.0);
            let body = small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                .material(sticky)
                .at(DVec3::Y * (top + 0.35));
            let (mut world, handle) =
                world_with(collider.clone().friction(1.0), body.build().expect("a body"));
            common::run(&mut world, 600, H);
            let body = world.body(handle).expect("there");
            let height = body.center_of_mass().y - top;
            assert!(height > 0.15 && height < 0.31, "{:?} {clustering:?}: at {height}", collider.shape);
            let deep = depth(body, &collider);
            assert!(deep < 5e-3, "{:?} {clustering:?}: {deep} m inside", collider.shape);
        }
    }
}

#[test]
fn a_body_on_a_floor_comes_to_rest_and_stays_there() {
    for clustering in common::clusterings() {
        for alpha in [0.2, 0.5, 1.0] {
            let material = Material::default().with_alpha(alpha);
            let body = small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                .material(material)
                .at(DVec3::Y * 0.6);
            let (mut world, handle) = world_with(Collider::floor(0.0), body.build().expect("a body"));
            let mut energies = [0.0_f64; 4];
            for energy in &mut energies {
                for _ in 0..500 {
                    common::run(&mut world, 1, H);
                    *energy = energy.max(kinetic_energy(world.body(handle).expect("there")));
                }
            }
            let settled = common::world_positions(world.body(handle).expect("there"));
            common::run(&mut world, 1000, H);
            let body = world.body(handle).expect("there");
            // Compared with what it fell with.
            let fall = body.rest().nodes.total_mass * G * 0.3;
            println!(
                "{clustering:?} α {alpha}: {:.1e} of the fall left after 1,500 frames",
                energies[3] / fall
            );
            // Below a billionth of the fall it rests, and what is left is rounding.
            let falls = |a: &f64, b: &f64| a > b || *b < 1e-9 * fall;
            assert!(energies.is_sorted_by(falls), "{clustering:?} α {alpha}: {energies:?}");
            assert!(
                energies[3] < 1e-3 * fall,
                "{clustering:?} α {alpha}: {energies:?} J of a fall of {fall:.1e} J"
            );
            let now = common::world_positions(body);
            let moved = settled.iter().zip(&now).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            assert!(
                moved < if alpha < 1.0 { 2e-3 } else { 1e-2 },
                "{clustering:?} α {alpha}: crept {moved:.1e} m in 1,000 frames"
            );
        }
    }
}

/// How far a box on a slope of 30° goes down it, after each frame.
fn slide(friction: f32, clustering: Clustering, frames: usize) -> (Vec<f64>, f64) {
    let tilt = Quat::from_rotation_z(-std::f32::consts::FRAC_PI_6);
    let slope = Collider::plane(DVec3::ZERO, tilt * Vec3::Y).friction(friction);
    let material =
        Material::default().with_friction(friction).with_alpha(0.9).with_beta(0.0).with_damping(0.4);
    let body = small_box()
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
        .material(material)
        .turned(tilt)
        .at((tilt * Vec3::Y * 0.3).as_dvec3());
    let (mut world, handle) = world_with(slope, body.build().expect("a body"));
    let down = (tilt * Vec3::X).as_dvec3();
    let path = |_| {
        common::run(&mut world, 1, H);
        world.body(handle).expect("there").center_of_mass().dot(down)
    };
    let path = (0..frames).map(path).collect();
    (path, world.body(handle).expect("there").velocity().dot(down))
}

#[test]
fn friction_holds_a_body_on_a_slope() {
    for clustering in common::clusterings() {
        let (path, speed) = slide(0.7, clustering.clone(), 1500);
        let crept = path[1499] - path[999];
        println!("{clustering:?}: crept {crept:.1e} m");
        assert!(
            crept.abs() < 1e-3 && speed.abs() < 1e-3,
            "{clustering:?}: crept {crept:.1e} m at {speed:.1e} m/s"
        );
    }
}

#[test]
fn a_body_slides_down_a_slope_as_coulomb_says() {
    let expected = G * (0.5 - 0.4 * 0.75_f64.sqrt());
    for clustering in common::clusterings() {
        let (path, _) = slide(0.4, clustering.clone(), 240);
        let speed = |frame: usize| (path[frame] - path[frame - 1]) / f64::from(H);
        let found = (speed(230) - speed(60)) / (170.0 * f64::from(H));
        println!("{clustering:?}: {found:.3} m/s² of {expected:.3}");
        assert!((found / expected - 1.0).abs() < 0.05, "{clustering:?}: {found} m/s², not {expected}");
    }
}

/// The speed of a ball after it has fallen on a floor, as part of that before it.
fn bounce(material: Material, model: LatticeSettings, substeps: u32) -> f64 {
    let ball = Body::builder(shapes::sphere(0.2, 3)).material(material).model(model).at(DVec3::Y * 0.7);
    let (mut world, handle) = world_with(Collider::floor(0.0), ball.build().expect("a ball"));
    world.settings.substeps = substeps;
    let (mut rises, mut highest) = (false, 0.2_f64);
    for _ in 0..60 {
        world.step(H);
        let ball = world.body(handle).expect("there");
        rises |= ball.velocity().y > 0.0;
        highest = highest.max(if rises { ball.center_of_mass().y } else { 0.0 });
    }
    ((highest - 0.2) / 0.5).sqrt()
}

#[test]
fn a_stiff_ball_bounces_as_restitution_says() {
    let model = LatticeSettings { cell: Some(0.05), width: Some(0.15) };
    for (substeps, damping) in [(4, 0.5), (4, 0.0), (16, 0.5)] {
        for restitution in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let material =
                Material::default().with_alpha(1.0).with_damping(damping).with_restitution(restitution);
            let found = bounce(material, model, substeps);
            println!("{substeps} substeps, damping {damping}: {found:.3} of {restitution}");
            assert!(
                (found - f64::from(restitution)).abs() < 0.1,
                "{substeps} substeps: {found}, not {restitution}"
            );
        }
    }
}

#[test]
fn a_soft_ball_bounces_the_higher_the_more_restitution_it_has() {
    let model = LatticeSettings { cell: Some(0.05), width: Some(0.1) };
    for (alpha, damping) in [(0.3, 0.5), (0.3, 0.0), (0.05, 0.1)] {
        let of = |restitution: f32| {
            let material = Material::default().with_alpha(alpha).with_damping(damping);
            bounce(material.with_restitution(restitution), model, 4)
        };
        let found = [0.0, 0.5, 1.0].map(of);
        println!("alpha {alpha}, damping {damping}: {found:.3?}");
        assert!(found.is_sorted() && found[2] > found[0], "alpha {alpha}, damping {damping}: {found:?}");
    }
}

#[test]
fn a_bounce_never_gains_energy() {
    for restitution in [0.0, 0.5, 1.0] {
        for clustering in common::clusterings() {
            let material = Material::default().with_restitution(restitution).with_damping(0.0);
            let body = small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                .material(material)
                .at(DVec3::Y * 2.0)
                .spin(Vec3::ONE);
            let (mut world, _) = world_with(Collider::floor(0.0), body.build().expect("a body"));
            let start = world.energy().total();
            let mut most = 0.0_f64;
            for _ in 0..1200 {
                world.step(H);
                most = most.max(world.energy().kinetic + world.energy().potential);
            }
            assert!(most < 1.1 * start, "{clustering:?} {restitution}: {most} J of {start} J");
        }
    }
}

#[test]
fn a_body_put_half_into_the_floor_rises_and_is_not_shot_out() {
    for (collider, top) in colliders() {
        for clustering in common::clusterings() {
            let body = small_box()
                .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
                .at(DVec3::Y * top)
                .build()
                .expect("a body");
            let (mut world, handle) = world_with(collider.clone(), body);
            let mut fastest = 0.0_f64;
            for _ in 0..300 {
                common::run(&mut world, 1, H);
                fastest = fastest.max(world.body(handle).expect("there").velocity().y);
            }
            let own_height = (2.0 * G * 0.6).sqrt();
            assert!(
                fastest < 0.7 * own_height,
                "{:?} {clustering:?}: shot out at {fastest} m/s",
                collider.shape
            );
            let deep = depth(world.body(handle).expect("there"), &collider);
            assert!(deep < 1e-2, "{:?} {clustering:?}: still {deep} m inside", collider.shape);
        }
    }
}

#[test]
fn nothing_passes_through_a_thin_wall_at_any_speed() {
    // 2 cm thick, and the fastest goes 42 m in a substep.
    let wall = Collider::new(Shape::Box { half: Vec3::new(0.01, 50.0, 50.0) });
    let ball = Collider::new(Shape::Sphere { radius: 3.0 });
    for (collider, start) in [(wall, 0.8), (ball, 3.8)] {
        for speed in [1.0, 10.0, 100.0, 1e3, 1e4] {
            for clustering in [Clustering::One, Clustering::Spread { count: 4, overlap: 0.5 }] {
                let body = small_box()
                    .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
                    .at(DVec3::X * start)
                    .velocity(Vec3::X * -speed);
                let mut world = common::weightless();
                world.settings.substeps = 4;
                world.add_collider(collider.clone()).expect("a collider");
                let handle = world.add_body(body.build().expect("a body"));
                for _ in 0..60 {
                    common::run(&mut world, 1, H);
                    let x = world.body(handle).expect("there").center_of_mass().x;
                    assert!(x > 0.0, "{:?} at {speed} m/s: at {x} m", collider.shape);
                }
            }
        }
    }
}
