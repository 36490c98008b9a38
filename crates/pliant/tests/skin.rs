//! The skin goes where the nodes' maps put it, and its normals with it.

mod common;

use pliant::geometry::shapes;
use pliant::glam::{DVec3, Mat3, Quat, Vec3};
use pliant::*;

const BAR: Vec3 = Vec3::new(2.0, 0.5, 0.4);

/// A bar whose skin is much finer than its nodes.
fn bar() -> BodyBuilder {
    Body::builder(shapes::cuboid(BAR, [41, 11, 9]))
}

/// Models whose nodes stand in cells, so that normals are turned by maps.
fn in_cells() -> Vec<(&'static str, Body)> {
    let lattice = bar().model(LatticeSettings { cell: Some(0.1), width: Some(0.2) });
    let octree = bar().model(OctreeSettings {
        cell: Some(0.05),
        levels: Some(1),
        width: Some(0.15),
        ..OctreeSettings::default()
    });
    vec![("lattice", lattice.build().expect("a bar")), ("octree", octree.build().expect("a bar"))]
}

/// All models; `clusters` with and without a node at every vertex.
fn all() -> Vec<(&'static str, Body)> {
    let clustering = Clustering::Spread { count: 8, overlap: 0.5 };
    let thin = ParticleSettings { spacing: Some(0.15), max_surface: 200, ..ParticleSettings::default() };
    let thinned = bar()
        .model_with(|of: &mut pliant::ClusterSettings| of.particles = thin)
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering.clone())
        .build()
        .expect("a bar");
    assert!(thinned.rest().binding.uses_maps());
    let every = ParticleSettings { max_surface: 9999, ..ParticleSettings::default() };
    let nodes = bar()
        .model_with(|of: &mut pliant::ClusterSettings| of.particles = every)
        .model_with(|of: &mut pliant::ClusterSettings| of.clustering = clustering)
        .build()
        .expect("a bar");
    assert!(!nodes.rest().binding.uses_maps());
    let mut all = in_cells();
    all.extend([("clusters, thinned", thinned), ("clusters", nodes)]);
    all
}

fn rest_normals(body: &Body) -> Vec<Vec3> {
    geometric_normals(body, &body.rest().mesh.positions)
}

fn geometric_normals(body: &Body, positions: &[Vec3]) -> Vec<Vec3> {
    let mut normals = Vec::new();
    body.rest().normal_groups.normals(positions, &mut Vec::new(), &mut normals);
    normals
}

fn farthest(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

/// Puts the nodes where `to` sends their rest positions.
fn set(body: &mut Body, to: impl Fn(Vec3) -> Vec3) {
    body.nodes.positions = body.rest().nodes.rest_positions.iter().map(|x| to(*x)).collect();
    // Twice: a flat region turns with its rotation of the step before.
    body.refresh();
    body.refresh();
}

#[test]
fn at_rest_the_skin_is_the_mesh() {
    for (name, mut body) in all() {
        body.place(DVec3::new(1e6, -3e5, 2e4), Quat::IDENTITY).expect("a place");
        let rest = body.rest();
        let off = farthest(&body.skin().positions, &rest.mesh.positions);
        assert!(off <= 1e-6 * rest.nodes.radius, "{name}: {off}");
        let turned = farthest(&body.skin().normals, &rest_normals(&body));
        assert!(turned <= 1e-4, "{name}: {turned}");
    }
}

#[test]
fn a_rigid_motion_moves_the_skin_rigidly() {
    let mut random = common::Random::new(1);
    for (name, mut body) in all() {
        let rotation = random.rotation();
        body.place(DVec3::new(-1e5, 7.0, 300.0), rotation).expect("a place");
        let expected: Vec<Vec3> = body.rest().mesh.positions.iter().map(|p| rotation * *p).collect();
        let off = farthest(&body.skin().positions, &expected);
        assert!(off <= 3e-6 * body.rest().nodes.radius, "{name}: {off}");
        let expected: Vec<Vec3> = rest_normals(&body).iter().map(|n| rotation * *n).collect();
        let turned = farthest(&body.skin().normals, &expected);
        assert!(turned <= 1e-4, "{name}: {turned}");
    }
}

#[test]
fn an_affine_map_of_the_nodes_is_that_of_the_skin() {
    let mut random = common::Random::new(2);
    for (name, mut body) in in_cells() {
        for _ in 0..5 {
            let turn = Mat3::from_quat(random.rotation());
            let [x, y, z] = [random.vec3(), random.vec3(), random.vec3()];
            let map = turn * (Mat3::IDENTITY + Mat3::from_cols(x, y, z) * 0.3);
            let by = random.vec3();
            set(&mut body, |x| map * x + by);
            let expected: Vec<Vec3> = body.rest().mesh.positions.iter().map(|p| map * *p + by).collect();
            let off = farthest(&body.skin().positions, &expected);
            assert!(off <= 1e-4 * body.rest().nodes.radius, "{name}: {off}");
            let cofactor = map.inverse().transpose();
            let turned = |n: &Vec3| (cofactor * *n).normalize();
            let expected: Vec<Vec3> = rest_normals(&body).iter().map(turned).collect();
            let off = farthest(&body.skin().normals, &expected);
            assert!(off <= 1e-3, "{name}: {off}");
        }
    }
}

/// Bent by a right angle over its length.
fn bent(x: Vec3) -> Vec3 {
    let radius = BAR.x / std::f32::consts::FRAC_PI_2;
    let (sin, cos) = (x.x / radius).sin_cos();
    Vec3::new(sin * (radius - x.y), radius - cos * (radius - x.y), x.z)
}

/// Twisted by a right angle over its length.
fn twisted(x: Vec3) -> Vec3 {
    Quat::from_rotation_x(std::f32::consts::FRAC_PI_2 * x.x / BAR.x) * x
}

/// Drawn out, one half more than the other.
fn stretched(x: Vec3) -> Vec3 {
    Vec3::new(1.5 * x.x + 0.15 * x.x * x.x, 0.8 * x.y, 0.8 * x.z)
}

/// A name, and where the nodes go.
type Deformation = (&'static str, fn(Vec3) -> Vec3);

const SHAPES: [Deformation; 3] = [("bent", bent), ("twisted", twisted), ("stretched", stretched)];

#[test]
fn the_fast_way_is_the_plain_way() {
    for (name, mut body) in all() {
        for (shape, to) in SHAPES {
            set(&mut body, to);
            let rest = body.rest();
            let rest_normals = rest_normals(&body);
            for (vertex, p) in rest.mesh.positions.iter().enumerate() {
                let (mut position, mut map) = (Vec3::ZERO, Mat3::ZERO);
                for bond in rest.binding.bonds_of(vertex) {
                    let node = bond.node as usize;
                    let of_node = body.model.node_map(&rest.nodes, node);
                    let offset = *p - rest.nodes.rest_positions[node];
                    let offset = if rest.binding.uses_maps() { of_node * offset } else { Vec3::ZERO };
                    position += bond.weight * (body.nodes.positions[node] + offset);
                    map += of_node * bond.weight;
                }
                let off = body.skin().positions[vertex].distance(position);
                assert!(off <= 3e-6 * rest.nodes.radius, "{name}, {shape}: {off}");
                if rest.binding.is_to_cells() {
                    let normal = (map.inverse().transpose() * rest_normals[vertex]).normalize();
                    let off = body.skin().normals[vertex].distance(normal);
                    assert!(off <= 1e-4, "{name}, {shape}: {off}");
                }
            }
        }
    }
}

/// Mean and worst angle between unit vectors in degrees.
fn angles(a: &[Vec3], b: &[Vec3]) -> (f32, f32) {
    let angles: Vec<f32> = a.iter().zip(b).map(|(a, b)| a.angle_between(*b).to_degrees()).collect();
    (angles.iter().sum::<f32>() / angles.len() as f32, angles.iter().copied().fold(0.0, f32::max))
}

/// Normals of the rest skin turned by the derivative of a deformation.
fn exact_normals(body: &Body, to: fn(Vec3) -> Vec3) -> Vec<Vec3> {
    let column = |p: Vec3, axis: Vec3| (to(p + 0.01 * axis) - to(p - 0.01 * axis)) / 0.02;
    let map = |p: Vec3| Mat3::from_cols(column(p, Vec3::X), column(p, Vec3::Y), column(p, Vec3::Z));
    let turned = |(p, n): (&Vec3, Vec3)| (map(*p).inverse().transpose() * n).normalize();
    body.rest().mesh.positions.iter().zip(rest_normals(body)).map(turned).collect()
}

/// What justifies normals by maps: they are nearly those of the triangles. Those are nearer to the truth, and dearer.
#[test]
fn normals_by_maps_are_nearly_those_of_the_deformed_triangles() {
    for (name, mut body) in in_cells() {
        for (shape, to) in SHAPES {
            set(&mut body, to);
            let normals = &body.skin().normals;
            let (geometric, exact) =
                (geometric_normals(&body, &body.skin().positions), exact_normals(&body, to));
            let (mean, worst) = angles(normals, &geometric);
            let (own, of_triangles) = (angles(normals, &exact), angles(&geometric, &exact));
            println!(
                "{name}, {shape}: mean {mean:.2}°, worst {worst:.2}°; from the truth {own:.2?}°, triangles {of_triangles:.2?}°"
            );
            assert!(mean < 2.5 && worst < 10.0, "{name}, {shape}: mean {mean}°, worst {worst}°");
        }
    }
}

#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_gives_the_same_skin() {
    let skins = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let bits = |v: &Vec3| v.to_array().map(f32::to_bits);
            let skin_of = |(_, mut body): (&str, Body)| {
                set(&mut body, bent);
                body.skin().positions.iter().chain(&body.skin().normals).map(bits).collect::<Vec<_>>()
            };
            all().into_iter().map(skin_of).collect::<Vec<_>>()
        })
    };
    let one = skins(1);
    for threads in [2, 7] {
        assert!(skins(threads) == one, "{threads} threads");
    }
}
