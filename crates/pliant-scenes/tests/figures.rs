//! What every figure promises.

use pliant::geometry::TriMesh;
use pliant::glam::Vec3;
use pliant_scenes::figures::surface_nets::{Settings, extract};
use pliant_scenes::figures::{FIGURES, FigureEntry};

/// Each directed edge occurs once, and so does its opposite.
fn is_closed(mesh: &TriMesh) -> bool {
    let mut edges: Vec<[u32; 2]> =
        mesh.triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect();
    edges.sort_unstable();
    let unique = edges.windows(2).all(|w| w[0] != w[1]);
    unique && edges.iter().all(|&[a, b]| edges.binary_search(&[b, a]).is_ok())
}

fn pieces(mesh: &TriMesh) -> usize {
    let mut label: Vec<usize> = (0..mesh.positions.len()).collect();
    loop {
        let mut changed = false;
        for t in &mesh.triangles {
            let least = t.iter().fold(usize::MAX, |least, &v| least.min(label[v as usize]));
            for &v in t {
                changed |= label[v as usize] != least;
                label[v as usize] = least;
            }
        }
        if !changed {
            break;
        }
    }
    label.iter().enumerate().filter(|(i, l)| i == *l).count()
}

fn for_all(check: impl Fn(&FigureEntry, &TriMesh)) {
    for entry in FIGURES {
        for resolution in [entry.resolution / 2, entry.resolution, entry.resolution * 3 / 2] {
            check(entry, &(entry.build)(resolution));
        }
    }
}

#[test]
fn figures_are_valid_closed_and_oriented_outward() {
    for_all(|entry, mesh| {
        mesh.validate().unwrap();
        assert!(is_closed(mesh), "{} is not closed", entry.name);
        assert!(mesh.signed_volume() > 0.005, "{}: volume {}", entry.name, mesh.signed_volume());
    });
}

#[test]
fn figures_are_one_piece_without_handles() {
    for entry in FIGURES {
        let mesh = entry.mesh();
        assert_eq!(pieces(&mesh), 1, "{}", entry.name);
        let euler = mesh.positions.len() as i64 - mesh.triangles.len() as i64 / 2;
        assert_eq!(euler, 2, "{} is not a sphere", entry.name);
    }
}

#[test]
fn triangles_are_well_shaped_and_even() {
    for_all(|entry, mesh| {
        let mut areas = Vec::new();
        for i in 0..mesh.triangles.len() {
            let [a, b, c] = mesh.corners(i);
            let area = 0.5 * (b - a).cross(c - a).length();
            let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
            assert!(area > 0.02 * longest * longest, "{}: triangle {i} is a sliver", entry.name);
            areas.push(area);
        }
        areas.sort_by(f32::total_cmp);
        let (median, largest) = (areas[areas.len() / 2], areas[areas.len() - 1]);
        assert!(largest < 5.0 * median, "{}: largest {largest}, median {median}", entry.name);
    });
}

#[test]
fn figures_stand_on_the_floor_and_measure_about_a_metre() {
    for_all(|entry, mesh| {
        let (lo, hi) = mesh.bounds().unwrap();
        assert!(lo.y.abs() < 1e-5 && (lo.x + hi.x).abs() < 1e-4 && (lo.z + hi.z).abs() < 1e-4);
        assert!((0.85..1.15).contains(&(hi - lo).max_element()), "{}: {}", entry.name, hi - lo);
    });
}

#[test]
fn figures_are_deterministic() {
    for entry in FIGURES {
        assert!(entry.mesh() == entry.mesh(), "{}", entry.name);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<_> = FIGURES.iter().map(|m| m.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FIGURES.len());
}

#[test]
fn the_surface_of_a_ball_is_where_it_should_be() {
    let mesh = extract(&Settings { resolution: 24, ..Settings::default() }, |p| p.length() - 0.8);
    assert!(is_closed(&mesh));
    assert!(mesh.positions.iter().all(|p| (p.length() - 0.8).abs() < 0.01));
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.512;
    assert!((mesh.signed_volume() / volume - 1.0).abs() < 0.03);
}

#[test]
fn noise_still_gives_a_closed_manifold() {
    // Values without any smoothness: every ambiguous cell that there is.
    let noise = |p: Vec3| {
        let q = (p * 1000.0).round().as_ivec3();
        let mut h = (q.x as u32).wrapping_mul(0x9E37_79B1) ^ (q.y as u32).wrapping_mul(0x85EB_CA77);
        h ^= (q.z as u32).wrapping_mul(0xC2B2_AE3D);
        h ^= h >> 15;
        h = h.wrapping_mul(0x2C1B_3C6D);
        h ^= h >> 13;
        (h % 1000) as f32 / 1000.0 - 0.15
    };
    let settings = Settings { resolution: 12, relax_rounds: 0, smooth_rounds: 0, ..Settings::default() };
    let mesh = extract(&settings, noise);
    assert!(mesh.triangles.len() > 100 && is_closed(&mesh));
}

#[test]
fn what_reaches_beyond_the_box_is_closed_there() {
    for distance in [|p: Vec3| p.x - 0.3, |_: Vec3| -1.0, |_: Vec3| f32::NAN, |_: Vec3| 1.0] {
        let mesh = extract(&Settings { resolution: 8, ..Settings::default() }, distance);
        assert!(is_closed(&mesh));
    }
}
