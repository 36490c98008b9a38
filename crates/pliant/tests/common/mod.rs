//! What the tests of the laws share: small bodies, random numbers, and measures in `f64` of their own.

#![allow(dead_code, clippy::allow_attributes, reason = "each test binary uses a part of it")]

use pliant::geometry::shapes;
use pliant::glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use pliant::model::{Clusters, Model};
use pliant::{
    AreaCap, Body, BodyBuilder, CapMethod, Clustering, NamedCluster, ParticleSettings, Selection, Sleep,
    World, WorldSettings,
};

/// PCG-XSH-RR: the same numbers everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678);
        random.bits();
        random
    }

    fn bits(&mut self) -> u32 {
        let state = self.0;
        self.0 = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let xored = (((state >> 18) ^ state) >> 27) as u32;
        xored.rotate_right((state >> 59) as u32)
    }

    /// In [0, 1).
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 8) as f32 / (1 << 24) as f32
    }

    pub fn between(&mut self, lo: f32, hi: f32) -> f32 {
        lo + (hi - lo) * self.unit()
    }

    /// Evenly in the logarithm.
    pub fn magnitude(&mut self, lo: f32, hi: f32) -> f32 {
        (self.between(lo.ln(), hi.ln())).exp()
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f32) as usize
    }

    /// In the cube of half edge 1.
    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0), self.between(-1.0, 1.0))
    }

    pub fn rotation(&mut self) -> Quat {
        Quat::from_scaled_axis(3.0 * self.vec3()).normalize()
    }
}

/// A world without gravity whose steps are one step each.
pub fn weightless() -> World {
    World::with_settings(WorldSettings {
        gravity: Vec3::ZERO,
        substeps: 1,
        sleep: Sleep { speed: 0.0, ..Sleep::default() },
        ..WorldSettings::default()
    })
}

/// A box of about 40 nodes that is nowhere symmetric.
pub fn small_box() -> BodyBuilder {
    Body::builder(shapes::cuboid(Vec3::new(1.0, 0.6, 0.8), [3, 2, 2])).model_with(
        |of: &mut pliant::ClusterSettings| {
            of.particles = ParticleSettings { spacing: Some(0.25), ..ParticleSettings::default() }
        },
    )
}

/// A ball of radius ½ with 42 nodes on its surface and some inside.
pub fn small_ball() -> BodyBuilder {
    Body::builder(shapes::sphere(0.5, 1)).model_with(|of: &mut pliant::ClusterSettings| {
        of.particles = ParticleSettings { spacing: Some(0.25), ..ParticleSettings::default() }
    })
}

/// One of each kind of clustering, for [`small_box`].
pub fn clusterings() -> [Clustering; 4] {
    let half = |name: &str, min: f32, max: f32| NamedCluster {
        name: name.into(),
        members: Selection::Box { min: Vec3::new(min, -9.0, -9.0), max: Vec3::new(max, 9.0, 9.0) },
    };
    [
        Clustering::One,
        Clustering::Spread { count: 4, overlap: 0.5 },
        Clustering::Grid { cells: [2, 1, 2], overlap: 0.5 },
        Clustering::Given(vec![half("left", -9.0, 0.2), half("right", -0.2, 9.0)]),
    ]
}

/// No cap, and each method hard and soft.
pub fn caps() -> Vec<Option<AreaCap>> {
    let mut caps = vec![None];
    for method in [CapMethod::Rows, CapMethod::Blend, CapMethod::Cheap] {
        let (limit, from) = if method == CapMethod::Rows { (1.8, 1.3) } else { (5.0, 3.8) };
        caps.push(Some(AreaCap { method, limit, soft_from: None }));
        caps.push(Some(AreaCap { method, limit, soft_from: Some(from) }));
    }
    caps
}

pub fn clusters(body: &Body) -> &Clusters {
    match &body.model {
        Model::Clusters(clusters) => clusters,
        other => panic!("this body's model is {}", other.name()),
    }
}

/// Linear momentum, and angular momentum about the centre of mass.
pub fn momentum(body: &Body) -> (DVec3, DVec3) {
    let masses = &body.rest().nodes.masses;
    let nodes = || masses.iter().zip(&body.nodes.positions).zip(&body.nodes.velocities);
    let mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let centre = nodes().map(|((&m, x), _)| f64::from(m) * x.as_dvec3()).sum::<DVec3>() / mass;
    let linear: DVec3 = nodes().map(|((&m, _), v)| f64::from(m) * v.as_dvec3()).sum();
    let angular = |((&m, x), v): ((&f32, &Vec3), &Vec3)| {
        f64::from(m) * (x.as_dvec3() - centre).cross(v.as_dvec3() - linear / mass)
    };
    (linear, nodes().map(angular).sum())
}

pub fn kinetic_energy(body: &Body) -> f64 {
    let nodes = body.rest().nodes.masses.iter().zip(&body.nodes.velocities);
    nodes.map(|(&m, v)| 0.5 * f64::from(m) * v.as_dvec3().length_squared()).sum()
}

/// The best rigid placement of `rest` at `now`: rotation and largest distance left, by an SVD in `f64`.
pub fn rigid_fit(rest: &[Vec3], now: &[Vec3], masses: &[f32]) -> (DMat3, f64) {
    let total: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let mean = |points: &[Vec3]| {
        points.iter().zip(masses).map(|(p, &m)| f64::from(m) * p.as_dvec3()).sum::<DVec3>() / total
    };
    let (c0, c) = (mean(rest), mean(now));
    let mut moment = nalgebra::Matrix3::<f64>::zeros();
    for ((q, p), &m) in rest.iter().zip(now).zip(masses) {
        let (q, p) = (q.as_dvec3() - c0, p.as_dvec3() - c);
        moment += f64::from(m)
            * nalgebra::Vector3::new(p.x, p.y, p.z)
            * nalgebra::Vector3::new(q.x, q.y, q.z).transpose();
    }
    let svd = moment.svd(true, true);
    let (u, v_t) = (svd.u.expect("asked for"), svd.v_t.expect("asked for"));
    let mut signs = nalgebra::Matrix3::identity();
    signs[(2, 2)] = (u.determinant() * v_t.determinant()).signum();
    let r = u * signs * v_t;
    let rotation = DMat3::from_cols_slice(r.as_slice());
    let left = |(q, p): (&Vec3, &Vec3)| (p.as_dvec3() - c - rotation * (q.as_dvec3() - c0)).length();
    (rotation, rest.iter().zip(now).map(left).fold(0.0, f64::max))
}

/// How far the body is from its rest shape: the largest distance of a node from the best rigid fit, as part of its size.
pub fn deformation(body: &Body) -> f64 {
    let rest = &body.rest().nodes;
    rigid_fit(&rest.rest_positions, &body.nodes.positions, &rest.masses).1 / f64::from(rest.radius)
}

/// Maps all nodes of a body, about its centre.
pub fn deform(body: &mut Body, map: Mat3) {
    body.nodes.positions.iter_mut().for_each(|x| *x = map * *x);
}

/// Inverts, flattens to a plane, a line or a point, or scrambles.
pub fn spoil(body: &mut Body, random: &mut Random) -> &'static str {
    let mut turned = |kept: Vec3| {
        let (a, b) = (random.rotation(), random.rotation());
        Mat3::from_quat(a) * Mat3::from_diagonal(kept) * Mat3::from_quat(b)
    };
    let maps = [
        ("inverted", turned(Vec3::new(1.0, 1.0, -1.0))),
        ("inverted and stretched", turned(Vec3::new(-0.2, -3.0, -1.0))),
        ("flat", turned(Vec3::new(1.0, 1.0, 0.0))),
        ("a line", turned(Vec3::new(1.0, 0.0, 0.0))),
        ("a point", Mat3::ZERO),
        ("scrambled", Mat3::IDENTITY),
    ];
    let (kind, map) = maps[random.below(maps.len())];
    deform(body, map);
    if kind == "scrambled" {
        body.nodes.positions.iter_mut().for_each(|x| *x = 0.5 * random.vec3());
    }
    kind
}

pub fn is_finite(body: &Body) -> bool {
    body.nodes.origin.is_finite()
        && body.nodes.positions.iter().chain(&body.nodes.velocities).all(|v| v.is_finite())
}

/// Nodes in the world.
pub fn world_positions(body: &Body) -> Vec<DVec3> {
    (0..body.nodes.positions.len()).map(|i| body.nodes.world_position(i)).collect()
}

/// Many steps; what they report must be clean.
pub fn run(world: &mut World, steps: usize, dt_secs: f32) {
    for _ in 0..steps {
        let report = world.step(dt_secs);
        assert!(report.contained == 0 && !report.refused, "{report:?}");
    }
}
