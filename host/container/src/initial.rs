// SPDX-License-Identifier: MIT OR Apache-2.0
//! Initial values: runs that fill objects and data.

use crate::Header;

/// Bits of a run's head that are its number of bytes.
const BYTES: u16 = 0x3fff;

/// What a run makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run<'data> {
    /// These bytes.
    Literal(&'data [u8]),
    /// Bytes that stay 0.
    Zero(u16),
    /// A byte, repeated.
    Repeat(u8, u16),
}

impl Run<'_> {
    /// Bytes that it makes.
    pub fn bytes(&self) -> usize {
        match self {
            Run::Literal(bytes) => bytes.len(),
            Run::Zero(bytes) | Run::Repeat(_, bytes) => usize::from(*bytes),
        }
    }
}

/// Objects (without stacks) and data before a program runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Initial {
    /// The objects.
    pub objects: Vec<u8>,
    /// The data.
    pub data: Vec<u8>,
}

/// The runs of `bytes`, each with where it begins; or where one is wrong, and what is.
pub fn runs(bytes: &[u8]) -> Result<Vec<(usize, Run<'_>)>, (usize, String)> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let cut = |what: &str| (at, format!("the initial values end within {what}"));
        let pair = |at: usize| bytes.get(at..at + 2).map(|pair| [pair[0], pair[1]]);
        let head = u16::from_le_bytes(pair(at).ok_or_else(|| cut("a run's head"))?);
        let length = head & BYTES;
        let (run, contents) = match head >> 14 {
            0 => {
                let padded = usize::from(length).next_multiple_of(2);
                let all = bytes.get(at + 2..at + 2 + padded).ok_or_else(|| cut("a run"))?;
                (Run::Literal(&all[..usize::from(length)]), padded)
            }
            1 => (Run::Zero(length), 0),
            2 => match pair(at + 2).ok_or_else(|| cut("a run"))? {
                [byte, 0] => (Run::Repeat(byte, length), 2),
                [_, other] => return Err((at + 3, format!("behind the byte is {other}, not 0"))),
            },
            kind => return Err((at + 1, format!("a run of kind {kind} is not known"))),
        };
        runs.push((at, run));
        at += 2 + contents;
    }
    Ok(runs)
}

impl Initial {
    /// What the runs of `bytes` make of the blocks of a program; or where one is wrong, and what is.
    pub(crate) fn of(header: &Header, bytes: &[u8]) -> Result<Initial, (usize, String)> {
        let sizes = [header.object_bytes, header.data_bytes].map(usize::from);
        let mut blocks: [Vec<u8>; 2] = Default::default();
        for (at, run) in runs(bytes)? {
            let index = usize::from(blocks[0].len() == sizes[0]);
            let block = &mut blocks[index];
            let end = block.len() + run.bytes();
            if end > sizes[index] {
                let block = if index == 0 { "objects" } else { "data" };
                let size = sizes[index];
                return Err((at, format!("a run ends at byte {end} of {size} of the {block}")));
            }
            match run {
                Run::Literal(bytes) => block.extend(bytes),
                Run::Zero(_) => block.resize(end, 0),
                Run::Repeat(byte, _) => block.resize(end, byte),
            }
        }
        let [mut objects, mut data] = blocks;
        objects.resize(sizes[0], 0);
        data.resize(sizes[1], 0);
        Ok(Initial { objects, data })
    }
}
