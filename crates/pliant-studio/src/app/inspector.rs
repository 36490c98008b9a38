//! Parameters of bodies, world and tools, live; counts; overlays.

use super::numbers::{factor_slider, number, slid, slider};
use super::{Studio, levels, model};
use crate::hand::LEAST_DEPTH;
use crate::overlay::{FULL_STRAIN, distance_color, level_color, strain_color};
use crate::palette::srgb_from_linear;
use crate::{Input, Overlays, Running, ToolKind};
use eframe::egui::{self, Color32, RichText, Slider, Ui};
use pliant::model::Feature;
use pliant::{BodyHandle, Budget, Elasticity, Material, Plasticity, Stiffness};

/// Shows the panel.
pub fn show(studio: &mut Studio, running: &mut Running, ui: &mut Ui) {
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        counts(studio.pictures_a_second, running, ui);
        section(ui, "Tool", true, |ui| tool(studio, ui));
        section(ui, "Body", true, |ui| body(studio, running, ui));
        section(ui, "World", false, |ui| world(studio, running, ui));
        section(ui, "Show", true, |ui| overlays(studio, running, ui));
        section(ui, "Window", false, |ui| window(studio, ui));
    });
}

fn section(ui: &mut Ui, title: &str, open: bool, content: impl FnOnce(&mut Ui)) {
    egui::CollapsingHeader::new(RichText::new(title).strong()).default_open(open).show(ui, content);
}

fn counts(pictures: f32, running: &Running, ui: &mut Ui) {
    let session = &running.session;
    let (world, report) = (session.world(), session.report());
    let nodes: usize = world.bodies().map(|(_, body)| body.nodes.positions.len()).sum();
    let regions: usize = world.bodies().map(|(_, body)| body.model.parts()).sum();
    let triangles: usize = world.bodies().map(|(_, body)| body.rest().mesh.triangles.len()).sum();
    ui.add_space(4.0);
    ui.strong(&session.scene().name);
    ui.label(RichText::new(&session.scene().description).small().weak());
    egui::Grid::new("counts").num_columns(4).spacing([10.0, 2.0]).show(ui, |ui| {
        let pair = |ui: &mut Ui, name: &str, value: String| {
            ui.label(RichText::new(name).weak());
            ui.label(value);
        };
        pair(ui, "bodies", world.bodies().count().to_string());
        pair(ui, "nodes", nodes.to_string());
        ui.end_row();
        pair(ui, "regions", regions.to_string());
        pair(ui, "triangles", triangles.to_string());
        ui.end_row();
        pair(ui, "contacts", report.contacts.to_string());
        pair(ui, "ms a step", format!("{:.2}", report.ms.total()));
        ui.end_row();
        pair(ui, "cuts", session.cuts().to_string());
        pair(ui, "pictures a second", format!("{pictures:.0}"));
        ui.end_row();
    });
    if session.contained() > 0 {
        let text = format!("contained {} times", session.contained());
        ui.label(RichText::new(text).color(Color32::from_rgb(220, 40, 40)).strong())
            .on_hover_text("Nodes that were not finite, or flew off, and were put back");
    }
    ui.separator();
}

fn tool(studio: &mut Studio, ui: &mut Ui) {
    ui.label(RichText::new(studio.hand.kind.help()).small().weak());
    match studio.hand.kind {
        ToolKind::Pick => {
            let pick = &mut studio.hand.pick;
            factor_slider(ui, &mut pick.frequency_hz, 0.2..=20.0, "pull, Hz");
            slider(ui, &mut pick.damping_ratio, 0.0..=2.0, "damping");
        }
        ToolKind::Push | ToolKind::Pin => {
            factor_slider(ui, &mut studio.hand.size, 0.005..=0.3, "size");
            studio.settings.tool_size = studio.hand.size;
        }
        ToolKind::Wind => {
            factor_slider(ui, &mut studio.hand.wind_speed, 1.0..=80.0, "m/s");
        }
        ToolKind::Knife => {
            slider(ui, &mut studio.hand.knife_depth, LEAST_DEPTH..=1.0, "depth")
                .on_hover_text("How deep it cuts, as part of a body's thickness; 1 goes through");
        }
        ToolKind::Scissors => {}
    }
}

fn body(studio: &mut Studio, running: &mut Running, ui: &mut Ui) {
    let world = running.session.world();
    let mut bodies: Vec<(BodyHandle, String)> = Vec::new();
    for (i, (handle, body)) in world.bodies().enumerate() {
        // Pieces have the name of what they were cut off.
        let alike = world.bodies().take(i).filter(|(_, other)| other.name == body.name).count();
        let name = match (body.name.as_str(), alike) {
            ("", _) => format!("body {}", i + 1),
            (name, 0) => name.to_owned(),
            (name, alike) => format!("{name} ({})", alike + 1),
        };
        bodies.push((handle, name));
    }
    let chosen =
        studio.selected.filter(|selected| world.body(*selected).is_ok()).or(bodies.first().map(|b| b.0));
    // The first one, until somebody selects another: only what was selected is marked in the view.
    let Some(mut chosen) = chosen else {
        ui.label(RichText::new("There is no body.").weak());
        return;
    };
    let named = bodies.iter().find(|(handle, _)| *handle == chosen).map_or("", |(_, name)| name);
    egui::ComboBox::from_id_salt("body").width(180.0).selected_text(named).show_ui(ui, |ui| {
        for (handle, name) in &bodies {
            ui.selectable_value(&mut chosen, *handle, name);
        }
    });
    if bodies.first().is_none_or(|(first, _)| *first != chosen) || studio.selected.is_some() {
        studio.selected = Some(chosen);
    }
    material(studio, running, ui, chosen);
    ui.separator();
    model::show(studio, running, ui, chosen);
    ui.separator();
    if ui.button("Take out").on_hover_text("Take the body out of the world").clicked() {
        studio.act(running, Input::TakeOut(chosen));
    }
}

fn material(studio: &mut Studio, running: &mut Running, ui: &mut Ui, body: BodyHandle) {
    let now = running.session.world().body(body).map(|body| (body.material, body.model_settings()));
    let Ok((before, model)) = now else { return };
    let mut material = before;
    let Material { surface, elasticity, plasticity, .. } = &mut material;
    stiffness(ui, &mut elasticity.stiffness, model.can_use(Feature::PoissonRatio));
    if model.can_use(Feature::Beta) {
        let shown = elasticity.beta_or_default();
        let mut beta = shown;
        slider(ui, &mut beta, 0.0..=1.0, "β freedom")
            .on_hover_text("How freely a body takes the linear or quadratic shape that fits it best");
        if beta != shown {
            elasticity.beta = Some(beta);
        }
    }
    slider(ui, &mut elasticity.damping, 0.0..=3.0, "damping");
    ui.horizontal(|ui| {
        slider(ui, &mut surface.friction, 0.0..=2.0, "friction");
        ui.menu_button("…", |ui| {
            slider(ui, &mut surface.rolling_friction, 0.0..=0.1, "rolling friction, m");
            slider(ui, &mut surface.spinning_friction, 0.0..=0.1, "spinning friction, m");
        })
        .response
        .on_hover_text("Rolling and spinning friction");
    });
    slider(ui, &mut surface.restitution, 0.0..=1.0, "restitution");
    if model.can_use(Feature::Plasticity) {
        plastic(ui, plasticity);
    }
    if material != before {
        studio.act(running, Input::Material { body, material });
    }
}

/// α, or a Young's modulus and a Poisson's ratio.
fn stiffness(ui: &mut Ui, stiffness: &mut Stiffness, has_poisson_ratio: bool) {
    let mut measured = matches!(stiffness, Stiffness::Young { .. });
    ui.checkbox(&mut measured, "Young's modulus")
        .on_hover_text("A stiffness in Pa, the same at any step and size of cells, in place of α");
    match (measured, &mut *stiffness) {
        (false, Stiffness::Alpha(alpha)) => {
            slider(ui, alpha, 0.0..=1.0, "α stiffness")
                .on_hover_text("The part of the way to its goal that a node goes in 1/240 s");
        }
        (true, Stiffness::Young { modulus, poisson_ratio }) => {
            ui.add(Slider::new(modulus, 1e2..=1e7).logarithmic(true).text("E, Pa"))
                .on_hover_text("Young's modulus: jelly has 5,000, muscle 30,000, rubber 1,000,000");
            if has_poisson_ratio {
                slider(ui, poisson_ratio, 0.0..=0.49, "ν")
                    .on_hover_text("Poisson's ratio: how much thinner it becomes where it is stretched");
            }
        }
        (true, alpha) => *alpha = Stiffness::Young { modulus: 2e4, poisson_ratio: 0.0 },
        (false, young) => *young = Elasticity::default().stiffness,
    }
}

/// Whether and how a body keeps a deformation.
fn plastic(ui: &mut Ui, plasticity: &mut Option<Plasticity>) {
    let mut plastic = plasticity.is_some();
    ui.checkbox(&mut plastic, "plastic").on_hover_text("Keeps part of a large deformation");
    match (plastic, &mut *plasticity) {
        (true, Some(Plasticity { yield_strain, creep_per_sec, max_strain })) => {
            slider(ui, yield_strain, 0.0..=1.0, "yield strain");
            slider(ui, creep_per_sec, 0.0..=50.0, "creep, 1/s");
            slider(ui, max_strain, 0.0..=3.0, "most strain");
        }
        (true, none) => *none = Some(Plasticity::default()),
        (false, some) => *some = None,
    }
}

fn world(studio: &mut Studio, running: &mut Running, ui: &mut Ui) {
    let before = running.session.world().settings;
    let mut settings = before;
    ui.horizontal(|ui| {
        ui.label("gravity");
        for value in settings.gravity.as_mut() {
            number(ui, value, -100.0..=100.0, 0.1, "");
        }
    });
    slider(ui, &mut settings.substeps, 1..=16, "substeps");
    budget(running, ui, &mut settings.budget);
    if settings != before {
        studio.act(running, Input::World(settings));
    }
}

/// What a step may cost. Of milliseconds the session makes a budget of nodes, which it changes by itself.
fn budget(running: &mut Running, ui: &mut Ui, budget: &mut Option<Budget>) {
    const NAMES: [&str; 3] = ["none", "nodes", "ms"];
    let (mut nodes, mut ms) = (2000, 4.0);
    let was = match (running.session.budget_ms(), *budget) {
        (Some(now), _) | (None, Some(Budget::Millis(now))) => {
            ms = now;
            "ms"
        }
        (None, Some(Budget::Nodes(now))) => {
            nodes = now;
            "nodes"
        }
        (None, None) => "none",
    };
    let mut kind = was;
    ui.horizontal(|ui| {
        ui.label("budget");
        for name in NAMES {
            ui.selectable_value(&mut kind, name, name);
        }
    });
    let before = ms;
    match kind {
        "nodes" => {
            factor_slider(ui, &mut nodes, 50..=50_000, "nodes");
            *budget = Some(Budget::Nodes(nodes));
        }
        "ms" => drop(factor_slider(ui, &mut ms, 0.1..=16.0, "ms a step")),
        _ => *budget = None,
    }
    if kind == "ms" && (was != "ms" || ms != before) {
        running.session.set_budget_ms(Some(ms));
    } else if kind != "ms" && was == "ms" {
        running.session.set_budget_ms(None);
    }
}

fn overlays(studio: &mut Studio, running: &Running, ui: &mut Ui) {
    let overlays = &mut studio.settings.overlays;
    ui.horizontal_wrapped(|ui| {
        let helps = [
            "The simulated points",
            "Cells that nodes stand in, colored by level",
            "What one shape match uses: that of the node nearest to the cursor",
            "Which neighbours see each other",
            "Particles, coloured by cluster",
            "Nodes that touch a collider",
            "Skins, coloured by how strained they are",
            "One level of a body, coloured by the energy density of its deformation",
        ];
        for (name, help) in Overlays::NAMES.into_iter().zip(helps) {
            let Some(shown) = overlays.get_mut(name) else { continue };
            ui.checkbox(shown, name).on_hover_text(help);
        }
    });
    if overlays.strain {
        let steps = (0..25).map(|i| i as f32 / 24.0);
        legend(ui, "strain 0", steps.map(|t| strain_color(t * FULL_STRAIN)), &format!("{FULL_STRAIN}"));
    }
    if overlays.cells || overlays.graph {
        legend(ui, "finest", (0..5).map(level_color), "coarsest");
    }
    if overlays.regions {
        legend(ui, "the node", (0..25).map(|i| distance_color(i as f32 / 24.0)), "farthest");
    }
    if overlays.energy {
        levels::show(&mut overlays.level, studio.selected, running.session.world(), ui);
    }
}

/// What colours mean: a bar of them between two words.
pub(super) fn legend(ui: &mut Ui, first: &str, colors: impl ExactSizeIterator<Item = [f32; 3]>, last: &str) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(first).small());
        let (rect, _) = ui.allocate_exact_size(egui::vec2(110.0, 10.0), egui::Sense::hover());
        let width = rect.width() / colors.len() as f32;
        for (i, color) in colors.enumerate() {
            let [r, g, b] = color.map(|c| (255.0 * srgb_from_linear(c)) as u8);
            let at = rect.min + egui::vec2(i as f32 * width, 0.0);
            let part = egui::Rect::from_min_size(at, egui::vec2(width, rect.height()));
            ui.painter().rect_filled(part, 0.0, Color32::from_rgb(r, g, b));
        }
        ui.label(RichText::new(last).small());
    });
}

fn window(studio: &mut Studio, ui: &mut Ui) {
    let mut theme = studio.settings.theme;
    // Words: the symbols that egui has for them are not in its fonts.
    ui.horizontal(|ui| {
        use egui::ThemePreference::{Dark, Light, System};
        for (choice, name) in [(System, "system"), (Dark, "dark"), (Light, "light")] {
            ui.selectable_value(&mut theme, choice, name);
        }
    });
    if theme != studio.settings.theme {
        studio.settings.theme = theme;
        ui.ctx().set_theme(theme);
    }
    let zoom = slider(ui, &mut studio.settings.zoom, 0.6..=2.0, "size of the interface");
    if slid(&zoom) {
        ui.ctx().set_zoom_factor(studio.settings.zoom);
    }
}
