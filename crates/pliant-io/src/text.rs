//! Words, lines and numbers of text formats; bytes need not be UTF-8.

/// Walks through a text word by word and knows the line it is on. Lines end with LF, CR LF or a lone CR.
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    /// From this byte to the end of the line is a comment.
    comment: Option<u8>,
}

impl<'a> Words<'a> {
    pub fn new(bytes: &'a [u8], comment: Option<u8>) -> Self {
        Self { bytes: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), at: 0, line: 1, comment }
    }

    /// The line that the last word was on, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// The next word, on whatever line.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.word_on_line() {
                return Some(word);
            }
            if !self.end_line() {
                return None;
            }
        }
    }

    /// The next word on this line.
    pub fn word_on_line(&mut self) -> Option<&'a [u8]> {
        while self.at < self.bytes.len() && is_gap(self.bytes[self.at]) {
            self.at += 1;
        }
        let start = self.at;
        if self.bytes.get(start).is_some_and(|b| Some(*b) == self.comment) {
            self.at = line_end(self.bytes, start);
            return None;
        }
        while self.at < self.bytes.len() && !self.bytes[self.at].is_ascii_whitespace() {
            if Some(self.bytes[self.at]) == self.comment {
                break;
            }
            self.at += 1;
        }
        (self.at > start).then(|| &self.bytes[start..self.at])
    }

    /// What is left of this line, without blanks at its ends; the line is then read.
    pub fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        self.at = line_end(self.bytes, start);
        self.bytes[start..self.at].trim_ascii()
    }

    /// Goes to the next line; false at the end of the text.
    pub fn end_line(&mut self) -> bool {
        self.at = line_end(self.bytes, self.at);
        if self.at >= self.bytes.len() {
            return false;
        }
        self.at += line_break(&self.bytes[self.at..]);
        self.line += 1;
        true
    }
}

/// Splits into lines, with line numbers from 1; a backslash at a line's end joins it with the next.
pub(crate) fn joined_lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let (mut at, mut line) = (0, 1);
    std::iter::from_fn(move || {
        if at >= bytes.len() {
            return None;
        }
        let (start, first_line) = (at, line);
        loop {
            let end = line_end(bytes, at);
            at = end + line_break(&bytes[end..]);
            line += 1;
            // A comment may end with a path's backslash.
            let joins = end > start && bytes[end - 1] == b'\\' && bytes[start] != b'#';
            if at >= bytes.len() || !joins {
                return Some((first_line, &bytes[start..end]));
            }
        }
    })
}

fn is_gap(byte: u8) -> bool {
    byte.is_ascii_whitespace() && byte != b'\n' && byte != b'\r'
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|b| matches!(b, b'\n' | b'\r')).map_or(bytes.len(), |n| from + n)
}

fn line_break(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

/// A number; NaN and infinities are read, also as old C libraries print them.
pub(crate) fn number(word: &[u8]) -> Result<f64, String> {
    let text = std::str::from_utf8(word).map_err(|_| not_a(word, "number"))?;
    if let Ok(value) = text.parse::<f64>() {
        return Ok(value);
    }
    let lower = text.to_ascii_lowercase();
    if lower.contains("#qnan") || lower.contains("#ind") || lower.contains("#inf") || lower.contains("nan(") {
        return Ok(f64::NAN);
    }
    if text.contains(',') && text.replace(',', ".").parse::<f64>().is_ok() {
        return Err(format!("{} has a decimal comma; write a point", shown(word)));
    }
    Err(not_a(word, "number"))
}

/// A whole number.
pub(crate) fn integer(word: &[u8]) -> Result<i64, String> {
    let text = std::str::from_utf8(word).map_err(|_| not_a(word, "whole number"))?;
    text.parse::<i64>().map_err(|_| not_a(word, "whole number"))
}

fn not_a(word: &[u8], kind: &str) -> String {
    format!("{} is not a {kind}", shown(word))
}

/// A word for an error message: quoted, short, printable.
pub(crate) fn shown(word: &[u8]) -> String {
    let start = String::from_utf8_lossy(&word[..word.len().min(40)]);
    let dots = if word.len() > 40 { "…" } else { "" };
    format!("'{}{dots}'", start.escape_debug())
}

/// A name from a file, whatever its encoding.
pub(crate) fn name(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii()).into_owned()
}
