// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs that were loaded: which of them are installed, and where, by the directory in the mote's flash; and what is at
//! an address, by the ELF of the program that is there.
//!
//! A program is linked at nominal addresses, and its blocks are elsewhere on the mote. So its symbols, lines and frames are
//! looked up at the nominal address. A program whose ELF is not found keeps its name.

use crate::record::{Bytes, Record};
use crate::{Place, callers, place};
use lichen_chip::Chip;
use lichen_container::Header;
use lichen_container::directory::{self, PAGE_BYTES, State};
use lichen_image::{CallFrame, Image, Loadable, Location, Structure, source_name};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The longest name of a thread.
const LONGEST_NAME: u32 = 64;
/// What separates the name of a program from that of its thread or function.
const OF: char = '/';

/// Where an image that loads programs keeps them.
#[derive(Debug)]
pub(crate) struct Loader {
    /// The first of the directory's pages.
    directory: u32,
    /// What rows of the directory have of this image.
    identity: u32,
    /// The pages of programs.
    pages: Range<u32>,
    /// The first byte of the programs' RAM.
    arena: u32,
    /// Bytes that the kernel has in front of a program's objects.
    front_bytes: u32,
    /// `struct thread_info`, and where `struct thread` has the address of one.
    info: Structure,
    thread: Structure,
    /// Where there may be ELF files of programs.
    folder: Option<PathBuf>,
    /// What was read last, and what it means.
    seen: Mutex<Option<(Vec<u8>, Arc<Programs>)>>,
}

/// The programs that are installed on a mote.
#[derive(Debug, Default)]
pub struct Programs(Vec<Installed>);

/// An installed program.
#[derive(Debug)]
pub struct Installed {
    /// Its row of the directory.
    pub slot: u8,
    /// As `lichen ps` calls it: `sense`, `sense.2`.
    pub name: String,
    /// Whether it is the one of its name that is started.
    pub is_active: bool,
    /// Its constants, code and initial values.
    pub flash: Range<u32>,
    /// Its objects and stacks, with what the kernel has in front of them.
    pub low: Range<u32>,
    /// Its data.
    pub data: Range<u32>,
    /// Its objects.
    pub objects: u32,
    /// Its stacks.
    pub stacks: u32,
    /// Rows of its table of threads, at the beginning of `flash`.
    threads: u8,
    elf: OnceLock<Option<Arc<Loadable>>>,
    sought: Sought,
}

/// What finds the ELF of a program.
#[derive(Debug)]
struct Sought {
    folder: Option<PathBuf>,
    name: String,
    constants_bytes: u16,
    linked: Vec<u8>,
}

impl Loader {
    /// That of `image`, if it loads programs.
    pub(crate) fn find(image: &Image) -> Option<Loader> {
        let address = |name: &str| Some(image.symbols().find(name)?.address);
        Some(Loader {
            directory: address("programs_directory")?,
            identity: identity(image)?,
            pages: address("programs_begin")?..address("programs_end")?,
            arena: address("arena_begin")?,
            front_bytes: image.structure("loaded")?.size,
            info: image.structure("thread_info")?,
            thread: image.structure("thread")?,
            folder: image.programs().map(Path::to_path_buf),
            seen: Mutex::default(),
        })
    }

    /// What is installed now.
    pub(crate) fn programs(&self, chip: &dyn Chip) -> Arc<Programs> {
        let mut pages = vec![0; 2 * PAGE_BYTES];
        if chip.peek(self.directory, &mut pages).is_err() {
            return Arc::default();
        }
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        match &*seen {
            Some((before, programs)) if *before == pages => Arc::clone(programs),
            _ => {
                let programs = Arc::new(self.read(chip, &pages));
                *seen = Some((pages, Arc::clone(&programs)));
                programs
            }
        }
    }

    fn read(&self, chip: &dyn Chip, pages: &[u8]) -> Programs {
        let (first, second) = pages.split_at(PAGE_BYTES);
        let rows = directory::rows([first, second], self.identity).into_iter();
        Programs(rows.filter_map(|row| self.installed(chip, &row)).collect())
    }

    fn installed(&self, chip: &dyn Chip, row: &directory::Row) -> Option<Installed> {
        let end = row.address.checked_add(row.bytes.into())?;
        if row.address < self.pages.start || end > self.pages.end {
            return None;
        }
        let mut flash = vec![0; row.bytes.into()];
        chip.peek(row.address, &mut flash).ok()?;
        let header = Header::parse(&flash).ok()?;
        let begin = row.address + u32::from(header.header_bytes);
        let linked = flash.get(usize::from(header.header_bytes)..)?;
        let code = usize::from(header.constants_bytes) + usize::from(header.code_bytes);
        let [_, align, _] = header.machine.multiples().map(u32::from);
        let objects = u32::from(header.object_bytes);
        let front = (self.front_bytes + objects).next_multiple_of(align.max(2));
        let low = self.arena + u32::from(row.low);
        let data = self.arena + u32::from(row.data);
        let instance = match row.instance {
            0 => String::new(),
            number => format!(".{number}"),
        };
        Some(Installed {
            slot: row.slot,
            name: format!("{}{instance}", header.name),
            is_active: row.state == State::Active,
            flash: begin..end,
            low: low..low + u32::from(row.low_bytes),
            data: data..data + u32::from(row.data_bytes),
            objects: low + front - objects,
            stacks: low + front,
            threads: header.rows.threads,
            elf: OnceLock::new(),
            sought: Sought {
                folder: self.folder.clone(),
                constants_bytes: header.constants_bytes,
                linked: linked.get(..code)?.to_vec(),
                name: header.name,
            },
        })
    }

    /// The thread of a program with this control block: its name with that of its program.
    pub(crate) fn thread_name(&self, chip: &dyn Chip, block: u32) -> Option<String> {
        let programs = self.programs(chip);
        let program = programs.of_block(block)?;
        let thread = Record { bytes: chip, layout: &self.thread, address: block };
        let address = thread.address("info").filter(|info| program.flash.contains(info));
        let info = |address| Record { bytes: chip, layout: &self.info, address };
        let name = address.and_then(|address| info(address).text("name", LONGEST_NAME));
        Some(format!("{}{OF}{}", program.name, name.as_deref().unwrap_or("a thread")))
    }

    /// The threads of programs that are active: their names with those of their programs, and their control blocks.
    pub(crate) fn threads(&self, chip: &dyn Chip) -> Vec<(u32, String)> {
        let programs = self.programs(chip);
        let rows = programs.0.iter().filter(|it| it.is_active).flat_map(|program| {
            (0..u32::from(program.threads)).map(move |row| (program, row * self.info.size))
        });
        rows.filter_map(|(program, offset)| {
            let address = program.flash.start + offset;
            let info = Record { bytes: chip, layout: &self.info, address };
            let block = info.address("thread").filter(|block| program.low.contains(block))?;
            Some((block, format!("{}{OF}{}", program.name, info.text("name", LONGEST_NAME)?)))
        })
        .collect()
    }
}

/// The identity of an image that loads programs (`os/load/turn.c`).
fn identity(image: &Image) -> Option<u32> {
    let address = |name: &str| Some(image.symbols().find(name)?.address);
    let layout = image.structure("calls").filter(|layout| layout.size > 0)?;
    let bytes = image.architecture()?.pointers.code_bytes;
    let mut functions = Vec::new();
    for address in (address("calls_begin")?..address("calls_end")?).step_by(layout.size as usize) {
        let group = Record { bytes: image, layout: &layout, address };
        let length = group.get("count")? * bytes;
        functions.extend(image.initial_bytes_at(group.address("functions")?, length as usize)?);
    }
    let place = |name| Some(address(name)?.to_le_bytes().into_iter().take(bytes as usize));
    let places: Vec<u8> = place("arena_begin")?.chain(place("arena_end")?).collect();
    Some(directory::identity(&functions, &places))
}

impl Programs {
    /// Each of them, in the order of the directory.
    pub fn each(&self) -> impl Iterator<Item = &Installed> {
        self.0.iter()
    }

    /// The one whose flash has this address.
    pub fn at(&self, address: u32) -> Option<&Installed> {
        self.0.iter().find(|program| program.flash.contains(&address))
    }

    /// The one in this row of the directory.
    pub fn in_slot(&self, slot: u8) -> Option<&Installed> {
        self.0.iter().find(|program| program.slot == slot)
    }

    /// The one that is started and has this address in its RAM, which versions share.
    fn of_block(&self, block: u32) -> Option<&Installed> {
        let has = |it: &&Installed| it.low.contains(&block) || it.data.contains(&block);
        self.0.iter().filter(|it| it.is_active).find(has)
    }
}

impl Installed {
    /// Its ELF, if one is found that is linked from the same source by the same compiler.
    pub fn elf(&self) -> Option<&Arc<Loadable>> {
        self.elf.get_or_init(|| self.sought.find()).as_ref()
    }

    /// The address in the ELF of an instruction, or a constant, at `address`.
    pub fn nominal(&self, address: u32) -> Option<(&Loadable, u32)> {
        let elf = self.elf()?;
        Some((elf, elf.flash + address.checked_sub(self.flash.start)?))
    }

    /// Its ELF with all sections where they are on the mote, for a debugger.
    pub fn moved_elf(&self) -> Option<Vec<u8>> {
        let elf = self.elf()?;
        let first = |names: &[&str]| {
            let named = elf.image.sections().iter().filter(|it| names.contains(&it.name.as_str()));
            named.map(|section| section.address).min()
        };
        let places = [
            (Some(elf.flash), self.flash.start),
            (first(&[".objects"]), self.objects),
            (first(&[".stacks"]), self.stacks),
            (first(&[".data", ".bss"]), self.data.start),
        ];
        let places = places.into_iter().filter_map(|(from, to)| Some((from?, to)));
        Some(elf.moved(|address| {
            let below = places.clone().filter(|(from, _)| *from <= address);
            below.max_by_key(|(from, _)| *from).map_or(0, |(from, to)| to.wrapping_sub(from))
        }))
    }

    /// The function around `address`, where it begins and ends, if that is known; else all of the program.
    pub fn function(&self, address: u32) -> (String, Range<u32>) {
        let known = self.nominal(address).and_then(|(elf, nominal)| {
            let around = elf.image.symbols().place(nominal)?;
            let begin = address - around.offset;
            let size = elf.image.symbols().find(around.name).map_or(0, |symbol| symbol.size);
            let end = begin + size.max(around.offset + 2);
            Some((format!("{}{OF}{}", self.name, source_name(around.name)), begin..end))
        });
        known.unwrap_or_else(|| (self.name.clone(), self.flash.clone()))
    }

    fn at_link(&self, place: Place, pc: u32) -> Place {
        let symbol = place.symbol.map(|symbol| format!("{symbol} of {}", self.name));
        Place { pc, symbol: symbol.or_else(|| Some(self.beside(pc))), ..place }
    }

    /// What there is to say without an ELF: the distance from its first constant, as `lichen inspect` has it.
    fn beside(&self, pc: u32) -> String {
        format!("{}+0x{:x}", self.name, pc - self.flash.start)
    }
}

impl Sought {
    fn find(&self) -> Option<Arc<Loadable>> {
        let files = Loadable::files(self.folder.as_deref()?, &self.name);
        let mut read = files.iter().filter_map(|path| Loadable::load(path).ok());
        read.find(|elf| elf.is(self.constants_bytes, &self.linked)).map(Arc::new)
    }
}

/// The code of a mote: that of its image, and that of programs that were loaded.
#[derive(Clone, Debug)]
pub struct Code<'a> {
    image: &'a Image,
    programs: Arc<Programs>,
}

impl<'a> Code<'a> {
    /// That of an image, with these programs.
    pub(crate) fn new(image: &'a Image, programs: Arc<Programs>) -> Code<'a> {
        Code { image, programs }
    }

    /// The image.
    pub fn image(&self) -> &'a Image {
        self.image
    }

    /// The programs.
    pub fn programs(&self) -> &Programs {
        &self.programs
    }

    /// The image, or the ELF of the program, that has the instruction at `pc`, and its address there; `None` in a program
    /// without one.
    fn linked(&self, pc: u32) -> Option<(&Image, u32)> {
        match self.programs.at(pc) {
            Some(program) => program.nominal(pc).map(|(elf, nominal)| (&elf.image, nominal)),
            None => Some((self.image, pc)),
        }
    }

    /// Whether there is a function.
    pub(crate) fn has(&self, pc: u32) -> bool {
        self.linked(pc).is_some_and(|(image, pc)| image.symbols().place(pc).is_some())
    }

    /// How the function around `pc` uses the stack.
    pub(crate) fn call_frame(&self, pc: u32) -> Option<CallFrame> {
        let (image, pc) = self.linked(pc)?;
        image.call_frame(pc)
    }

    /// As [`Image::locations`].
    pub fn locations(&self, pc: u32) -> Vec<Location> {
        self.linked(pc).map(|(image, pc)| image.locations(pc)).unwrap_or_default()
    }

    /// What is known of the instruction at `pc`.
    pub fn place(&self, pc: u32) -> Place {
        match self.programs.at(pc) {
            None => place(self.image, pc),
            Some(program) => {
                let found = program.nominal(pc).map(|(elf, nominal)| place(&elf.image, nominal));
                program.at_link(found.unwrap_or_default(), pc)
            }
        }
    }

    /// The same, but the line of the program, where the instruction is one of a function of the system that was inlined
    /// there.
    pub fn place_in_program(&self, pc: u32) -> Place {
        self.of_program(pc).unwrap_or_else(|| self.place(pc))
    }

    /// The same, if it is the program's or that of a loaded one, and not the system's.
    pub(crate) fn of_program(&self, pc: u32) -> Option<Place> {
        match self.programs.at(pc) {
            None => callers::of_program(self.image, pc),
            Some(program) => {
                let (elf, nominal) = match program.nominal(pc) {
                    Some(known) => known,
                    // All of its code is its own.
                    None => return Some(program.at_link(Place::default(), pc)),
                };
                Some(program.at_link(callers::of_program(&elf.image, nominal)?, pc))
            }
        }
    }
}
