//! Cells where they matter: criteria, and a budget that is kept.

pub mod budget;
mod plan;

pub use crate::model::Adaptivity;
pub use crate::sampling::criteria::{Criterion, Now, Place, Rule};
pub use budget::{Budget, Load, Pace};
pub(crate) use plan::{Wishes, plan};
