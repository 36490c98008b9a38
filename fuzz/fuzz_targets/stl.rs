//! Any bytes as STL: no panic, and what loads is sound.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pliant_io::{Format, parse_mesh};

fuzz_target!(|bytes: &[u8]| {
    if let Ok(loaded) = parse_mesh(bytes, Format::Stl, None) {
        loaded.mesh.validate().expect("what loads is sound");
    }
});
