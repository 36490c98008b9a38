//! What the scenes of elements show: what is pressed comes back, stiff stars keep their shape, and a cut beam springs back.

use pliant::Body;
use pliant::glam::Vec3;
use pliant_io::scene::Scene;

fn run(scene: &mut Scene, frames: usize) {
    for _ in 0..frames {
        assert_eq!(scene.step().contained, 0);
    }
}

/// Low and high corner of a body's skin, relative to the world's zero.
fn bounds(body: &Body) -> [Vec3; 2] {
    let skin = body.skin().positions.iter().map(|p| *p + body.nodes.origin.as_vec3());
    skin.fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[low, high], p| [low.min(p), high.max(p)])
}

#[test]
fn a_pressed_liver_gives_way_and_comes_back() {
    let mut scene = pliant_scenes::build("liver-pressed").unwrap();
    let shape = |scene: &Scene| {
        let body = scene.world.bodies().next().unwrap().1;
        body.skin().positions.iter().map(|p| *p + body.nodes.origin.as_vec3()).collect::<Vec<Vec3>>()
    };
    // It hangs by its back, and sags a little first.
    run(&mut scene, 30);
    let before = shape(&scene);
    let farthest = |now: &[Vec3]| now.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    run(&mut scene, 60);
    let pressed = farthest(&shape(&scene));
    run(&mut scene, 70);
    let after = farthest(&shape(&scene));
    assert!(pressed > 0.08, "pressed {pressed} m deep");
    assert!(after < 0.1 * pressed, "{after} m of {pressed} m are left");
}

#[test]
fn the_stiffer_a_star_the_less_it_hangs() {
    let mut scene = pliant_scenes::build("soft-to-stiff").unwrap();
    let height = |body: &Body| {
        let [low, high] = bounds(body);
        high.y - low.y
    };
    let flat = height(scene.world.bodies().next().unwrap().1);
    run(&mut scene, 30);
    let hanging: Vec<f32> = scene.world.bodies().map(|(_, body)| height(body) / flat).collect();
    assert_eq!(hanging.len(), 4);
    assert!(hanging.is_sorted_by(|a, b| a > b), "{hanging:?}");
    assert!(hanging[0] > 1.5 && hanging[3] < 1.1, "{hanging:?}");
}

#[test]
fn a_cut_beam_gapes_and_then_its_halves_spring_back() {
    let mut scene = pliant_scenes::build("cut-beam").unwrap();
    let length = |body: &Body| {
        let [low, high] = bounds(body);
        high.x - low.x
    };
    let rest = length(scene.world.bodies().next().unwrap().1);
    run(&mut scene, 88);
    let stretched = length(scene.world.bodies().next().unwrap().1);
    assert!(stretched > 1.25 * rest, "{stretched} m of {rest} m");
    // A slit, which gapes by more than three cells.
    run(&mut scene, 50);
    let beam = scene.world.bodies().next().unwrap().1;
    assert_eq!((scene.world.bodies().count(), beam.rest().cut.is_some()), (1, true));
    let top = |side: f32| {
        let near = |p: &&Vec3| side * p.x > 0.0 && p.x.abs() < 0.3;
        let places = beam.skin().positions.iter().map(|p| *p + beam.nodes.origin.as_vec3());
        let places: Vec<Vec3> = places.collect();
        let highest = places.iter().filter(near).map(|p| p.y).fold(f32::NEG_INFINITY, f32::max);
        let at_top = places.iter().filter(near).filter(|p| p.y > highest - 0.06);
        at_top.map(|p| side * p.x).fold(f32::INFINITY, f32::min)
    };
    let gap = top(1.0) + top(-1.0);
    assert!(gap > 0.15, "the slit gapes by {gap} m");
    run(&mut scene, 60);
    let halves: Vec<f32> = scene.world.bodies().map(|(_, body)| length(body)).collect();
    assert_eq!(halves.len(), 2);
    // Half of the beam at rest, and less where it hangs down.
    assert!(halves.iter().all(|half| *half < 0.55 * rest), "{halves:?} m of {rest} m");
}
