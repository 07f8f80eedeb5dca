// SPDX-License-Identifier: MIT OR Apache-2.0
//! An image as code: its bytes where they are at run time, its instructions, and the functions that it has.

use crate::port::{self, Port};
use crate::returning::Returning;
use crate::{Unknown, Why};
use lichen_image::{Image, source_name};
use lichen_isa::{Architecture, Instruction, LONGEST_INSTRUCTION, architecture};
use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The code of an image.
#[derive(Debug)]
pub struct Text<'a> {
    pub(crate) image: &'a Image,
    pub(crate) architecture: &'static Architecture,
    pub(crate) port: Box<dyn Port>,
    pub(crate) returning: OnceCell<Returning>,
    prototypes: OnceCell<HashMap<u32, String>>,
    recent: Recent,
    /// Functions that have a size, by address.
    functions: Vec<Function<'a>>,
    /// Where functions begin, those of assembly without a size among them.
    beginnings: BTreeSet<u32>,
}

/// The instructions that were decoded last, by parts of their addresses: whoever follows a function looks at each of its
/// instructions several times.
#[derive(Debug)]
struct Recent(Vec<Cell<Decoded>>);

/// An address and the instruction there, if one is.
type Decoded = Option<(u32, Option<Instruction>)>;

/// How many: those of the longest functions, with what they call.
const RECENT: usize = 4096;

impl Default for Recent {
    fn default() -> Recent {
        Recent((0..RECENT).map(|_| Cell::new(None)).collect())
    }
}

impl Recent {
    /// What `decode` makes of what is at `address`.
    fn get(
        &self,
        address: u32,
        decode: impl FnOnce() -> Option<Instruction>,
    ) -> Option<Instruction> {
        let slot = &self.0[address as usize / 2 % RECENT];
        match slot.get() {
            Some((known, instruction)) if known == address => instruction,
            _ => {
                let instruction = decode();
                slot.set(Some((address, instruction)));
                instruction
            }
        }
    }
}

/// A function with a size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// Where its bytes are at run time.
    pub range: Range<u32>,
    /// Its name.
    pub name: &'a str,
}

/// Of names at one address, so many are looked at.
const MOST_ALIASES: usize = 4;

impl<'a> Text<'a> {
    /// The code of `image`.
    pub fn of(image: &'a Image) -> Text<'a> {
        let symbols = image.symbols().functions();
        let sized = symbols.iter().filter(|function| function.size > 0);
        let functions = sized
            .map(|it| Function { range: it.address..it.address + it.size, name: it.name.as_str() });
        Text {
            image,
            architecture: self::architecture(image.machine().number()).expect("of every machine"),
            port: port::of(image.machine()),
            returning: OnceCell::new(),
            prototypes: OnceCell::new(),
            recent: Recent::default(),
            functions: functions.collect(),
            beginnings: symbols.iter().map(|function| function.address).collect(),
        }
    }

    /// The image.
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// Its architecture.
    pub fn architecture(&self) -> &'static Architecture {
        self.architecture
    }

    /// Address of a symbol.
    pub fn symbol(&self, name: &str) -> Option<u32> {
        self.image.symbols().find(name).map(|symbol| symbol.address)
    }

    /// The function around `address`.
    pub fn around(&self, address: u32) -> Option<&Function<'a>> {
        let behind = self.functions.partition_point(|it| it.range.start <= address);
        let before = self.functions[..behind].iter().rev();
        before.take(MOST_ALIASES).find(|it| it.range.contains(&address))
    }

    /// Whether both addresses are of one function with a size.
    pub fn is_same_function(&self, a: u32, b: u32) -> bool {
        self.around(a).is_some_and(|around| around.range.contains(&b))
    }

    /// Whether a function begins at `address`.
    pub fn is_function(&self, address: u32) -> bool {
        self.beginnings.contains(&address)
    }

    /// Prototypes of the functions that the compiler made, by address.
    pub(crate) fn prototypes(&self) -> &HashMap<u32, String> {
        self.prototypes.get_or_init(|| self.image.prototypes())
    }

    /// Whether a function has several names, like one that the compiler found to be the same as another
    /// one: the debug information has the prototype of one of them.
    pub(crate) fn has_other_names(&self, function: u32) -> bool {
        let all = self.image.symbols().functions();
        let first = all.partition_point(|symbol| symbol.address < function);
        let here = all[first..].iter().take_while(|symbol| symbol.address == function);
        let mut names = here.filter(|symbol| symbol.size > 0).map(|it| source_name(&it.name));
        names.next().is_some_and(|first| names.any(|other| other != first))
    }

    /// Whether the compiler made the function around `address`, and follows the standard in it.
    pub fn is_compiled(&self, address: u32) -> bool {
        let start = self.around(address).map_or(address, |it| it.range.start);
        self.prototypes().contains_key(&start)
    }

    /// Where functions begin, those of assembly without a size among them.
    pub fn beginnings(&self) -> impl Iterator<Item = u32> + '_ {
        self.beginnings.iter().copied()
    }

    /// What people call the code at `address`.
    pub fn name(&self, address: u32) -> String {
        match self.around(address) {
            Some(function) => source_name(function.name).to_string(),
            None => match self.image.symbols().place(address) {
                Some(place) => source_name(place.name).to_string(),
                None => format!("0x{address:x}"),
            },
        }
    }

    /// The error that the code at `address` is the reason of.
    pub fn unknown(&self, address: u32, why: Why) -> Unknown {
        let locations = self.image.locations(address);
        let place = locations.into_iter().find_map(|l| Some((l.file?, l.line?)));
        Unknown { function: self.name(address), why, place }
    }

    /// Whether the function that begins at `address` may return to its caller.
    pub fn returns(&self, address: u32) -> bool {
        self.returning.get_or_init(|| Returning::of(self)).contains(address)
    }

    /// Whether instructions lie at `address`, not constants. Code that start-up copies to RAM is not marked: all that
    /// is copied may be code.
    pub fn is_code(&self, address: u32) -> bool {
        let ranges = self.image.code();
        let behind = ranges.partition_point(|range| range.start <= address);
        behind > 0 && ranges[behind - 1].contains(&address)
    }

    /// The instruction at `address`, which need not be followed by anything; `None` where none can be.
    pub fn instruction(&self, address: u32) -> Option<Instruction> {
        self.recent.get(address, || {
            let is_code = self.is_code(address) || self.is_copied(address);
            if is_code { self.decoded(address) } else { None }
        })
    }

    /// What lies at `address`, as an instruction.
    pub(crate) fn decoded(&self, address: u32) -> Option<Instruction> {
        let shortest = self.architecture.instruction_alignment as usize;
        let mut lengths = (shortest..=LONGEST_INSTRUCTION).rev().step_by(shortest);
        let code = lengths.find_map(|length| self.image.initial_bytes_at(address, length))?;
        (self.architecture.decode)(address, code)
    }

    /// An instruction of the function around `address` that is not known, and does not only fill up.
    pub(crate) fn other_code(&self, address: u32, is_known: impl Fn(u32) -> bool) -> Option<u32> {
        let Function { range, .. } = self.around(address)?;
        let fills = |at| self.halfword(at).is_some_and(|code| self.port.is_fill(code));
        let others = self.instructions(range.clone());
        others.map(|(at, _)| at).find(|at| !is_known(*at) && !fills(*at))
    }

    /// The instructions that lie in a range, one behind the other.
    pub fn instructions(&self, range: Range<u32>) -> impl Iterator<Item = (u32, Instruction)> + '_ {
        let mut at = range.start;
        std::iter::from_fn(move || {
            while at < range.end {
                let place = at;
                let found = self.instruction(place);
                at += found.map_or(self.architecture.instruction_alignment, |it| it.bytes);
                if let Some(instruction) = found {
                    return Some((place, instruction));
                }
            }
            None
        })
    }

    /// Bytes at `address` when start-up is over.
    pub fn bytes(&self, address: u32, length: u32) -> Option<&'a [u8]> {
        self.image.initial_bytes_at(address, length as usize)
    }

    /// The number in so many bytes at `address`, at most four.
    pub fn number(&self, address: u32, length: u32) -> Option<u32> {
        Some(self.architecture.byte_order.number(self.bytes(address, length)?))
    }

    /// A halfword.
    pub fn halfword(&self, address: u32) -> Option<u16> {
        Some(self.number(address, 2)? as u16)
    }

    /// A word that code has beside itself, or of flash.
    pub fn word(&self, address: u32) -> Option<u32> {
        self.number(address, 4)
    }

    /// A number of so many bytes in flash, which stays as it is.
    pub fn constant(&self, address: u32, length: u32) -> Option<u32> {
        if self.is_copied(address) { None } else { self.number(address, length) }
    }

    /// Whether start-up copies to RAM what is at `address`.
    pub fn is_copied(&self, address: u32) -> bool {
        self.stored_at(address) != address
    }

    /// Where the image stores what is at `address` at run time.
    pub fn stored_at(&self, address: u32) -> u32 {
        let offset = |runs_at: u32, bytes: &[u8]| {
            address.checked_sub(runs_at).filter(|offset| (*offset as usize) < bytes.len())
        };
        let mut copied = self.image.segments().iter().filter(|it| it.runs_at != it.address);
        let stored = copied.find_map(|it| Some(it.address + offset(it.runs_at, &it.bytes)?));
        stored.unwrap_or(address)
    }

    /// Where something is at run time that the image stores at `address`.
    pub fn runs_at(&self, address: u32) -> u32 {
        let offset = |stored_at: u32, bytes: &[u8]| {
            address.checked_sub(stored_at).filter(|offset| (*offset as usize) < bytes.len())
        };
        let mut segments = self.image.segments().iter();
        let runs = segments.find_map(|it| Some(it.runs_at + offset(it.address, &it.bytes)?));
        runs.unwrap_or(address)
    }

    /// Where the object may be to which the pointer that is stored at `address` points: in RAM or, if addresses of
    /// flash are others, there.
    pub(crate) fn pointees(&self, address: u32) -> Vec<u32> {
        let pointers = self.architecture.pointers;
        let pointer = self.number(address, pointers.data_bytes).unwrap_or_default();
        if pointer == 0 || pointer & pointers.code_mark != 0 {
            return Vec::new();
        }
        let mut places = vec![pointers.data_base + pointer, pointer];
        places.dedup();
        places
    }

    /// Where the image stores a table that the linker has placed between two symbols; nowhere if it has none.
    pub fn table(&self, begin: &str, end: &str) -> Range<u32> {
        match (self.symbol(begin), self.symbol(end)) {
            (Some(begin), Some(end)) if begin < end => {
                self.stored_at(begin)..self.stored_at(begin) + (end - begin)
            }
            _ => 0..0,
        }
    }
}
