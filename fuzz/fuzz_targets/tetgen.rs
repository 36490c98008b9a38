//! Any bytes as TetGen: no panic, and what loads is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pliant_io::{VolumeFormat, parse_volume};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(loaded) = parse_volume(bytes, VolumeFormat::TetGen) {
        loaded.mesh.validate().expect("what loads is sound");
    }
});
