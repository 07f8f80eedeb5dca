// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading and checking an image, usually an ELF file.

use crate::flat::Format;
use crate::frames::Frames;
use crate::layout::Layouts;
use crate::lines::Lines;
use crate::relocations;
use crate::symbols::{Symbol, Symbols};
use crate::{
    CallFrame, Enumeration, Error, Location, Machine, Structure, Variable, Variant, avr, code,
    constants, inlined, machine, prototypes, variables, volatile,
};
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, SectionFlags, SymbolKind, SymbolSection, elf,
};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

pub(crate) type File<'data> = ElfFile32<'data, Endianness>;

/// A part of the image that is written to a memory before power-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Physical address, where it is programmed.
    pub address: u32,
    /// Address at run time. Start-up code copies what has another one.
    pub runs_at: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A section with an address at run time, for size tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Such as `.text`.
    pub name: String,
    /// Address at run time.
    pub address: u32,
    /// Bytes.
    pub size: u32,
    /// Whether the file holds its contents (`.bss` and stacks have none).
    pub stored: bool,
    /// Whether it is written at run time.
    pub writable: bool,
    /// Whether it is in a memory that is neither flash nor RAM: EEPROM, fuses, lock bits, the signature.
    pub apart: bool,
}

/// A firmware image.
#[derive(Debug)]
pub struct Image {
    pub(crate) name: String,
    digest: u128,
    machine: Machine,
    entry: u32,
    pub(crate) variant: Option<Variant>,
    pub(crate) device: Option<String>,
    pub(crate) segments: Vec<Segment>,
    /// What the segments take at run time, with what the file does not hold, such as `.bss`: address and bytes.
    pub(crate) taken: Vec<(u32, u32)>,
    /// Sections that are in no memory and have an address nevertheless, by which tools find them.
    described: Vec<Segment>,
    /// Sections that are in no memory and are for Lichen's tools, by name.
    declared: HashMap<String, Vec<u8>>,
    signature: Option<Vec<u8>>,
    pub(crate) sections: Vec<Section>,
    symbols: Symbols,
    code: Vec<Range<u32>>,
    code_addresses: Option<BTreeSet<u32>>,
    code_words: Option<BTreeSet<u32>>,
    has_stabs: bool,
    lines: Lines,
    frames: Frames,
    layouts: Layouts,
    /// The folder of ELF files of programs that it may load.
    programs: Option<PathBuf>,
}

impl Image {
    /// Reads and checks the file at `path`.
    pub fn load(path: &Path) -> Result<Image, Error> {
        let bytes = std::fs::read(path)
            .map_err(|source| Error::Read { path: path.to_path_buf(), source })?;
        Image::parse(&path.display().to_string(), bytes)
    }

    /// As [`Image::load`]; a file of Intel HEX or S-records, too, which do not say what they are made for, and
    /// have neither symbols nor lines: it is taken as one for `machine`.
    pub fn load_for(machine: Machine, path: &Path) -> Result<Image, Error> {
        let bytes = std::fs::read(path)
            .map_err(|source| Error::Read { path: path.to_path_buf(), source })?;
        let name = path.display().to_string();
        match Format::of(&bytes) {
            None => Image::parse(&name, bytes),
            Some(format) => {
                let segments = format.segments(&name, &bytes)?;
                Image::of_segments(name.clone(), machine, segments, xxh3_128(&bytes))
            }
        }
    }

    /// An image of which nothing else is known.
    fn of_segments(
        name: String,
        machine: Machine,
        segments: Vec<Segment>,
        digest: u128,
    ) -> Result<Image, Error> {
        let (signature, segments) = without_signature(&name, machine, segments)?;
        let nothing: Arc<[u8]> = Arc::new([]);
        Ok(Image {
            name,
            digest,
            machine,
            variant: None,
            device: None,
            signature,
            entry: 0,
            segments,
            taken: Vec::new(),
            described: Vec::new(),
            declared: HashMap::new(),
            sections: Vec::new(),
            symbols: Symbols::new(Vec::new()),
            code: Vec::new(),
            code_addresses: None,
            code_words: None,
            has_stabs: false,
            lines: Lines::new(Arc::clone(&nothing)),
            frames: Frames::new(Arc::clone(&nothing)),
            layouts: Layouts::new(nothing, machine),
            programs: None,
        })
    }

    /// Checks `bytes`; `name` is the file's name in messages.
    pub fn parse(name: &str, bytes: Vec<u8>) -> Result<Image, Error> {
        let bytes: Arc<[u8]> = bytes.into();
        let machine = check_identification(name, &bytes)?;
        let damaged = |what: String| Error::Damaged { file: name.to_string(), what };
        let file = File::parse(&*bytes).map_err(|error| damaged(error.to_string()))?;
        check_kind(name, &file)?;
        let is_avr = machine == Machine::Avr;
        let (signature, segments) = without_signature(name, machine, segments(name, &file)?)?;
        let header = file.elf_header();
        Ok(Image {
            name: name.to_string(),
            digest: xxh3_128(&bytes),
            machine,
            variant: is_avr.then(|| Variant::of(header.e_flags(file.endian()))),
            device: avr::device(&file).filter(|_| is_avr),
            signature,
            entry: header.e_entry(file.endian()),
            segments,
            taken: taken(&file),
            described: described(&file),
            declared: declared(&file),
            sections: sections(&file, is_avr),
            symbols: Symbols::new(symbols(&file)),
            code: code::code(&file, machine),
            code_addresses: relocations::code_addresses(&file, machine),
            code_words: relocations::code_words(&file, machine),
            has_stabs: file.section_by_name(".stab").is_some(),
            lines: Lines::new(bytes.clone()),
            frames: Frames::new(bytes.clone()),
            layouts: Layouts::new(bytes.clone(), machine),
            programs: None,
        })
    }

    /// Contents of a section that is in no memory and that the program has for tools: `.lichen_rt`. Empty if there
    /// is none.
    pub fn declared(&self, section: &str) -> &[u8] {
        self.declared.get(section).map_or(&[], Vec::as_slice)
    }

    /// The file's name in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A hash of the file's bytes.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// The same image, with a folder in which there are ELF files of programs that it may load ([`crate::Loadable`]).
    pub fn with_programs(self, folder: PathBuf) -> Image {
        Image { programs: Some(folder), ..self }
    }

    /// The folder of programs that it may load, if one was named.
    pub fn programs(&self) -> Option<&Path> {
        self.programs.as_deref()
    }

    /// The machine that it is made for.
    pub fn machine(&self) -> Machine {
        self.machine
    }

    /// The family of cores that it is made for, if its machine distinguishes them.
    pub fn variant(&self) -> Option<Variant> {
        self.variant
    }

    /// The chip that it is made for, in the words of its start-up code, if that names one: `atmega128`.
    pub fn device(&self) -> Option<&str> {
        self.device.as_deref()
    }

    /// The signature of the chip that it is made for, if the program states it (`avr/signature.h`).
    pub fn signature(&self) -> Option<&[u8]> {
        self.signature.as_deref()
    }

    /// Entry point as the header says, Thumb bit included.
    pub fn entry(&self) -> u32 {
        self.entry
    }

    /// What is written to the chip's memories before power-up, by physical address.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Sections that have an address at run time, by address.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The symbol table.
    pub fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// Ranges of instructions, by address, without the constants between them. Empty if an image for ARM
    /// was stripped of the marking symbols; those for AVR have none, and their constants count as code.
    pub fn code(&self) -> &[Range<u32>] {
        &self.code
    }

    /// Addresses of code, in bytes, that stand in instructions and in data, if the linker has kept relocations.
    pub fn code_addresses(&self) -> Option<&BTreeSet<u32>> {
        self.code_addresses.as_ref()
    }

    /// Where words of 16 bits stand at run time that are addresses of AVR code, if the linker has kept relocations.
    pub fn code_words(&self) -> Option<&BTreeSet<u32>> {
        self.code_words.as_ref()
    }

    /// Source places of the instruction at `address`, innermost first: more than one where
    /// functions are inlined, none without debug information.
    pub fn locations(&self, address: u32) -> Vec<Location> {
        self.lines.locations(address & !1)
    }

    /// First instructions of the function `name` of the source: where it is called, also what the compiler has made of it for
    /// some callers, and where it is part of others.
    pub fn entries(&self, name: &str) -> BTreeSet<u32> {
        let functions = self.symbols.functions().iter();
        let mut entries: BTreeSet<u32> =
            functions.filter(|it| it.is_entry_of(name)).map(|it| it.address & !1).collect();
        if let Some(index) = self.layouts.index() {
            entries.extend(inlined::entries(index, name));
        }
        entries
    }

    /// Whether code or data of this name is in the image, also as part of functions.
    pub fn has(&self, name: &str) -> bool {
        self.symbols.find(name).is_some() || !self.entries(name).is_empty()
    }

    /// How the function around `pc` uses the stack at that instruction; `None` without debug information.
    pub fn call_frame(&self, pc: u32) -> Option<CallFrame> {
        self.frames.at(pc)
    }

    /// Whether it has debug information in the older format stabs, which is not read.
    pub fn has_stabs(&self) -> bool {
        self.has_stabs
    }

    /// Layout of `struct name` (or of the typedef of that name).
    pub fn structure(&self, name: &str) -> Option<Structure> {
        self.layouts.structure(name)
    }

    /// Values of `enum name` (or of the typedef of that name).
    pub fn enumeration(&self, name: &str) -> Option<Enumeration> {
        self.layouts.enumeration(name)
    }

    /// Variables that are a `struct name`, contain one, or are an array of them: those with an
    /// address in the image, and local ones. None without debug information.
    pub fn variables(&self, name: &str) -> Vec<Variable> {
        self.layouts.index().map_or_else(Vec::new, |index| variables::containing(index, name))
    }

    /// Variables in a range of addresses. None without debug information.
    pub fn variables_in(&self, range: Range<u32>) -> Vec<Variable> {
        self.layouts.index().map_or_else(Vec::new, |index| variables::inside(index, &range))
    }

    /// Whether the byte at `address` is of a variable that is declared volatile, or of one that is not; `None` if it is
    /// of none that is known. An access may be volatile where the variable is not.
    pub fn is_volatile(&self, address: u32) -> Option<bool> {
        volatile::at(self.layouts.index()?, address)
    }

    /// Names and values of the constants that the program itself gives a name and uses. None without debug information.
    pub fn constants(&self) -> Vec<(String, i64)> {
        self.layouts.index().map_or_else(Vec::new, constants::of_program)
    }

    /// Prototypes of all functions, by address: result and parameters, such as `void(struct event*)`.
    /// Empty without debug information.
    pub fn prototypes(&self) -> HashMap<u32, String> {
        self.layouts.index().map_or_else(HashMap::new, prototypes::of_functions)
    }

    /// The prototype of the functions that `member` of `struct structure` points to.
    pub fn prototype_of(&self, structure: &str, member: &str) -> Option<String> {
        prototypes::of_member(self.layouts.index()?, structure, member)
    }

    /// Bytes of the image at physical `address`, as far as one segment holds them.
    pub fn bytes_at(&self, address: u32, length: usize) -> Option<&[u8]> {
        bytes_of(&self.segments, address, length)
    }

    /// Bytes that a program finds at `address` once start-up code has copied what it copies, as far as one
    /// segment holds them; AVR has its constants in RAM. Or those that the file has there for tools.
    pub fn initial_bytes_at(&self, address: u32, length: usize) -> Option<&[u8]> {
        let mut copied = self.segments.iter().filter(|segment| segment.runs_at != segment.address);
        let at_run_time = copied.find_map(|segment| {
            let start = address.checked_sub(segment.runs_at)? as usize;
            segment.bytes.get(start..start.checked_add(length)?)
        });
        at_run_time
            .or_else(|| self.bytes_at(address, length))
            .or_else(|| bytes_of(&self.described, address, length))
    }
}

/// Bytes at physical `address`, as far as one of `segments` holds them.
fn bytes_of(segments: &[Segment], address: u32, length: usize) -> Option<&[u8]> {
    segments.iter().find_map(|segment| {
        let start = address.checked_sub(segment.address)? as usize;
        segment.bytes.get(start..start.checked_add(length)?)
    })
}

/// The signature of the chip, if there is one among the segments, and what is to be written.
fn without_signature(
    name: &str,
    machine: Machine,
    segments: Vec<Segment>,
) -> Result<(Option<Vec<u8>>, Vec<Segment>), Error> {
    let is_signature =
        |segment: &Segment| machine == Machine::Avr && avr::is_in_signature(segment.address);
    let (signature, segments): (Vec<_>, Vec<_>) = segments.into_iter().partition(is_signature);
    match segments.is_empty() {
        true => Err(Error::Empty { file: name.to_string() }),
        false => Ok((signature.into_iter().next().map(|segment| segment.bytes), segments)),
    }
}

/// Checks the first bytes by hand, since they reveal other kinds of files. Returns the machine.
fn check_identification(name: &str, bytes: &[u8]) -> Result<Machine, Error> {
    if !bytes.starts_with(&elf::ELFMAG) {
        return Err(Error::NotElf { file: name.to_string(), found: beginning(bytes) });
    }
    let class = bytes.get(4).copied();
    let order = bytes.get(5).copied();
    let Some(machine) = bytes.get(18..20) else {
        return Err(Error::Damaged {
            file: name.to_string(),
            what: format!("it ends after {} bytes, inside the file header", bytes.len()),
        });
    };
    let little = order != Some(elf::ELFDATA2MSB);
    let number = if little {
        u16::from_le_bytes([machine[0], machine[1]])
    } else {
        u16::from_be_bytes([machine[0], machine[1]])
    };
    let known = Machine::numbered(number);
    if let Some(machine) = known.filter(|_| class == Some(elf::ELFCLASS32) && little) {
        return Ok(machine);
    }
    let found = format!(
        "{} ({}-bit, {}-endian)",
        machine::name(number),
        if class == Some(elf::ELFCLASS64) { 64 } else { 32 },
        if little { "little" } else { "big" }
    );
    Err(Error::OtherMachine { file: name.to_string(), found, known: machine::known() })
}

fn beginning(bytes: &[u8]) -> String {
    match bytes {
        [] => "nothing: it is empty".to_string(),
        [b':', ..] => "`:`, like an Intel HEX file".to_string(),
        [b'!', b'<', b'a', b'r', b'c', b'h', ..] => "`!<arch>`, like a static library".to_string(),
        _ => {
            let head: Vec<String> =
                bytes.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            format!("bytes {}", head.join(" "))
        }
    }
}

fn check_kind(name: &str, file: &File<'_>) -> Result<(), Error> {
    let found = match file.elf_header().e_type(file.endian()) {
        elf::ET_EXEC => return Ok(()),
        elf::ET_REL => "an object file",
        elf::ET_DYN => "a shared library or a position-independent program",
        elf::ET_CORE => "a core dump",
        _ => "of an unknown type",
    };
    Err(Error::NotExecutable { file: name.to_string(), found })
}

fn segments(name: &str, file: &File<'_>) -> Result<Vec<Segment>, Error> {
    let endian = file.endian();
    let mut segments = Vec::new();
    for (index, header) in file.elf_program_headers().iter().enumerate() {
        if header.p_type(endian) != elf::PT_LOAD || header.p_filesz(endian) == 0 {
            continue;
        }
        let damaged = |what: String| Error::Damaged { file: name.to_string(), what };
        let bytes = header.data(endian, file.data()).map_err(|()| {
            let end = header.p_offset(endian) as u64 + header.p_filesz(endian) as u64;
            damaged(format!(
                "segment {index} ends at byte {end}, the file at {}",
                file.data().len()
            ))
        })?;
        if header.p_filesz(endian) > header.p_memsz(endian) {
            return Err(damaged(format!("segment {index} is larger in the file than in memory")));
        }
        let address = header.p_paddr(endian);
        if address.checked_add(bytes.len() as u32 - 1).is_none() {
            return Err(damaged(format!("segment {index} runs over the end of the address space")));
        }
        let runs_at = header.p_vaddr(endian);
        segments.push(Segment { address, runs_at, bytes: bytes.to_vec() });
    }
    segments.sort_by_key(|segment| segment.address);
    for pair in segments.windows(2) {
        if pair[0].address as u64 + pair[0].bytes.len() as u64 > pair[1].address as u64 {
            return Err(Error::Damaged {
                file: name.to_string(),
                what: format!("two segments overlap at 0x{:08x}", pair[1].address),
            });
        }
    }
    Ok(segments)
}

fn taken(file: &File<'_>) -> Vec<(u32, u32)> {
    let endian = file.endian();
    let headers = file.elf_program_headers().iter();
    let loaded = headers.filter(|header| header.p_type(endian) == elf::PT_LOAD);
    loaded.map(|header| (header.p_vaddr(endian), header.p_memsz(endian))).collect()
}

fn described(file: &File<'_>) -> Vec<Segment> {
    file.sections()
        .filter_map(|section| {
            let SectionFlags::Elf { sh_flags } = section.flags() else { return None };
            let address = section.address() as u32;
            let kept = sh_flags & elf::SHF_ALLOC as u64 == 0 && address != 0;
            let bytes = section.data().ok().filter(|_| kept)?.to_vec();
            Some(Segment { address, runs_at: address, bytes })
        })
        .collect()
}

/// What the names of sections begin with that are for Lichen's tools.
const DECLARED: &str = ".lichen_";

fn declared(file: &File<'_>) -> HashMap<String, Vec<u8>> {
    file.sections()
        .filter_map(|section| {
            let SectionFlags::Elf { sh_flags } = section.flags() else { return None };
            let name = section.name().ok().filter(|name| name.starts_with(DECLARED))?;
            let is_apart = sh_flags & u64::from(elf::SHF_ALLOC) == 0;
            Some((name.to_string(), section.data().ok().filter(|_| is_apart)?.to_vec()))
        })
        .collect()
}

fn sections(file: &File<'_>, is_avr: bool) -> Vec<Section> {
    let mut sections: Vec<Section> = file
        .sections()
        .filter_map(|section| {
            let SectionFlags::Elf { sh_flags } = section.flags() else { return None };
            let allocated = sh_flags & elf::SHF_ALLOC as u64 != 0 && section.size() > 0;
            allocated.then(|| Section {
                name: String::from_utf8_lossy(section.name_bytes().unwrap_or(b"?")).into_owned(),
                address: section.address() as u32,
                size: section.size() as u32,
                stored: section.file_range().is_some(),
                writable: sh_flags & elf::SHF_WRITE as u64 != 0,
                apart: is_avr && avr::is_apart(section.address()),
            })
        })
        .collect();
    sections.sort_by_key(|section| section.address);
    sections
}

/// Takes functions, objects, and the untyped names from assembly and linker scripts. `$t` and `$d`
/// mark code and data for disassemblers and are not names.
fn symbols(file: &File<'_>) -> Vec<Symbol> {
    file.symbols()
        .filter_map(|symbol| {
            let name =
                symbol.name().ok().filter(|name| !name.is_empty() && !name.starts_with('$'))?;
            let function = match symbol.kind() {
                // One that a linker script has chosen, and nothing calls, has the address 0, and is nowhere.
                SymbolKind::Text => symbol.section() != SymbolSection::Absolute,
                SymbolKind::Data | SymbolKind::Tls => false,
                SymbolKind::Label | SymbolKind::Unknown => is_code(file, &symbol)?,
                _ => return None,
            };
            let address = symbol.address() as u32;
            Some(Symbol {
                name: name.to_string(),
                address: if function { address & !1 } else { address },
                size: symbol.size() as u32,
                function,
                global: symbol.is_global() && !symbol.is_weak(),
            })
        })
        .collect()
}

/// Whether an untyped symbol names code; `None` if it is not defined.
fn is_code<'data>(file: &File<'data>, symbol: &impl ObjectSymbol<'data>) -> Option<bool> {
    match symbol.section() {
        SymbolSection::Absolute => Some(false),
        SymbolSection::Section(index) => {
            let SectionFlags::Elf { sh_flags } = file.section_by_index(index).ok()?.flags() else {
                return None;
            };
            Some(sh_flags & elf::SHF_EXECINSTR as u64 != 0)
        }
        _ => None,
    }
}
