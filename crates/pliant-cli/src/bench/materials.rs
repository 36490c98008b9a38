//! Young's modulus and Poisson's ratio against beam theory: what beams of all models, moduli, resolutions and steps do of what it
//! says, and what a modulus costs.

use super::Threads;
use super::row::{Better, Row};
use crate::Failure;
use pliant::glam::Vec3;
use pliant::{Material, OctreeSettings, Rule, Selection, Stiffness};
use pliant_scenes::beams::{Beam, Load};

/// All rows, on one thread unless the user wants more.
pub(super) fn rows(threads: Threads) -> Result<Vec<Row>, Failure> {
    threads.one()?.install(|| {
        let mut rows = constants()?;
        for (names, beams) in families() {
            let mut worst = [1.0_f64; 4];
            for beam in beams {
                let found = [
                    beam.compliance(Load::Hung),
                    beam.compliance(Load::Bent),
                    beam.compliance(Load::Twisted),
                    beam.frequency(),
                ];
                for (worst, found) in worst.iter_mut().zip(found) {
                    let found = found.map_err(|error| Failure::ours(error.to_string()))?;
                    // What is not a number stays the worst.
                    if worst.is_finite() && (found.is_nan() || (found - 1.0).abs() > (*worst - 1.0).abs()) {
                        *worst = found;
                    }
                }
            }
            for (name, value) in names.into_iter().zip(worst) {
                rows.push(Row { better: Better::One, ..Row::number("materials", name, value, "of theory") });
            }
        }
        Ok(rows)
    })
}

/// How far the constants of free beams are off those asked for, at worst.
fn constants() -> Result<Vec<Row>, Failure> {
    let (mut young, mut poisson) = (0.0_f64, 0.0_f64);
    for beam in sweep(&|m| Beam::uniform(0.05, m)).into_iter().chain(sweep(&|m| tree(0, m))) {
        let Stiffness::Young { poisson_ratio, .. } = beam.material.elasticity.stiffness else { continue };
        let (modulus, ratio) = beam.measured().map_err(|error| Failure::ours(error.to_string()))?;
        young = young.max((modulus - 1.0).abs());
        poisson = poisson.max((ratio - f64::from(poisson_ratio)).abs());
    }
    Ok(vec![
        Row::number("materials", "young-worst-error", young, ""),
        Row::number("materials", "poisson-worst-error", poisson, ""),
    ])
}

/// Beams that are one row: of all their moduli, ratios and steps the one that is farthest from theory counts.
type Family = ([&'static str; 4], Vec<Beam>);

fn families() -> [Family; 4] {
    [
        (
            ["uniform-8-hung", "uniform-8-bent", "uniform-8-twisted", "uniform-8-swung"],
            sweep(&|m| Beam::uniform(0.05, m)),
        ),
        (
            ["uniform-16-hung", "uniform-16-bent", "uniform-16-twisted", "uniform-16-swung"],
            one(&|m| Beam::uniform(0.025, m)),
        ),
        (["tree-hung", "tree-bent", "tree-twisted", "tree-swung"], one(&|m| tree(0, m))),
        (["adaptive-hung", "adaptive-bent", "adaptive-twisted", "adaptive-swung"], one(&|m| tree(1, m))),
    ]
}

/// Two decades of moduli, three ratios, and a step of another length.
fn sweep(beam: &dyn Fn(Material) -> Beam) -> Vec<Beam> {
    let mut beams = Vec::new();
    for modulus in [1e3, 1e4, 1e5] {
        for ratio in [0.0, 0.3, 0.45] {
            beams.push(beam(material(modulus, ratio)));
        }
    }
    beams.push(Beam { dt_secs: 1.0 / 30.0, substeps: 2, ..beam(material(1e4, 0.3)) });
    beams
}

/// Fine beams take long.
fn one(beam: &dyn Fn(Material) -> Beam) -> Vec<Beam> {
    vec![beam(material(1e4, 0.3))]
}

fn material(modulus: f32, ratio: f32) -> Material {
    Material::default().with_young_modulus(modulus, ratio).with_damping(0.0)
}

/// A tree of cells of one size, or of two: fine in the middle half of the beam.
fn tree(levels: u32, material: Material) -> Beam {
    let largest = 0.05;
    let cell = largest / (1_u32 << levels) as f32;
    let width = if levels == 0 { cell } else { 1.5 * largest };
    let middle = Selection::Box { min: Vec3::new(-0.4, -1.0, -1.0), max: Vec3::new(0.4, 1.0, 1.0) };
    Beam {
        model: OctreeSettings { cell: Some(cell), levels: Some(levels), width: Some(width), slack: 0.0 }
            .into(),
        rules: vec![Rule::Region { within: middle, size: cell }],
        width,
        ..Beam::uniform(cell, material)
    }
}
