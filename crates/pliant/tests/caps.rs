//! However hard a body is hit, its goals do not stretch beyond the cap.

mod common;

use common::{caps, clusters, weightless};
use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::model::clusters::area::norm_squared;
use pliant::{AreaCap, Body, CapMethod, Clustering, Collider, GoalSettings, Matching, Material};

const H: f32 = 1.0 / 60.0;

fn largest_row(f: Mat3) -> f32 {
    let rows = f.transpose();
    [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| row.length_squared()).into_iter().fold(0.0, f32::max)
}

/// What a cap limits.
fn measure(f: Mat3, method: CapMethod) -> f32 {
    if method == CapMethod::Rows { largest_row(f) } else { norm_squared(f) }
}

/// A ball thrown at a wall; the goal map's measure after each step.
fn hit(speed: f32, settings: GoalSettings, clustering: Clustering, method: CapMethod) -> Vec<f32> {
    let mut world = weightless();
    world.add_collider(Collider::plane(DVec3::ZERO, Vec3::X)).expect("a wall");
    let body = common::small_ball()
        .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings))
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
        .material(Material::default().with_beta(0.9))
        .at(DVec3::X * 0.6)
        .turned(Quat::from_rotation_z(0.4))
        .velocity(Vec3::new(-speed, 0.1 * speed, 0.0))
        .build()
        .expect("a ball");
    let handle = world.add_body(body);
    let after_step = |_| {
        world.step(H);
        let maps = &clusters(world.body(handle).expect("there")).scratch.maps;
        maps.iter().map(|map| measure(map.linear, method)).fold(0.0, f32::max)
    };
    (0..90).map(after_step).collect()
}

#[test]
fn a_ball_hit_at_any_speed_never_exceeds_the_cap() {
    for cap in caps().into_iter().flatten() {
        for matching in [Matching::Linear, Matching::Quadratic] {
            for clustering in [Clustering::One, Clustering::Spread { count: 4, overlap: 0.5 }] {
                for speed in [1.0, 10.0, 100.0, 1e3, 1e4] {
                    let settings = GoalSettings { matching, area_cap: Some(cap), ..GoalSettings::default() };
                    let largest =
                        hit(speed, settings, clustering.clone(), cap.method).into_iter().fold(0.0, f32::max);
                    let limit = cap.limit * (1.0 + 1e-4);
                    assert!(
                        largest <= limit,
                        "{cap:?} {matching:?} {clustering:?} at {speed} m/s: {largest}"
                    );
                }
            }
        }
    }
}

#[test]
fn without_a_cap_the_same_hit_goes_far_beyond_it() {
    for method in [CapMethod::Rows, CapMethod::Blend] {
        let limit = if method == CapMethod::Rows { 1.8 } else { 5.0 };
        let largest =
            hit(100.0, GoalSettings { area_cap: None, ..GoalSettings::default() }, Clustering::One, method)
                .into_iter()
                .fold(0.0, f32::max);
        assert!(largest > 1.9 * limit, "{method:?}: {largest}");
    }
}

#[test]
fn the_target_rises_with_the_norm_and_stays_below_the_limit() {
    for cap in caps().into_iter().flatten() {
        let mut before = 0.0;
        for i in 0..2000 {
            let norm = 1.0 + 0.001 * f32::powf(1.012, i as f32);
            let target = cap.target(norm);
            assert!(target >= before && target <= cap.limit && target <= norm, "{cap:?} at {norm}: {target}");
            before = target;
        }
        assert!(cap.target(1e30) <= cap.limit && cap.target(f32::MAX) > 0.99 * cap.limit);
    }
}

/// Largest change of slope of f(φ) between neighbouring points around where a cap begins to act.
fn kink(cap: &AreaCap) -> f32 {
    let step = 1e-2;
    let at = cap.soft_from.unwrap_or(cap.limit);
    let slope = |x: f32| (cap.target(x + step) - cap.target(x)) / step;
    (-20..20).map(|i| at + i as f32 * step).map(|x| (slope(x + step) - slope(x)).abs()).fold(0.0, f32::max)
}

#[test]
fn a_soft_cap_has_no_kink_where_a_hard_one_has() {
    for cap in caps().into_iter().flatten() {
        let kink = kink(&cap);
        match cap.soft_from {
            None => assert!(kink > 0.5, "{cap:?}: {kink}"),
            Some(_) => assert!(kink < 0.06, "{cap:?}: {kink}"),
        }
    }
}

/// φ of the goal of a body that is stretched at a steady rate.
fn stretched_steadily(cap: AreaCap) -> Vec<f32> {
    let settings = GoalSettings { area_cap: Some(cap), preserve_volume: false, ..GoalSettings::default() };
    let material = Material::default().with_beta(1.0);
    let mesh = shapes::cuboid(Vec3::ONE, [2, 2, 2]);
    let mut body = Body::builder(mesh)
        .model_with(|of: &mut pliant::ClusterSettings| of.set_goals(settings))
        .material(material)
        .build()
        .expect("a cube");
    let rest = body.nodes.positions.clone();
    (0..300)
        .map(|i| {
            let stretch = Mat3::from_diagonal(Vec3::new(1.0 + 0.005 * i as f32, 1.0, 1.0));
            body.nodes.positions.iter_mut().zip(&rest).for_each(|(x, x0)| *x = stretch * *x0);
            body.refresh();
            measure(clusters(&body).scratch.maps[0].linear, cap.method)
        })
        .collect()
}

#[test]
fn deformation_is_smooth_in_time_under_a_soft_cap_and_jerks_under_a_hard_one() {
    for cap in caps().into_iter().flatten() {
        let phi = stretched_steadily(cap);
        let fastest = phi.windows(2).map(|w| w[1] - w[0]).fold(0.0, f32::max);
        let jerk = phi.windows(3).map(|w| (w[2] - 2.0 * w[1] + w[0]).abs()).fold(0.0, f32::max) / fastest;
        match cap.soft_from {
            None => assert!(jerk > 0.4, "{cap:?}: the rate of φ jumps by {jerk} of itself"),
            Some(_) => assert!(jerk < 0.08, "{cap:?}: the rate of φ jumps by {jerk} of itself"),
        }
    }
}
