//! The model of a body and its settings, changed while the body moves.

use super::Studio;
use super::panels::Panel;
use super::rules::rules;
use crate::{Input, Running};
use eframe::egui::{self, Ui};
use pliant::model::{Feature, WORDS};
use pliant::{BodyHandle, ModelSettings, Rule};

/// What the user has changed but not let go of yet: making a body anew takes a while.
pub struct Draft {
    body: BodyHandle,
    version: u64,
    wanted: Wanted,
}

/// A model, and rules for where the body is fine.
#[derive(Clone, PartialEq)]
struct Wanted {
    model: ModelSettings,
    rules: Vec<Rule>,
}

/// Shows it. A change makes the body anew, or, of rules alone, is followed by the body as it is.
pub fn show(studio: &mut Studio, running: &mut Running, ui: &mut Ui, handle: BodyHandle) {
    let Ok(body) = running.session.world().body(handle) else { return };
    let now = Wanted { model: body.model_settings(), rules: body.adaptivity.rules().to_vec() };
    let (version, size) = (body.version(), 2.0 * body.rest().nodes.radius);
    let kept = studio.draft.take().filter(|draft| (draft.body, draft.version) == (handle, version));
    let mut wanted = kept.map_or_else(|| now.clone(), |draft| draft.wanted);
    let mut word = wanted.model.name();
    egui::ComboBox::from_label("model").selected_text(word).show_ui(ui, |ui| {
        for &name in WORDS {
            ui.selectable_value(&mut word, name, name);
        }
    });
    if word != wanted.model.name()
        && let Some(model) = ModelSettings::for_size(word, size)
    {
        let rules = model.rules_for_size(size);
        wanted = Wanted { model, rules };
    }
    let mut let_go = wanted.model.show(ui, size);
    if wanted.model.can_use(Feature::Rules) {
        let_go |= rules(ui, size, &mut wanted.rules);
    }
    let changed = let_go || word != now.model.name();
    if wanted != now && changed && !ui.input(|input| input.pointer.any_down()) {
        let Wanted { model: settings, rules } = wanted;
        // Rules alone are followed by the body as it is; all else makes it anew.
        let input = if settings == now.model {
            Input::Refine { body: handle, rules }
        } else {
            Input::Model { body: handle, settings, rules }
        };
        studio.act(running, input);
    } else {
        studio.draft = Some(Draft { body: handle, version, wanted });
    }
}
