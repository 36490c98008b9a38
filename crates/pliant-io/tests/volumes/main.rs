//! Tetrahedral meshes in and out of files.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

#[path = "../common/mod.rs"]
mod common;
mod flavors;
mod hostile;
mod models;
mod reading;

use common::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
