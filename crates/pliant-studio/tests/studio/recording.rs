//! Films of what was done.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::glam::{DVec3, Vec3};
use pliant::{LatticeSettings, ModelSettings, PickSettings};
use pliant_studio::session::NewBody;
use pliant_studio::{Film, Input, Motion, Recording, Session, WorldView};
use std::time::Duration;

/// Sixty steps: the duck is pulled, and a brick joins it after twenty.
fn session() -> Session {
    let mut session = Session::new(pliant_scenes::build("duck-drop").unwrap());
    let body = session.world().bodies().next().unwrap().0;
    session.apply(Input::Pick { body, vertex: 3, settings: PickSettings::default() }).unwrap();
    for step in 0..60 {
        session.apply(Input::Move(DVec3::new(0.01 * f64::from(step), 1.0, 0.0))).unwrap();
        if step == 20 {
            let brick = NewBody {
                name: "brick".into(),
                mesh: pliant::geometry::shapes::cuboid(Vec3::new(0.4, 0.2, 0.2), [4, 2, 2]),
                scale: 1.0,
                position: DVec3::new(0.8, 1.0, 0.0),
                model: ModelSettings::Lattice(LatticeSettings { cell: Some(0.1), width: Some(0.1) }),
                refine: Vec::new(),
            };
            session.apply(Input::Add(Box::new(brick))).unwrap();
        }
        session.step();
    }
    session
}

fn film(session: &Session, film: Film, steps: [u64; 2]) -> Vec<u8> {
    let view = WorldView::new(session.world(), None);
    let mut recording = Recording::new(session, view, film, steps, [64, 40]);
    let mut turns = 0;
    while !recording.work(Duration::ZERO).unwrap() {
        turns += 1;
        assert!((0.0..=1.0).contains(&recording.progress()));
    }
    assert_eq!(turns, steps[1], "a step a turn");
    recording.finish().unwrap().0
}

#[test]
fn a_gif_has_the_pictures_that_the_view_shows() {
    let session = session();
    let state = session.world().state_hash();
    let bytes = film(&session, Film::Gif, [10, 50]);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(&bytes[..]).unwrap();
    assert_eq!((decoder.width(), decoder.height()), (64, 40));
    let mut frames = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert_eq!(frame.delay, 3);
        frames += 1;
    }
    assert_eq!(frames, 21, "every second step of forty, and both ends");
    assert_eq!(session.world().state_hash(), state, "what is filmed does not notice");
}

#[test]
fn a_glb_has_every_body_and_the_motion() {
    let session = session();
    let bytes = film(&session, Film::Glb, [0, 60]);
    let loaded = pliant_io::read_mesh_bytes("film.glb", &bytes).unwrap();
    let triangles: usize = session.world().bodies().map(|(_, body)| body.rest().mesh.triangles.len()).sum();
    assert_eq!(loaded.mesh.triangles.len(), triangles);
    assert!(String::from_utf8_lossy(&bytes).contains("\"animations\""));
}

#[test]
fn long_motions_keep_every_body_in_step() {
    let mut session = Session::new(pliant_scenes::build("duck-drop").unwrap());
    let mut motion = Motion::default();
    for step in 0..600 {
        motion.frame(session.world());
        if step == 333 {
            let brick = NewBody {
                name: String::new(),
                mesh: pliant::geometry::shapes::cuboid(Vec3::splat(0.2), [1, 1, 1]),
                scale: 1.0,
                position: DVec3::Y,
                model: ModelSettings::Lattice(LatticeSettings { cell: Some(0.1), width: Some(0.1) }),
                refine: Vec::new(),
            };
            session.apply(Input::Add(Box::new(brick))).unwrap();
        }
        if step == 450 {
            let duck = session.world().bodies().next().unwrap().0;
            session.apply(Input::TakeOut(duck)).unwrap();
        }
        session.step();
    }
    let (bytes, warnings) = motion.glb().unwrap();
    assert!(warnings.is_empty() && bytes.len() > 100_000);
}
