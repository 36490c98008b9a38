//! How a tool, a collider or a kinematic body moves by itself.

use pliant::glam::Vec3;
use serde::{Deserialize, Serialize};

/// How a tool, a collider or a kinematic body moves by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Motion {
    /// Where it is at which time, relative to where it starts. It eases from key to key and stays at the last.
    pub path: Vec<Key>,
    /// Begin again after the last key.
    pub repeat: bool,
    /// When it lets go, is taken out or becomes free, in seconds.
    pub release_secs: Option<f64>,
}

/// A place at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Seconds since the scene began.
    pub time_secs: f64,
    /// Metres from where it starts.
    pub by: Vec3,
}

impl Motion {
    pub(super) fn released(&self, time_secs: f64) -> bool {
        self.release_secs.is_some_and(|release| time_secs >= release)
    }

    /// How far from its start it is.
    pub fn at(&self, time_secs: f64) -> Vec3 {
        let (Some(first), Some(last)) = (self.path.first(), self.path.last()) else { return Vec3::ZERO };
        let time = if self.repeat && last.time_secs > 0.0 { time_secs % last.time_secs } else { time_secs };
        let next = self.path.partition_point(|key| key.time_secs <= time);
        match (next.checked_sub(1).map(|i| self.path[i]), self.path.get(next)) {
            (None, _) => first.by,
            (_, None) => last.by,
            (Some(from), Some(to)) => {
                let t = ((time - from.time_secs) / (to.time_secs - from.time_secs)) as f32;
                from.by.lerp(to.by, t * t * (3.0 - 2.0 * t))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_passes_its_keys_and_begins_again() {
        let key = |time_secs, x| Key { time_secs, by: Vec3::X * x };
        let mut motion = Motion { path: vec![key(1.0, 0.0), key(2.0, 4.0)], ..Motion::default() };
        let at = |motion: &Motion, time| motion.at(time).x;
        assert_eq!([0.0, 1.0, 1.5, 2.0, 9.0].map(|t| at(&motion, t)), [0.0, 0.0, 2.0, 4.0, 4.0]);
        motion.repeat = true;
        assert_eq!([1.5, 3.5, 4.5].map(|t| at(&motion, t)), [2.0, 2.0, 0.0]);
    }
}
