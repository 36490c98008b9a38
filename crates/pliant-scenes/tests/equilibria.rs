//! Static equilibria of finite elements against those of an independent solver on the same meshes.

use pliant_scenes::equilibria::CASES;

#[test]
fn static_equilibria_agree_with_another_solver_within_one_percent() {
    for case in &CASES {
        let error = case.error();
        assert!(error < 0.01, "{}: {error}", case.name);
    }
}

#[test]
fn displacements_are_large_enough_to_tell_green_strain_from_linear_elasticity() {
    let farthest = CASES.each_ref().map(|case| {
        case.displacements().iter().map(|displacement| displacement.length()).fold(0.0, f64::max)
    });
    assert!(farthest.iter().all(|d| *d > 0.1), "{farthest:?}");
}
