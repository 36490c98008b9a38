//! Lists that are longer than what they describe.
//!
//! A reader of three numbers stops after the third; a fourth would be lost without a word.

use super::{SceneError, SceneFile};
use toml::Value;

/// An error if a list of `written` has more items than the scene made from it kept.
pub(super) fn check(written: &Value, scene: &SceneFile) -> Result<(), SceneError> {
    let kept = Value::try_from(scene).map_err(|error| SceneError::new("", error))?;
    find(written, &kept, "").map_or(Ok(()), Err)
}

fn find(written: &Value, kept: &Value, key: &str) -> Option<SceneError> {
    match (written, kept) {
        (Value::Table(written), Value::Table(kept)) => written.iter().find_map(|(name, written)| {
            let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            find(written, kept.get(name)?, &key)
        }),
        (Value::Array(written), Value::Array(kept)) if written.len() > kept.len() => Some(SceneError::new(
            key,
            format!("wrong length {}, expected a list of {} numbers", written.len(), kept.len()),
        )),
        (Value::Array(written), Value::Array(kept)) => {
            let pairs = written.iter().zip(kept).enumerate();
            pairs.into_iter().find_map(|(i, (written, kept))| find(written, kept, &format!("{key}[{i}]")))
        }
        _ => None,
    }
}
