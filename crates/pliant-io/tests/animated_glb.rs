//! The animated GLB is what the specification asks for, as the `gltf` crate reads it.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::*;
use pliant::geometry::TriMesh;
use pliant::glam::{DVec3, Vec3};
use pliant_io::{AnimatedMesh, Frame, read_mesh, write_animated_glb};

const FRAMES: usize = 9;

/// A ball that is squashed while it falls.
fn frames(mesh: &TriMesh, start: DVec3) -> Vec<Frame> {
    let frame = |i: usize| {
        let squash = Vec3::new(1.0 + 0.05 * i as f32, 1.0 - 0.08 * i as f32, 1.0);
        Frame {
            translation: start + DVec3::NEG_Y * 0.1 * i as f64,
            positions: mesh.positions.iter().map(|p| *p * squash).collect(),
            normals: mesh.normals.iter().map(|n| (*n / squash).normalize()).collect(),
        }
    };
    (0..FRAMES).map(frame).collect()
}

#[test]
fn morph_targets_weights_and_translations_play_back_the_frames() {
    let (ball, bare) = (painted_ball(), ball(5, 6));
    let bare = TriMesh::new(bare.positions, bare.triangles);
    let far = DVec3::new(2e6 + 0.25, 7.0, -3e6);
    let meshes = [
        AnimatedMesh { mesh: &ball, frames: frames(&ball, DVec3::Y) },
        AnimatedMesh { mesh: &bare, frames: frames(&bare, far) },
        AnimatedMesh { mesh: &bare, frames: vec![frames(&bare, DVec3::X)[0].clone(); FRAMES] },
    ];
    let times: Vec<f32> = (0..FRAMES).map(|i| i as f32 / 30.0).collect();
    let path = folder("animated").join("motion.glb");
    assert!(write_animated_glb(&path, &meshes, &times).unwrap().is_empty());

    let bytes = std::fs::read(&path).unwrap();
    let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
    let blob = gltf.blob.as_deref().unwrap();
    let read = |_: gltf::Buffer<'_>| Some(blob);
    assert_eq!((gltf.meshes().count(), gltf.animations().count()), (3, 1));
    let animation = gltf.animations().next().unwrap();
    let mut moved = 0;
    for channel in animation.channels() {
        let reader = channel.reader(read);
        assert_eq!(reader.read_inputs().unwrap().collect::<Vec<_>>(), times);
        let mesh = channel.target().node().mesh().unwrap();
        let animated = &meshes[mesh.index()];
        match reader.read_outputs().unwrap() {
            gltf::animation::util::ReadOutputs::Translations(moves) => {
                moved += 1;
                let anchor = if mesh.index() == 1 { far } else { DVec3::ZERO };
                for (frame, at) in animated.frames.iter().zip(moves) {
                    assert!((frame.translation - anchor).distance(Vec3::from(at).as_dvec3()) < 1e-6);
                }
            }
            gltf::animation::util::ReadOutputs::MorphTargetWeights(weights) => {
                let weights: Vec<f32> = weights.into_f32().collect();
                let targets = FRAMES - 1;
                assert_eq!(weights.len(), FRAMES * targets);
                for primitive in mesh.primitives() {
                    let reader = primitive.reader(read);
                    let base: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
                    let deltas: Vec<Vec<Vec3>> = reader
                        .read_morph_targets()
                        .map(|(positions, _, _)| positions.unwrap().map(Vec3::from).collect())
                        .collect();
                    assert_eq!(deltas.len(), targets);
                    for (i, frame) in animated.frames.iter().enumerate() {
                        for (v, wanted) in frame.positions.iter().enumerate() {
                            let blend = (0..targets).map(|t| deltas[t][v] * weights[i * targets + t]);
                            assert!((base[v] + blend.sum::<Vec3>()).distance(*wanted) < 1e-5);
                        }
                    }
                }
            }
            _ => panic!("nothing else is animated"),
        }
    }
    assert_eq!(moved, 2, "a body that stays needs no channel");
}

#[test]
fn an_animated_glb_loads_as_its_first_frame() {
    let ball = painted_ball();
    let meshes = [AnimatedMesh { mesh: &ball, frames: frames(&ball, DVec3::Y) }];
    let times: Vec<f32> = (0..FRAMES).map(|i| i as f32).collect();
    let path = folder("animated_first").join("motion.glb");
    write_animated_glb(&path, &meshes, &times).unwrap();
    let loaded = read_mesh(&path).unwrap();
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    assert_eq!(loaded.mesh.triangles, ball.triangles);
    assert_eq!((loaded.mesh.uvs, loaded.mesh.paints), (ball.uvs.clone(), ball.paints.clone()));
    assert!(loaded.mesh.positions.iter().zip(&ball.positions).all(|(p, q)| p.distance(*q + Vec3::Y) < 1e-6));
}

#[test]
fn one_frame_is_a_still() {
    let ball = ball(5, 6);
    let frame = Frame { positions: ball.positions.clone(), ..Frame::default() };
    let path = folder("animated_still").join("still.glb");
    write_animated_glb(&path, &[AnimatedMesh { mesh: &ball, frames: vec![frame] }], &[0.0]).unwrap();
    let loaded = read_mesh(&path).unwrap();
    assert!(loaded.warnings.is_empty());
    assert_eq!(loaded.mesh.positions, ball.positions);
}
