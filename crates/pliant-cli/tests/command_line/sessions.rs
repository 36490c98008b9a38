//! Sessions done again, and the window that is refused.

use super::*;
use pliant::glam::DVec3;
use pliant_studio::{Input, Session};

#[test]
fn a_session_is_done_again_and_says_that_the_same_came_of_it() {
    let folder = folder("session");
    let mut session = Session::new(pliant_scenes::build("duck-drop").unwrap());
    let body = session.world().bodies().next().unwrap().0;
    session.apply(Input::Pick { body, vertex: 7, settings: Default::default() }).unwrap();
    for step in 0..20 {
        session.apply(Input::Move(DVec3::new(0.0, 1.0 + 0.02 * f64::from(step), 0.0))).unwrap();
        session.step();
    }
    std::fs::write(folder.join("bug.pliant"), session.to_bytes()).unwrap();
    let out = succeeds(&folder, &["run", "bug.pliant", "--threads", "2", "--report", "report.json"]);
    assert!(out.contains("reproduced exactly") && out.contains("20 frames"), "{out}");
    let report = std::fs::read_to_string(folder.join("report.json")).unwrap();
    assert!(report.contains(&format!("{:016x}", session.world().state_hash())), "{report}");
    let output = pliant(&folder, &["run", "bug.pliant", "--set", "world.substeps=2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--set"));
    std::fs::write(folder.join("other.pliant"), b"something else").unwrap();
    let output = pliant(&folder, &["run", "other.pliant"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("not a session"), "{}", text(&output.stderr));
}

#[test]
fn without_a_display_a_window_is_refused_with_a_reason() {
    let folder = folder("no-window");
    let output = pliant(&folder, &["studio", "duck-drop"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no display"), "{}", text(&output.stderr));
    let output = pliant(&folder, &["studio", "no-such-thing"]);
    assert_eq!(output.status.code(), Some(2));
}
