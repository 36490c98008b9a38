//! A small picture of every scene.

/// Pairs a name with the picture of that scene's sixtieth frame.
macro_rules! pictures {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../pictures/", $name, "-60.png")))),*]
    };
}

const PICTURES: &[(&str, &[u8])] = pictures![
    "duck-drop",
    "jelly-cubes",
    "jelly-spheres",
    "small-objects",
    "l-bar-one-cluster",
    "l-bar-two-clusters",
    "skin-patch-1",
    "skin-patch-2x2",
    "skin-patch-5x5",
    "ball-wall-no-cap",
    "ball-wall-hard-caps",
    "ball-wall-soft-caps",
    "fish-held",
    "torus-knot-swung",
    "pick-and-throw",
    "push-through",
    "stars-in-wind",
    "plastic-bear",
    "moduli",
    "hand-uniform",
    "hand-adaptive",
    "hand-stiffness",
    "plastic-block",
    "flowers-in-wind",
    "crowd-under-budget",
    "willow-light-wind",
    "willow-medium-wind",
    "willow-strong-wind",
    "elephant-trunks",
    "dinosaur-pulled",
    "soft-to-stiff",
    "liver-pressed",
    "cut-beam",
    "liver-cut",
    "cylinder-out-of-cube",
    "crossing-cuts",
    "scissors-fish",
    "scissors-torus-knot",
    "talking-ball",
    "torn-sheet",
    "pile",
    "liver-halves",
    "knot",
    "ball-between-plates",
    "jelly-on-platform",
    "trampoline",
    "funnel",
    "towers",
    "restitution",
    "ball-on-stairs",
    "folded-bar",
    "soft-gripper",
];

/// The picture of a scene's sixtieth frame as the bytes of a PNG file, 160 × 100; `None` if there is no scene of that name.
pub fn scene_picture(name: &str) -> Option<&'static [u8]> {
    PICTURES.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}
