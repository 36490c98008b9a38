//! Every kind of bad input gives an error that names the file and the fault, and costs little memory.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

mod common;

use common::counting::{Counting, peak_during};
use common::*;
use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant_io::{
    AnimatedMesh, Format, Frame, IoError, parse_mesh, read_mesh, write_animated_glb, write_mesh,
};
use std::path::Path;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Reads a file of this content; the error must name it.
fn error_of(test: &str, file: &str, bytes: &[u8]) -> IoError {
    let path = folder(test).join(file);
    std::fs::write(&path, bytes).unwrap();
    let (result, peak) = peak_during(|| read_mesh(&path));
    assert!(peak < 64 * bytes.len() + (1 << 20), "{peak} bytes for a file of {}", bytes.len());
    let error = result.map(|l| l.mesh).expect_err("this should not load");
    assert_eq!(error.file(), path);
    assert!(error.to_string().contains(file), "{error} does not name {file}");
    error
}

fn says(error: &IoError, words: &[&str]) {
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "'{text}' does not say '{word}'");
    }
}

#[test]
fn a_missing_file() {
    let error = read_mesh("no/such/file.obj").unwrap_err();
    assert!(matches!(error, IoError::NotFound { .. }));
    says(&error, &["no/such/file.obj", "no such file"]);
}

#[test]
fn a_directory() {
    let folder = folder("a_directory.obj");
    let error = read_mesh(&folder).unwrap_err();
    assert!(matches!(error, IoError::IsDirectory { .. }));
    says(&error, &["a_directory.obj", "directory"]);
    assert!(matches!(write_mesh(&folder, &ball(4, 4)).unwrap_err(), IoError::IsDirectory { .. }));
}

#[cfg(unix)]
#[test]
fn no_permission() {
    use std::os::unix::fs::PermissionsExt;
    let path = folder("no_permission").join("secret.obj");
    std::fs::write(&path, b"v 0 0 0\n").unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    if std::fs::read(&path).is_ok() {
        // The administrator may read everything.
        return;
    }
    let error = read_mesh(&path).unwrap_err();
    assert!(matches!(error, IoError::PermissionDenied { .. }));
    says(&error, &["secret.obj", "permission"]);
}

#[test]
fn a_file_of_0_bytes() {
    for file in ["a.obj", "a.ply", "a.stl", "a.off", "a.gltf", "a.glb"] {
        assert!(matches!(error_of(&format!("zero_{file}"), file, b""), IoError::EmptyFile { .. }));
    }
}

#[test]
fn an_empty_mesh() {
    let files: [(&str, Vec<u8>); 6] = [
        ("e.obj", b"# nothing\no empty\n".to_vec()),
        ("points.obj", b"v 0 0 0\nv 1 0 0\n".to_vec()),
        (
            "e.ply",
            b"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n"
                .to_vec(),
        ),
        ("e.stl", b"solid nothing\nendsolid nothing\n".to_vec()),
        ("e.off", b"OFF\n0 0 0\n".to_vec()),
        ("e.gltf", br#"{"asset":{"version":"2.0"}}"#.to_vec()),
    ];
    for (file, bytes) in files {
        let error = error_of(&format!("empty_{file}"), file, &bytes);
        assert!(matches!(error, IoError::NoTriangles { .. }), "{error}");
    }
}

#[test]
fn one_triangle_is_fine() {
    let mesh = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let files = [
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3".to_vec(), Format::Obj),
        (ply_text(&mesh), Format::Ply),
        (stl_text(&mesh), Format::Stl),
        (stl_binary(&mesh, b""), Format::Stl),
        (off_text(&mesh), Format::Off),
        (gltf_triangle(r#"[{"mesh":0}]"#), Format::Gltf),
    ];
    for (bytes, format) in files {
        let loaded = parse_mesh(&bytes, format, None).unwrap();
        assert_eq!(loaded.mesh.triangles, [[0, 1, 2]], "{format}");
        assert_eq!(loaded.mesh.positions, mesh.positions, "{format}");
    }
}

#[test]
fn coordinates_that_are_not_finite() {
    let mut mesh = ball(4, 4);
    let obj = b"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n";
    says(&error_of("nan_obj", "n.obj", obj), &["line 2", "vertex 1", "not finite"]);
    mesh.positions[3].y = f32::NAN;
    let files = [
        ("n.ply", ply_text(&mesh)),
        ("be.ply", ply_big_endian(&mesh)),
        ("n.off", off_text(&mesh)),
        ("b.off", off_binary(&mesh)),
    ];
    for (file, bytes) in files {
        let error = error_of(&format!("nan_{file}"), file, &bytes);
        assert!(matches!(error, IoError::NotFinite { vertex: 3, .. }), "{error}");
    }
    mesh.positions[6].y = f32::INFINITY;
    for (file, bytes) in [("t.stl", stl_text(&mesh)), ("b.stl", stl_binary(&mesh, b""))] {
        let error = error_of(&format!("nan_{file}"), file, &bytes);
        assert!(matches!(error, IoError::NotFinite { .. }), "{error}");
    }
    let far = gltf_triangle(r#"[{"scale":[1e300,1,1],"children":[1]},{"scale":[1e300,1,1],"mesh":0}]"#);
    assert!(matches!(error_of("nan_gltf", "n.gltf", &far), IoError::NotFinite { .. }));
}

#[test]
fn numbers_that_do_not_fit_f32() {
    let error = error_of("large", "l.obj", b"v 0 0 0\nv 1e300 0 0\nv 0 1 0\nf 1 2 3\n");
    says(&error, &["vertex 1", "f32", "scale"]);
    let error = error_of("small", "s.obj", b"v 0 0 0\nv 1e-60 0 0\nv 0 1e-60 0\nf 1 2 3\n");
    says(&error, &["too small", "scale"]);
}

#[test]
fn indices_out_of_range() {
    let obj = |face: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nf {face}\n").into_bytes();
    for face in ["1 2 4", "0 1 2", "-4 1 2", "1 2 99999999999"] {
        let error = error_of("range_obj", "r.obj", &obj(face));
        assert!(matches!(error, IoError::IndexOutOfRange { .. }), "{error}");
        says(&error, &["line 4", "3 vertices"]);
    }
    let mut mesh = ball(4, 4);
    let last = mesh.triangles.len() - 1;
    mesh.triangles[last][1] = mesh.positions.len() as u32;
    let files = [
        ("r.ply", ply_text(&mesh), "line"),
        ("be.ply", ply_big_endian(&mesh), "face 23"),
        ("r.off", off_text(&mesh), "line"),
        ("b.off", off_binary(&mesh), "face 23"),
    ];
    for (file, bytes, place) in files {
        let error = error_of(&format!("range_{file}"), file, &bytes);
        assert!(matches!(error, IoError::IndexOutOfRange { index: 23, count: 23, .. }), "{error}");
        says(&error, &[place]);
    }
    let gltf = String::from_utf8(gltf_triangle(r#"[{"mesh":0}]"#)).unwrap();
    let error = error_of("range_gltf", "r.gltf", gltf.replace("AAABAAIA", "AAABAAkA").as_bytes());
    assert!(matches!(error, IoError::IndexOutOfRange { index: 9, count: 3, .. }), "{error}");
    assert!(matches!(write_mesh("never.obj", &mesh).unwrap_err(), IoError::Mesh { .. }));
}

#[test]
fn truncated_files() {
    let mesh = ball(4, 4);
    let glb = folder("truncated_source").join("whole.glb");
    write_mesh(&glb, &mesh).unwrap();
    let files = [
        ("t.stl", stl_binary(&mesh, b"x")),
        ("t.ply", ply_big_endian(&mesh)),
        ("text.ply", ply_text(&mesh)),
        ("t.off", off_binary(&mesh)),
        ("t.glb", std::fs::read(&glb).unwrap()),
    ];
    for (file, bytes) in files {
        for keep in [bytes.len() - 7, bytes.len() * 2 / 3] {
            let error = error_of(&format!("truncated_{file}"), file, &bytes[..keep]);
            assert!(matches!(error, IoError::Truncated { .. }), "{file}: {error}");
        }
    }
}

#[test]
fn ten_million_claimed_vertices_cost_no_memory() {
    let mut stl = vec![b' '; 80];
    stl.extend(10_000_000_u32.to_le_bytes());
    let xyz = "property float x\nproperty float y\nproperty float z\n";
    let list = "element face 10000000\nproperty list uint uint vertex_indices\n";
    let ply =
        |format: &str| format!("ply\nformat {format} 1.0\nelement vertex 10000000\n{xyz}{list}end_header\n");
    let gltf = String::from_utf8(gltf_triangle(r#"[{"mesh":0}]"#)).unwrap();
    let sparse = gltf.replace(
        r#""bufferView":0,"componentType":5126,"count":3"#,
        r#""componentType":5126,"count":10000000"#,
    );
    let mut off = b"OFF BINARY\n".to_vec();
    off.extend([10_000_000_i32, 10_000_000, 0].iter().flat_map(|n| n.to_be_bytes()));
    let face = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\nproperty char y\nproperty char z\n\
        element face 1\nproperty list uint uint vertex_indices\nend_header\n000";
    let face = [face.as_bytes(), &10_000_000_u32.to_le_bytes()].concat();
    let files: [(&str, Vec<u8>); 9] = [
        ("b.stl", stl),
        ("le.ply", ply("binary_little_endian").into_bytes()),
        ("be.ply", ply("binary_big_endian").into_bytes()),
        ("text.ply", ply("ascii").into_bytes()),
        ("long face.ply", face),
        ("t.off", b"OFF\n10000000 10000000 0\n0 0 0\n".to_vec()),
        ("b.off", off),
        ("c.gltf", gltf.replace("\"count\":3", "\"count\":10000000").into_bytes()),
        ("s.gltf", sparse.into_bytes()),
    ];
    for (file, mut bytes) in files {
        if !file.ends_with("gltf") && file != "long face.ply" {
            bytes.resize(1024, b' ');
        }
        let error = error_of(&format!("claims_{file}"), file, &bytes);
        assert!(matches!(error, IoError::Truncated { .. } | IoError::TooLarge { .. }), "{file}: {error}");
    }
}

#[test]
fn instances_cannot_grow_beyond_measure() {
    // 2,000 nodes show a mesh of 200 primitives that share one accessor of 20,000 vertices: 8e9 of them.
    let primitive = r#"{"attributes":{"POSITION":0}},"#.repeat(200);
    let nodes = r#"{"mesh":0},"#.repeat(2000);
    let roots: Vec<String> = (0..2000).map(|n| n.to_string()).collect();
    let text = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{}]}}],"nodes":[{}],"meshes":[{{"primitives":[{}]}}],
"accessors":[{{"componentType":5126,"count":20000,"type":"VEC3"}}]}}"#,
        roots.join(","),
        nodes.trim_end_matches(','),
        primitive.trim_end_matches(',')
    );
    let (result, peak) = peak_during(|| parse_mesh(text.as_bytes(), Format::Gltf, None));
    assert!(matches!(result, Err(IoError::TooLarge { .. })));
    assert!(peak < 64 * text.len() + (64 << 20), "{peak} bytes");
}

#[test]
fn deep_and_circular_gltf_ends() {
    let deep = [br#"{"asset":"#.to_vec(), vec![b'['; 200_000]].concat();
    says(&error_of("deep", "d.gltf", &deep), &["line 1"]);
    let ring = gltf_triangle(r#"[{"mesh":0,"children":[1]},{"children":[0,1]}]"#);
    let loaded = parse_mesh(&ring, Format::Gltf, None).unwrap();
    assert_eq!((loaded.mesh.triangles.len(), loaded.warnings.len()), (1, 1));
    let mut chain: String = (1..50_000).map(|n| format!(r#"{{"children":[{n}]}},"#)).collect();
    chain += r#"{"mesh":0,"translation":[5,0,0]}"#;
    let loaded = parse_mesh(&gltf_triangle(&format!("[{chain}]")), Format::Gltf, None).unwrap();
    assert_eq!(loaded.mesh.positions[0].x, 5.0);
}

#[test]
fn a_document_of_empty_objects_is_not_blown_up() {
    for list in ["nodes", "materials", "textures", "images", "scenes"] {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"{list}":[{}{{}}]}}"#, "{},".repeat(300_000));
        let (result, peak) = peak_during(|| parse_mesh(text.as_bytes(), Format::Gltf, None));
        assert!(result.is_err());
        assert!(peak < 64 * text.len() + (1 << 20), "{list}: {} × the file", peak / text.len());
    }
}

#[test]
fn buffers_are_only_looked_for_beside_the_file() {
    let gltf = String::from_utf8(gltf_triangle(r#"[{"mesh":0}]"#)).unwrap();
    let start = gltf.find("data:").unwrap();
    let end = start + gltf[start..].find('"').unwrap();
    for uri in
        ["../outside.bin", "/dev/zero", "sub/../../x.bin", "%2e%2e/x.bin", "missing.bin", "https://a.b/c.bin"]
    {
        let text = format!("{}{uri}{}", &gltf[..start], &gltf[end..]);
        says(&error_of("buffers", "b.gltf", text.as_bytes()), &["buffer 0", "cannot be read"]);
    }
}

#[test]
fn foreign_content_is_recognised() {
    let lfs = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
    let cases: [(&str, &[u8], &str); 6] = [
        ("a.stl", b"\x1f\x8b\x08\0\0\0\0\0 and so on", "gzip"),
        ("a.obj", PIXEL, "PNG"),
        ("a.ply", lfs, "LFS"),
        ("a.off", b"<html><body>404</body></html>", "web page"),
        ("a.xyz", b"just some words", "unknown kind"),
        ("a.msh", b"$MeshFormat\n2.2 0 8\n", "Gmsh"),
    ];
    for (file, bytes, word) in cases {
        let error = error_of(&format!("foreign_{file}"), file, bytes);
        assert!(matches!(error, IoError::UnknownFormat { .. }), "{error}");
        says(&error, &[word]);
    }
}

#[test]
fn syntax_errors_name_the_line() {
    let comma = b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0,5 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
    let two =
        b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid\n";
    let cases: [(&str, &[u8], &[&str]); 7] = [
        ("comma.stl", comma, &["line 4", "comma"]),
        ("two.stl", two, &["line 7", "3 vertices"]),
        ("word.obj", b"v 0 0 0\nv 1 0 zero\n", &["line 2", "'zero'"]),
        ("short.obj", b"v 0 0 0\nv 1 0\n", &["line 2", "3 numbers"]),
        ("slash.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1/1 2 3\n", &["line 4", "slashes"]),
        ("count.off", b"OFF\n-3 1 0\n", &["line 2", "-3"]),
        ("magic.ply", b"plx\nformat ascii 1.0\n", &["line 1", "ply"]),
    ];
    for (file, bytes, words) in cases {
        says(&error_of(&format!("syntax_{file}"), file, bytes), words);
    }
}

#[test]
fn writers_name_the_file_and_leave_nothing_behind() {
    let mesh = ball(4, 4);
    let folder = folder("writers");
    let error = write_mesh(folder.join("mesh.docx"), &mesh).unwrap_err();
    says(&error, &["mesh.docx", ".glb"]);
    let error = write_mesh(folder.join("not there/mesh.obj"), &mesh).unwrap_err();
    says(&error, &["mesh.obj", "folder does not exist"]);
    let frame = |n: usize| Frame { positions: vec![Vec3::ZERO; n], ..Frame::default() };
    let write = |frames: Vec<Frame>, times: &[f32]| {
        write_animated_glb(folder.join("m.glb"), &[AnimatedMesh { mesh: &mesh, frames }], times).unwrap_err()
    };
    let n = mesh.positions.len();
    says(&write(vec![frame(n), frame(n - 1)], &[0.0, 1.0]), &["m.glb", "frame 1", "positions"]);
    says(&write(vec![frame(n), frame(n)], &[0.0, 0.0]), &["m.glb", "frame 1", "time"]);
    says(&write(vec![frame(n)], &[0.0, 1.0]), &["m.glb", "1 frames for 2 times"]);
    assert!(Path::new(&folder).read_dir().unwrap().next().is_none());
}
