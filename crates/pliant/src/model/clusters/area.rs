//! Limits to stretch and shear, so that a body hit hard does not turn into a pancake.
//!
//! Based on \[HW08\] §3.1.
//!
//! Symbols: `m` the limit, `c` where a soft cap begins, `φ` = ‖A‖² (squared Frobenius norm, 3 at rest; 1 for a row), `γ` the part of A that is kept.
//!
//! Deviations: the paper's cheap γ = c/φ lets ‖γA + (1 − γ)R‖² exceed c by up to a third for φ between c and 12 (by
//! the triangle inequality's worst case). [`CapMethod::Cheap`] takes γ from the norms themselves, which costs the
//! same and never exceeds it. The paper's soft cap m − (c/φ)(m − c) has a kink at c unless m = 2c, where it is the same as
//! ours, m − (m − c)²/(φ + m − 2c), which has none.

use crate::sampling::clustering::ClusteringError;
use glam::Mat3;
use serde::{Deserialize, Serialize};

/// How A is brought back under the cap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CapMethod {
    /// Each row of A on its own: stretch along one axis does not use up that along another.
    Rows,
    /// Blended with R until the norm is right.
    Blend,
    /// Blended with R by the ratio of the norms: no square root of a discriminant, a little stiffer.
    Cheap,
}

/// A limit to ‖A‖² (of each row's ‖r‖², for [`CapMethod::Rows`]).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AreaCap {
    /// How A is brought back.
    pub method: CapMethod,
    /// Never exceeded; above 3 (above 1 for rows), which is no deformation.
    pub limit: f32,
    /// Where a soft cap begins to resist, at most `limit`; without it deformation stops with a jerk at the limit.
    #[serde(default)]
    pub soft_from: Option<f32>,
}

impl Default for AreaCap {
    /// Soft, and wide enough not to be seen in everyday motion: half as long again in one direction.
    fn default() -> Self {
        Self { method: CapMethod::Blend, limit: 4.5, soft_from: Some(3.2) }
    }
}

/// A cap in a scene file: a table, or the word `none`, as TOML has no empty value. Snapshots keep the plain option.
pub(super) mod cap_or_none {
    use super::AreaCap;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Entry {
        Word(String),
        Cap(AreaCap),
    }

    pub fn serialize<S: Serializer>(cap: &Option<AreaCap>, to: S) -> Result<S::Ok, S::Error> {
        match cap {
            _ if !to.is_human_readable() => cap.serialize(to),
            Some(cap) => cap.serialize(to),
            None => "none".serialize(to),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<AreaCap>, D::Error> {
        if !from.is_human_readable() {
            return Option::deserialize(from);
        }
        match Entry::deserialize(from) {
            Ok(Entry::Cap(cap)) => Ok(Some(cap)),
            Ok(Entry::Word(word)) if word == "none" => Ok(None),
            _ => Err(D::Error::custom(
                "expected \"none\" or a table such as { method = \"blend\", limit = 4.5, soft_from = 3.2 } (methods: rows, blend, cheap)",
            )),
        }
    }
}

impl AreaCap {
    /// ‖A‖² (or ‖r‖²) of no deformation.
    fn rest(&self) -> f32 {
        if self.method == CapMethod::Rows { 1.0 } else { 3.0 }
    }

    pub(super) fn validate(&self) -> Result<(), ClusteringError> {
        let range = if self.method == CapMethod::Rows { "above 1" } else { "above 3" };
        if !(self.limit > self.rest() && self.limit.is_finite()) {
            return Err(ClusteringError::Setting { name: "area_cap.limit", value: self.limit, range });
        }
        match self.soft_from {
            Some(from) if !(self.rest()..=self.limit).contains(&from) => Err(ClusteringError::Setting {
                name: "area_cap.soft_from",
                value: from,
                range: "between no deformation (3, or 1 for rows) and the limit",
            }),
            _ => Ok(()),
        }
    }

    /// f(φ): what a squared norm is brought down to.
    pub fn target(&self, norm_squared: f32) -> f32 {
        match self.soft_from {
            Some(from) if norm_squared > from => {
                let room = self.limit - from;
                self.limit - room * (room / (norm_squared - from + room))
            }
            Some(_) => norm_squared,
            None => norm_squared.min(self.limit),
        }
    }

    /// A under the cap, and the γ that a blend keeps of it (1 for rows).
    ///
    /// `rigid` is the undeformed map that A is blended with.
    pub fn apply(&self, a: Mat3, rigid: Mat3) -> (Mat3, f32) {
        if self.method == CapMethod::Rows {
            let mut rows = a.transpose();
            for row in [&mut rows.x_axis, &mut rows.y_axis, &mut rows.z_axis] {
                let norm = row.length_squared();
                let target = self.target(norm);
                if target < norm {
                    *row *= (target / norm).sqrt();
                }
            }
            return (rows.transpose(), 1.0);
        }
        let norm = norm_squared(a);
        let target = self.target(norm);
        if target >= norm {
            return (a, 1.0);
        }
        let gamma = match self.method {
            CapMethod::Blend => blend_to(a, rigid, target),
            _ => {
                let rigid_norm = norm_squared(rigid).sqrt();
                ((target.sqrt() - rigid_norm) / (norm.sqrt() - rigid_norm)).clamp(0.0, 1.0)
            }
        };
        (a * gamma + rigid * (1.0 - gamma), gamma)
    }

    /// What brings the longest row of a map down to the limit, at most 1.
    pub(super) fn scale_for_rows(&self, map: Mat3) -> f32 {
        let rows = map.transpose();
        let longest = [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| row.length_squared());
        (self.limit / longest.into_iter().fold(self.limit, f32::max)).sqrt()
    }
}

/// γ in [0, 1] with ‖γA + (1 − γ)R‖² = target: the larger root of |D|²γ² + 2⟨D, R⟩γ + |R|² − target, D = A − R.
fn blend_to(a: Mat3, rigid: Mat3, target: f32) -> f32 {
    let d = a - rigid;
    let (dd, dr) = (norm_squared(d), dot(d, rigid));
    let c = norm_squared(rigid) - target;
    let root = (dr * dr - dd * c).max(0.0).sqrt();
    // The form that does not cancel, whichever sign ⟨D, R⟩ has.
    let gamma = if dr > 0.0 { -c / (dr + root) } else { (root - dr) / dd };
    if gamma.is_finite() { gamma.clamp(0.0, 1.0) } else { 0.0 }
}

fn dot(a: Mat3, b: Mat3) -> f32 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

/// ‖A‖²
pub fn norm_squared(a: Mat3) -> f32 {
    dot(a, a)
}
