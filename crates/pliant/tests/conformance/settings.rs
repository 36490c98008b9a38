//! What makes no sense is refused, with words that say what; what is only odd works.

use super::*;
use pliant::geometry::TetMesh;
use pliant::model::Feature;

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
            let density = good.with_density(bad);
            for (named, material) in [
                ("density", density),
                ("damping", good.with_damping(bad)),
                ("friction", good.with_friction(bad)),
            ] {
                let error = model.body(block(), SPACING).material(material).build().map(|_| ()).unwrap_err();
                assert!(error.to_string().contains(named), "{}: {error}", model.word);
            }
        }
        for bad in [f32::NAN, -1.0, 0.0] {
            let material = (model.elastic)(0.3).with_tear(bad);
            let error = model.body(block(), SPACING).material(material).build().map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("tear"), "{}: {error}", model.word);
        }
    }
}

#[test]
fn what_a_model_can_use_is_taken_and_all_else_refused_by_name() {
    let widths = |builder: BodyBuilder| builder.widths(|_| 0.3);
    let toughness = |builder: BodyBuilder| builder.toughness(|_| 2.0);
    let one = || TetMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z], vec![[0, 1, 2, 3]]);
    let tetrahedra = |builder: BodyBuilder| builder.tetrahedra(one());
    let plastic = |material: Material| material.with_plasticity(Plasticity::default());
    for model in MODELS {
        let elastic = (model.elastic)(0.3);
        let builder = |material: Material| model.body(block(), SPACING).material(material);
        let given = [
            (Feature::Beta, "material.beta", builder(elastic.with_beta(0.2))),
            (Feature::Plasticity, "material.plasticity", builder(plastic(elastic))),
            (Feature::Tearing, "material.tear", builder(elastic.with_tear(0.5))),
            (Feature::Tearing, "toughness", toughness(builder(elastic))),
            (Feature::Widths, "widths", widths(builder(elastic))),
            (Feature::PaintedStiffness, "stiffness", builder(elastic).stiffness(|_| 3.0)),
            (Feature::Tetrahedra, "tetrahedra", tetrahedra(builder(elastic))),
            (Feature::Rules, "refine", builder(elastic).refine([Rule::Surface { size: SPACING }])),
        ];
        for (feature, setting, builder) in given {
            let features = (model.at)(SPACING).model.features();
            match builder.build() {
                Ok(_) => assert!(features.contains(&feature), "{} takes {setting}", model.word),
                // Either cells or tetrahedra.
                Err(BodyError::Placement { what: "elements.cell", .. }) => {
                    assert_eq!((feature, features.contains(&feature)), (Feature::Tetrahedra, true));
                }
                Err(BodyError::NotForModel { setting: named, model: word }) => {
                    assert_eq!((named, word), (setting, model.word));
                    assert!(!features.contains(&feature), "{} refuses {setting}", model.word);
                }
                Err(error) => panic!("{}, {setting}: {error}", model.word),
            }
        }
    }
}

#[test]
fn a_body_keeps_the_material_that_its_new_model_cannot_use() {
    for [first, second] in MODELS.iter().flat_map(|a| MODELS.iter().map(move |b| [a, b])) {
        let [from, to] = [first, second].map(|model| (model.at)(SPACING));
        let all = (first.elastic)(0.3).with_beta(0.7).with_plasticity(Plasticity::default()).with_tear(9.0);
        let material = from.model.usable_part_of(&all);
        let mut body = from.builder(block()).material(material).build().unwrap();
        to.remodel(&mut body).unwrap();
        assert_eq!((body.model.name(), body.material), (second.word, material));
        from.remodel(&mut body).unwrap();
        assert_eq!((body.model.name(), body.material), (first.word, material));
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
