//! Towers of soft blocks stand as high as a column does that buckles under its own weight.

use super::{EDGE, H, cube, floor, run};
use pliant::Material;
use pliant::glam::{DVec3, Quat};

/// Whether a tower of so many blocks of a Young's modulus in Pa, each a little beside the one below, stands after five seconds.
fn stands(blocks: usize, young_modulus: f32, substeps: u32) -> bool {
    let mut world = floor();
    world.settings.substeps = substeps;
    world.settings.max_substeps = substeps.max(8);
    let material = Material::default().with_young_modulus(young_modulus, 0.0).with_friction(0.8);
    let block = cube(material.with_damping(0.2)).build().expect("a block");
    let mut top = None;
    for story in 0..blocks {
        let mut block = block.clone();
        let place = DVec3::new(0.01 * story as f64, story as f64 + 0.5, 0.0) * f64::from(EDGE);
        block.place(place, Quat::IDENTITY).expect("a place");
        top = Some(world.add_body(block));
    }
    run(&mut world, (5.0 / H) as usize);
    let at = world.body(top.expect("blocks")).expect("there").center_of_mass();
    at.y > 0.7 * (blocks as f64 - 0.5) * f64::from(EDGE)
}

#[test]
fn towers_stand_up_to_greenhills_height() {
    for (young_modulus, substeps) in [(60e3, 4), (144e3, 4), (144e3, 16), (288e3, 4)] {
        let density = 1000.0;
        let height = (7.84 * young_modulus * EDGE * EDGE / (12.0 * density * 9.81)).cbrt() / EDGE;
        let highest = (1..9).take_while(|&blocks| stands(blocks, young_modulus, substeps)).count();
        println!(
            "{young_modulus} Pa at {substeps} substeps: {highest} blocks stand, Greenhill says {height:.2}"
        );
        assert!((highest as f32 - height.floor()).abs() <= 1.0, "{highest} of {height} stand");
    }
}
