//! Every flavor is read as what it is, what is broken is mended or refused, and what is written can be read.

use crate::common::folder;
use crate::flavors::{self, all, ball};
use pliant::geometry::{TetMending, TetMesh};
use pliant::glam::{DVec3, Vec3};
use pliant_io::{
    Grid, GridArray, IoError, VolumeFormat, is_volume, parse_volume, pvd_bytes, read_mesh, read_volume,
    vtu_bytes, write_volume,
};

#[test]
fn every_flavor_is_the_same_mesh() {
    let mesh = ball();
    assert!(mesh.tetrahedra.len() > 100);
    for (flavor, format, bytes) in all(&mesh) {
        let loaded = parse_volume(&bytes, format).unwrap_or_else(|error| panic!("{flavor}: {error}"));
        assert_eq!(loaded.mesh.tetrahedra, mesh.tetrahedra, "{flavor}");
        assert_eq!(loaded.mesh.positions, mesh.positions, "{flavor}");
        assert_eq!((loaded.format, loaded.mended), (format, TetMending::default()), "{flavor}");
    }
}

#[test]
fn the_content_decides_about_the_format() {
    let (mesh, folder) = (ball(), folder("volumes-names"));
    for (at, (flavor, format, bytes)) in all(&mesh).into_iter().enumerate() {
        if format == VolumeFormat::TetGen {
            continue;
        }
        let path = folder.join(format!("{at}.dat"));
        std::fs::write(&path, bytes).unwrap();
        assert!(is_volume(&path));
        assert_eq!(read_volume(&path).unwrap().format, format, "{flavor}");
        assert!(matches!(read_mesh(&path), Err(IoError::UnknownFormat { .. })), "{flavor}");
    }
    std::fs::write(folder.join("a.dat"), "hello").unwrap();
    assert!(!is_volume(folder.join("a.dat")));
    assert!(matches!(read_volume(folder.join("a.dat")), Err(IoError::UnknownFormat { .. })));
}

#[test]
fn tetgen_is_two_files_of_which_either_is_named() {
    let (mesh, folder) = (ball(), folder("volumes-tetgen"));
    let [nodes, elements] = flavors::tetgen(&mesh);
    std::fs::write(folder.join("ball.1.node"), &nodes).unwrap();
    let error = read_volume(folder.join("ball.1.node")).unwrap_err().to_string();
    assert!(error.contains("ball.1.ele"), "{error}");
    std::fs::write(folder.join("ball.1.ele"), elements).unwrap();
    for name in ["ball.1.node", "ball.1.ele"] {
        assert_eq!(read_volume(folder.join(name)).unwrap().mesh.tetrahedra, mesh.tetrahedra);
    }
}

#[test]
fn what_is_written_is_read_back() {
    let folder = folder("volumes-written");
    let mut mesh = ball();
    for name in ["ball.msh", "ball.vtu", "BALL.MSH"] {
        write_volume(folder.join(name), &mesh).unwrap();
        let loaded = read_volume(folder.join(name)).unwrap();
        assert_eq!((&loaded.mesh.positions, &loaded.mesh.tetrahedra), (&mesh.positions, &mesh.tetrahedra));
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
    }
    assert!(matches!(write_volume(folder.join("ball.obj"), &mesh), Err(IoError::UnknownOutput { .. })));
    // Far away its shape is kept.
    mesh.origin = DVec3::new(1e7, -3e7, 5.0);
    for name in ["far.msh", "far.vtu"] {
        write_volume(folder.join(name), &mesh).unwrap();
        let far = read_volume(folder.join(name)).unwrap().mesh;
        assert!((far.signed_volume() / mesh.signed_volume() - 1.0).abs() < 1e-5);
        let offset =
            (far.origin + far.positions[0].as_dvec3()) - (mesh.origin + mesh.positions[0].as_dvec3());
        assert!(offset.length() < 1e-6, "{offset}");
    }
    mesh.tetrahedra.clear();
    assert!(matches!(write_volume(folder.join("none.msh"), &mesh), Err(IoError::Mesh { .. })));
    assert!(!folder.join("none.msh").exists());
}

#[test]
fn what_is_broken_is_mended_and_said() {
    let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [7.0; 3]];
    let tetrahedra = vec![[0, 1, 3, 2], [0, 1, 2, 3], [0, 1, 2, 4], [1, 4, 2, 3]];
    let mesh = TetMesh::new(positions.map(Vec3::from_array).to_vec(), tetrahedra);
    for (flavor, format, bytes) in all(&mesh) {
        let loaded = parse_volume(&bytes, format).unwrap_or_else(|error| panic!("{flavor}: {error}"));
        let expected = TetMending { reoriented: 1, degenerate: 1, duplicates: 1, unused_vertices: 1 };
        assert_eq!(loaded.mended, expected, "{flavor}");
        assert!(loaded.warnings.iter().any(|w| w.contains("reoriented")), "{flavor}: {:?}", loaded.warnings);
        assert_eq!((loaded.mesh.tetrahedra.len(), loaded.mesh.positions.len()), (2, 5), "{flavor}");
        let quality = loaded.mesh.quality().unwrap();
        assert_eq!((quality.inverted, quality.degenerate), (0, 0), "{flavor}");
    }
}

#[test]
fn other_cells_are_left_out_and_orders_lowered() {
    let mesh = ball();
    let loaded = parse_volume(&flavors::msh_2_text(&mesh), VolumeFormat::Msh).unwrap();
    assert_eq!(loaded.warnings, ["1 cells that are no tetrahedra left out"]);
    let quadratic = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n10\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 .5 0 0\n6 .5 .5 0\n\
        7 0 .5 0\n8 0 0 .5\n9 0 .5 .5\n10 .5 0 .5\n$EndNodes\n$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n";
    let loaded = parse_volume(quadratic.as_bytes(), VolumeFormat::Msh).unwrap();
    assert_eq!((loaded.mesh.positions.len(), loaded.mesh.tetrahedra.len()), (4, 1));
    assert!(loaded.warnings[0].contains("higher order"), "{:?}", loaded.warnings);
}

#[test]
fn faults_are_named() {
    let mesh = ball();
    let say = |bytes: &[u8], format| parse_volume(bytes, format).unwrap_err().to_string();
    let edit = |bytes: Vec<u8>, from: &str, to: &str| {
        String::from_utf8(bytes).unwrap().replacen(from, to, 1).into_bytes()
    };
    let node = edit(flavors::msh_2_text(&mesh), "$Nodes\n", "$Nodes\n99999999");
    assert!(
        say(&node, VolumeFormat::Msh).contains("nodes are promised"),
        "{}",
        say(&node, VolumeFormat::Msh)
    );
    let version = edit(flavors::msh_2_text(&mesh), "2.2 0 8", "3.0 0 8");
    assert!(say(&version, VolumeFormat::Msh).contains("save it as version 2.2 or 4.1"));
    let kind = edit(flavors::msh_2_text(&mesh), "1 15 2", "1 77 2");
    assert!(say(&kind, VolumeFormat::Msh).contains("type 77"));
    let high = edit(flavors::vtk_text(&mesh), "\n4 ", "\n4 888888 1 2 3\n4 ");
    assert!(!say(&high, VolumeFormat::Vtk).is_empty());
    let nan = edit(flavors::medit(&mesh), "Vertices\n", "Vertices\n1\nnan 0 0 0\nVertices\n");
    assert!(say(&nan, VolumeFormat::Medit).contains("not finite"), "{}", say(&nan, VolumeFormat::Medit));
    let surface = edit(flavors::vtk_text(&mesh), "UNSTRUCTURED_GRID", "POLYDATA");
    assert!(say(&surface, VolumeFormat::Vtk).contains("no tetrahedra in it"));
    let lz4 = edit(
        flavors::vtu(&mesh, flavors::Arrays::Text),
        "version=\"0.1\"",
        "compressor=\"vtkLZ4DataCompressor\"",
    );
    assert!(
        say(&lz4, VolumeFormat::Vtu).contains("vtkLZ4DataCompressor"),
        "{}",
        say(&lz4, VolumeFormat::Vtu)
    );
    assert!(matches!(parse_volume(b"", VolumeFormat::Msh), Err(IoError::EmptyFile { .. })));
}

#[test]
fn a_series_for_paraview_names_its_files_and_data() {
    let mut grid = Grid::from(&ball());
    grid.lines = vec![[0, 1]];
    let values = grid.points.iter().flat_map(|p| p.as_vec3().to_array()).collect();
    grid.point_data = vec![GridArray { name: "displacement & more".into(), components: 3, values }];
    let bytes = vtu_bytes(&grid);
    let loaded = parse_volume(&bytes, VolumeFormat::Vtu).unwrap();
    assert_eq!(loaded.mesh.tetrahedra, grid.tetrahedra);
    assert_eq!(loaded.warnings, ["1 cells that are no tetrahedra left out"]);
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("Name=\"displacement &amp; more\" NumberOfComponents=\"3\""));
    let pvd =
        String::from_utf8(pvd_bytes(&[(0.0, "a-0000.vtu".into()), (0.5, "a-0001.vtu".into())])).unwrap();
    assert!(pvd.contains("timestep=\"0.5\" file=\"a-0001.vtu\""), "{pvd}");
}
