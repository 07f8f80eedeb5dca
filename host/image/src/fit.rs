// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whether a chip can hold and start an image.

use crate::{Error, Image, Machine, Section, Segment, Variant, avr};

/// A memory of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// `flash` or `RAM`.
    pub name: &'static str,
    /// First address.
    pub start: u32,
    /// Bytes.
    pub size: u32,
}

impl Region {
    fn contains(&self, address: u32) -> bool {
        address >= self.start && address - self.start < self.size
    }

    fn end(&self) -> u64 {
        self.start as u64 + self.size as u64
    }
}

/// A chip, as far as images must fit it.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// Its part number.
    pub part: &'a str,
    /// Name of its architecture.
    pub architecture: &'static str,
    /// `e_machine` of images for it.
    pub machine: u16,
    /// Families whose images it executes, its own first; none if its machine does not distinguish them.
    pub variants: &'a [u32],
    /// The signature that a programmer reads from it; empty if it has none.
    pub signature: &'a [u8],
    /// Its memories; the first one has the reset vector.
    pub memories: &'a [Region],
}

impl Image {
    /// Checks that a chip executes what the image is made for, and can hold and start it.
    pub fn check_fits(&self, target: &Target<'_>) -> Result<(), Error> {
        let Target { part, architecture, machine, memories, .. } = *target;
        if self.machine().number() != machine {
            return Err(Error::OtherArchitecture {
                file: self.name.clone(),
                found: self.machine(),
                part: part.to_string(),
                wanted: architecture,
            });
        }
        self.check_chip(target)?;
        for segment in &self.segments {
            self.check_segment(segment, part, memories)?;
        }
        match (self.machine(), memories.first()) {
            (Machine::Arm, Some(flash)) => self.check_vectors(flash, memories)?,
            (Machine::Avr, Some(flash)) => self.check_avr(flash, target)?,
            (_, None) => {}
        }
        let mut taken = self.taken.iter();
        taken.try_for_each(|(address, bytes)| self.check_taken(*address, *bytes, part, memories))
    }

    /// What the image says of its chip, in the one or other way.
    fn check_chip(&self, target: &Target<'_>) -> Result<(), Error> {
        let (file, part) = (self.name.clone(), target.part.to_string());
        if let (Some(found), Some(wanted)) = (self.variant, target.variants.first())
            && !target.variants.contains(&found.0)
        {
            let (machine, wanted) = (self.machine(), Variant(*wanted));
            return Err(Error::OtherVariant { file, machine, found, part, wanted });
        }
        if let Some(found) = self.device().filter(|found| !avr::is_same_chip(found, &part)) {
            return Err(Error::OtherChip { file, found: found.to_string(), part });
        }
        match self.signature() {
            Some(signature) if !avr::is_signature(signature, target.signature) => {
                Err(Error::OtherChip { file, found: avr::signed(signature), part })
            }
            _ => Ok(()),
        }
    }

    /// AVR's linker knows the sizes of the family's memories, not of the chip's. Execution begins at the
    /// beginning of flash or of its boot section, as fuses say; what is erased leads on to there.
    fn check_avr(&self, flash: &Region, target: &Target<'_>) -> Result<(), Error> {
        if !self.segments.iter().any(|segment| flash.contains(segment.address)) {
            return Err(Error::NoCode { file: self.name.clone() });
        }
        let end = |section: &Section| section.address as u64 + section.size as u64;
        let is_inside = |section: &Section| {
            let holds =
                |memory: &Region| memory.contains(section.address) && end(section) <= memory.end();
            avr::is_in_signature(section.address) || target.memories.iter().any(holds)
        };
        match self.sections.iter().find(|section| !is_inside(section)) {
            Some(section) => Err(Error::RunsOutside {
                file: self.name.clone(),
                section: section.name.clone(),
                address: section.address,
                end: end(section),
                part: target.part.to_string(),
                memories: describe(target.memories),
            }),
            None => Ok(()),
        }
    }

    fn check_segment(
        &self,
        segment: &Segment,
        part: &str,
        memories: &[Region],
    ) -> Result<(), Error> {
        let size = segment.bytes.len() as u64;
        let end = segment.address as u64 + size;
        let file = self.name.clone();
        let part = part.to_string();
        match memories.iter().find(|memory| memory.contains(segment.address)) {
            Some(memory) => self.check_end(segment.address, end, memory, &part),
            None => Err(Error::Outside {
                file,
                address: segment.address,
                end,
                size,
                part,
                memories: describe(memories),
            }),
        }
    }

    /// What a segment takes at run time ends in the memory in which it begins.
    fn check_taken(
        &self,
        address: u32,
        bytes: u32,
        part: &str,
        memories: &[Region],
    ) -> Result<(), Error> {
        let end = address as u64 + bytes as u64;
        let memory = memories.iter().find(|memory| memory.contains(address));
        memory.map_or(Ok(()), |memory| self.check_end(address, end, memory, part))
    }

    fn check_end(&self, address: u32, end: u64, memory: &Region, part: &str) -> Result<(), Error> {
        if end <= memory.end() {
            return Ok(());
        }
        Err(Error::TooLarge {
            file: self.name.clone(),
            address,
            end,
            over: end - memory.end(),
            memory: memory.name,
            size: memory.size as u64,
            part: part.to_string(),
        })
    }

    /// The core takes its stack pointer and its first instruction from the first two words of
    /// flash. (ARMv6-M Architecture Reference Manual, "Reset behavior".)
    fn check_vectors(&self, flash: &Region, memories: &[Region]) -> Result<(), Error> {
        let table = flash.start;
        let wrong = |what: String| Err(Error::Vectors { file: self.name.clone(), table, what });
        let Some(words) = self.bytes_at(table, 8) else {
            let lowest = self.segments.iter().map(|segment| segment.address).min().unwrap_or(0);
            return wrong(format!(
                "the image has nothing there, it begins at 0x{lowest:08x}; if it is made for a boot \
                 loader, link it for address 0x{table:08x}"
            ));
        };
        let word = |at: usize| {
            u32::from_le_bytes([words[at], words[at + 1], words[at + 2], words[at + 3]])
        };
        let (stack, reset) = (word(0), word(4));
        if reset & 1 == 0 {
            return wrong(format!(
                "the reset vector 0x{reset:08x} is not a Thumb address (it is even)"
            ));
        }
        if self.bytes_at(reset & !1, 2).is_none() {
            return wrong(format!(
                "the reset vector 0x{reset:08x} points where the image has no code"
            ));
        }
        let ram = memories.iter().any(|memory| {
            memory.start != flash.start && stack > memory.start && stack as u64 <= memory.end()
        });
        if stack != 0 && !ram {
            return wrong(format!(
                "the initial stack pointer 0x{stack:08x} is outside the chip's RAM ({}); the image \
                 seems to be made for another chip",
                describe(&memories[1..])
            ));
        }
        Ok(())
    }
}

fn describe(memories: &[Region]) -> String {
    let one = |memory: &Region| {
        format!(
            "{} 0x{:08x}..0x{:08x} ({} bytes)",
            memory.name,
            memory.start,
            memory.end(),
            memory.size
        )
    };
    memories.iter().map(one).collect::<Vec<_>>().join(", ")
}
