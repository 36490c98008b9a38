//! The same small mesh as a file of every flavor, written independently of what the library writes.

use miniz_oxide::deflate::compress_to_vec_zlib;
use pliant::geometry::{TetMesh, shapes, weld};
use pliant::glam::Vec3;
use pliant::sampling::stuffing::{StuffingSettings, stuff};
use pliant_io::VolumeFormat;
use std::fmt::Write;

/// A ball of some tetrahedra.
pub fn ball() -> TetMesh {
    let surface = weld(&shapes::sphere(1.0, 2), 0.0);
    stuff(&surface, &StuffingSettings { size: 0.7, levels: 0 }).unwrap().mesh
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, b| bits << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for digit in 0..4 {
            let shown = digit <= three.len();
            out.push(if shown { DIGITS[(bits >> (18 - 6 * digit) & 63) as usize] as char } else { '=' });
        }
    }
    out
}

fn line(p: &Vec3) -> String {
    format!("{} {} {}\n", p.x, p.y, p.z)
}

pub fn msh_2_text(mesh: &TetMesh) -> Vec<u8> {
    let mut out =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"all of it\"\n$EndPhysicalNames\n"
            .to_owned();
    write!(out, "$Nodes\n{}\n", mesh.positions.len()).unwrap();
    // Names with gaps.
    mesh.positions.iter().enumerate().for_each(|(n, p)| write!(out, "{} {}", 7 + 3 * n, line(p)).unwrap());
    write!(out, "$EndNodes\n$Elements\n{}\n1 15 2 0 1 7\n", mesh.tetrahedra.len() + 1).unwrap();
    for (n, t) in mesh.tetrahedra.iter().enumerate() {
        let [a, b, c, d] = t.map(|v| 7 + 3 * v);
        writeln!(out, "{} 4 2 1 1 {a} {b} {c} {d}", n + 2).unwrap();
    }
    out.push_str("$EndElements\n");
    out.into_bytes()
}

pub fn msh_2_binary(mesh: &TetMesh) -> Vec<u8> {
    let mut out = b"$MeshFormat\n2.2 1 8\n\x01\0\0\0\n$EndMeshFormat\n$Nodes\n".to_vec();
    out.extend(format!("{}\n", mesh.positions.len()).bytes());
    for (n, p) in (1_i32..).zip(&mesh.positions) {
        out.extend(n.to_le_bytes());
        out.extend(p.to_array().iter().flat_map(|x| f64::from(*x).to_le_bytes()));
    }
    out.extend(format!("\n$EndNodes\n$Elements\n{}\n", mesh.tetrahedra.len()).bytes());
    // Blocks of at most ten.
    for (block, tets) in mesh.tetrahedra.chunks(10).enumerate() {
        out.extend([4, tets.len() as i32, 1].iter().flat_map(|n| n.to_le_bytes()));
        for (n, t) in tets.iter().enumerate() {
            out.extend([(10 * block + n) as i32 + 1, 1].iter().flat_map(|n| n.to_le_bytes()));
            out.extend(t.iter().flat_map(|v| (*v as i32 + 1).to_le_bytes()));
        }
    }
    out.extend(b"\n$EndElements\n");
    out
}

pub fn msh_4_binary(mesh: &TetMesh, big: bool) -> Vec<u8> {
    let int = |n: i32| if big { n.to_be_bytes() } else { n.to_le_bytes() };
    let size = |n: usize| if big { (n as u64).to_be_bytes() } else { (n as u64).to_le_bytes() };
    let real = |x: f32| if big { f64::from(x).to_be_bytes() } else { f64::from(x).to_le_bytes() };
    let mut out = b"$MeshFormat\n4.1 1 8\n".to_vec();
    out.extend(int(1));
    out.extend(b"\n$EndMeshFormat\n$Nodes\n");
    let (nodes, tets, half) = (mesh.positions.len(), mesh.tetrahedra.len(), mesh.positions.len() / 2);
    out.extend([2, nodes, 1, nodes].iter().flat_map(|&n| size(n)));
    // The first half is parametric, as on a surface.
    for (range, dimension) in [(0..half, 2), (half..nodes, 3)] {
        out.extend([dimension, 1, i32::from(dimension == 2)].iter().flat_map(|&n| int(n)));
        out.extend(size(range.len()));
        out.extend(range.clone().flat_map(|n| size(n + 1)));
        for n in range {
            out.extend(mesh.positions[n].to_array().iter().flat_map(|&x| real(x)));
            if dimension == 2 {
                out.extend([0.5, 0.25].iter().flat_map(|&x| real(x)));
            }
        }
    }
    out.extend(b"\n$EndNodes\n$Elements\n");
    out.extend([2, tets + 1, 1, tets + 1].iter().flat_map(|&n| size(n)));
    out.extend([2, 1, 2].iter().flat_map(|&n| int(n)));
    out.extend([1, 1, 1, 2, 3].iter().flat_map(|&n| size(n)));
    out.extend([3, 1, 4].iter().flat_map(|&n| int(n)));
    out.extend(size(tets));
    for (n, t) in mesh.tetrahedra.iter().enumerate() {
        out.extend(size(n + 2));
        out.extend(t.iter().flat_map(|&v| size(v as usize + 1)));
    }
    out.extend(b"\n$EndElements\n");
    out
}

pub fn vtk_text(mesh: &TetMesh) -> Vec<u8> {
    let (points, cells) = (mesh.positions.len(), mesh.tetrahedra.len());
    let mut out = "# vtk DataFile Version 3.0\na ball\nASCII\nDATASET UNSTRUCTURED_GRID\n".to_owned();
    write!(out, "FIELD FieldData 1\nTIME 1 1 double\n0.5\nPOINTS {points} double\n").unwrap();
    mesh.positions.iter().for_each(|p| out.push_str(&line(p)));
    write!(out, "\nCELLS {} {}\n2 0 1\n", cells + 1, 5 * cells + 3).unwrap();
    mesh.tetrahedra.iter().for_each(|[a, b, c, d]| writeln!(out, "4 {a} {b} {c} {d}").unwrap());
    write!(out, "CELL_TYPES {}\n3\n", cells + 1).unwrap();
    out.push_str(&"10\n".repeat(cells));
    write!(out, "POINT_DATA {points}\nSCALARS a float 1\nLOOKUP_TABLE default\n").unwrap();
    out.push_str(&"0.5\n".repeat(points));
    out.into_bytes()
}

pub fn vtk_binary(mesh: &TetMesh, version_5: bool) -> Vec<u8> {
    let (points, cells) = (mesh.positions.len(), mesh.tetrahedra.len());
    let version = if version_5 { "5.1" } else { "2.0" };
    let mut out = format!(
        "# vtk DataFile Version {version}\nball\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS {points} float\n"
    )
    .into_bytes();
    out.extend(mesh.positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_be_bytes));
    if version_5 {
        out.extend(
            format!(
                "\nMETADATA\nINFORMATION 0\n\n\nCELLS {} {}\nOFFSETS vtktypeint64\n",
                cells + 1,
                4 * cells
            )
            .bytes(),
        );
        out.extend((0..=cells).flat_map(|n| (4 * n as i64).to_be_bytes()));
        out.extend(b"\nCONNECTIVITY vtktypeint64\n");
        out.extend(mesh.tetrahedra.iter().flatten().flat_map(|&v| i64::from(v).to_be_bytes()));
    } else {
        out.extend(format!("\nCELLS {cells} {}\n", 5 * cells).bytes());
        for t in &mesh.tetrahedra {
            out.extend(4_i32.to_be_bytes());
            out.extend(t.iter().flat_map(|&v| (v as i32).to_be_bytes()));
        }
    }
    out.extend(format!("\nCELL_TYPES {cells}\n").bytes());
    out.extend((0..cells).flat_map(|_| 10_i32.to_be_bytes()));
    out.extend(b"\n");
    out
}

/// How arrays of a VTU file are written.
#[derive(Clone, Copy, PartialEq)]
pub enum Arrays {
    Text,
    Base64,
    Zlib,
    AppendedBase64,
    AppendedZlib,
}

/// The bytes of an array with its header, or the two pieces that are encoded one by one.
fn packed(data: &[u8], arrays: Arrays) -> Vec<Vec<u8>> {
    if !matches!(arrays, Arrays::Zlib | Arrays::AppendedZlib) {
        return vec![[&(data.len() as u32).to_le_bytes(), data].concat()];
    }
    let blocks: Vec<Vec<u8>> = data.chunks(1000).map(|block| compress_to_vec_zlib(block, 6)).collect();
    let mut header = vec![blocks.len() as u32, 1000, (data.len() % 1000) as u32];
    header.extend(blocks.iter().map(|block| block.len() as u32));
    vec![header.iter().flat_map(|n| n.to_le_bytes()).collect(), blocks.concat()]
}

pub fn vtu(mesh: &TetMesh, arrays: Arrays) -> Vec<u8> {
    let compressor = match arrays {
        Arrays::Zlib | Arrays::AppendedZlib => " compressor=\"vtkZLibDataCompressor\"",
        _ => "",
    };
    let (points, cells) = (mesh.positions.len(), mesh.tetrahedra.len());
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<!-- a > comment -->\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\"{compressor}>\n\
         <UnstructuredGrid>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n<PointData>\n\
         <DataArray type=\"Float32\" Name=\"nothing\" format=\"ascii\">1 2 3</DataArray>\n</PointData>\n"
    );
    let mut appended = String::new();
    let mut array = |kind: &str, name: &str, numbers: Vec<String>, bytes: Vec<u8>| {
        let encoded = || packed(&bytes, arrays).iter().map(|piece| base64(piece)).collect::<String>();
        let (format, content) = match arrays {
            Arrays::Text => ("\"ascii\"".to_owned(), numbers.join(" ")),
            Arrays::Base64 | Arrays::Zlib => ("\"binary\"".to_owned(), format!("\n   {}\n", encoded())),
            _ => {
                let offset = appended.len();
                appended.push_str(&encoded());
                (format!("\"appended\" offset=\"{offset}\""), String::new())
            }
        };
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"3\" format={format}>{content}</DataArray>\n"
        )
    };
    let coordinates: Vec<f32> = mesh.positions.iter().flat_map(|p| p.to_array()).collect();
    let corners: Vec<u32> = mesh.tetrahedra.iter().flatten().copied().collect();
    let ends: Vec<u32> = (1..=cells as u32).map(|n| 4 * n).collect();
    let words = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect::<Vec<_>>();
    let ints = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let parts = [
        "<Points>\n".to_owned(),
        array(
            "Float32",
            "Points",
            coordinates.iter().map(f32::to_string).collect(),
            coordinates.iter().flat_map(|x| x.to_le_bytes()).collect(),
        ),
        "</Points>\n<Cells>\n".to_owned(),
        array("Int32", "connectivity", words(&corners), ints(&corners)),
        array("UInt32", "offsets", words(&ends), ints(&ends)),
        array("UInt8", "types", vec!["10".to_owned(); cells], vec![10; cells]),
        "</Cells>\n</Piece>\n</UnstructuredGrid>\n".to_owned(),
    ];
    out.push_str(&parts.concat());
    if !appended.is_empty() {
        write!(out, "<AppendedData encoding=\"base64\">\n_{appended}\n</AppendedData>\n").unwrap();
    }
    out.push_str("</VTKFile>\n");
    out.into_bytes()
}

pub fn tetgen(mesh: &TetMesh) -> [Vec<u8>; 2] {
    let mut nodes = format!("# nodes\n{} 3 1 1\n", mesh.positions.len());
    for (n, p) in mesh.positions.iter().enumerate() {
        writeln!(nodes, "{} {} 0.5 1", n + 1, line(p).trim_end()).unwrap();
    }
    let mut elements = format!("{} 4 1\n", mesh.tetrahedra.len());
    for (n, t) in mesh.tetrahedra.iter().enumerate() {
        let [a, b, c, d] = t.map(|v| v + 1);
        writeln!(elements, "{} {a} {b} {c} {d} 3", n + 1).unwrap();
    }
    elements.push_str("# generated\n");
    [nodes.into_bytes(), elements.into_bytes()]
}

pub fn medit(mesh: &TetMesh) -> Vec<u8> {
    let mut out =
        format!("MeshVersionFormatted 2\nDimension\n3\n# points\nVertices\n{}\n", mesh.positions.len());
    mesh.positions.iter().for_each(|p| writeln!(out, "{} 0", line(p).trim_end()).unwrap());
    write!(out, "Triangles\n1\n1 2 3 0\nTetrahedra\n{}\n", mesh.tetrahedra.len()).unwrap();
    for t in &mesh.tetrahedra {
        let [a, b, c, d] = t.map(|v| v + 1);
        writeln!(out, "{a} {b} {c} {d} 1").unwrap();
    }
    out.push_str("End\n");
    out.into_bytes()
}

/// A name for each flavor, its format and the file; both files of TetGen behind each other.
pub fn all(mesh: &TetMesh) -> Vec<(&'static str, VolumeFormat, Vec<u8>)> {
    vec![
        ("MSH 2.2 text", VolumeFormat::Msh, msh_2_text(mesh)),
        ("MSH 2.2 binary", VolumeFormat::Msh, msh_2_binary(mesh)),
        ("MSH 4.1 binary", VolumeFormat::Msh, msh_4_binary(mesh, false)),
        ("MSH 4.1 big-endian", VolumeFormat::Msh, msh_4_binary(mesh, true)),
        ("VTK text", VolumeFormat::Vtk, vtk_text(mesh)),
        ("VTK binary", VolumeFormat::Vtk, vtk_binary(mesh, false)),
        ("VTK 5.1 binary", VolumeFormat::Vtk, vtk_binary(mesh, true)),
        ("VTU text", VolumeFormat::Vtu, vtu(mesh, Arrays::Text)),
        ("VTU base64", VolumeFormat::Vtu, vtu(mesh, Arrays::Base64)),
        ("VTU zlib", VolumeFormat::Vtu, vtu(mesh, Arrays::Zlib)),
        ("VTU appended base64", VolumeFormat::Vtu, vtu(mesh, Arrays::AppendedBase64)),
        ("VTU appended zlib", VolumeFormat::Vtu, vtu(mesh, Arrays::AppendedZlib)),
        ("TetGen", VolumeFormat::TetGen, tetgen(mesh).concat()),
        ("Medit", VolumeFormat::Medit, medit(mesh)),
    ]
}
