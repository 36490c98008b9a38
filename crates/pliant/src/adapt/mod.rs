//! Cells where they matter: criteria, and a budget that is kept.

mod adaptivity;
pub mod budget;
mod plan;

pub use crate::sampling::criteria::{Criterion, Now, Place, Rule};
pub use adaptivity::Adaptivity;
pub(crate) use adaptivity::Around;
pub use budget::Budget;
pub(crate) use plan::{Wishes, plan};
