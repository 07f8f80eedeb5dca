// SPDX-License-Identifier: MIT OR Apache-2.0
//! The vendor's description, read from its file.

const FACTS: &str = include_str!("registers.txt");

/// A register.
#[derive(Clone)]
pub(super) struct Register {
    pub block: &'static str,
    pub name: &'static str,
    pub address: u8,
    pub bits: u32,
    pub fields: Vec<Field>,
}

/// A field of a register.
#[derive(Clone)]
pub(super) struct Field {
    pub name: &'static str,
    pub low: u32,
    pub bits: u32,
    /// Its values, if some are reserved; else none are listed.
    values: Vec<u32>,
}

impl Field {
    /// Its bits in the register.
    pub fn mask(&self) -> u32 {
        self.max() << self.low
    }

    /// Its largest value.
    pub fn max(&self) -> u32 {
        (1 << self.bits) - 1
    }

    /// Whether the value exists.
    pub fn takes(&self, value: u32) -> bool {
        self.values.is_empty() || self.values.contains(&value)
    }

    /// Its values, or some of a wide one.
    pub fn samples(&self) -> Vec<u32> {
        match self.bits {
            0..=5 => (1..=self.max()).collect(),
            _ => (0..self.bits).map(|bit| 1 << bit).chain([self.max()]).collect(),
        }
    }
}

impl Register {
    /// Whether it is a fuse or a lock bit: no register of the data space.
    pub fn is_fuse(&self) -> bool {
        matches!(self.block, "FUSE" | "LOCKBIT")
    }

    /// The addresses of its bytes, low byte first, and the bits that exist there.
    pub fn bytes(&self) -> impl Iterator<Item = (u8, u8)> {
        let mask = self.fields.iter().fold(0, |mask, field| mask | field.mask());
        let count = usize::from(self.bits == 16) + 1;
        (self.address..).zip(mask.to_le_bytes()).take(count)
    }
}

fn lines() -> impl Iterator<Item = Vec<&'static str>> {
    let lines = FACTS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split(' ').collect())
}

/// Every register.
pub(super) fn registers() -> Vec<Register> {
    let lines = lines().filter(|words| !["vector", "signal"].contains(&words[0]));
    lines.map(|words| register(&words)).collect()
}

fn register(words: &[&'static str]) -> Register {
    let [block, name, address, bits, fields @ ..] = words else { panic!("{words:?}") };
    Register {
        block,
        name,
        address: number(address, 16) as u8,
        bits: number(bits, 10),
        fields: fields.iter().map(|text| field(text)).collect(),
    }
}

fn field(text: &'static str) -> Field {
    let (text, values) = text.split_once('=').unwrap_or((text, ""));
    let (name, place) = text.split_once('@').expect(text);
    let (low, bits) = place.split_once('+').unwrap_or((place, "1"));
    let values = values.split(',').filter(|range| !range.is_empty()).flat_map(range).collect();
    Field { name, low: number(low, 10), bits: number(bits, 10), values }
}

/// `5`, or `0-8`.
fn range(text: &str) -> std::ops::RangeInclusive<u32> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    number(first, 10)..=number(last, 10)
}

fn number(text: &str, radix: u32) -> u32 {
    u32::from_str_radix(text, radix).expect(text)
}

/// Every vector: number and name.
pub(super) fn vectors() -> Vec<(u32, &'static str)> {
    let vectors = lines().filter(|words| words[0] == "vector");
    vectors.map(|words| (number(words[1], 10), words[2])).collect()
}

/// Every signal of a block: block, name and pin.
pub(super) fn signals() -> Vec<[&'static str; 3]> {
    let signals = lines().filter(|words| words[0] == "signal");
    signals.map(|words| [words[1], words[2], words[3]]).collect()
}
