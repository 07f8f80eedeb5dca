// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vendor's description of registers and fields, read from its file.

/// A register, or an array of equal ones that follow each other.
#[derive(Clone)]
pub(super) struct Register {
    pub block: &'static str,
    /// The mode of the block in which it is there; empty if the block has none.
    pub mode: &'static str,
    pub name: &'static str,
    pub count: u32,
    pub offset: u32,
    /// Bits of one.
    pub bits: u32,
    /// `rw`, `r` or `w`.
    pub access: &'static str,
    pub reset: u32,
    pub fields: Vec<Field>,
}

/// A field of a register.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Field {
    pub name: String,
    pub low: u32,
    pub bits: u32,
    /// Its values, if some are reserved; else none are listed.
    values: Vec<u32>,
}

impl Field {
    /// Whether the value exists.
    pub fn takes(&self, value: u32) -> bool {
        self.values.is_empty() || self.values.contains(&value)
    }

    /// Its largest value.
    pub fn max(&self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    /// Its bits in the register.
    pub fn mask(&self) -> u32 {
        self.max() << self.low
    }
}

impl Register {
    /// The bits of all its fields.
    pub fn mask(&self) -> u32 {
        self.fields.iter().fold(0, |mask, field| mask | field.mask())
    }

    /// Its name as the table of the specification has it.
    pub fn path(&self) -> String {
        match self.mode {
            "" => self.name.to_string(),
            mode => format!("{mode}.{}", self.name),
        }
    }
}

/// Every register of the description.
pub(super) fn registers() -> Vec<Register> {
    let lines = include_str!("registers.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(register).collect()
}

fn register(line: &'static str) -> Register {
    let mut words = line.split(' ');
    let mut word = || words.next().expect(line);
    let (block, path) = (word(), word());
    let (mode, name) = path.split_once('.').unwrap_or(("", path));
    let (name, count) = match name.split_once('[') {
        Some((name, count)) => (name, number(count.trim_end_matches(']'), 10)),
        None => (name, 1),
    };
    let (offset, bits, access, reset) = (word(), word(), word(), word());
    let (offset, bits, reset) = (number(offset, 16), number(bits, 10), number(reset, 16));
    let fields = words.flat_map(fields).collect();
    Register { block, mode, name, count, offset, bits, access, reset, fields }
}

fn number(text: &str, radix: u32) -> u32 {
    u32::from_str_radix(text, radix).expect(text)
}

/// `NAME@bit`, `NAME@bit+width`, `NAME@bit+width=values`, or a series of bits `NAME0..3@bit`.
fn fields(text: &'static str) -> Vec<Field> {
    let (text, values) = text.split_once('=').unwrap_or((text, ""));
    let (name, place) = text.split_once('@').expect(text);
    let (low, bits) = place.split_once('+').unwrap_or((place, "1"));
    let (low, bits) = (number(low, 10), number(bits, 10));
    let values: Vec<u32> =
        values.split(',').filter(|range| !range.is_empty()).flat_map(range).collect();
    let field = |(name, n)| Field { name, low: low + n, bits, values: values.clone() };
    series(name).into_iter().zip(0..).map(field).collect()
}

/// `5`, or `0-8`.
fn range(text: &str) -> std::ops::RangeInclusive<u32> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    number(first, 10)..=number(last, 10)
}

/// The names that `NAME0..3` stands for; any other name stands for itself.
pub(super) fn series(name: &str) -> Vec<String> {
    let Some((first, last)) = name.split_once("..") else { return vec![name.to_string()] };
    let stem = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let numbers = number(&first[stem.len()..], 10)..=number(last, 10);
    numbers.map(|n| format!("{stem}{n}")).collect()
}
