//! What makes no sense is refused, with words that say what; what is only odd works.

use super::*;

/// A body of each model that moves.
fn living() -> Vec<Body> {
    MODELS.iter().map(|model| thrown(model, (model.elastic)(0.3), 1.0, 4)).collect()
}

/// Checks that settings are refused when a body is built of them and when one that lives is given them, which changes nothing.
fn assert_refused(model: &Entry, settings: &Wanted, named: &[&str], living: &mut [Body]) {
    let which = format!("{}: {settings:?}", model.word);
    let builder = settings.builder(block());
    let error = builder.build().map(|_| ()).expect_err(&which).to_string();
    assert!(named.iter().any(|word| error.contains(word)), "{which}: {error:?} names none of {named:?}");
    for body in living {
        let before = body.clone();
        let refused = settings.remodel(body).expect_err(&which).to_string();
        assert_eq!(refused, error, "{which}");
        let same = body.version() == before.version()
            && Wanted::of(body) == Wanted::of(&before)
            && body.nodes.positions == before.nodes.positions
            && body.nodes.velocities == before.nodes.velocities;
        assert!(same, "{which} changed a body of {}", before.model.name());
    }
}

#[test]
fn bad_settings_are_refused_and_named() {
    let mut living = living();
    for model in MODELS {
        for (named, settings) in (model.bad)() {
            assert_refused(model, &settings, &[named], &mut living);
        }
    }
}

#[test]
fn distances_between_nodes_that_are_none_are_refused() {
    let mut living = living();
    for model in MODELS {
        for spacing in [0.0, -0.0, -0.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, 1e-6]
        {
            assert_refused(model, &(model.at)(spacing), &["spacing", "cell", "width"], &mut living);
        }
    }
}

#[test]
fn bodies_coarser_than_their_mesh_are_bodies() {
    for model in MODELS {
        for spacing in [1.0, 10.0, 1e3] {
            let builder = model.body(block(), spacing).at(DVec3::Y);
            // A model may need more nodes than that, but must say so.
            let body = match builder.build() {
                Ok(body) => body,
                Err(error) => {
                    assert!(error.to_string().contains("cell") || error.to_string().contains("spacing"));
                    continue;
                }
            };
            let mut world = floor();
            let handle = world.add_body(body);
            run(&mut world, 120, H);
            let body = world.body(handle).unwrap();
            assert!(is_finite(body) && body.center_of_mass().y > 0.1, "{} at {spacing} m", model.word);
        }
    }
}

#[test]
fn bad_materials_are_refused_by_every_model() {
    for model in MODELS {
        for bad in [f32::NAN, -1.0, f32::INFINITY] {
            let good = (model.elastic)(0.3);
            let density = Material { density: bad, ..good };
            for (named, material) in
                [("density", density), ("damping", damped(good, bad)), ("friction", rough(good, bad))]
            {
                let error = model.body(block(), SPACING).material(material).build().map(|_| ()).unwrap_err();
                assert!(error.to_string().contains(named), "{}: {error}", model.word);
            }
        }
        for bad in [f32::NAN, -1.0, 0.0] {
            let material = tearing((model.elastic)(0.3), bad);
            let error = model.body(block(), SPACING).material(material).build().map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("tear"), "{}: {error}", model.word);
        }
    }
}

#[test]
fn meshes_that_enclose_nothing_or_are_none_are_bodies_or_are_refused() {
    let mut open = block();
    open.triangles.truncate(open.triangles.len() / 2);
    let point = TriMesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2]]);
    let none = TriMesh::new(Vec::new(), Vec::new());
    let wild = TriMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 9]]);
    let not_finite = TriMesh::new(vec![Vec3::NAN, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    for model in MODELS {
        for mesh in [&point, &none, &wild, &not_finite] {
            let error = model.body(mesh.clone(), SPACING).build().map(|_| ()).unwrap_err();
            assert!(error.to_string().len() > 20, "{}: {error}", model.word);
        }
        if let Ok(body) = model.body(open.clone(), SPACING).at(DVec3::Y).build() {
            let mut world = floor();
            let handle = world.add_body(body);
            run(&mut world, 60, H);
            assert!(is_finite(world.body(handle).unwrap()), "{}", model.word);
        }
    }
}
