//! The model of a body and its settings, changed while the body moves.

use super::Studio;
use super::numbers::{factor_slider, number, slid, slider};
use crate::{Input, Running};
use eframe::egui::{self, RichText, Ui};
use pliant::glam::Vec3;
use pliant::{
    BodyHandle, ClusterSettings, Clustering, LatticeSettings, Matching, ModelSettings, OctreeSettings,
    ParticleSettings, Rule, Selection,
};

/// Shows it. A change makes the body anew, or, of rules alone, is followed by the body as it is.
pub fn show(studio: &mut Studio, running: &mut Running, ui: &mut Ui, handle: BodyHandle) {
    let Ok(body) = running.session.world().body(handle) else { return };
    let (now, version) = (body.model_settings(), body.version());
    let size = 2.0 * body.rest().nodes.radius;
    // A draft is what the user has changed but not let go of yet: making a body anew takes a while.
    let fresh = studio.draft.as_ref().is_none_or(|draft| (draft.0, draft.1) != (handle, version));
    if fresh {
        studio.draft = Some((handle, version, now.clone()));
    }
    let Some((_, _, mut draft)) = studio.draft.take() else { return };
    let mut kind = draft.name();
    egui::ComboBox::from_label("model").selected_text(kind).show_ui(ui, |ui| {
        for name in ["clusters", "lattice", "octree"] {
            ui.selectable_value(&mut kind, name, name);
        }
    });
    if kind != draft.name() {
        draft = default_model(kind, size);
    }
    let let_go = match &mut draft {
        ModelSettings::Clusters { particles: _, clustering, settings } => clusters(ui, clustering, settings),
        ModelSettings::Lattice(LatticeSettings { cell, width }) => lengths(ui, size, cell, width),
        ModelSettings::Octree { settings, refine } => octree(ui, size, settings) | rules(ui, size, refine),
    };
    // Rules alone are followed by the body as it is; all else makes it anew.
    if draft != now && (let_go || draft.name() != now.name()) && !ui.input(|input| input.pointer.any_down()) {
        let rules_only = match (&draft, &now) {
            (ModelSettings::Octree { settings: a, refine }, ModelSettings::Octree { settings: b, .. })
                if a == b =>
            {
                Some(refine.clone())
            }
            _ => None,
        };
        let input = match rules_only {
            Some(rules) => Input::Refine { body: handle, rules },
            None => Input::Model { body: handle, settings: draft.clone() },
        };
        studio.act(running, input);
    } else {
        studio.draft = Some((handle, version, draft));
    }
}

/// Settings that suit a body of a size.
fn default_model(kind: &str, size: f32) -> ModelSettings {
    let cell = size / 16.0;
    match kind {
        "lattice" => ModelSettings::Lattice(LatticeSettings { cell, width: 2.0 * cell }),
        "octree" => ModelSettings::Octree {
            settings: OctreeSettings { cell: 0.5 * cell, levels: 2, width: 2.0 * cell, slack: 0.5 },
            refine: vec![Rule::Features { size: 0.5 * cell }, Rule::Surface { size: cell }],
        },
        _ => ModelSettings::Clusters {
            particles: ParticleSettings::default(),
            clustering: Clustering::One,
            settings: ClusterSettings::default(),
        },
    }
}

fn clusters(ui: &mut Ui, clustering: &mut Clustering, settings: &mut ClusterSettings) -> bool {
    let mut count = match clustering {
        Clustering::One => 1,
        Clustering::Spread { count, .. } => *count,
        Clustering::Grid { cells, .. } => cells.iter().product(),
        Clustering::Given(given) => given.len() as u32,
    };
    let mut done = false;
    let before = count;
    done |= slid(&factor_slider(ui, &mut count, 1..=64, "clusters"));
    if count != before {
        *clustering = if count == 1 { Clustering::One } else { Clustering::Spread { count, overlap: 0.5 } };
    }
    let matching = &mut settings.matching;
    let before = *matching;
    egui::ComboBox::from_label("matching").selected_text(format!("{matching:?}").to_lowercase()).show_ui(
        ui,
        |ui| {
            for (kind, name) in
                [(Matching::Rigid, "rigid"), (Matching::Linear, "linear"), (Matching::Quadratic, "quadratic")]
            {
                ui.selectable_value(matching, kind, name);
            }
        },
    );
    done |= *matching != before;
    done |= ui.checkbox(&mut settings.preserve_volume, "keep the volume").changed();
    done
}

fn length(ui: &mut Ui, value: &mut f32, size: f32, range: [f32; 2], text: &str) -> bool {
    slid(&factor_slider(ui, value, size * range[0]..=size * range[1], text))
}

fn lengths(ui: &mut Ui, size: f32, cell: &mut f32, width: &mut f32) -> bool {
    length(ui, cell, size, [0.015, 0.3], "cell, m") | length(ui, width, size, [0.015, 1.0], "w width, m")
}

fn octree(ui: &mut Ui, size: f32, settings: &mut OctreeSettings) -> bool {
    let OctreeSettings { cell, levels, width, slack } = settings;
    let mut done = length(ui, cell, size, [0.008, 0.3], "finest cell, m");
    done |= slid(&slider(ui, levels, 0..=5, "levels"));
    done |= length(ui, width, size, [0.015, 1.0], "w width, m");
    done | slid(&slider(ui, slack, 0.0..=2.0, "ε slack"))
}

/// The rules for where an octree is fine.
fn rules(ui: &mut Ui, size: f32, rules: &mut Vec<Rule>) -> bool {
    let mut done = false;
    ui.label(RichText::new("finer where").weak());
    let mut gone = None;
    for (i, rule) in rules.iter_mut().enumerate() {
        ui.push_id(i, |ui| {
            ui.horizontal(|ui| {
                ui.label(rule_name(rule));
                let mut edit = |value: &mut f32, unit: &str| {
                    let speed = 0.02 * value.abs().max(1e-4);
                    done |= slid(&number(ui, value, 1e-4..=1e4, speed, unit));
                };
                match rule {
                    Rule::Everywhere { size }
                    | Rule::Surface { size }
                    | Rule::Features { size }
                    | Rule::Region { size, .. } => {
                        edit(size, " m");
                    }
                    Rule::Viewer { angle } => edit(angle, " rad"),
                    Rule::Strain { from, size } => {
                        edit(from, "");
                        edit(size, " m");
                    }
                    Rule::Tools { margin, size } => {
                        edit(margin, " m");
                        edit(size, " m");
                    }
                }
                if ui.small_button("x").on_hover_text("Take this rule away").clicked() {
                    gone = Some(i);
                }
            });
        });
    }
    if let Some(i) = gone {
        rules.remove(i);
        done = true;
    }
    let fine = size / 32.0;
    let known = [
        Rule::Everywhere { size: 2.0 * fine },
        Rule::Surface { size: fine },
        Rule::Features { size: fine },
        Rule::Viewer { angle: 0.02 },
        Rule::Strain { from: 0.1, size: fine },
        Rule::Tools { margin: 0.1 * size, size: fine },
        Rule::Region { within: Selection::Sphere { center: Vec3::ZERO, radius: 0.25 * size }, size: fine },
    ];
    ui.menu_button("add a rule", |ui| {
        for rule in known {
            if ui.button(rule_name(&rule)).clicked() {
                rules.push(rule);
                done = true;
                ui.close();
            }
        }
    });
    done
}

fn rule_name(rule: &Rule) -> &'static str {
    match rule {
        Rule::Everywhere { .. } => "everywhere",
        Rule::Surface { .. } => "at the surface",
        Rule::Features { .. } => "at thin parts",
        Rule::Region { .. } => "in a region",
        Rule::Viewer { .. } => "near the viewer",
        Rule::Strain { .. } => "where strained",
        Rule::Tools { .. } => "near tools",
    }
}
