//! Nodes made finer and coarser while a body lives, or the word that they cannot be.

use super::*;

fn all(body: &Body) -> Vec<NodeId> {
    (0..body.nodes.positions.len() as u32).map(NodeId).collect()
}

/// Changes all nodes of a body and checks that it weighs and moves as it did, or that nothing has changed. Returns whether it can
/// be done.
fn change(
    body: &mut Body,
    by: impl Fn(&mut Body, &[NodeId]) -> Result<bool, ResampleError>,
    which: &str,
) -> bool {
    let before = body.clone();
    let nodes = all(body);
    let changed = match by(body, &nodes) {
        Ok(changed) => changed,
        Err(error) => {
            assert!(error.to_string().contains(before.model.name()), "{which}: {error}");
            assert_eq!(body.version(), before.version(), "{which}");
            assert_eq!(body.nodes.positions, before.nodes.positions, "{which}");
            assert_eq!(body.nodes.velocities, before.nodes.velocities, "{which}");
            return false;
        }
    };
    assert!(changed && body.version() > before.version(), "{which}: nothing changed");
    let (mass, now) = (before.rest().nodes.total_mass, body.rest().nodes.total_mass);
    assert!((now / mass - 1.0).abs() < 1e-5, "{which}: {mass} kg became {now} kg");
    let ((linear, angular), (now, turning)) = (momentum(&before), momentum(body));
    assert!((now - linear).length() < 1e-5 * linear.length(), "{which}: {linear} became {now}");
    assert!((turning - angular).length() < 1e-4 * angular.length(), "{which}: {angular} became {turning}");
    let off = before.center_of_mass().distance(body.center_of_mass());
    assert!(off < 1e-5, "{which}: moved by {off:.1e} m");
    let skins = 0..before.skin().positions.len();
    let jump = skins.map(|v| before.vertex_position(v).distance(body.vertex_position(v))).fold(0.0, f64::max);
    assert!(jump < 0.05, "{which}: the skin jumps by {jump} m");
    true
}

#[test]
fn finer_and_coarser_bodies_weigh_and_move_as_they_did_or_say_that_they_cannot_be() {
    for model in MODELS {
        let mut world = space();
        let mesh = shapes::cuboid(Vec3::new(1.0, 0.75, 0.5), [4, 3, 2]);
        let body = model.body(mesh, 0.0625).velocity([1.0, 2.0, 0.5]).spin([0.5, 1.0, -0.7]);
        let handle = world.add_body(body.build().unwrap());
        let pick = world.pick(handle, 3, PickSettings::default()).unwrap();
        world.move_tool(pick, DVec3::new(0.8, 0.3, 0.2)).unwrap();
        run(&mut world, 10, H);
        let body = world.body_mut(handle).unwrap();
        let (fine, which) = (body.nodes.positions.len(), model.word);
        let can = change(body, |body, nodes| body.coarsen(nodes), &format!("{which}, coarser"));
        let coarse = body.nodes.positions.len();
        let also = change(body, |body, nodes| body.refine(nodes), &format!("{which}, finer"));
        assert_eq!(can, also, "{which}: it can be made finer or coarser, but not both");
        let again = body.nodes.positions.len();
        assert!(
            if can { coarse < fine && again >= fine } else { again == fine },
            "{which}: {fine} {coarse} {again}"
        );
        run(&mut world, 60, H);
        let volume = world.body(handle).unwrap().volume_ratio();
        assert!((0.7..1.4).contains(&volume), "{which}: volume × {volume}");
    }
}

#[test]
fn nodes_that_are_not_there_are_refused() {
    for model in MODELS {
        let mut body = model.body(block(), SPACING).build().unwrap();
        let count = body.nodes.positions.len();
        let none = NodeId(count as u32);
        let refused = ResampleError::NoSuchNode { node: none.0, count };
        assert_eq!(body.refine(&[NodeId(0), none]), Err(refused.clone()), "{}", model.word);
        assert_eq!(body.coarsen(&[none]), Err(refused.clone()), "{}", model.word);
        assert_eq!(body.disconnect(&[(NodeId(0), none)]), Err(refused), "{}", model.word);
        assert_eq!(body.version(), 0, "{}", model.word);
    }
}
