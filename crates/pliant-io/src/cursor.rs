//! Numbers of files that have the same structure as text and as bytes.

use crate::error::{IoError, Place};
use crate::read::Source;
use crate::text::{integer, number, shown};

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
}

impl Scalar {
    pub fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }

    /// The number in the first bytes of `bytes`, if there are enough.
    pub fn decode(self, bytes: &[u8], encoding: Encoding) -> Option<Number> {
        let mut value = [0_u8; 8];
        let size = self.bytes();
        value[..size].copy_from_slice(bytes.get(..size)?);
        if encoding == Encoding::BigEndian {
            value[..size].reverse();
        }
        let [a, b, c, d, ..] = value;
        Some(match self {
            Self::I8 => Number::Whole(i8::from_le_bytes([a]).into()),
            Self::U8 => Number::Whole(a.into()),
            Self::I16 => Number::Whole(i16::from_le_bytes([a, b]).into()),
            Self::U16 => Number::Whole(u16::from_le_bytes([a, b]).into()),
            Self::I32 => Number::Whole(i32::from_le_bytes([a, b, c, d]).into()),
            Self::U32 => Number::Whole(u32::from_le_bytes([a, b, c, d]).into()),
            Self::I64 => Number::Whole(i64::from_le_bytes(value)),
            // What does not fit is no count or index of ours anyway.
            Self::U64 => Number::Whole(i64::try_from(u64::from_le_bytes(value)).unwrap_or(i64::MAX)),
            Self::F32 => Number::Real(f32::from_le_bytes([a, b, c, d]).into()),
            Self::F64 => Number::Real(f64::from_le_bytes(value)),
        })
    }
}

/// A number as it was found.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Number {
    Whole(i64),
    Real(f64),
}

impl Number {
    pub fn real(self) -> f64 {
        match self {
            Self::Whole(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    /// As a whole number; −1 for one that is not.
    pub fn whole(self) -> i64 {
        match self {
            Self::Whole(value) => value,
            Self::Real(value) if value.fract() == 0.0 && value.abs() < 9e15 => value as i64,
            Self::Real(_) => -1,
        }
    }
}

/// Walks through a file of lines and numbers.
pub(crate) struct Cursor<'a> {
    pub source: &'a Source<'a>,
    pub at: usize,
    pub encoding: Encoding,
}

impl<'a> Cursor<'a> {
    pub fn new(source: &'a Source<'a>) -> Self {
        let at = if source.bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { source, at, encoding: Encoding::Text }
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.source.bytes[self.at..]
    }

    /// Where it is: a line in a text, a byte elsewhere.
    pub fn place(&self) -> Place {
        if self.encoding != Encoding::Text {
            return Place::Byte(self.at);
        }
        let before = &self.source.bytes[..self.at];
        Place::Line(1 + before.iter().filter(|&&b| b == b'\n').count())
    }

    pub fn syntax(&self, fault: impl Into<String>) -> IoError {
        self.source.syntax(self.place(), fault)
    }

    pub fn truncated(&self, fault: impl Into<String>) -> IoError {
        self.source.truncated(self.place(), fault)
    }

    /// The next word of text, on whatever line.
    pub fn word(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest();
        let start = rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let end = rest[start..].iter().position(u8::is_ascii_whitespace).map_or(rest.len(), |n| start + n);
        self.at += end;
        Some(&rest[start..end])
    }

    /// The next word, without going on.
    pub fn peek(&self) -> Option<&'a [u8]> {
        Cursor { source: self.source, at: self.at, encoding: self.encoding }.word()
    }

    /// What is left of this line; then the next one is begun.
    pub fn line(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let end = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        self.at = (self.at + end + 1).min(self.source.bytes.len());
        rest[..end].trim_ascii()
    }

    /// A number of this type, or whatever it is written like in a text.
    pub fn number(&mut self, scalar: Scalar) -> Result<Number, IoError> {
        if self.encoding != Encoding::Text {
            let found = scalar.decode(self.rest(), self.encoding);
            let found = found.ok_or_else(|| self.truncated("a number is missing"))?;
            self.at += scalar.bytes();
            return Ok(found);
        }
        let word = self.word().ok_or_else(|| self.truncated("a number is missing"))?;
        match scalar {
            Scalar::F32 | Scalar::F64 => number(word).map(Number::Real),
            _ => integer(word).map(Number::Whole),
        }
        .map_err(|fault| self.syntax(fault))
    }

    pub fn real(&mut self) -> Result<f64, IoError> {
        self.number(Scalar::F64).map(Number::real)
    }

    pub fn whole(&mut self, scalar: Scalar) -> Result<i64, IoError> {
        self.number(scalar).map(Number::whole)
    }

    /// A count of things of which each takes at least `least` bytes, in a text as many characters: a larger one is a lie.
    pub fn count(&mut self, scalar: Scalar, least: usize, what: &str) -> Result<usize, IoError> {
        let count = self.whole(scalar)?;
        self.check_count(count, least, what)
    }

    /// Whether so many things of at least `least` bytes can follow.
    pub fn check_count(&self, count: i64, least: usize, what: &str) -> Result<usize, IoError> {
        let Ok(count) = usize::try_from(count) else {
            return Err(self.syntax(format!("{count} is not a number of {what}")));
        };
        if count.saturating_mul(least) > self.rest().len().saturating_add(least) {
            let fault = format!("{count} {what} are promised, {} bytes follow", self.rest().len());
            return Err(self.truncated(fault));
        }
        Ok(count)
    }

    /// The next word, which must be this one.
    pub fn expect(&mut self, keyword: &str) -> Result<(), IoError> {
        match self.word() {
            Some(word) if word.eq_ignore_ascii_case(keyword.as_bytes()) => Ok(()),
            Some(word) => Err(self.syntax(format!("{keyword} is expected here, not {}", shown(word)))),
            None => Err(self.truncated(format!("{keyword} is missing"))),
        }
    }
}
