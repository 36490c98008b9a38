//! What is written is read back the same.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::*;
use pliant::geometry::{Texture, TriMesh};
use pliant::glam::{DVec3, Vec3};
use pliant_io::{Format, Loaded, parse_mesh, read_mesh, write_mesh};

fn there_and_back(test: &str, file: &str, mesh: &TriMesh) -> (Loaded, Vec<String>) {
    let path = folder(test).join(file);
    let lost = write_mesh(&path, mesh).unwrap();
    (read_mesh(&path).unwrap(), lost)
}

fn assert_close(a: &TriMesh, b: &TriMesh, tolerance: f32) {
    assert_eq!(a.triangles, b.triangles);
    assert!(largest_distance(a, b) <= f64::from(tolerance));
    assert_eq!(
        (a.normals.len(), a.uvs.len(), a.colors.len()),
        (b.normals.len(), b.uvs.len(), b.colors.len())
    );
    assert!(a.normals.iter().zip(&b.normals).all(|(n, m)| n.distance(*m) < 1e-5));
    assert!(a.uvs.iter().zip(&b.uvs).all(|(s, t)| s.distance(*t) < 1e-6));
    let far = |c: &[f32; 4], d: &[f32; 4]| c.iter().zip(d).any(|(x, y)| (x - y).abs() > 0.006);
    assert!(!a.colors.iter().zip(&b.colors).any(|(c, d)| far(c, d)));
}

#[test]
fn obj_keeps_geometry_paints_and_textures() {
    let mesh = painted_ball();
    let (loaded, lost) = there_and_back("obj_round_trip", "my ball.obj", &mesh);
    assert_eq!(loaded.format, Format::Obj);
    assert_eq!(loaded.warnings, Vec::<String>::new());
    assert_eq!(lost.len(), 1, "double-sided is said to be lost: {lost:?}");
    assert_close(&mesh, &loaded.mesh, 0.0);
    assert_eq!(loaded.mesh.name, mesh.name);
    assert_eq!(loaded.mesh.triangle_paints, mesh.triangle_paints);
    for (a, b) in mesh.paints.iter().zip(&loaded.mesh.paints) {
        assert_eq!((&a.name, a.metallic, a.roughness), (&b.name, b.metallic, b.roughness));
        assert!(a.base_color.iter().zip(b.base_color).all(|(x, y)| (x - y).abs() < 1e-5));
    }
    let Some(Texture::File(image)) = &loaded.mesh.paints[0].texture else { panic!("no image") };
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("obj_round_trip");
    assert_eq!(std::fs::read(folder.join(image)).unwrap(), PIXEL);
    assert_eq!(loaded.mesh.paints[1].texture, mesh.paints[1].texture);
    assert!(
        !std::fs::read_dir(folder).unwrap().any(|f| f.unwrap().path().to_string_lossy().contains(".tmp"))
    );
}

#[test]
fn ply_keeps_geometry_and_one_image() {
    let mut mesh = painted_ball();
    mesh.paints.remove(0);
    mesh.triangle_paints.clear();
    let (loaded, lost) = there_and_back("ply_round_trip", "ball.ply", &mesh);
    assert_eq!((loaded.format, lost.len(), loaded.warnings.len()), (Format::Ply, 0, 0));
    assert_close(&mesh, &loaded.mesh, 0.0);
    assert_eq!(loaded.mesh.paints[0].texture, mesh.paints[0].texture);
}

#[test]
fn glb_keeps_everything() {
    let mesh = painted_ball();
    let (loaded, lost) = there_and_back("glb_round_trip", "ball.glb", &mesh);
    assert_eq!((loaded.format, lost.len()), (Format::Glb, 0));
    assert!(loaded.mesh == mesh, "something has changed");
    assert_eq!(loaded.warnings, Vec::<String>::new());
}

#[test]
fn bare_meshes_survive_every_writer() {
    let full = ball(6, 8);
    let mesh = TriMesh::new(full.positions, full.triangles);
    for file in ["bare.obj", "bare.ply", "bare.glb"] {
        let (loaded, lost) = there_and_back(&format!("bare_{file}"), file, &mesh);
        assert_eq!(loaded.mesh, mesh, "{file}");
        assert!(lost.is_empty() && loaded.warnings.is_empty());
    }
}

#[test]
fn a_mesh_far_from_zero_keeps_its_shape_in_every_format() {
    let full = ball(6, 8);
    let mut mesh = TriMesh::new(full.positions, full.triangles);
    mesh.origin = DVec3::new(1e7 + 0.125, -2e7, 3e7);
    for file in ["far.obj", "far.ply", "far.glb"] {
        let (loaded, _) = there_and_back(&format!("far_{file}"), file, &mesh);
        assert!(loaded.mesh.origin.distance(mesh.origin) < 2.0, "{file}");
        assert!(largest_distance(&mesh, &loaded.mesh) < 1e-6, "{file}");
    }
    let text = parse_mesh(&ply_text(&mesh), Format::Ply, None).unwrap();
    assert!(largest_distance(&mesh, &text.mesh) < 1e-6);
}

#[test]
fn stl_text_and_binary_are_the_same_soup() {
    let mesh = ball(6, 8);
    let files = [stl_text(&mesh), stl_binary(&mesh, b"plain"), stl_binary(&mesh, b"solid facet vertex")];
    for bytes in files {
        let loaded = parse_mesh(&bytes, Format::Stl, None).unwrap();
        assert_eq!(loaded.mesh.positions.len(), 3 * mesh.triangles.len());
        for t in 0..mesh.triangles.len() {
            assert_eq!(loaded.mesh.corners(t), mesh.corners(t));
        }
    }
}

#[test]
fn off_and_ply_variants_agree() {
    let mesh = ball(6, 8);
    let crlf = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace('\n', "\r\n").into_bytes();
    let lone_cr = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().replace('\n', "\r").into_bytes();
    let one_line = String::from_utf8(off_text(&mesh)).unwrap().replace("# a comment\n", "");
    let (head, faces) = one_line.split_at(one_line.find("\n3 ").unwrap());
    let one_line = format!("{}{faces}", head.replace('\n', " "));
    let variants = [
        (off_text(&mesh), Format::Off),
        (crlf(off_text(&mesh)), Format::Off),
        (lone_cr(off_text(&mesh)), Format::Off),
        (one_line.into_bytes(), Format::Off),
        (off_binary(&mesh), Format::Off),
        (ply_text(&mesh), Format::Ply),
        (crlf(ply_text(&mesh)), Format::Ply),
        (ply_big_endian(&mesh), Format::Ply),
    ];
    for (i, (bytes, format)) in variants.into_iter().enumerate() {
        let loaded = parse_mesh(&bytes, format, None).unwrap();
        assert_eq!(loaded.mesh.positions, mesh.positions, "variant {i}");
        assert_eq!(loaded.mesh.triangles, mesh.triangles, "variant {i}");
        assert!(loaded.warnings.is_empty(), "variant {i}: {:?}", loaded.warnings);
    }
}

#[test]
fn off_colours_and_normals_are_read() {
    let text =
        b"CNOFF\n3 1 0\n0 0 0 0 0 2 255 0 0 255\n1 0 0 0 0 1 0 255 0 255\n0 1 0 0 0 1 0 0 255 51\n3 0 1 2\n";
    let mesh = parse_mesh(text, Format::Off, None).unwrap().mesh;
    assert_eq!(mesh.normals, [Vec3::Z; 3]);
    assert_eq!(mesh.colors[..2], [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]]);
    assert!((mesh.colors[2][3] - 0.2).abs() < 1e-6);
}

#[test]
fn obj_quirks_are_understood() {
    // Bad UTF-8, lone CR, a joined line, negative indices, a forward reference, a concave face, colours.
    let text = b"# caf\xe9 C:\\\ro n\xff\rv 0 0 0 1 0 0\rv 2 1 0 0 1 0\rv 0 2 0 0 0 1\rv 0.5 1 0 \\\r1 1 1\r\
        f -4 -3 -2 -1\rf 1 2 5\rv 0 0 3\r";
    let mesh = parse_mesh(text, Format::Obj, None).unwrap().mesh;
    assert_eq!((mesh.positions.len(), mesh.triangles.len(), mesh.colors.len()), (5, 3, 5));
    let area: f32 = (0..2).map(|t| mesh.corners(t)).map(|[a, b, c]| (b - a).cross(c - a).z * 0.5).sum();
    assert!((area - 1.5).abs() < 1e-6, "a dart's area is 1.5, not {area}");
    assert_eq!(mesh.colors[1], [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn obj_vertices_split_at_seams_and_keep_their_numbers_elsewhere() {
    let text = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0.5 0.25\nvn 0 0 1\n\
        f 1/1/1 2/2/1 3/3/1\nf 1/2/1 3/3/1 4/1/1\nf 1/2/1 4/1/1 2//1\nf 1/99/1 2/2/1 3/3/1\n";
    let loaded = parse_mesh(text, Format::Obj, None).unwrap();
    let mesh = loaded.mesh;
    assert_eq!(mesh.triangles, [[0, 1, 2], [4, 2, 3], [4, 3, 5], [6, 1, 2]]);
    assert_eq!(mesh.positions[4], mesh.positions[0]);
    assert_eq!(mesh.uvs[2].to_array(), [0.5, 0.75], "v is counted from the top");
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
}

#[test]
fn a_missing_mtl_is_a_warning() {
    let text = b"mtllib nowhere.mtl\nusemtl red\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let path = folder("missing_mtl").join("a.obj");
    std::fs::write(&path, text).unwrap();
    let loaded = read_mesh(&path).unwrap();
    assert!(loaded.warnings.iter().any(|w| w.contains("nowhere.mtl")), "{:?}", loaded.warnings);
    assert_eq!(loaded.mesh.paints[0].name, "red");
    for outside in ["/etc/passwd", "../../secret.mtl"] {
        let hostile = String::from_utf8(text.to_vec()).unwrap().replace("nowhere.mtl", outside);
        std::fs::write(&path, hostile).unwrap();
        let loaded = read_mesh(&path).unwrap();
        assert!(loaded.warnings.iter().any(|w| w.contains("own folder")), "{:?}", loaded.warnings);
    }
}

#[test]
fn gltf_nodes_place_mirror_and_turn_their_meshes() {
    let nodes = r#"[{"children":[1,2],"translation":[10,0,0]},{"mesh":0},{"mesh":0,"scale":[-1,1,1]}]"#;
    let mesh = parse_mesh(&gltf_triangle(nodes), Format::Gltf, None).unwrap().mesh;
    assert_eq!(mesh.positions[1], Vec3::new(11.0, 0.0, 0.0));
    assert_eq!(mesh.positions[4], Vec3::new(9.0, 0.0, 0.0));
    for t in 0..2 {
        let [a, b, c] = mesh.corners(t);
        assert!((b - a).cross(c - a).z > 0.0, "triangle {t} is turned over");
    }
}

#[test]
fn content_is_believed_before_the_name() {
    let path = folder("misnamed").join("obj.stl");
    std::fs::write(&path, b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let loaded = read_mesh(&path).unwrap();
    assert_eq!(loaded.format, Format::Obj);
    assert_eq!(loaded.warnings.len(), 1);
    let path = path.with_file_name("no ending");
    std::fs::write(&path, off_text(&ball(4, 4))).unwrap();
    assert_eq!(read_mesh(&path).unwrap().format, Format::Off);
}
