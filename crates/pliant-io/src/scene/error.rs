//! What is wrong with a scene, and where.

use std::fmt;
use std::path::PathBuf;
use toml::de::{DeTable, DeValue};

/// What is wrong with a scene, and where: file, line and key as far as they are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The scene file; `None` for a scene from code.
    pub file: Option<PathBuf>,
    /// Line of the file, from 1.
    pub line: Option<usize>,
    /// The key, such as `body[1].material.alpha`; empty if the fault has none.
    pub key: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl std::error::Error for SceneError {}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: ", file.display())?,
            (Some(file), None) => write!(f, "{}: ", file.display())?,
            (None, _) => {}
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}

impl SceneError {
    pub(super) fn new(key: impl Into<String>, message: impl fmt::Display) -> Self {
        Self { file: None, line: None, key: key.into(), message: message.to_string() }
    }

    /// The error with its line, found by its key in the file's text.
    pub(super) fn located(mut self, text: &str) -> Self {
        self.line = self.line.or_else(|| line_of_key(text, &self.key));
        self
    }

    /// What the TOML reader says, with line and key.
    pub(super) fn from_toml(error: &toml::de::Error, text: &str) -> Self {
        let start = error.span().map(|span| span.start);
        Self {
            file: None,
            line: start.map(|start| line_of(text, start)),
            key: start.map(|start| shortened(key_at(text, start))).unwrap_or_default(),
            message: plain(error.message()),
        }
    }
}

/// What the TOML reader says, in the words of scene files.
pub(super) fn plain(message: &str) -> String {
    const WORDS: [(&str, &str); 23] = [
        ("\n", ", "),
        ("unknown field", "unknown key"),
        ("unexpected keys in table:", "unknown keys:"),
        ("available keys:", "expected"),
        ("missing field", "missing key"),
        ("unknown variant", "unknown choice"),
        (
            "invalid type: map, expected a sequence",
            "this is a table, a list is expected: write [[name]] or [ … ]",
        ),
        ("invalid type: sequence, expected", "this is a list; expected"),
        ("invalid type:", "wrong type:"),
        ("invalid value:", "out of range:"),
        ("invalid length", "wrong length"),
        ("` as i128", "`"),
        ("expected f32", "expected a number"),
        ("expected f64", "expected a number"),
        ("expected u32", "expected a whole number, 0 or more"),
        ("expected a sequence of 3 f32 values", "expected a list of 3 numbers"),
        ("expected a sequence of 3 f64 values", "expected a list of 3 numbers"),
        ("expected an array of length 3", "expected a list of 3 whole numbers"),
        (
            "wrong type: unit variant, expected struct variant",
            "this choice needs its values: write { choice = { … } }",
        ),
        (
            "wrong type: unit variant, expected newtype variant",
            "this choice needs its values: write { choice = [ … ] }",
        ),
        ("wanted exactly 1 element, more than 1 element", "several choices are given; exactly one is needed"),
        ("wanted exactly 1 element, found 0 elements", "no choice is given; exactly one is needed"),
        ("wanted string or table", "expected a word or a table"),
    ];
    WORDS.iter().fold(message.to_owned(), |text, (theirs, ours)| text.replace(theirs, ours))
}

/// The longest key that is shown: a file nested a thousand deep has nothing to tell beyond.
const LONGEST_KEY: usize = 120;

/// A key, or as much of it as helps.
fn shortened(mut key: String) -> String {
    if let Some((end, _)) = key.char_indices().nth(LONGEST_KEY) {
        key.truncate(end);
        key.push('…');
    }
    key
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or(text.as_bytes());
    1 + before.iter().filter(|&&byte| byte == b'\n').count()
}

/// The line of a key such as `body[1].material.alpha`, or of the deepest part of it that the file has.
fn line_of_key(text: &str, key: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let mut found = None;
    let mut at: Option<&DeValue> = None;
    for part in key.split('.') {
        let (name, index) = match part.split_once('[') {
            Some((name, index)) => (name, index.trim_end_matches(']').parse::<usize>().ok()),
            None => (part, None),
        };
        let members = match at {
            None => table.get_ref(),
            Some(value) => value.as_table()?,
        };
        let Some((key, mut value)) = members.iter().find(|(key, _)| key.get_ref().as_ref() == name) else {
            break;
        };
        found = Some(key.span().start);
        if let Some(item) = index.and_then(|index| value.get_ref().as_array()?.get(index)) {
            value = item;
            found = Some(item.span().start);
        }
        at = Some(value.get_ref());
    }
    found.map(|offset| line_of(text, offset))
}

/// The key that stands at, or whose value covers, an offset of the file.
fn key_at(text: &str, offset: usize) -> String {
    fn search(value: &DeValue, offset: usize, path: &str) -> Option<String> {
        if let Some(items) = value.as_array() {
            let covers = |(i, item): (usize, &toml::Spanned<DeValue>)| {
                let path = format!("{path}[{i}]");
                search(item.get_ref(), offset, &path)
                    .or_else(|| item.span().contains(&offset).then_some(path))
            };
            return items.iter().enumerate().find_map(covers);
        }
        value.as_table()?.iter().find_map(|(key, value)| {
            let path =
                if path.is_empty() { key.get_ref().to_string() } else { format!("{path}.{}", key.get_ref()) };
            let inner = search(value.get_ref(), offset, &path);
            inner.or_else(|| (key.span().contains(&offset) || value.span().contains(&offset)).then_some(path))
        })
    }
    let (table, _) = DeTable::parse_recoverable(text);
    search(&DeValue::Table(table.into_inner()), offset, "").unwrap_or_default()
}
