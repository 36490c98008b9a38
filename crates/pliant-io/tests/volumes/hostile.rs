//! Thousands of broken files of tetrahedra: no panic, no runaway memory, and what loads is sound.

use crate::common::counting::peak_during;
use crate::common::{Prng, injure};
use crate::flavors::{all, ball};
use pliant_io::{VolumeFormat, parse_volume, vtu_bytes};

fn injured_volumes_do_no_harm(each: usize) {
    let mesh = ball();
    let mut corpus = all(&mesh);
    corpus.push(("VTU raw", VolumeFormat::Vtu, vtu_bytes(&(&mesh).into())));
    let mut prng = Prng(2026);
    let (mut sound, mut refused) = (0, 0);
    for (flavor, format, whole) in &corpus {
        for _ in 0..each {
            let other = &corpus[prng.below(corpus.len())].2;
            let bytes = injure(whole, other, &mut prng);
            let (result, peak) = peak_during(|| parse_volume(&bytes, *format));
            assert!(
                peak < 64 * bytes.len() + (4 << 20),
                "{flavor}: {peak} bytes for a file of {}",
                bytes.len()
            );
            match result {
                Ok(loaded) => {
                    loaded.mesh.validate().unwrap();
                    let quality = loaded.mesh.quality().unwrap();
                    assert_eq!((quality.inverted, quality.degenerate), (0, 0));
                    sound += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    refused += 1;
                }
            }
        }
    }
    assert!(sound > each && refused > each, "{sound} loaded, {refused} refused: the injuries are one-sided");
}

#[test]
fn injured_volumes_do_no_harm_short() {
    injured_volumes_do_no_harm(150);
}

#[test]
#[ignore = "long: 150,000 files, a minute"]
fn injured_volumes_do_no_harm_long() {
    injured_volumes_do_no_harm(10_000);
}

#[test]
fn any_volume_format_survives_any_other() {
    for (_, _, bytes) in all(&ball()) {
        for format in VolumeFormat::ALL {
            if let Ok(loaded) = parse_volume(&bytes, format) {
                loaded.mesh.validate().unwrap();
            }
        }
    }
}
