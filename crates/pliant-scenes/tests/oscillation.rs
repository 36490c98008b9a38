//! A clamped cube that swings: frequencies at three resolutions.

use pliant_scenes::oscillation::{Law, RESOLUTIONS, Swing};

#[test]
fn with_green_strain_frequencies_of_three_resolutions_agree_within_ten_percent() {
    let found = RESOLUTIONS.map(|cells| Swing::new(Law::Green, cells).frequency());
    let [least, most] = [f64::min, f64::max].map(|of| found.into_iter().reduce(of).unwrap_or(f64::NAN));
    assert!(most / least < 1.1, "{found:?}");
}

#[test]
fn cauchy_strain_takes_turns_for_strains_and_swings_a_little_faster() {
    for cells in RESOLUTIONS {
        let [cauchy, green] = [Law::Cauchy, Law::Green].map(|law| Swing::new(law, cells).frequency());
        assert!(cauchy > green && cauchy < 1.1 * green, "{cells} cells: {cauchy} and {green} Hz");
    }
}
