//! Plain `pliant` and `pliant studio`: the window.

use crate::{Failure, render};
use pliant_studio::app;
use std::path::Path;

/// Opens the window with something of the user's.
pub fn open(what: &str) -> Result<(), Failure> {
    if pliant_scenes::find(what).is_none() && !Path::new(what).is_file() {
        return Err(Failure::input(format!(
            "there is no scene {what:?} and no such file; `pliant scenes` lists all"
        )));
    }
    app::run(Some(what)).map_err(Failure::ours)
}

/// Opens the window, or, where there is none, draws the first scene into files.
pub fn open_or_draw() -> Result<(), Failure> {
    match app::run(None) {
        Ok(()) => Ok(()),
        Err(why) => render::default_scene(&why),
    }
}
