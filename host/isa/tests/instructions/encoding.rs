// SPDX-License-Identifier: MIT OR Apache-2.0
//! The list of encodings.

use serde::Deserialize;
use std::fs;
use std::path::Path;

/// One encoding of an instruction: fixed bits and fields.
pub struct Encoding {
    pub name: String,
    /// Mask and value of each halfword.
    halfwords: Vec<(u16, u16)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    encoding: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    pattern: String,
}

/// All encodings of a folder of `test/isa`.
pub fn all(folder: &str) -> Vec<Encoding> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test/isa").join(folder);
    let text = fs::read_to_string(path.join("encodings.toml")).expect("readable");
    parse(&text).unwrap_or_else(|error| panic!("encodings.toml: {error}"))
}

pub fn parse(text: &str) -> Result<Vec<Encoding>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    file.encoding
        .into_iter()
        .map(|entry| {
            let halfwords = entry.pattern.split(';').map(halfword).collect::<Result<_, _>>()?;
            Ok(Encoding { name: entry.name, halfwords })
        })
        .collect()
}

/// Mask of the fixed bits, and their values.
fn halfword(pattern: &str) -> Result<(u16, u16), String> {
    let bits: Vec<char> = pattern.chars().filter(|c| !c.is_whitespace()).collect();
    if bits.len() != 16 {
        return Err(format!("`{pattern}` has {} bits, not 16", bits.len()));
    }
    let collect = |fixed: fn(char) -> bool| {
        bits.iter().fold(0, |value, bit| value << 1 | u16::from(fixed(*bit)))
    };
    Ok((collect(|bit| bit == '0' || bit == '1'), collect(|bit| bit == '1')))
}

impl Encoding {
    /// Its length.
    pub fn words(&self) -> usize {
        self.halfwords.len()
    }

    /// Whether `code` begins with this instruction.
    pub fn matches(&self, code: &[u16]) -> bool {
        code.len() >= self.halfwords.len()
            && self.halfwords.iter().zip(code).all(|((mask, value), half)| half & mask == *value)
    }

    /// Whether the first halfword fits.
    pub fn begins_with(&self, halfword: u16) -> bool {
        self.halfwords.first().is_some_and(|(mask, value)| halfword & mask == *value)
    }
}
