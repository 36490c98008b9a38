//! Thousands of broken files of every format: no panic, no runaway memory, and what loads is sound.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::counting::{Counting, peak_during};
use common::*;
use pliant::geometry::TriMesh;
use pliant_io::{AnimatedMesh, Format, Frame, parse_mesh, read_mesh, write_animated_glb, write_mesh};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Small sound files of every format and flavour.
fn corpus(test: &str) -> Vec<(Format, Vec<u8>)> {
    let folder = folder(test);
    let (mesh, painted) = (ball(4, 5), painted_ball());
    let written = |name: &str, mesh: &TriMesh| {
        write_mesh(folder.join(name), mesh).unwrap();
        std::fs::read(folder.join(name)).unwrap()
    };
    let frame =
        Frame { positions: mesh.positions.clone(), normals: mesh.normals.clone(), ..Frame::default() };
    let animated = AnimatedMesh { mesh: &mesh, frames: vec![frame.clone(), frame] };
    write_animated_glb(folder.join("animated.glb"), &[animated], &[0.0, 1.0]).unwrap();
    let polygons = b"v 0 0 0\nv 4 0 0\nv 4 4 0\nv 2 1 0\nv 0 4 0\nvt 0 0\nvt 1 1\nvn 0 0 1\nusemtl a\n\
        f 1/1/1 2/2/1 3/1/1 4/2/1 5/1/1\nusemtl b\nf -5//-1 -3//1 -1\nl 1 2\n";
    let strips = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n\
        property uchar red\nproperty uchar green\nproperty uchar blue\nelement tristrips 1\n\
        property list int int vertex_indices\nelement face 1\nproperty list uchar int vertex_index\n\
        property list uchar float texcoord\nend_header\n0 0 0 9 9 9\n1 0 0 9 9 9\n0 1 0 9 9 9\n1 1 0 9 9 9\n\
        6 0 1 2 -1 1 3\n4 0 1 3 2 2 0 1\n";
    let coff = b"COFF 4 1 0\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n1 1 0 0 0 0 1\n0 1 0 1 1 1 1\n4 0 1 2 3 0.5 0.5 0.5\n";
    let nodes = r#"[{"mesh":0,"children":[1,2]},{"mesh":0,"matrix":[1,0,0,0,0,-1,0,0,0,0,1,0,3,4,5,1]},{"mesh":0,"rotation":[0,0.6,0,0.8]}]"#;
    let more = r#","materials":[{"name":"m","pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
        "textures":[{"source":0}],"images":[{"uri":"data:image/png;base64,iVBORw0KGgo="}]"#;
    let sparse = String::from_utf8(gltf_with(nodes, more)).unwrap().replace(
        r#""type":"VEC3""#,
        r#""type":"VEC3","sparse":{"count":1,"indices":{"bufferView":1,"componentType":5123},"values":{"bufferView":0}}"#,
    );
    vec![
        (Format::Obj, written("a.obj", &mesh)),
        (Format::Obj, written("b.obj", &painted)),
        (Format::Obj, polygons.to_vec()),
        (Format::Ply, written("a.ply", &mesh)),
        (Format::Ply, ply_text(&mesh)),
        (Format::Ply, ply_big_endian(&mesh)),
        (Format::Ply, strips.as_bytes().to_vec()),
        (Format::Stl, stl_text(&mesh)),
        (Format::Stl, stl_binary(&mesh, b"solid or not")),
        (Format::Off, off_text(&mesh)),
        (Format::Off, off_binary(&mesh)),
        (Format::Off, coff.to_vec()),
        (Format::Glb, written("a.glb", &mesh)),
        (Format::Glb, written("b.glb", &painted)),
        (Format::Glb, std::fs::read(folder.join("animated.glb")).unwrap()),
        (Format::Gltf, gltf_triangle(nodes)),
        (Format::Gltf, sparse.into_bytes()),
    ]
}

fn injured_files_do_no_harm(test: &str, each: usize) {
    let corpus = corpus(test);
    let mut prng = Prng(2024);
    let (mut sound, mut refused) = (0, 0);
    for (format, whole) in &corpus {
        parse_mesh(whole, *format, None).unwrap();
        for _ in 0..each {
            let other = &corpus[prng.below(corpus.len())].1;
            let bytes = injure(whole, other, &mut prng);
            let (result, peak) = peak_during(|| parse_mesh(&bytes, *format, None));
            assert!(
                peak < 64 * bytes.len() + (1 << 20),
                "{format}: {peak} bytes for a file of {}",
                bytes.len()
            );
            match result {
                Ok(loaded) => {
                    loaded.mesh.validate().unwrap();
                    assert!(loaded.mesh.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-3));
                    assert!(loaded.mesh.uvs.iter().all(|uv| uv.is_finite()));
                    sound += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(sound > each && refused > each, "{sound} loaded, {refused} refused: the injuries are one-sided");
}

#[test]
fn injured_files_do_no_harm_short() {
    injured_files_do_no_harm("hostile_short", 200);
}

#[test]
#[ignore = "long: 340,000 files, some seconds"]
fn injured_files_do_no_harm_long() {
    injured_files_do_no_harm("hostile_long", 20_000);
}

#[test]
fn injured_files_of_any_name_do_no_harm() {
    let corpus = corpus("hostile_names");
    let folder = folder("hostile_named");
    let mut prng = Prng(7);
    for (_, whole) in &corpus {
        for ending in ["obj", "ply", "stl", "off", "gltf", "glb", "dat"] {
            let path = folder.join(format!("injured.{ending}"));
            std::fs::write(&path, injure(whole, &corpus[prng.below(corpus.len())].1, &mut prng)).unwrap();
            match read_mesh(&path) {
                Ok(loaded) => loaded.mesh.validate().unwrap(),
                Err(error) => assert!(error.to_string().contains("injured"), "{error}"),
            }
        }
    }
}

#[test]
fn any_format_survives_any_other_format() {
    let corpus = corpus("hostile_cross");
    for (_, bytes) in &corpus {
        for format in [Format::Obj, Format::Ply, Format::Stl, Format::Off, Format::Gltf, Format::Glb] {
            if let Ok(loaded) = parse_mesh(bytes, format, None) {
                loaded.mesh.validate().unwrap();
            }
        }
    }
}
