//! Whole files: which are scenes, and who is to blame.

use super::*;

#[test]
fn files_that_are_not_scenes() {
    fails("syntax", "name = \"x", "1", &["invalid basic string"]);
    fails("syntax2", "name = \"x\"\n[[body]\n", "2", &["`]`"]);
    fails("syntax3", "name = x", "1: name", &["quoted"]);
    let deep = |text: String| load("deep", text.as_bytes(), &[]).map(|_| ()).unwrap_err();
    for text in [
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("{}a = 1", "a.".repeat(50_000)),
        format!("a = {}1{}", "{ a = ".repeat(50_000), " }".repeat(50_000)),
        "[[".repeat(10_000),
    ] {
        let error = deep(text);
        assert!(error.contains("my.toml") && error.len() < 1000, "{error}");
    }
    let error = load("bytes", b"name = \"\xff\xfe\"", &[]).map(|_| ()).unwrap_err();
    assert!(error.contains("my.toml, byte 8") && error.contains("not UTF-8"), "{error}");
    let error = load("empty", b"", &[]).map(|_| ()).unwrap_err();
    assert!(error.contains("my.toml") && error.contains("empty"), "{error}");
    let folder = folder("scenes/directory.toml");
    let error = SceneFile::load(&folder, &[], &figures).unwrap_err().to_string();
    assert!(error.contains("directory.toml") && error.contains("this is a directory"), "{error}");
    let error = SceneFile::load(&folder.join("none.toml"), &[], &figures).unwrap_err().to_string();
    assert!(error.contains("none.toml") && error.contains("no such file"), "{error}");
}

#[test]
fn any_bytes_give_a_scene_or_an_error() {
    let text = format!("{CUBE}[[pick]]\nbody = \"cube\"\nat = [0, 0, 0]\nmotion = {{ repeat = true }}\n");
    let mut random = common::Prng(7);
    for _ in 0..300 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes[at] = random.next() as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"[]{}=\"\n.0-e"[random.below(11)]),
            }
        }
        if let Err(error) = load("any", &bytes, &[]) {
            assert!(error.contains("my.toml"), "{error}");
        }
    }
}

#[test]
fn a_scene_of_windows_and_a_scene_of_nothing_are_read() {
    let text = format!("\u{feff}{}", CUBE.replace('\n', "\r\n"));
    assert_eq!(load("windows", text.as_bytes(), &[]).unwrap().world.bodies().count(), 1);
    let mut empty = load("nothing", b"# only a comment\n", &[]).unwrap();
    assert_eq!((empty.name.as_str(), empty.frames, empty.dt_secs), ("my", 300, 1.0 / 60.0));
    assert_eq!(empty.step().nodes, 0);
}

#[test]
fn a_mesh_file_is_found_beside_the_scene_and_its_warnings_are_kept() {
    let folder = folder("scenes/beside");
    pliant_io::write_mesh(folder.join("ball.obj"), &shapes::sphere(0.5, 2)).unwrap();
    std::fs::rename(folder.join("ball.obj"), folder.join("ball.ply")).unwrap();
    let path = folder.join("scene.toml");
    std::fs::write(&path, "[[body]]\nmesh = \"ball.ply\"\n").unwrap();
    let scene = SceneFile::load(&path, &[], &figures).unwrap();
    assert_eq!(scene.world.bodies().count(), 1);
    assert!(scene.warnings.len() == 1 && scene.warnings[0].starts_with("ball.ply: "), "{:?}", scene.warnings);
}

#[test]
fn an_error_names_the_file_only_if_the_file_is_to_blame() {
    let text = format!("{CUBE}[body.material]\nalpha = 0.5\n");
    for setting in ["body[0].material.alpha=2", "body[*].material.alpha=2", "body.0.material={alpha=2.0}"] {
        let error = load("blame", text.as_bytes(), &[setting]).map(|_| ()).unwrap_err();
        assert_eq!(error, "body[0].material.alpha: alpha is 2; it must be in [0, 1]");
    }
    let error = load("blame", text.replace("0.5", "7").as_bytes(), &["frames=3"]).map(|_| ()).unwrap_err();
    assert!(
        error.ends_with("my.toml:5: body[0].material.alpha: alpha is 7; it must be in [0, 1]"),
        "{error}"
    );
}

#[test]
fn no_cap_is_written_and_read_as_a_word() {
    let text = format!("{CUBE}[body.clusters]\narea_cap = \"none\"\n");
    let scene = SceneFile::parse(&text).unwrap();
    assert_eq!(scene.body[0].clusters.as_ref().unwrap().area_cap, None);
    assert_eq!(set(&SceneFile::parse(CUBE).unwrap(), "body[0].clusters.area_cap=none").unwrap(), scene);
    let written = scene.to_text().unwrap();
    assert!(written.contains("area_cap = \"none\""), "{written}");
    assert_eq!(SceneFile::parse(&written).unwrap(), scene);
    assert!(SceneFile::parse(CUBE).unwrap().body[0].clusters.is_none());
    assert!(pliant::ClusterSettings::default().area_cap.is_some());
}

#[test]
fn tetrahedra_are_the_elements_of_elements_and_the_surface_of_others() {
    let sphere = pliant::geometry::weld(&shapes::sphere(0.5, 2), 1e-6);
    let settings = pliant::sampling::stuffing::StuffingSettings { size: 0.25, levels: 0 };
    let mesh = pliant::sampling::stuffing::stuff(&sphere, &settings).unwrap().mesh;
    pliant_io::write_volume(folder("scenes/ball-msh").join("ball.msh"), &mesh).unwrap();
    let parts = |model: &str| {
        let text = format!("[[body]]\nmesh = \"../ball-msh/ball.msh\"\n{model}\n");
        let scene = load("tetrahedra", text.as_bytes(), &[]).unwrap();
        scene.world.bodies().map(|(_, body)| (body.model.parts(), body.rest().volume)).next().unwrap()
    };
    let (elements, volume) = parts("elements = {}");
    assert_eq!(elements, mesh.tetrahedra.len());
    for other in ["elements = { cell = 0.1 }", "lattice = { cell = 0.1 }", ""] {
        let (parts, enclosed) = parts(other);
        assert!(parts != elements && (enclosed / volume - 1.0).abs() < 1e-5, "{other}: {parts}");
    }
    let error = load(
        "tetrahedra",
        b"[[body]]\nmesh = \"../ball-msh/ball.msh\"\nelements = {}\nmaterial = { tear = 0.5 }\n",
        &[],
    );
    assert!(error.unwrap_err().contains("tear"));
}
