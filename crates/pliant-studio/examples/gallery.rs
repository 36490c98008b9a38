//! Draws simple shapes and all figures into the directory named on the command line (default: `pictures`).

use pliant::glam::{Quat, Vec3};
use pliant_scenes::figures::FIGURES;
use pliant_studio::{Camera, Marker, View, body_color, render, shapes, write_gif};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = std::path::PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "pictures".into()));
    std::fs::create_dir_all(&dir)?;
    let balls: Vec<_> = (0..10)
        .map(|i| {
            let (column, row) = ((i % 5) as f32, (i / 5) as f32);
            shapes::sphere(Vec3::new(column - 2.0, 0.4 + 0.2 * row, 1.2 * row - 1.0), 0.4, 48)
        })
        .collect();
    let block = shapes::cuboid(Vec3::new(-1.0, 0.3, 1.3), Vec3::splat(0.3), Quat::from_rotation_y(0.5));
    let rod = shapes::capsule(Vec3::new(0.3, 0.2, 1.4), Vec3::new(1.4, 0.2, 1.1), 0.2, 32);
    let mut items: Vec<_> = balls.iter().enumerate().map(|(i, b)| shapes::item(b, body_color(i))).collect();
    items.push(shapes::item(&block, pliant_studio::COLLIDER_COLOR));
    items.push(shapes::item(&rod, pliant_studio::COLLIDER_COLOR));
    let top = Vec3::new(0.0, 1.0, 0.2);
    let markers = [
        Marker::Ball { centre: top, radius: 0.05, color: [0.9, 0.2, 0.0] },
        Marker::Line { from: top, to: top + Vec3::new(0.3, 0.4, 0.1), radius: 0.012, color: [0.9, 0.2, 0.0] },
    ];
    let view = View::new(Camera::framing(Vec3::new(-2.2, 0.0, -1.2), Vec3::new(2.2, 1.0, 1.6)));
    let mut best = f64::INFINITY;
    let mut picture = render(&view, &items, &markers, 1280, 800)?;
    for _ in 0..5 {
        let started = Instant::now();
        picture = render(&view, &items, &markers, 1280, 800)?;
        best = best.min(started.elapsed().as_secs_f64() * 1e3);
    }
    let triangles: usize = items.iter().map(|i| i.triangles.len()).sum();
    println!("{triangles} triangles at 1280 × 800 in {best:.1} ms, best of 5");
    picture.write_png(dir.join("shapes.png"))?;

    for (i, entry) in FIGURES.iter().enumerate() {
        let started = Instant::now();
        let mesh = entry.mesh();
        let ms = started.elapsed().as_secs_f64() * 1e3;
        println!("{}: {} triangles, made in {ms:.1} ms", entry.name, mesh.triangles.len());
        let Some((lo, hi)) = mesh.bounds() else { continue };
        let view = View::new(Camera::framing_from(lo, hi, Vec3::new(0.4, 0.3, 1.0)));
        let picture = render(&view, &[shapes::item(&mesh, body_color(i))], &[], 960, 720)?;
        picture.write_png(dir.join(format!("{}.png", entry.name)))?;
    }

    // A squashing duck, as an animation.
    let duck = pliant_scenes::figures::duck(36);
    let Some((lo, hi)) = duck.bounds() else { return Ok(()) };
    let view = View::new(Camera::framing(lo * 1.2, hi * 1.2));
    let mut frames = Vec::new();
    for i in 0..30 {
        let tall = 1.0 + 0.15 * (std::f32::consts::TAU * i as f32 / 30.0).sin();
        let stretch = Vec3::new(tall.sqrt().recip(), tall, tall.sqrt().recip());
        let mut mesh = duck.clone();
        mesh.positions.iter_mut().for_each(|p| *p *= stretch);
        mesh.normals = shapes::vertex_normals(&mesh.positions, &mesh.triangles);
        frames.push(render(&view, &[shapes::item(&mesh, body_color(2))], &[], 480, 360)?);
    }
    write_gif(dir.join("duck.gif"), &frames, 4)?;
    Ok(())
}
