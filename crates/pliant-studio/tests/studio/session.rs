//! Sessions: what is done can be undone, done again and kept in a file.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::glam::{DVec3, Vec3};
use pliant::{
    Budget, LatticeSettings, Material, ModelSettings, OctreeSettings, PickSettings, Push, Rule, Wind,
    WorldSettings,
};
use pliant_studio::Session;
use pliant_studio::session::{Input, NewBody};

fn session(scene: &str) -> Session {
    Session::new(pliant_scenes::build(scene).unwrap())
}

fn hash(session: &Session) -> u64 {
    session.world().state_hash()
}

fn run(session: &mut Session, steps: u64) {
    (0..steps).for_each(|_| {
        session.step();
    });
}

fn brick() -> NewBody {
    NewBody {
        name: "brick".into(),
        mesh: pliant::geometry::shapes::cuboid(Vec3::new(0.4, 0.2, 0.2), [4, 2, 2]),
        scale: 1.0,
        position: DVec3::new(0.3, 1.5, 0.0),
        model: ModelSettings::Lattice(LatticeSettings { cell: Some(0.1), width: Some(0.1) }),
        refine: Vec::new(),
    }
}

/// A little of everything that can be done; returns the state after each step.
fn play(session: &mut Session) -> Vec<u64> {
    let mut states = vec![hash(session)];
    let body = session.world().bodies().next().unwrap().0;
    for step in 0..80 {
        let input = match step {
            3 => Some(Input::Pick { body, vertex: 5, settings: PickSettings::default() }),
            4..10 => Some(Input::Move(DVec3::new(0.1 * f64::from(step), 1.0, 0.2))),
            10 => Some(Input::Lock),
            12 => Some(Input::Push(Push::new([0.2, 0.3, 0.1], 0.2))),
            13..18 => Some(Input::Move(DVec3::new(0.0, 0.3, 0.05 * f64::from(step)))),
            18 => Some(Input::Release),
            20 => Some(Input::Wind(Some(Wind::default()))),
            25 => Some(Input::Add(Box::new(brick()))),
            30 => Some(Input::Material { body, material: Material::default().with_alpha(0.9) }),
            35 => Some(Input::Model {
                body,
                settings: OctreeSettings { cell: Some(0.1), levels: Some(1), ..Default::default() }.into(),
                rules: vec![Rule::Surface { size: 0.1 }],
            }),
            40 => Some(Input::Refine { body, rules: vec![Rule::Everywhere { size: 0.1 }] }),
            45 => {
                Some(Input::World(WorldSettings { gravity: Vec3::new(0.0, -3.0, 0.0), ..Default::default() }))
            }
            50 => Some(Input::Pin { body, center: Vec3::ZERO, radius: 0.6 }),
            55 => Some(Input::Wind(None)),
            60 => Some(Input::TakeOut(body)),
            _ => None,
        };
        input.into_iter().for_each(|input| session.apply(input).unwrap());
        session.step();
        states.push(hash(session));
    }
    states
}

#[test]
fn stepping_back_and_on_again_gives_every_state_again() {
    let mut session = session("duck-drop");
    let states = play(&mut session);
    for step in (0..states.len()).rev() {
        assert_eq!(session.steps(), step as u64);
        assert_eq!(hash(&session), states[step], "back at step {step}");
        session.step_back();
    }
    assert!(session.is_replaying());
    for (step, state) in states.iter().enumerate() {
        assert_eq!(hash(&session), *state, "again at step {step}");
        session.step();
    }
    session.seek(33);
    assert_eq!(hash(&session), states[33]);
}

#[test]
fn a_file_does_it_all_again() {
    let mut first = session("jelly-cubes");
    let states = play(&mut first);
    let bytes = first.to_bytes();
    let mut again = Session::from_bytes(&bytes).unwrap();
    assert_eq!((again.steps(), again.last_step(), again.is_reproduced()), (0, 80, None));
    for state in &states[1..] {
        again.step();
        assert_eq!(hash(&again), *state);
    }
    assert_eq!(again.is_reproduced(), Some(true));
    assert!(!again.is_replaying());
    // What scenes move by themselves moves on, too.
    let mut moving = session("torus-knot-swung");
    run(&mut moving, 30);
    let mut again = Session::from_bytes(&moving.to_bytes()).unwrap();
    run(&mut again, 30);
    assert_eq!(again.is_reproduced(), Some(true));
    run(&mut moving, 30);
    run(&mut again, 30);
    assert_eq!(hash(&moving), hash(&again));
}

#[test]
fn damaged_files_are_refused() {
    let bytes = session("duck-drop").to_bytes();
    for at in (0..bytes.len()).step_by(bytes.len() / 40) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x11;
        assert!(Session::from_bytes(&broken).is_err(), "byte {at}");
        assert!(Session::from_bytes(&bytes[..at]).is_err());
    }
    let error = Session::from_bytes(b"solid cube").unwrap_err();
    assert!(error.to_string().contains("not a session"), "{error}");
}

#[test]
fn undo_restores_the_state_before_the_change() {
    let mut session = session("duck-drop");
    let body = session.world().bodies().next().unwrap().0;
    run(&mut session, 40);
    let before = hash(&session);
    assert_eq!(session.undoable(), None);
    let settings = ModelSettings::Lattice(LatticeSettings { cell: Some(0.1), width: Some(0.2) });
    session.apply(Input::Model { body, settings, rules: Vec::new() }).unwrap();
    assert_ne!(hash(&session), before);
    run(&mut session, 25);
    session.apply(Input::Add(Box::new(brick()))).unwrap();
    let added = session.world().bodies().count();
    run(&mut session, 10);
    assert_eq!(session.undoable(), Some("add a body"));
    assert!(session.undo());
    assert_eq!((session.steps(), session.world().bodies().count()), (65, added - 1));
    assert_eq!(session.undoable(), Some("change the model"));
    assert!(session.undo());
    assert_eq!((session.steps(), hash(&session)), (40, before));
    assert!(!session.undo());
}

#[test]
fn what_cannot_be_done_changes_nothing_and_is_not_kept() {
    let mut session = session("duck-drop");
    run(&mut session, 5);
    let body = session.world().bodies().next().unwrap().0;
    let (state, known) = (hash(&session), session.inputs().len());
    let bad = Material::default().with_alpha(7.0);
    let settings = ModelSettings::Lattice(LatticeSettings { cell: Some(f32::NAN), width: Some(0.2) });
    let inputs = [
        Input::Move(DVec3::ZERO),
        Input::Lock,
        Input::Pick { body, vertex: u32::MAX, settings: PickSettings::default() },
        Input::Material { body, material: bad },
        Input::Model { body, settings, rules: Vec::new() },
        Input::Refine { body, rules: vec![Rule::Everywhere { size: -1.0 }] },
        Input::Push(Push::new([0.0; 3], f32::NAN)),
        Input::Add(Box::new(NewBody { scale: 0.0, ..brick() })),
    ];
    for input in inputs {
        let error = session.apply(input.clone()).expect_err(input.name());
        assert!(!error.to_string().is_empty());
    }
    assert_eq!((hash(&session), session.inputs().len()), (state, known));
}

#[test]
fn a_cursor_that_moves_much_between_two_steps_is_one_input() {
    let mut session = session("duck-drop");
    let body = session.world().bodies().next().unwrap().0;
    session.apply(Input::Pick { body, vertex: 0, settings: PickSettings::default() }).unwrap();
    for i in 0..100 {
        session.apply(Input::Move(DVec3::splat(0.01 * f64::from(i)))).unwrap();
    }
    session.step();
    session.apply(Input::Move(DVec3::ZERO)).unwrap();
    assert_eq!(session.inputs().len(), 3);
}

#[test]
fn something_else_done_after_going_back_takes_the_place_of_what_was() {
    let mut session = session("duck-drop");
    play(&mut session);
    session.seek(20);
    session.apply(Input::Wind(Some(Wind { velocity: Vec3::X, ..Default::default() }))).unwrap();
    assert_eq!(session.last_step(), 20);
    run(&mut session, 20);
    let mut again = Session::from_bytes(&session.to_bytes()).unwrap();
    run(&mut again, 40);
    assert_eq!(again.is_reproduced(), Some(true));
    assert_eq!(hash(&again), hash(&session));
}

#[test]
fn a_budget_in_milliseconds_is_kept_and_done_again_without_the_clock() {
    let mut session = session("crowd-under-budget");
    session.set_budget_ms(Some(0.5));
    run(&mut session, 90);
    assert!(matches!(session.world().settings.budget, Some(Budget::Nodes(_))));
    let mut again = Session::from_bytes(&session.to_bytes()).unwrap();
    run(&mut again, 90);
    assert_eq!(again.is_reproduced(), Some(true));
}

#[test]
fn reset_is_the_beginning() {
    let mut session = session("duck-drop");
    let first = hash(&session);
    play(&mut session);
    session.reset();
    assert_eq!((hash(&session), session.steps(), session.last_step()), (first, 0, 0));
    assert!(session.inputs().is_empty());
}
