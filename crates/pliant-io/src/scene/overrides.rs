//! Changing single values of a scene from the command line.

use super::error::plain;
use super::{SceneError, SceneFile};
use toml::{Table, Value};

/// Sets `key=value`, such as `body[0].material.alpha=0.7`, `body[*].clusters.matching="rigid"` or `world.substeps=4`.
///
/// A value that is not TOML is taken as text, so quotes may be left out.
///
/// # Errors
/// If the scene has no such key or the value does not fit it.
pub fn set(scene: &SceneFile, assignment: &str) -> Result<SceneFile, SceneError> {
    let (key, text) = assignment.split_once('=').ok_or_else(|| {
        SceneError::new(assignment, "a setting has the form key=value, for example world.substeps=4")
    })?;
    let (key, text) = (key.trim(), text.trim());
    let fail = |message: String| SceneError::new(key, message);
    let table = format!("value = {text}").parse::<Table>().ok().filter(|table| table.len() == 1);
    let value = table.and_then(|mut table| table.remove("value"));
    let value = value.unwrap_or_else(|| Value::String(text.to_owned()));
    let mut root = Value::try_from(scene).map_err(|error| fail(error.to_string()))?;
    let parts =
        parts(key).ok_or_else(|| fail("this is not a key; one looks like body[0].material.alpha".into()))?;
    assign(&mut root, &parts, &value).map_err(fail)?;
    let changed = root.clone().try_into().map_err(|error: toml::de::Error| fail(plain(error.message())))?;
    super::surplus::check(&root, &changed)?;
    Ok(changed)
}

/// Whether an assignment gives the key, or something above or below it, its value.
pub(super) fn sets(assignment: &str, key: &str) -> bool {
    let Some((set, key)) = assignment.split_once('=').and_then(|(set, _)| parts(set.trim()).zip(parts(key)))
    else {
        return false;
    };
    set.iter().zip(&key).all(|pair| match pair {
        (Part::All, Part::Index(_)) => true,
        (a, b) => a == b,
    })
}

#[derive(PartialEq)]
enum Part<'a> {
    Name(&'a str),
    Index(usize),
    All,
}

/// `a[0].b`, and `a.0.b` as well.
fn parts(key: &str) -> Option<Vec<Part<'_>>> {
    let of = |part| match part {
        "" => None,
        "*" => Some(Part::All),
        _ => Some(part.parse().map_or(Part::Name(part), Part::Index)),
    };
    key.split(['.', '[']).map(|part| of(part.trim_end_matches(']'))).collect()
}

fn assign(at: &mut Value, parts: &[Part], value: &Value) -> Result<(), String> {
    let Some((part, rest)) = parts.split_first() else {
        *at = value.clone();
        return Ok(());
    };
    match (part, at) {
        (Part::Name(name), Value::Table(table)) => {
            // What is not written in the file has its default; it is made here and checked when the scene is read.
            let missing = if rest.is_empty() { value.clone() } else { Value::Table(Table::new()) };
            assign(table.entry((*name).to_owned()).or_insert(missing), rest, value)
        }
        (Part::Index(index), Value::Array(items)) => {
            let count = items.len();
            let item = items
                .get_mut(*index)
                .ok_or_else(|| format!("there is no item {index}; there are {count}, counted from 0"))?;
            assign(item, rest, value)
        }
        (Part::All, Value::Array(items)) if items.is_empty() => Err("the list is empty".into()),
        (Part::All, Value::Array(items)) => items.iter_mut().try_for_each(|item| assign(item, rest, value)),
        (Part::Name(name), Value::Array(_)) => {
            Err(format!("{name} is below a list: write [0], [1] … for one of its items, or [*] for all"))
        }
        (Part::Name(name), at) => Err(format!("{name} cannot be set below {at}, which is no table")),
        (Part::Index(_) | Part::All, _) => Err("what is numbered here is no list".into()),
    }
}
