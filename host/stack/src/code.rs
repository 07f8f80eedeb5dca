// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions, functions and constants of an image.

use crate::{Unknown, Why};
use lichen_image::{Image, Location};
use lichen_isa::armv6m::{Effect, effect};
use std::collections::BTreeSet;
use std::ops::Range;

/// Functions of the compiler's library that go on in a table behind their call, by its index.
const SWITCH: &str = "__gnu_thumb1_case_";

/// Instructions that do nothing: `nop` and `mov r8, r8`.
const FILLS: [u16; 2] = [0xbf00, 0x46c0];

/// An image, as code.
pub(crate) struct Code<'a> {
    pub(crate) image: &'a Image,
    /// Functions that have a size, by address.
    functions: Vec<(Range<u32>, &'a str)>,
    /// Where functions begin, those of assembly without a size among them.
    beginnings: BTreeSet<u32>,
    /// Data at run time, and where it is loaded from: code in RAM is found there.
    data: Option<(Range<u32>, u32)>,
}

impl<'a> Code<'a> {
    pub(crate) fn new(image: &'a Image) -> Code<'a> {
        let symbols = image.symbols();
        let find = |name| symbols.find(name).map(|symbol| symbol.address);
        let data = match (find("data_begin"), find("data_end"), find("data_load")) {
            (Some(begin), Some(end), Some(load)) => Some((begin..end, load)),
            _ => None,
        };
        let sized = symbols.functions().iter().filter(|function| function.size > 0);
        let functions =
            sized.map(|f| (f.address..f.address + f.size, f.name.as_str())).collect::<Vec<_>>();
        let beginnings = symbols.functions().iter().map(|function| function.address).collect();
        Code { image, functions, beginnings, data }
    }

    /// Address of a symbol.
    pub(crate) fn symbol(&self, name: &str) -> Option<u32> {
        self.image.symbols().find(name).map(|symbol| symbol.address)
    }

    /// The function around `address`.
    pub(crate) fn around(&self, address: u32) -> Option<&(Range<u32>, &'a str)> {
        let behind = self.functions.partition_point(|(range, _)| range.start <= address);
        self.functions[..behind].iter().rev().take(4).find(|(range, _)| range.contains(&address))
    }

    /// Whether a function begins at `address`.
    pub(crate) fn is_function(&self, address: u32) -> bool {
        self.beginnings.contains(&address)
    }

    /// What people call the code at `address`.
    pub(crate) fn name(&self, address: u32) -> String {
        match self.around(address) {
            Some((_, name)) => name.to_string(),
            None => match self.image.symbols().place(address) {
                Some(place) => place.name.to_string(),
                None => format!("0x{address:x}"),
            },
        }
    }

    /// Functions of the system that the instruction at `address` belongs to: the one around it, and
    /// those that were inlined there. A program may have functions of the same names.
    pub(crate) fn owners(&self, address: u32) -> Vec<String> {
        let locations = self.image.locations(address);
        let around = locations.last().is_some_and(is_of_system).then(|| self.name(address));
        let inlined = locations.into_iter().filter(is_of_system).filter_map(|l| l.function);
        around.into_iter().chain(inlined).collect()
    }

    /// Whether the code at `address` is of the system, not of the program.
    pub(crate) fn is_of_system(&self, address: u32) -> bool {
        self.image.locations(address).last().is_some_and(is_of_system)
    }

    /// Whether the code at `address` is of the system's assembly, or of the C beside it.
    pub(crate) fn is_of_arch(&self, address: u32) -> bool {
        let locations = self.image.locations(address);
        locations.iter().any(|l| l.file.as_deref().is_some_and(|f| f.starts_with("os/arch/")))
    }

    /// The error that the code at `address` is the reason of.
    pub(crate) fn unknown(&self, address: u32, why: Why) -> Unknown {
        let locations = self.image.locations(address);
        let place = locations.into_iter().find_map(|l| Some((l.file?, l.line?)));
        Unknown { function: self.name(address), why, place }
    }

    /// The instruction at `address`.
    pub(crate) fn effect(&self, address: u32) -> Option<(Effect, u32)> {
        let is_code = self.loaded(address) != address || self.is_code(address);
        let first = self.halfword(address).filter(|_| is_code)?;
        Some(effect(address, first, self.halfword(address + 2)))
    }

    /// Words of the image that are no code, with where they stand. They may stand anywhere, as in packed
    /// structures.
    pub(crate) fn words(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let all = self.image.segments().iter().flat_map(|segment| {
            let words = segment.bytes.windows(4).zip(segment.address..);
            words.map(|(bytes, at)| {
                (at, u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            })
        });
        all.filter(|(at, _)| {
            !self.is_code(self.runs_at(*at)) && !self.is_code(self.runs_at(at + 3))
        })
    }

    /// Whether instructions lie at `address`, not constants.
    pub(crate) fn is_code(&self, address: u32) -> bool {
        let ranges = self.image.code();
        let behind = ranges.partition_point(|range| range.start <= address);
        behind > 0 && ranges[behind - 1].contains(&address)
    }

    /// Where something of RAM is loaded from.
    pub(crate) fn loaded(&self, address: u32) -> u32 {
        match &self.data {
            Some((range, load)) if range.contains(&address) => load + (address - range.start),
            _ => address,
        }
    }

    /// Where something is at run time that is loaded from `address`.
    pub(crate) fn runs_at(&self, address: u32) -> u32 {
        match &self.data {
            Some((range, load)) if (*load..load + range.len() as u32).contains(&address) => {
                range.start + (address - load)
            }
            _ => address,
        }
    }

    fn halfword(&self, address: u32) -> Option<u16> {
        let bytes = self.image.bytes_at(self.loaded(address), 2)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    }

    /// A word that code has beside itself, or of flash.
    pub(crate) fn word(&self, address: u32) -> Option<u32> {
        let bytes = self.image.bytes_at(self.loaded(address), 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// A word of flash, which stays as it is.
    pub(crate) fn constant(&self, address: u32) -> Option<u32> {
        if self.loaded(address) != address { None } else { self.word(address) }
    }

    /// The words of a table that the linker has placed between two symbols.
    pub(crate) fn table(&self, begin: &str, end: &str) -> Range<u32> {
        match (self.symbol(begin), self.symbol(end)) {
            (Some(begin), Some(end)) if begin < end => {
                self.loaded(begin)..self.loaded(begin) + (end - begin)
            }
            _ => 0..0,
        }
    }

    /// Where the switch goes on that the call at `address` makes, if `to` makes switches. Behind its
    /// table code begins again.
    pub(crate) fn switch(&self, address: u32, to: u32) -> Option<Vec<u32>> {
        let name = self.name(to);
        let kind = name.strip_prefix(SWITCH)?;
        let table = address + 4;
        let next = self.image.code().iter().find(|range| range.start >= table)?;
        let (bytes, signed) = match kind {
            "sqi" => (1, true),
            "uqi" => (1, false),
            "shi" => (2, true),
            "uhi" => (2, false),
            "si" => (4, true),
            _ => return None,
        };
        let table = if bytes == 4 { (table + 2) & !3 } else { table };
        let entry = |at: u32| -> Option<u32> {
            let mut raw = [0; 4];
            let read = self.image.bytes_at(self.loaded(at), bytes)?;
            raw[..bytes].copy_from_slice(read);
            let unused = 32 - 8 * bytes as u32;
            let value = u32::from_le_bytes(raw) << unused;
            let value = if signed { (value as i32 >> unused) as u32 } else { value >> unused };
            Some(table.wrapping_add(if bytes == 4 { value } else { value << 1 }))
        };
        let entries = (table..next.start).step_by(bytes).filter_map(entry);
        // Padding at the end of a table is no entry.
        Some(entries.map(|to| to & !1).filter(|to| self.is_code(*to)).collect())
    }

    /// Labels of the function around `address` that its own constants name, and the tables of labels
    /// that these name: where a jump by a register within it may go.
    pub(crate) fn labels(&self, address: u32) -> Vec<u32> {
        let Some((range, _)) = self.around(address) else { return Vec::new() };
        let label =
            |word: u32| Some(word & !1).filter(|to| range.contains(to) && self.is_code(*to));
        let constants = (range.start & !3..range.end).step_by(4).filter(|at| !self.is_code(*at));
        let constants: Vec<u32> = constants.filter_map(|at| self.word(at)).collect();
        let tables = constants.iter().filter(|word| **word % 4 == 0 && !self.is_code(**word));
        let entries = tables
            .flat_map(|table| (*table..).step_by(4).map_while(|at| self.word(at)).map_while(label));
        constants.iter().copied().filter_map(label).chain(entries).collect()
    }

    /// An instruction of the function around `address` that is not known; what only fills up to constants
    /// is none.
    pub(crate) fn other_than(&self, address: u32, is_known: impl Fn(u32) -> bool) -> Option<u32> {
        let (range, _) = self.around(address)?;
        let mut at = range.start;
        while at < range.end {
            let bytes = match self.effect(at).filter(|_| self.is_code(at)) {
                Some((_, bytes)) => bytes,
                None => {
                    at += 2;
                    continue;
                }
            };
            if !is_known(at) && self.halfword(at).is_some_and(|code| !FILLS.contains(&code)) {
                return Some(at);
            }
            at += bytes;
        }
        None
    }
}

fn is_of_system(location: &Location) -> bool {
    location.file.as_deref().is_some_and(|file| file.starts_with("os/"))
}
