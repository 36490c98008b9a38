//! The contracts of `pliant::cut::scissors`.

mod common;
mod deformed;
mod drawn;
mod sections;
mod touching;
