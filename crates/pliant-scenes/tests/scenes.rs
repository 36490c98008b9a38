//! What every scene of the list promises; what it does when it runs on is in `golden_hashes.rs`.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant_io::scene::{Scene, SceneFile};
use pliant_scenes::{SCENES, SceneEntry};
use std::path::Path;

/// Frames at each number of threads: the first contacts are in them.
const FEW_FRAMES: usize = 30;
/// Scenes of which a quarter of these frames must do.
const HEAVY: [&str; 2] = ["hand-uniform", "flowers-in-wind"];

fn frames(entry: &SceneEntry) -> usize {
    if HEAVY.contains(&entry.name) { FEW_FRAMES / 4 } else { FEW_FRAMES }
}

fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

fn hash_after(mut scene: Scene, frames: usize) -> u64 {
    for _ in 0..frames {
        scene.step();
    }
    scene.world.state_hash()
}

#[test]
fn names_are_unique_and_kebab_case() {
    let mut names: Vec<&str> = SCENES.iter().map(|entry| entry.name).collect();
    for name in &names {
        let words = name.split('-');
        let is_word =
            |w: &str| !w.is_empty() && w.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        assert!(words.into_iter().all(is_word), "{name} is not kebab-case");
    }
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), SCENES.len());
}

#[test]
fn descriptions_are_one_line_and_categories_are_together() {
    for entry in SCENES {
        let length = entry.description.chars().count();
        assert!((10..90).contains(&length), "{}: {length} characters", entry.name);
        assert!(!entry.description.contains('\n') && !entry.description.ends_with('.'), "{}", entry.name);
    }
    let mut categories: Vec<&str> = SCENES.iter().map(|entry| entry.category).collect();
    categories.dedup();
    let count = categories.len();
    categories.sort_unstable();
    categories.dedup();
    assert_eq!(count, categories.len(), "a category is listed in two places");
}

#[test]
fn a_scene_says_of_itself_what_the_list_says() {
    for entry in SCENES {
        let scene = entry.build_with(&[]).unwrap();
        assert_eq!((scene.name.as_str(), scene.description.as_str()), (entry.name, entry.description));
        assert!(scene.camera.is_some() && scene.frames >= 60 && scene.warnings.is_empty(), "{}", entry.name);
    }
}

#[test]
fn every_scene_has_the_same_state_at_any_number_of_threads() {
    for entry in SCENES {
        let hash = |threads| in_pool(threads, || hash_after(entry.build_with(&[]).unwrap(), frames(entry)));
        let one = hash(1);
        assert_eq!([2, 7].map(hash), [one; 2], "{}", entry.name);
    }
}

#[test]
fn every_scene_survives_the_way_through_a_file() {
    for entry in SCENES {
        let file = entry.file();
        let text = file.to_text().unwrap();
        let read = SceneFile::parse(&text).unwrap_or_else(|error| panic!("{}: {error}\n{text}", entry.name));
        assert_eq!(read, file, "{}", entry.name);
        let again = read.build(Path::new(""), &pliant_scenes::figure).unwrap();
        assert_eq!(hash_after(again, 5), hash_after(entry.build_with(&[]).unwrap(), 5), "{}", entry.name);
    }
}

#[test]
fn settings_change_a_scene_and_bad_ones_are_refused() {
    let entry = pliant_scenes::find("jelly-cubes").unwrap();
    let set = |setting: &str| entry.build_with(&[setting.to_owned()]);
    let softer = set("body[*].material.alpha=0.05").unwrap();
    assert!(softer.world.bodies().all(|(_, body)| body.material.elasticity.alpha() == Some(0.05)));
    let error = set("body[0].material.alpha=7").unwrap_err();
    assert_eq!(error.to_string(), "body[0].material.alpha: alpha is 7; it must be in [0, 1]");
}

#[test]
fn an_unknown_figure_is_answered_with_those_there_are() {
    let entry = pliant_scenes::find("duck-drop").unwrap();
    let error = entry.build_with(&["body[0].figure=unicorn".into()]).unwrap_err().to_string();
    assert!(error.contains("there is no figure \"unicorn\"") && error.contains("duck, hand"), "{error}");
}

#[test]
fn a_name_that_is_not_in_the_list_is_not_found() {
    assert!(pliant_scenes::find("no-such-scene").is_none() && pliant_scenes::build("").is_none());
    assert!(pliant_scenes::figure("unicorn").is_none());
}
