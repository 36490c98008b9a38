//! Meshes and files that the tests share.
#![expect(dead_code, reason = "every test binary uses a part of it")]

pub mod counting;

use pliant::geometry::{Paint, Texture, TriMesh};
use pliant::glam::{DVec3, Vec2, Vec3};
use std::fmt::Write;
use std::path::PathBuf;

/// A folder of its own for a test; cleaned when the test begins, kept for a look when it has ended.
pub fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A closed ball of `rings` × `sectors`, with normals, texture coordinates and colours, its seam doubled.
pub fn ball(rings: u32, sectors: u32) -> TriMesh {
    let mut mesh = TriMesh { name: "ball".to_owned(), ..TriMesh::default() };
    for r in 0..=rings {
        for s in 0..=sectors {
            let (v, u) = (r as f32 / rings as f32, s as f32 / sectors as f32);
            let (polar, azimuth) = (v * std::f32::consts::PI, u * std::f32::consts::TAU);
            let n = Vec3::new(polar.sin() * azimuth.cos(), polar.cos(), -polar.sin() * azimuth.sin());
            mesh.positions.push(n * Vec3::new(1.0, 0.8, 0.6));
            mesh.normals.push((n / Vec3::new(1.0, 0.8, 0.6)).normalize());
            mesh.uvs.push(Vec2::new(u, v));
            mesh.colors.push([u, v, 0.25, 1.0]);
        }
    }
    let at = |r: u32, s: u32| r * (sectors + 1) + s;
    for r in 0..rings {
        for s in 0..sectors {
            if r > 0 {
                mesh.triangles.push([at(r, s), at(r + 1, s), at(r, s + 1)]);
            }
            if r + 1 < rings {
                mesh.triangles.push([at(r, s + 1), at(r + 1, s), at(r + 1, s + 1)]);
            }
        }
    }
    // The first and the last vertex are used by no triangle.
    mesh.positions = mesh.positions[1..mesh.positions.len() - 1].to_vec();
    mesh.normals = mesh.normals[1..mesh.normals.len() - 1].to_vec();
    mesh.uvs = mesh.uvs[1..mesh.uvs.len() - 1].to_vec();
    mesh.colors = mesh.colors[1..mesh.colors.len() - 1].to_vec();
    mesh.triangles.iter_mut().flatten().for_each(|v| *v -= 1);
    mesh
}

/// The smallest PNG: one pixel.
pub const PIXEL: &[u8] = &[
    0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8,
    6, 0, 0, 0, 0x1f, 0x15, 0xc4, 0x89, 0, 0, 0, 13, b'I', b'D', b'A', b'T', 0x78, 0xda, 0x63, 0xfc, 0xcf,
    0xc0, 0x50, 0x0f, 0, 4, 0x85, 1, 0x80, 0x84, 0xa9, 0x8c, 0x21, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xae,
    0x42, 0x60, 0x82,
];

/// The ball in two paints, one with an image inside and one with a file's name.
pub fn painted_ball() -> TriMesh {
    let mut mesh = ball(8, 12);
    let half = mesh.triangles.len() / 2;
    mesh.triangle_paints = (0..mesh.triangles.len()).map(|t| u32::from(t >= half)).collect();
    let embedded = Texture::Embedded { media_type: "image/png".to_owned(), bytes: PIXEL.into() };
    mesh.paints = vec![
        Paint {
            name: "upper half".to_owned(),
            base_color: [0.8, 0.2, 0.1, 1.0],
            metallic: 0.25,
            roughness: 0.5,
            texture: Some(embedded),
            double_sided: true,
        },
        Paint {
            name: "lower half".to_owned(),
            base_color: [0.1, 0.3, 0.9, 0.5],
            texture: Some(Texture::File("images/my picture.png".to_owned())),
            ..Paint::default()
        },
    ];
    mesh
}

pub fn world_positions(mesh: &TriMesh) -> Vec<DVec3> {
    mesh.positions.iter().map(|p| mesh.origin + p.as_dvec3()).collect()
}

pub fn largest_distance(a: &TriMesh, b: &TriMesh) -> f64 {
    assert_eq!(a.positions.len(), b.positions.len());
    let pairs = world_positions(a).into_iter().zip(world_positions(b));
    pairs.map(|(p, q)| p.distance(q)).fold(0.0, f64::max)
}

pub fn stl_text(mesh: &TriMesh) -> Vec<u8> {
    let mut text = String::from("solid ball\n");
    for t in 0..mesh.triangles.len() {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for p in mesh.corners(t) {
            writeln!(text, "      vertex {} {} {}", p.x, p.y, p.z).unwrap();
        }
        text += "    endloop\n  endfacet\n";
    }
    (text + "endsolid ball\n").into_bytes()
}

pub fn stl_binary(mesh: &TriMesh, header: &[u8]) -> Vec<u8> {
    let mut bytes = header.to_vec();
    bytes.resize(80, b' ');
    bytes.extend((mesh.triangles.len() as u32).to_le_bytes());
    for t in 0..mesh.triangles.len() {
        bytes.extend([0; 12]);
        for p in mesh.corners(t) {
            bytes.extend(p.to_array().iter().flat_map(|x| x.to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

pub fn off_text(mesh: &TriMesh) -> Vec<u8> {
    let mut text = format!("OFF\n# a comment\n{} {} 0\n", mesh.positions.len(), mesh.triangles.len());
    for p in &mesh.positions {
        writeln!(text, "{} {} {}", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "3 {a} {b} {c}").unwrap();
    }
    text.into_bytes()
}

pub fn off_binary(mesh: &TriMesh) -> Vec<u8> {
    let mut bytes = b"OFF BINARY\n".to_vec();
    let int = |n: usize| (n as i32).to_be_bytes();
    bytes.extend([int(mesh.positions.len()), int(mesh.triangles.len()), int(0)].concat());
    bytes.extend(mesh.positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_be_bytes));
    for t in &mesh.triangles {
        bytes.extend(int(3));
        bytes.extend(t.iter().flat_map(|v| v.to_be_bytes()));
        bytes.extend(int(0));
    }
    bytes
}

pub fn ply_text(mesh: &TriMesh) -> Vec<u8> {
    let mut text = format!(
        "ply\nformat ascii 1.0\nelement vertex {}\nproperty double x\nproperty double y\nproperty double z\n\
         element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    );
    for p in world_positions(mesh) {
        writeln!(text, "{} {} {}", p.x, p.y, p.z).unwrap();
    }
    for [a, b, c] in &mesh.triangles {
        writeln!(text, "3 {a} {b} {c}").unwrap();
    }
    text.into_bytes()
}

pub fn ply_big_endian(mesh: &TriMesh) -> Vec<u8> {
    let mut bytes = format!(
        "ply\nformat binary_big_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\n\
         property float z\nproperty float u\nproperty float v\nelement face {}\n\
         property list ushort uint vertex_index\nend_header\n",
        mesh.positions.len(),
        mesh.triangles.len()
    )
    .into_bytes();
    for (p, uv) in mesh.positions.iter().zip(&mesh.uvs) {
        bytes.extend([p.x, p.y, p.z, uv.x, 1.0 - uv.y].iter().flat_map(|x| x.to_be_bytes()));
    }
    for t in &mesh.triangles {
        bytes.extend(3_u16.to_be_bytes());
        bytes.extend(t.iter().flat_map(|v| v.to_be_bytes()));
    }
    bytes
}

/// A glTF with its buffer in a `data:` URI; `nodes` is the JSON of the nodes, the first one has the mesh.
pub fn gltf_triangle(nodes: &str) -> Vec<u8> {
    gltf_with(nodes, "")
}

/// As [`gltf_triangle`], with more members in the document.
pub fn gltf_with(nodes: &str, more: &str) -> Vec<u8> {
    // Positions (0,0,0) (1,0,0) (0,1,0), then the indices 0 1 2 as u16.
    let uri =
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIAAAA=";
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":{nodes},
"meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
"accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
{{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
"bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
"buffers":[{{"byteLength":44,"uri":"{uri}"}}]{more}}}"#
    )
    .into_bytes()
}

/// Numbers that are the same on every machine (SplitMix64).
pub struct Prng(pub u64);

impl Prng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, 0 for 0.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }
}

/// One to four injuries.
pub fn injure(bytes: &[u8], other: &[u8], prng: &mut Prng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=prng.below(4) {
        let at = prng.below(bytes.len());
        match prng.below(8) {
            0 => bytes[at] ^= 1 << prng.below(8),
            1 => bytes.truncate(at.max(1)),
            2 => {
                // A piece of another file, over this one or between.
                let from = prng.below(other.len());
                let piece = &other[from..(from + prng.below(64)).min(other.len())];
                let end = if prng.below(2) == 0 { at } else { (at + piece.len()).min(bytes.len()) };
                bytes.splice(at..end, piece.iter().copied());
            }
            3 => {
                if let Some(digit) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    bytes[at + digit] = b'0' + prng.below(10) as u8;
                }
            }
            4 => {
                // A number becomes a monster.
                let monsters: [&[u8]; 8] = [
                    b"4294967295",
                    b"-1",
                    b"1e308",
                    b"nan",
                    b"99999999",
                    b"-9223372036854775808",
                    b"65536",
                    b"0",
                ];
                if let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit) {
                    let start = at + start;
                    let length = bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
                    let monster = monsters[prng.below(monsters.len())];
                    bytes.splice(start..start + length, monster.iter().copied());
                }
            }
            5 => {
                let end = (at + 1 + prng.below(32)).min(bytes.len());
                bytes.drain(at..end);
            }
            6 => {
                let end = (at + 1 + prng.below(200)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => {
                let end = (at + 4).min(bytes.len());
                bytes[at..end].fill([0, 0xff, 0x7f, 0x80][prng.below(4)]);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'x');
        }
    }
    bytes
}
