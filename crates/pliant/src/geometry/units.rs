//! Units that meshes come in.

use serde::{Deserialize, Serialize};

/// What the coordinates of a mesh count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LengthUnit {
    /// Metres.
    #[default]
    #[serde(rename = "m")]
    Meters,
    /// Hundredths of a metre.
    #[serde(rename = "cm")]
    Centimeters,
    /// Thousandths of a metre.
    #[serde(rename = "mm")]
    Millimeters,
    /// 0.0254 m
    #[serde(rename = "in")]
    Inches,
    /// 0.3048 m
    #[serde(rename = "ft")]
    Feet,
}

impl LengthUnit {
    /// How many metres one is.
    pub const fn meters(self) -> f32 {
        match self {
            Self::Meters => 1.0,
            Self::Centimeters => 0.01,
            Self::Millimeters => 0.001,
            Self::Inches => 0.0254,
            Self::Feet => 0.3048,
        }
    }
}
