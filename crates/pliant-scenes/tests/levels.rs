//! What the scenes of several levels show: trees bend with the wind and do not break, a shaken trunk follows, what is pulled to extremes
//! recovers.
#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as tests do")]

use pliant::Body;
use pliant::glam::DVec3;
use pliant_io::scene::Scene;

fn scene(name: &str, settings: &[&str]) -> Scene {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    pliant_scenes::find(name).unwrap().build_with(&settings).unwrap()
}

fn run(scene: &mut Scene, frames: usize) {
    for _ in 0..frames {
        assert_eq!(scene.step().contained, 0);
    }
}

fn body<'a>(scene: &'a Scene, name: &str) -> &'a Body {
    scene.world.bodies().map(|(_, body)| body).find(|body| body.name == name).unwrap()
}

/// How far the center of mass has moved from where it is at rest.
fn swayed(body: &Body, start: DVec3) -> f64 {
    body.center_of_mass().distance(start)
}

#[test]
fn the_stronger_the_wind_the_farther_a_willow_bends_and_none_breaks() {
    let mut last = 0.0;
    for wind in ["light", "medium", "strong"] {
        let mut scene = scene(&format!("willow-{wind}-wind"), &[]);
        let start = body(&scene, "willow").center_of_mass();
        let mut farthest = 0.0_f64;
        for _ in 0..15 {
            run(&mut scene, 10);
            farthest = farthest.max(swayed(body(&scene, "willow"), start));
        }
        let (volume, pieces) = (body(&scene, "willow").volume_ratio(), scene.world.bodies().count());
        assert!(
            (volume - 1.0).abs() < 0.03 && pieces == 1,
            "{wind}: {volume} of its volume, {pieces} pieces"
        );
        assert!(farthest > 2.0 * last, "{wind}: {farthest} m, {last} m in less wind");
        last = farthest;
    }
    assert!((0.05..0.4).contains(&last), "{last} m");
}

#[test]
fn a_trunk_matched_on_several_levels_follows_farther_than_one_on_a_single_level() {
    let mut scene = scene("elephant-trunks", &[]);
    let names = ["naive", "adaptive"];
    // The lowest place in front: the tip of the trunk.
    let tip = |body: &Body| {
        let front = |p: &DVec3| p.x > 0.3;
        let skin = body.skin().positions.iter().map(|p| body.nodes.origin + p.as_dvec3());
        skin.filter(front).min_by(|a, b| a.y.total_cmp(&b.y)).unwrap()
    };
    let start = names.map(|name| tip(body(&scene, name)));
    let mut farthest = [0.0_f64; 2];
    for _ in 0..28 {
        run(&mut scene, 5);
        for (k, name) in names.into_iter().enumerate() {
            farthest[k] = farthest[k].max((tip(body(&scene, name)).z - start[k].z).abs());
        }
    }
    assert!(farthest[1] > 0.1 && farthest[1] > 1.5 * farthest[0], "{farthest:?} m");
}

#[test]
fn a_dinosaur_pulled_to_extremes_comes_to_stand_as_one_that_nothing_pulled() {
    let extent = |scene: &Scene| {
        let skin = &body(scene, "dinosaur").skin().positions;
        let (low, high) =
            (skin.iter().copied().reduce(|a, b| a.min(b)), skin.iter().copied().reduce(|a, b| a.max(b)));
        high.unwrap() - low.unwrap()
    };
    let mut pulled = scene("dinosaur-pulled", &[]);
    let start = extent(&pulled);
    run(&mut pulled, 170);
    assert!(extent(&pulled).length() > 1.25 * start.length(), "{} of {start}", extent(&pulled));
    let mut free = scene("dinosaur-pulled", &["pick[*].motion.release_secs=0.0"]);
    [&mut pulled, &mut free].into_iter().for_each(|scene| run(scene, 400));
    let places = [&pulled, &free].map(|scene| body(scene, "dinosaur").skin().positions.clone());
    let origins = [&pulled, &free].map(|scene| body(scene, "dinosaur").nodes.origin);
    let apart = places[0].iter().zip(&places[1]);
    let apart = apart.map(|(a, b)| (origins[0] + a.as_dvec3()).distance(origins[1] + b.as_dvec3()));
    let farthest = apart.fold(0.0, f64::max);
    assert!(farthest < 0.02, "{farthest} m");
}
