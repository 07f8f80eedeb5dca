// SPDX-License-Identifier: MIT OR Apache-2.0
//! Structures of the firmware, read from memory by the names of their members.

use lichen_chip::Chip;
use lichen_image::{Image, Structure};

/// Where bytes come from: a running chip, or the image before it runs.
pub(crate) trait Bytes {
    /// Fills `into` with the bytes at `address`, if they are there.
    fn fill(&self, address: u32, into: &mut [u8]) -> Option<()>;
}

impl Bytes for dyn Chip + '_ {
    fn fill(&self, address: u32, into: &mut [u8]) -> Option<()> {
        self.peek(address, into).ok()
    }
}

impl Bytes for Image {
    fn fill(&self, address: u32, into: &mut [u8]) -> Option<()> {
        into.copy_from_slice(self.bytes_at(address, into.len())?);
        Some(())
    }
}

/// One object of a structure type in memory.
pub(crate) struct Record<'a, B: ?Sized> {
    pub bytes: &'a B,
    pub layout: &'a Structure,
    pub address: u32,
}

impl<B: Bytes + ?Sized> Record<'_, B> {
    /// Value of a member of 1, 2 or 4 bytes.
    pub(crate) fn get(&self, member: &str) -> Option<u32> {
        let member = self.layout.member(member)?;
        let mut value = [0; 4];
        let size = member.size as usize;
        if !matches!(size, 1 | 2 | 4) {
            return None;
        }
        self.bytes.fill(self.address.checked_add(member.offset)?, &mut value[..size])?;
        Some(u32::from_le_bytes(value))
    }

    /// Value of a member of 8 bytes.
    pub(crate) fn get_64(&self, member: &str) -> Option<u64> {
        let member = self.layout.member(member).filter(|member| member.size == 8)?;
        let mut value = [0; 8];
        self.bytes.fill(self.address.checked_add(member.offset)?, &mut value)?;
        Some(u64::from_le_bytes(value))
    }
}

/// Text at `address` up to its zero byte, at most `most` bytes.
pub(crate) fn text(bytes: &(impl Bytes + ?Sized), address: u32, most: u32) -> Option<String> {
    let mut text = Vec::new();
    for offset in 0..most {
        let mut byte = [0];
        bytes.fill(address.checked_add(offset)?, &mut byte)?;
        if byte[0] == 0 {
            break;
        }
        text.push(byte[0]);
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// The little-endian word at `address`.
pub(crate) fn word(bytes: &(impl Bytes + ?Sized), address: u32) -> Option<u32> {
    let mut word = [0; 4];
    bytes.fill(address, &mut word)?;
    Some(u32::from_le_bytes(word))
}
