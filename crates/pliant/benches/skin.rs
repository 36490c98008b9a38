//! What a skin of 100,000 vertices costs, and what the body under it costs.
//!
//! On one thread: `RAYON_NUM_THREADS=1 cargo bench -p pliant --bench skin`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pliant::geometry::shapes;
use pliant::glam::{Mat3, Vec3};
use pliant::skin::Skin;
use pliant::{Body, LatticeSettings, OctreeSettings, World};
use std::time::Instant;

/// A ball of 163,842 vertices whose nodes are about 5,000.
fn bodies() -> [(&'static str, Body); 2] {
    let ball = || Body::builder(shapes::sphere(1.0, 7));
    let lattice = ball().model(LatticeSettings { cell: Some(0.1), width: Some(0.2) });
    let octree =
        ball().model(OctreeSettings { cell: Some(0.1), levels: Some(0), ..OctreeSettings::default() });
    [("lattice", lattice.build().expect("a ball")), ("octree", octree.build().expect("a ball"))]
}

fn skins(c: &mut Criterion) {
    for (name, body) in bodies() {
        let mut group = c.benchmark_group(name);
        let vertices = body.rest().mesh.positions.len();
        println!("{name}: {vertices} vertices, {} nodes", body.nodes.positions.len());
        group.throughput(Throughput::Elements(vertices as u64));
        group.bench_function("skin", |b| {
            let (rest, mut skin) = (body.rest(), Skin::default());
            let map_of = |node| body.model.node_map(&rest.nodes, node);
            b.iter(|| skin.update(&rest.undeformed(), &body.nodes, map_of));
        });
        group.bench_function("skin by the book", |b| {
            let mut skin = Plain::new(&body);
            b.iter(|| skin.update(&body));
        });
        best_of(&body);
        group.throughput(Throughput::Elements(body.nodes.positions.len() as u64));
        group.bench_function("frame, skin included", |b| {
            let mut world = World::new();
            world.add_body(body.clone());
            b.iter(|| world.step(1.0 / 60.0));
        });
        group.finish();
    }
}

/// Vertices by the formula, each bond with its offset, and normals of the deformed triangles.
struct Plain {
    starts: Vec<u32>,
    bonds: Vec<(u32, f32, Vec3)>,
    maps: Vec<Mat3>,
    positions: Vec<Vec3>,
    face_normals: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Plain {
    fn new(body: &Body) -> Self {
        let rest = body.rest();
        let (mut starts, mut bonds) = (vec![0], Vec::new());
        for (vertex, p) in rest.mesh.positions.iter().enumerate() {
            let offset = |node: u32| *p - rest.nodes.rest_positions[node as usize];
            bonds.extend(rest.binding.bonds_of(vertex).map(|b| (b.node, b.weight, offset(b.node))));
            starts.push(bonds.len() as u32);
        }
        Self {
            starts,
            bonds,
            maps: vec![Mat3::ZERO; rest.nodes.masses.len()],
            positions: vec![Vec3::ZERO; rest.mesh.positions.len()],
            face_normals: Vec::new(),
            normals: Vec::new(),
        }
    }

    fn update(&mut self, body: &Body) {
        let (rest, nodes) = (body.rest(), &body.nodes.positions);
        for (node, map) in self.maps.iter_mut().enumerate() {
            *map = body.model.node_map(&rest.nodes, node);
        }
        for (ends, position) in self.starts.windows(2).zip(&mut self.positions) {
            let bonds = &self.bonds[ends[0] as usize..ends[1] as usize];
            let of = |&(node, w, offset): &(u32, f32, Vec3)| {
                w * (nodes[node as usize] + self.maps[node as usize] * offset)
            };
            *position = bonds.iter().map(of).sum();
        }
        rest.normal_groups.normals(&self.positions, &mut self.face_normals, &mut self.normals);
    }
}

/// The least time of many: what the work costs when nothing else runs.
fn best_of(body: &Body) {
    let least = |work: &mut dyn FnMut()| {
        let time = |_| {
            let start = Instant::now();
            work();
            start.elapsed().as_secs_f64()
        };
        (0..200).map(time).fold(f64::INFINITY, f64::min)
    };
    let (rest, mut skin, mut plain) = (body.rest(), Skin::default(), Plain::new(body));
    let vertices = rest.mesh.positions.len() as f64;
    let map_of = |node| body.model.node_map(&rest.nodes, node);
    let fast = least(&mut || skin.update(&rest.undeformed(), &body.nodes, map_of)) * 1e9 / vertices;
    let plain = least(&mut || plain.update(body)) * 1e9 / vertices;
    println!("best of 200: {fast:.1} ns a vertex, {plain:.1} by the book");
    let mut world = World::new();
    world.add_body(body.clone());
    let frame = least(&mut || {
        world.step(1.0 / 60.0);
    }) * 1e3;
    println!("best of 200: a frame of 4 substeps with its skin {frame:.2} ms");
}

fn config() -> Criterion {
    use std::time::Duration;
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1500))
        .without_plots()
}

criterion_group! { name = benches; config = config(); targets = skins }
criterion_main!(benches);
