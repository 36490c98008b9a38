//! What is cut and torn while it moves: \[SOG08\] Figure 3, \[PGCS06\] Figures 9 and 10, \[HW08\] Figure 10.

pub mod ball;
pub mod cube;
pub mod liver;
pub mod scissors;
pub mod sheet;

use pliant::glam::DVec3;
use pliant_io::scene::{EdgeKey, KnifeEntry};

/// A knife that is drawn through these places of its edge, at these times.
fn knife(path: &[(f64, [[f64; 3]; 2])]) -> KnifeEntry {
    let key = |&(time_secs, edge): &(f64, [[f64; 3]; 2])| EdgeKey { time_secs, edge: edge.map(DVec3::from) };
    KnifeEntry { path: path.iter().map(key).collect() }
}
