//! The studio from outside. One binary: each links the window and all that draws.

mod cutting;
mod golden;
mod gpu;
mod hand;
mod interface;
mod opening;
mod overlays;
mod panels;
mod recording;
mod render;
mod session;
mod signs;
mod window;
