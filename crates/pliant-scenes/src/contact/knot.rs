//! A rope with a knot that is pulled tight.

use super::path;
use crate::SceneEntry;
use crate::clusters::{camera, in_the_air};
use pliant::glam::{DVec3, Vec3};
use pliant::{ContactSettings, LatticeSettings, Material, PickSettings, WorldSettings};
use pliant_io::scene::{BodyEntry, CutEntry, PickEntry, Rotation, SceneFile, ShapeEntry};

pub(crate) fn pulled_tight(entry: &SceneEntry) -> SceneFile {
    let middle = DVec3::Y * 1.0;
    let rope = BodyEntry {
        name: "rope".into(),
        shape: Some(ShapeEntry::TorusKnot {
            p: 2,
            q: 3,
            major: 0.4,
            minor: 0.2,
            tube_radius: 0.08,
            around: 160,
            across: 12,
        }),
        position: middle,
        // Its axis looks at the camera, and where it begins is on top.
        rotation: Some(Rotation::new(Vec3::ONE, std::f32::consts::TAU / 3.0)),
        material: Material::default().with_alpha(0.8).with_damping(1.0).with_friction(0.3),
        contacts: ContactSettings { itself: true, ..ContactSettings::default() },
        lattice: Some(LatticeSettings { cell: Some(0.054), width: Some(0.11) }),
        ..BodyEntry::default()
    };
    // A trefoil that is cut open is a rope with an overhand knot.
    let corners = [[0.06, 0.45, 0.12], [0.06, 0.75, 0.12], [-0.06, 0.75, -0.12], [-0.06, 0.45, -0.12]];
    let open = CutEntry {
        polygon: Some(corners.map(|corner| middle + DVec3::from(corner)).into()),
        ..CutEntry::default()
    };
    // The mesh's z is the world's x, its x is up, and its y is towards the camera.
    let pull = |side: f32| PickEntry {
        body: "rope".into(),
        at: Some(Vec3::new(0.6, -0.04 * side, 0.1 * side)),
        spring: PickSettings { frequency_hz: 8.0, radius: Some(0.12), ..PickSettings::default() },
        motion: path(&[
            (0.5, [0.0; 3]),
            (1.5, [0.3 * side, 0.35, -0.1 * side]),
            (3.0, [1.2 * side, 0.2, 0.0]),
            (5.0, [1.7 * side, 0.1, 0.0]),
        ]),
        ..PickEntry::default()
    };
    SceneFile {
        frames: Some(420),
        // So little that it does not hang from its ends.
        world: WorldSettings { gravity: Vec3::Y * -0.5, ..WorldSettings::default() },
        body: vec![rope],
        pick: vec![pull(-1.0), pull(1.0)],
        cut: vec![open],
        ..in_the_air(entry, camera([0.5, 1.5, 4.9], [0.0, 1.2, 0.0]))
    }
}
