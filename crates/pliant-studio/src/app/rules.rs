//! The rules for where a body is fine.

use super::numbers::{number, slid};
use eframe::egui::{RichText, Ui};
use pliant::glam::Vec3;
use pliant::{Rule, Selection};

/// The rules for where a body is fine; returns whether the user has let go of one.
pub fn rules(ui: &mut Ui, size: f32, rules: &mut Vec<Rule>) -> bool {
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
