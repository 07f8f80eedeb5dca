// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions and constants of an image, and its code as bytes.

use crate::{Unknown, Why};
use lichen_image::{Image, Location, source_name};
use lichen_isa::ByteOrder;
use std::collections::BTreeSet;
use std::ops::Range;

/// An image, as code.
pub(crate) struct Code<'a> {
    pub(crate) image: &'a Image,
    /// Functions that have a size, by address.
    functions: Vec<(Range<u32>, &'a str)>,
    /// Where functions begin, those of assembly without a size among them.
    beginnings: BTreeSet<u32>,
    /// Data at run time, and where it is loaded from: code in RAM is found there.
    data: Option<(Range<u32>, u32)>,
    /// What pointers hold.
    pub(crate) pointers: lichen_isa::Pointers,
}

impl<'a> Code<'a> {
    pub(crate) fn new(image: &'a Image, pointers: lichen_isa::Pointers) -> Code<'a> {
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
        Code { image, functions, beginnings, data, pointers }
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

    /// Where functions begin.
    pub(crate) fn beginnings(&self) -> impl Iterator<Item = u32> + '_ {
        self.beginnings.iter().copied()
    }

    /// What people call the code at `address`.
    pub(crate) fn name(&self, address: u32) -> String {
        match self.around(address) {
            Some((_, name)) => source_name(name).to_string(),
            None => match self.image.symbols().place(address) {
                Some(place) => source_name(place.name).to_string(),
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

    pub(crate) fn halfword(&self, address: u32) -> Option<u16> {
        let bytes = self.image.bytes_at(self.loaded(address), 2)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    }

    /// Where the object may be to which the pointer at `address` points: in RAM or, if addresses of flash
    /// are others, there.
    pub(crate) fn pointees(&self, address: u32) -> Vec<u32> {
        let Some(bytes) =
            self.image.bytes_at(self.loaded(address), self.pointers.data_bytes as usize)
        else {
            return Vec::new();
        };
        let pointer = ByteOrder::Little.number(bytes);
        if pointer == 0 || pointer & self.pointers.code_mark != 0 {
            return Vec::new();
        }
        let mut places = vec![self.pointers.data_base + pointer, pointer];
        places.dedup();
        places
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
}

fn is_of_system(location: &Location) -> bool {
    location.file.as_deref().is_some_and(|file| file.starts_with("os/"))
}
