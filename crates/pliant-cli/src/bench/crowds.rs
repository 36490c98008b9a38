//! Scenes in which many bodies touch: what contacts cost beside the models.

use super::frames::Frames;
use super::row::Row;
use super::{keep_awake, scene};
use crate::Failure;

/// All rows.
pub(super) fn rows() -> Result<Vec<Row>, Failure> {
    Ok(vec![
        contacts_vs_models("small-objects-contacts-vs-models", "small-objects")?,
        contacts_vs_models("funnel-contacts-vs-models", "funnel")?,
        flowers()?,
    ])
}

/// Frames that count, from the beginning of a scene: bodies fall, and most of them lie in the end.
const FRAMES: usize = 300;

/// Time for contacts over time for models, in a scene whose bodies do not sleep.
fn contacts_vs_models(name: &'static str, of: &str) -> Result<Row, Failure> {
    let mut scene = scene(of)?;
    keep_awake(&mut scene.world);
    let [mut models, mut contacts] = [(); 2].map(|()| Frames::awake(name));
    for _ in 0..FRAMES {
        let ms = scene.step().ms;
        models.push(&scene.world, ms.models)?;
        contacts.push(&scene.world, ms.contacts)?;
    }
    Ok(Row::growth("contacts", name, [models.mean(), contacts.mean()], "ms"))
}

/// Flowers that the wind keeps moving, and a ball that pushes some aside.
fn flowers() -> Result<Row, Failure> {
    let name = "flowers-frame-ms";
    let mut scene = scene("flowers-in-wind")?;
    let mut frames = Frames::awake(name);
    for _ in 0..scene.frames {
        let ms = scene.step().ms;
        frames.push(&scene.world, ms.total())?;
    }
    Ok(Row::number("contacts", name, frames.median(), "ms"))
}
