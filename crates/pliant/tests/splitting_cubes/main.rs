//! Splitting cubes: closed whatever is crossed, split exactly where nodes come apart, and where the blade was.

#[path = "../common/mod.rs"]
mod common;

mod blocks;
mod changes;
mod placement;
mod topology;
