//! `pliant mesh`.

use super::*;

fn cube() -> TriMesh {
    shapes::cuboid(Vec3::ONE, [2, 2, 2])
}

/// A cube with a hole, two flipped triangles and one twice.
fn damaged() -> TriMesh {
    let mut cube = cube();
    cube.triangles.pop();
    cube.triangles[5].swap(0, 1);
    cube.triangles[9].swap(0, 1);
    cube.triangles.push(cube.triangles[0]);
    cube
}

/// The cube with three vertices of its own for each triangle.
fn soup() -> TriMesh {
    let cube = cube();
    let corners = (0..cube.triangles.len()).flat_map(|t| cube.corners(t)).collect();
    let triangles = (0..cube.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    TriMesh::new(corners, triangles)
}

fn found(folder: &Path, arguments: &[&str]) -> Value {
    let mut all = vec!["mesh", "--json"];
    all.extend(arguments);
    serde_json::from_str(&succeeds(folder, &all)).unwrap()
}

#[test]
fn a_good_cube_is_told_to_be_one() {
    let folder = folder("mesh-good");
    write_mesh(folder.join("cube.obj"), &cube()).unwrap();
    let out = succeeds(&folder, &["mesh", "cube.obj"]);
    assert!(out.starts_with("cube.obj (OBJ)") && out.contains("1 (1 closed)"), "{out}");
    assert!(out.contains("1.000000 m³") && out.contains("1 × 1 × 1 m"), "{out}");
    let found = found(&folder, &["cube.obj"]);
    assert_eq!((found["file"].as_str(), found["format"].as_str()), (Some("cube.obj"), Some("OBJ")));
    assert_eq!(found["mesh"]["open_edges"], 0);
    assert!(found["verdict"].is_array() && found["repair"].is_null());
}

#[test]
fn a_damaged_one_is_described_and_mended() {
    let folder = folder("mesh-damaged");
    write_mesh(folder.join("bad.obj"), &damaged()).unwrap();
    let report = found(&folder, &["bad.obj"])["mesh"].clone();
    let count = |key: &str| report[key].as_u64().unwrap();
    assert!(
        count("open_edges") > 0 && count("flipped_triangles") > 0 && count("duplicate_triangles") == 1,
        "{report}"
    );
    let out = succeeds(&folder, &["mesh", "bad.obj", "--repair"]);
    assert!(out.contains("repair") && out.contains("--out"), "{out}");
    assert_eq!(names(&folder), ["bad.obj"]);
    for file in ["mended.obj", "mended.ply", "mended.glb"] {
        let out = succeeds(&folder, &["mesh", "bad.obj", "--repair", "--out", file]);
        assert!(out.contains(&format!("written {file}")), "{out}");
        let mended = found(&folder, &[file])["mesh"].clone();
        let clean = ["open_edges", "flipped_triangles", "duplicate_triangles", "non_manifold_edges"];
        assert!(clean.iter().all(|key| mended[key] == 0), "{file}: {mended}");
        assert!((mended["volume"].as_f64().unwrap() - 1.0).abs() < 1e-3, "{file}: {mended}");
    }
    let log = found(&folder, &["bad.obj", "--repair", "--out", "quiet.obj"])["repair"].clone();
    assert!(log.is_object() && folder.join("quiet.obj").exists(), "{log}");
}

#[test]
fn a_soup_of_triangles_is_welded() {
    let folder = folder("mesh-soup");
    write_mesh(folder.join("soup.ply"), &soup()).unwrap();
    let before = found(&folder, &["soup.ply", "--repair", "--out", "welded.ply"]);
    assert_eq!(before["mesh"]["vertices"], 144);
    let after = found(&folder, &["welded.ply"])["mesh"].clone();
    assert_eq!((&after["vertices"], &after["open_edges"]), (&Value::from(26), &Value::from(0)));
}

#[test]
fn a_mesh_changes_its_format() {
    let folder = folder("mesh-convert");
    write_mesh(folder.join("cube.obj"), &cube()).unwrap();
    succeeds(&folder, &["mesh", "cube.obj", "--out", "cube.glb"]);
    assert_eq!(read_mesh(folder.join("cube.glb")).unwrap().mesh.triangles, cube().triangles);
}

#[test]
fn whatever_is_no_mesh_is_refused_and_nothing_is_written() {
    let folder = folder("mesh-bad");
    for (file, bytes) in [
        ("empty.obj", &b""[..]),
        ("words.obj", b"this is not a mesh at all\n"),
        ("index.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
        ("zero.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n"),
        ("number.obj", b"v 0 0 zero\nf 1 1 1\n"),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
        ("points.obj", b"v 0 0 0\nv 1 0 0\n"),
        ("header.ply", b"ply\nformat ascii 1.0\nelement vertex 99999999999\n"),
        ("counts.ply", b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 0\nproperty list uchar int vertex_indices\nend_header\n"),
        ("short.stl", b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0"),
        ("binary.stl", &[0xff; 90]),
        ("counts.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n"),
        ("index.off", b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n"),
        ("empty.gltf", b"{}"),
        ("broken.gltf", b"{\"asset\":{\"version\":\"2.0\"},\"meshes\":[{"),
        ("length.glb", b"glTF\x02\0\0\0\xff\xff\xff\xff"),
        ("zeros.glb", &[0; 64]),
        ("picture.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    ] {
        std::fs::write(folder.join(file), bytes).unwrap();
        refuses(&folder, &["mesh", file], &[file]);
        refuses(&folder, &["mesh", file, "--repair", "--json", "--out", "x.obj"], &[file]);
    }
    assert!(!folder.join("x.obj").exists());
    refuses(&folder, &["mesh", "no-such.obj"], &["no-such.obj", "no such file"]);
    refuses(&folder, &["mesh", "."], &["directory"]);
    write_mesh(folder.join("cube.obj"), &cube()).unwrap();
    refuses(&folder, &["mesh", "cube.obj", "--out", "cube.stl"], &["cube.stl", ".obj, .ply and .glb"]);
    refuses(&folder, &["mesh", "cube.obj", "--out", "no/cube.obj"], &["no/cube.obj", "no folder"]);
}

#[test]
fn a_wrong_ending_is_a_warning_on_stderr() {
    let folder = folder("mesh-ending");
    write_mesh(folder.join("cube.obj"), &cube()).unwrap();
    std::fs::rename(folder.join("cube.obj"), folder.join("cube.ply")).unwrap();
    let output = pliant(&folder, &["mesh", "cube.ply", "--json"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("cube.ply: the name says PLY, the content is OBJ"));
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
}

#[test]
fn a_surface_is_filled_with_tetrahedra_that_can_be_told_of() {
    let folder = folder("mesh-tetrahedra");
    write_mesh(folder.join("ball.obj"), &shapes::sphere(0.5, 3)).unwrap();
    let out = succeeds(&folder, &["mesh", "ball.obj", "--tetrahedra", "0.1"]);
    assert!(
        out.contains("tetrahedra of 0.1 m") && out.contains("dihedral angles") && out.contains("--out"),
        "{out}"
    );
    for file in ["ball.msh", "ball.vtu"] {
        let filled = found(&folder, &["ball.obj", "--tetrahedra", "0.1", "--out", file]);
        let told = found(&folder, &[file]);
        assert_eq!(told["mesh"]["tetrahedra"], filled["mesh"]["tetrahedra"]);
        assert!(told["mesh"]["min_dihedral_degrees"].as_f64().unwrap() > 10.7, "{told}");
        assert!(filled["missed"].as_f64().unwrap() < 0.05, "{filled}");
        assert_eq!(told["mended"]["reoriented"], 0);
    }
    let out = succeeds(&folder, &["mesh", "ball.msh", "--out", "skin.ply"]);
    assert!(out.starts_with("ball.msh (MSH)") && out.contains("nothing to mend"), "{out}");
    assert_eq!(found(&folder, &["skin.ply"])["mesh"]["open_edges"], 0);
    let graded = found(&folder, &["ball.obj", "--tetrahedra", "0.03", "--levels", "3"]);
    let uniform = found(&folder, &["ball.obj", "--tetrahedra", "0.03"]);
    assert!(graded["mesh"]["tetrahedra"].as_u64() < uniform["mesh"]["tetrahedra"].as_u64());
    refuses(&folder, &["mesh", "ball.obj", "--tetrahedra", "1e-5"], &["ball.obj", "use a size of"]);
    refuses(
        &folder,
        &["mesh", "ball.obj", "--tetrahedra", "0.1", "--out", "x.obj"],
        &["x.obj", ".msh, .vtu"],
    );
}
