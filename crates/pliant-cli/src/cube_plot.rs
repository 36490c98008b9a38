//! `pliant plot cube-oscillation`: how a clamped cube swings at three resolutions, by springs, Cauchy strain and Green strain:
//! \[DDCB01\] Figures 4 and 5.

use pliant_scenes::oscillation::{Law, RESOLUTIONS, Swing};

/// Size of the picture, of its margins and of the space between panels, in pixels.
const SIZE: [f64; 2] = [720.0, 640.0];
const MARGIN: [f64; 2] = [60.0, 46.0];
const GAP: f64 = 34.0;
const COLORS: [&str; 3] = ["#b04040", "#4070b0", "#309050"];
const LAWS: [(Law, &str); 3] =
    [(Law::MassSpring, "Mass–spring"), (Law::Cauchy, "Cauchy strain"), (Law::Green, "Green strain")];
/// Of so many steps one is drawn.
const EACH: usize = 20;

/// The picture.
pub fn svg() -> String {
    let swings = LAWS.map(|(law, _)| RESOLUTIONS.map(|cells| Swing::new(law, cells)));
    let all = || swings.iter().flatten().flat_map(|swing| &swing.points);
    let last = all().map(|point| point.0).fold(0.0, f64::max);
    let lowest = all().map(|point| point.1).fold(0.0, f64::min);
    let width = SIZE[0] - 2.0 * MARGIN[0];
    let height = (SIZE[1] - 2.0 * MARGIN[1] - 2.0 * GAP) / 3.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"20\">How far the free face of a clamped cube of 1 m hangs down, in m, over seconds</text>\n",
        SIZE[0], SIZE[1], MARGIN[0]
    );
    for (row, ((_, name), swings)) in LAWS.iter().zip(&swings).enumerate() {
        let top = MARGIN[1] + row as f64 * (height + GAP);
        let x = |secs: f64| MARGIN[0] + width * secs / last;
        let y = |low: f64| top + height * low / lowest;
        text += &frame(name, [x(0.0), x(last)], [top, top + height], lowest);
        for secs in 0..=last as u32 {
            let at = x(f64::from(secs));
            text += &format!(
                "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{secs}</text>\n",
                top + height + 15.0
            );
        }
        for ((swing, color), line) in swings.iter().zip(COLORS).zip(0_u8..) {
            let points = swing.points.iter().step_by(EACH);
            let points: Vec<String> = points.map(|&(t, low)| format!("{:.1},{:.1}", x(t), y(low))).collect();
            text += &format!(
                "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"1.5\" points=\"{}\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" fill=\"{color}\">{} nodes: {:.2} Hz</text>\n",
                points.join(" "),
                MARGIN[0] + 130.0 + 150.0 * f64::from(line),
                top - 6.0,
                swing.nodes,
                swing.frequency()
            );
        }
    }
    text + "</svg>\n"
}

/// The frame of a panel, its name and its scale.
fn frame(name: &str, [left, right]: [f64; 2], [top, bottom]: [f64; 2], lowest: f64) -> String {
    format!(
        "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#ccc\"/>\n\
         <text x=\"{left}\" y=\"{}\">{name}</text>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">0</text>\n\
         <text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">{:.2}</text>\n",
        right - left,
        bottom - top,
        top - 6.0,
        left - 6.0,
        top + 8.0,
        left - 6.0,
        -lowest
    )
}
