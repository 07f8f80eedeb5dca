// SPDX-License-Identifier: MIT OR Apache-2.0
//! The directory of a mote: which programs are installed, and where (`os/load/directory.h`). It is a page of flash, twice,
//! and the inverse of what is described here.

use crate::{crc32, crc32_add};

/// Bytes of a page of flash, which holds a copy; programs begin at a multiple of it.
pub const PAGE_BYTES: usize = 256;

const MAGIC: u16 = 0xd14c;
const ROWS: usize = 8;
const ROW_BYTES: usize = 24;
const ROWS_AT: usize = 6;
const FLOORS_BYTES: usize = 8 * 6;
const CRC_AT: usize = ROWS_AT + ROWS * ROW_BYTES + FLOORS_BYTES;

/// What has become of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Whole, and not started at boot.
    Verified,
    /// Started at boot.
    Active,
    /// Never started again.
    Dead,
}

/// A program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which row it is.
    pub slot: u8,
    /// What has become of it.
    pub state: State,
    /// 0, or which one of several of its name.
    pub instance: u8,
    /// Where its header is in flash.
    pub address: u32,
    /// Bytes of flash, header included.
    pub bytes: u16,
    /// Objects and stacks: a distance from the first byte of the arena, and bytes.
    pub low: u16,
    /// Bytes of these.
    pub low_bytes: u16,
    /// The data, in the same way.
    pub data: u16,
    /// Bytes of it.
    pub data_bytes: u16,
}

/// What a row has of the image that it was linked for: its functions for calls, and its places in RAM, as it stores them
/// (`os/load/turn.c`).
pub fn identity(functions: &[u8], places: &[u8]) -> u32 {
    crc32_add(crc32(functions), places)
}

/// The rows that the valid copy with the higher sequence has, for an image of this identity; none without one. What was linked
/// for another image is dead.
pub fn rows(copies: [&[u8]; 2], identity: u32) -> Vec<Row> {
    let copies = copies.map(|copy| copy.iter().map(|byte| !byte).collect::<Vec<u8>>());
    let counts = match copies.each_ref().map(|copy| sequence(copy)) {
        [None, None] => return Vec::new(),
        [Some(first), Some(second)] if second.wrapping_sub(first) as i16 > 0 => &copies[1],
        [Some(_), _] => &copies[0],
        [None, Some(_)] => &copies[1],
    };
    let rows = counts[ROWS_AT..].chunks_exact(ROW_BYTES).take(ROWS);
    rows.enumerate().filter_map(|(slot, bytes)| row(slot as u8, bytes, identity)).collect()
}

/// The sequence of a copy that is whole.
fn sequence(copy: &[u8]) -> Option<u16> {
    let end = copy.get(CRC_AT..CRC_AT + 4)?;
    let is_whole = half(copy, 0) == MAGIC && word(end, 0) == crc32(&copy[..CRC_AT]);
    is_whole.then(|| half(copy, 2))
}

fn row(slot: u8, bytes: &[u8], identity: u32) -> Option<Row> {
    let state = match bytes[4] {
        1..=3 if word(bytes, 0) != identity => State::Dead,
        1 => State::Verified,
        2 => State::Active,
        3 => State::Dead,
        _ => return None,
    };
    Some(Row {
        slot,
        state,
        instance: bytes[6],
        address: u32::from(half(bytes, 8)) * PAGE_BYTES as u32,
        bytes: half(bytes, 10),
        low: half(bytes, 14),
        low_bytes: half(bytes, 16),
        data: half(bytes, 18),
        data_bytes: half(bytes, 20),
    })
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from(half(bytes, at)) | u32::from(half(bytes, at + 2)) << 16
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDENTITY: u32 = 0x1234_5678;

    /// A copy with one program, in the second row.
    fn copy(sequence: u16, instance: u8) -> Vec<u8> {
        let mut bytes = vec![0; CRC_AT];
        bytes[..2].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[2..4].copy_from_slice(&sequence.to_le_bytes());
        let row = &mut bytes[ROWS_AT + ROW_BYTES..][..ROW_BYTES];
        row[..4].copy_from_slice(&IDENTITY.to_le_bytes());
        row[4] = 2;
        row[6] = instance;
        row[8..12].copy_from_slice(&[0xe1, 0, 0xac, 0]);
        row[16] = 40;
        bytes.extend(crc32(&bytes).to_le_bytes());
        bytes.resize(PAGE_BYTES, 0);
        bytes.iter().map(|byte| !byte).collect()
    }

    fn instances(copies: [&[u8]; 2]) -> Vec<u8> {
        rows(copies, IDENTITY).iter().map(|row| row.instance).collect()
    }

    #[test]
    fn a_row_is_read() {
        let found = rows([&copy(1, 0), &[0xff; PAGE_BYTES]], IDENTITY);
        let [row] = found[..] else { panic!("{found:?}") };
        assert_eq!((row.slot, row.state, row.address), (1, State::Active, 0xe100));
        assert_eq!((row.bytes, row.low_bytes), (0xac, 40));
    }

    #[test]
    fn what_was_linked_for_another_image_is_dead() {
        let found = rows([&copy(1, 0), &[0xff; PAGE_BYTES]], IDENTITY + 1);
        assert_eq!(found.iter().map(|row| row.state).collect::<Vec<_>>(), [State::Dead]);
    }

    #[test]
    fn the_copy_with_the_higher_sequence_counts() {
        assert_eq!(instances([&copy(2, 2), &copy(1, 1)]), [2]);
        assert_eq!(instances([&copy(2, 2), &copy(3, 3)]), [3]);
        assert_eq!(instances([&copy(u16::MAX, 1), &copy(0, 2)]), [2], "it wraps");
    }

    #[test]
    fn a_copy_that_is_not_whole_does_not_count() {
        for at in 0..CRC_AT + 4 {
            let mut torn = copy(9, 9);
            torn[at] ^= 1;
            assert_eq!(instances([&torn, &copy(1, 1)]), [1], "byte {at}");
            assert_eq!(instances([&torn, &[]]), [0; 0]);
        }
    }
}
