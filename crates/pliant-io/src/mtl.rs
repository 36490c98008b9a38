//! Wavefront MTL: how the parts of an OBJ look.
//!
//! Kept: `Kd`, `d`/`Tr`, `Pr`, `Pm`, `Ns` (as roughness) and `map_Kd`. Colours are taken as sRGB, as most
//! viewers do. Options of `map_Kd` are skipped.

use crate::color::linear_rgba;
use crate::text::{Words, name, number};
use pliant::geometry::{Paint, Texture};

/// The materials of an MTL file; what cannot be understood is passed over.
pub(crate) fn parse(bytes: &[u8]) -> Vec<Paint> {
    let mut paints: Vec<Paint> = Vec::new();
    let mut words = Words::new(bytes, None);
    loop {
        if let Some(key) = words.word_on_line() {
            if key.eq_ignore_ascii_case(b"newmtl") {
                paints.push(Paint { name: name(words.rest_of_line()), ..Paint::default() });
            } else if let Some(paint) = paints.last_mut() {
                set(paint, key, &mut words);
            }
        }
        if !words.end_line() {
            return paints;
        }
    }
}

fn set(paint: &mut Paint, key: &[u8], words: &mut Words<'_>) {
    let mut value = || words.word_on_line().and_then(|w| number(w).ok()).filter(|x| x.is_finite());
    match key.to_ascii_lowercase().as_slice() {
        b"kd" => {
            if let (Some(r), Some(g), Some(b)) = (value(), value(), value()) {
                paint.base_color = linear_rgba([r as f32, g as f32, b as f32, paint.base_color[3]]);
            }
        }
        b"d" => paint.base_color[3] = value().map_or(1.0, |d| (d as f32).clamp(0.0, 1.0)),
        b"tr" => paint.base_color[3] = value().map_or(1.0, |t| (1.0 - t as f32).clamp(0.0, 1.0)),
        b"pr" => paint.roughness = value().map_or(paint.roughness, |r| (r as f32).clamp(0.0, 1.0)),
        b"pm" => paint.metallic = value().map_or(paint.metallic, |m| (m as f32).clamp(0.0, 1.0)),
        // The Blinn–Phong exponent that gives the same width of highlight.
        b"ns" => {
            paint.roughness = value().map_or(paint.roughness, |n| (2.0 / (n.max(0.0) + 2.0)).sqrt() as f32)
        }
        b"map_kd" => {
            let file = without_options(words.rest_of_line());
            if !file.is_empty() {
                paint.texture = Some(Texture::File(name(file)));
            }
        }
        _ => {}
    }
}

/// `-o 0 0 0 -clamp on my picture.png` → `my picture.png`.
fn without_options(mut line: &[u8]) -> &[u8] {
    while line.starts_with(b"-") {
        let (option, rest) = next_word(line);
        let (least, most) = match option {
            b"-o" | b"-s" | b"-t" => (1, 3),
            b"-mm" => (2, 2),
            b"-blendu" | b"-blendv" | b"-cc" | b"-clamp" | b"-texres" | b"-boost" | b"-imfchan" | b"-bm"
            | b"-type" => (1, 1),
            _ => return line,
        };
        line = rest;
        for given in 0..most {
            let (word, rest) = next_word(line);
            if rest.is_empty() || (given >= least && number(word).is_err()) {
                break;
            }
            line = rest;
        }
    }
    line
}

fn next_word(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(u8::is_ascii_whitespace).unwrap_or(line.len());
    (&line[..end], line[end..].trim_ascii_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_before_a_file_name_are_skipped() {
        let file = |line: &str| name(without_options(line.as_bytes()));
        assert_eq!(file("-o 0 0 0 -clamp on my picture.png"), "my picture.png");
        assert_eq!(file("-s 2 picture.png"), "picture.png");
        assert_eq!(file("-odd.png"), "-odd.png");
        assert_eq!(file("plain.png"), "plain.png");
    }
}
