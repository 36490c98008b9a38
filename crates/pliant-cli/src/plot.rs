//! `pliant plot`: the papers' plots from our own runs, as SVG.

use crate::run::check_writable;
use crate::{Failure, cube_plot};
use pliant::Solver;
use pliant_scenes::solvers::{Case, Trace};
use std::path::Path;

/// Figures that can be plotted.
const FIGURES: [&str; 2] = ["energy", "cube-oscillation"];
/// Size of the picture and of its margins, in pixels.
const SIZE: [f64; 2] = [720.0, 420.0];
const MARGIN: [f64; 2] = [70.0, 50.0];
/// How often the finest level is matched at most in a step.
const MOST: usize = 2000;

/// Writes a figure to a file.
pub fn plot(figure: &str, out: &Path) -> Result<(), Failure> {
    if !FIGURES.contains(&figure) {
        let names = FIGURES.join(", ");
        return Err(Failure::input(format!("there is no figure {figure:?}; there are: {names}")));
    }
    check_writable(out)?;
    let picture = if figure == "energy" { energy()? } else { cube_plot::svg() };
    std::fs::write(out, picture).map_err(|error| Failure::input(format!("{}: {error}", out.display())))
}

/// The energy of the first two steps of the elephant over the matches of its clusters, by the three solvers: \[TYGP15\] Figure 3.
fn energy() -> Result<String, Failure> {
    let mut case = Case::elephant().map_err(|error| Failure::ours(error.to_string()))?;
    let solvers = [
        (Solver::Naive, "NSM", "#b04040"),
        (Solver::Hierarchical, "HSM", "#4070b0"),
        (Solver::Adaptive, "AHSM", "#309050"),
    ];
    let mut lines = [const { Vec::new() }; 3];
    for _ in 0..2 {
        let target = case.target();
        for (line, (solver, ..)) in lines.iter_mut().zip(&solvers) {
            let Trace { points, .. } = case.trace(*solver, target, MOST);
            let before = line.last().map_or(0.0, |point: &(f64, f64)| point.0);
            line.extend(points.iter().map(|&(matches, energy)| (before + matches as f64, energy)));
        }
        case.go_on();
    }
    Ok(svg(&lines, &solvers.map(|(_, name, color)| (name, color))))
}

/// Lines over a logarithmic axis of matches.
fn svg(lines: &[Vec<(f64, f64)>; 3], legend: &[(&str, &str); 3]) -> String {
    let all = || lines.iter().flatten();
    let most = |of: fn(&(f64, f64)) -> f64| all().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let first = all().map(|point| point.0).fold(f64::INFINITY, f64::min).max(1.0);
    let (last, highest) = (most(|point| point.0), most(|point| point.1));
    let [width, height] = [0, 1].map(|axis| SIZE[axis] - 2.0 * MARGIN[axis]);
    let decades = (last / first).log10().max(1e-9);
    let x = |matches: f64| MARGIN[0] + width * (matches.max(first) / first).log10() / decades;
    let y = |energy: f64| MARGIN[1] + height * (1.0 - energy / highest);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"24\">Energy in J over matches, first two steps of a shaken trunk</text>\n",
        SIZE[0], SIZE[1], MARGIN[0]
    );
    let mut decade = 10_f64.powf(first.log10().ceil());
    while decade <= last {
        let at = x(decade);
        text += &format!(
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{}\" y2=\"{}\" stroke=\"#ddd\"/>\n<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{decade:e}</text>\n",
            MARGIN[1],
            SIZE[1] - MARGIN[1],
            SIZE[1] - MARGIN[1] + 18.0
        );
        decade *= 10.0;
    }
    for tick in 0..=4_u8 {
        let energy = highest * f64::from(tick) / 4.0;
        text += &format!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{energy:.2}</text>\n",
            MARGIN[0] - 6.0,
            y(energy) + 4.0
        );
    }
    for (line, (name, color)) in lines.iter().zip(legend) {
        let points: Vec<String> = line.iter().map(|&(m, e)| format!("{:.1},{:.1}", x(m), y(e))).collect();
        text += &format!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n",
            points.join(" ")
        );
        if let Some(&(matches, energy)) = line.last() {
            text += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{color}\">{name}</text>\n",
                x(matches) + 5.0,
                y(energy)
            );
        }
    }
    text + "</svg>\n"
}
