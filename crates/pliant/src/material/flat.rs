//! A material as files have it: one table.

use super::{Elasticity, Material, Plasticity, Stiffness, Surface};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
#[serde(rename = "Material", default, deny_unknown_fields)]
pub(super) struct Flat {
    density: f32,
    alpha: Option<f32>,
    young_modulus: Option<f32>,
    poisson_ratio: Option<f32>,
    beta: Option<f32>,
    damping: f32,
    friction: f32,
    restitution: f32,
    rolling_friction: f32,
    spinning_friction: f32,
    plasticity: Option<Plasticity>,
    tear: Option<f32>,
}

impl Default for Flat {
    fn default() -> Self {
        let default: Self = Material::default().into();
        // Which stiffness it is, is not known before all keys are.
        Self { alpha: None, ..default }
    }
}

impl TryFrom<Flat> for Material {
    type Error = &'static str;

    fn try_from(flat: Flat) -> Result<Self, Self::Error> {
        let Flat { density, beta, damping, plasticity, tear, .. } = flat;
        let surface = Surface {
            friction: flat.friction,
            restitution: flat.restitution,
            rolling_friction: flat.rolling_friction,
            spinning_friction: flat.spinning_friction,
        };
        let stiffness = match (flat.alpha, flat.young_modulus, flat.poisson_ratio) {
            (None, None, None) => Elasticity::default().stiffness,
            (Some(alpha), None, None) => Stiffness::Alpha(alpha),
            (None, Some(modulus), ratio) => {
                Stiffness::Young { modulus, poisson_ratio: ratio.unwrap_or_default() }
            }
            (Some(_), Some(_), _) => {
                return Err("alpha and young_modulus both say how stiff it is; give one");
            }
            (_, None, Some(_)) => return Err("a poisson_ratio needs a young_modulus"),
        };
        let elasticity = Elasticity { stiffness, beta, damping };
        Ok(Self { density, surface, elasticity, plasticity, tear })
    }
}

impl From<Material> for Flat {
    fn from(material: Material) -> Self {
        let Material { density, surface, elasticity, plasticity, tear } = material;
        let Surface { friction, restitution, rolling_friction, spinning_friction } = surface;
        let Elasticity { stiffness, beta, damping } = elasticity;
        let (young_modulus, poisson_ratio) = match stiffness {
            Stiffness::Alpha(_) => (None, None),
            Stiffness::Young { modulus, poisson_ratio } => (Some(modulus), Some(poisson_ratio)),
        };
        let alpha = elasticity.alpha();
        Self {
            density,
            alpha,
            young_modulus,
            poisson_ratio,
            beta,
            damping,
            friction,
            restitution,
            rolling_friction,
            spinning_friction,
            plasticity,
            tear,
        }
    }
}
