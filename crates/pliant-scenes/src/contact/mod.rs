//! Bodies that touch each other, themselves, and things that move.

pub mod bounce;
pub mod folded;
pub mod funnel;
pub mod gripper;
pub mod knot;
pub mod liver;
pub mod moving;
pub mod pile;
pub mod towers;
pub mod trampoline;

use pliant::glam::Vec3;
use pliant_io::scene::{Key, Motion};

/// A way through these places, at these times.
fn path(places: &[(f64, [f32; 3])]) -> Motion {
    let key = |&(time_secs, by): &(f64, [f32; 3])| Key { time_secs, by: Vec3::from(by) };
    Motion { path: places.iter().map(key).collect(), ..Motion::default() }
}
