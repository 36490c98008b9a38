//! Cells where they matter: criteria, and a budget that is kept.

pub mod budget;
mod pace;
mod plan;
#[cfg(test)]
mod tests;

pub use crate::model::Adaptivity;
pub use crate::sampling::criteria::{Criterion, Now, Place, Rule};
pub(crate) use budget::ChangeWork;
pub use budget::{Budget, Load};
pub(crate) use pace::Room;
pub use pace::{Pace, StepCost};
pub(crate) use plan::{Wishes, plan};
