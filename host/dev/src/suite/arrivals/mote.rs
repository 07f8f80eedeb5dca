// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote that installs what is put into its memory.

use super::{Context, Listener, Report, saying};
use crate::bare::{power_up, run_to_breakpoint};
use crate::packed::packed;
use lichen_board::Board;
use lichen_chip::{Chip, Input, Level, Time};
use lichen_image::Image;
use lichen_key::Key;
use lichen_pack::About;
use lichen_project::{Program, Tree};
use lichen_test::mote::prepare;
use std::ops::Range;

const PROGRAM: &str = "test/load/installs";
const KEY: &str = "test/load/installs/installs.key";

/// Within which it starts, after crashes, or installs a program.
const PATIENCE: Time = Time::from_ms(10_000);
/// Without power.
const DARK: Time = Time::from_ms(2);

/// A simulated mote.
pub struct Mote {
    pub chip: Box<dyn Chip>,
    board: Board,
    key: Key,
    tree: Tree,
    image: Image,
}

/// What it is asked to do in its turns.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The program's container.
    pub container: &'a [u8],
    /// Whether the program is removed, not installed.
    pub removes: bool,
}

impl<'a> Request<'a> {
    pub fn install(container: &'a [u8]) -> Request<'a> {
        Request { container, removes: false }
    }
}

/// What it says of itself after a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Rows of the directory that are in use.
    pub rows: u8,
    /// The version of the program that runs; none if none does.
    pub version: Option<u16>,
}

impl Mote {
    /// A new one, at its first turn.
    pub fn new(
        context: &Context<'_>,
        board: &str,
        listener: &mut dyn Listener,
    ) -> Result<Mote, Box<Report>> {
        let tree = context.tree();
        let program = Program::at(tree, tree.path(PROGRAM));
        let program = program.map_err(|error| Box::new(Report::of(&error)))?;
        let image = prepare(context, &program, board, &format!("{board}/installs"), listener)?;
        let board = Board::find(&tree.path("board"), board);
        let board = board.map_err(|error| saying(error.to_string()))?;
        let key = Key::read(&tree.path(KEY)).map_err(|error| saying(error.to_string()))?;
        let chip = power_up(&board, &image).map_err(saying)?;
        let mut mote = Mote { chip, board, key, tree: tree.clone(), image };
        for mark in ["installs_begin", "installs_end"] {
            let address = mote.address(mark).map_err(saying)?;
            mote.chip.core_mut().set_breakpoint(address, true);
        }
        mote.run_to("installs_begin").map_err(saying)?;
        Ok(mote)
    }

    /// A container of a program, signed.
    pub fn container(
        &self,
        folder: &str,
        change: impl FnOnce(&mut About),
    ) -> Result<Vec<u8>, String> {
        let packed = packed(&self.tree, &self.board.name, folder, Some(&self.key), change);
        Ok(packed.map_err(|error| format!("{folder}: {error}"))?.bytes)
    }

    /// Lets the next turns install the program of a container, or remove it.
    pub fn ask(&mut self, request: &Request<'_>) -> Result<(), String> {
        let bytes = request.container;
        self.write("container", bytes)?;
        self.write("container_bytes", &(bytes.len() as u16).to_le_bytes())?;
        self.write("removes", &[request.removes.into()])
    }

    /// Runs from one mark to the other, and to the first again. Returns the turn's error.
    pub fn turn(&mut self) -> Result<u8, String> {
        self.begin_turn();
        self.run_to("installs_end")?;
        let error = self.read("turn_error")?;
        self.begin_turn();
        self.run_to("installs_begin")?;
        Ok(error)
    }

    /// Leaves the mark at which it stands.
    pub fn begin_turn(&mut self) {
        let end = self.chip.now() + PATIENCE;
        self.chip.core_mut().step(end);
    }

    /// Runs for so long, or to the end of the turn. Returns whether that is reached.
    pub fn run_on(&mut self, length: Time) -> bool {
        let end = self.chip.now() + length;
        run_to_breakpoint(self.chip.as_mut(), end).is_some()
    }

    /// Cuts its power, and runs it to its first turn.
    pub fn cut(&mut self) -> Result<Seen, String> {
        self.cut_short();
        self.started()
    }

    /// Runs it, from a start or after a crash, to its first turn.
    pub fn started(&mut self) -> Result<Seen, String> {
        self.run_to("installs_begin")?;
        let (running, version) = (self.read("running")?, self.read_u16("version")?);
        let version = match running {
            0 => None,
            1 => Some(version),
            more => return Err(format!("{more} programs run")),
        };
        Ok(Seen { rows: self.read("rows")?, version })
    }

    /// Cuts its power, and gives it back.
    pub fn cut_short(&mut self) {
        self.chip.power_off();
        let dark = self.chip.now() + DARK;
        self.chip.run(dark);
        self.chip.power_on();
        if let Some(console) = &self.board.console {
            self.chip.input(Input::Pin { pin: console.rx.pin.0, level: Level::High });
        }
    }

    /// What flash holds outside some pages for programs, and outside the container.
    pub fn flash(&self, programs: Range<u32>) -> Result<Vec<u8>, String> {
        let flash = self.chip.memories()[0];
        let mut bytes = vec![0; flash.size as usize];
        self.chip.peek(flash.start, &mut bytes).map_err(|error| error.to_string())?;
        let programs =
            (programs.start - flash.start) as usize..(programs.end - flash.start) as usize;
        bytes[programs].fill(0);
        for name in ["container", "container_bytes"] {
            let symbol = self.image.symbols().find(name);
            let symbol = symbol.ok_or_else(|| format!("there is no `{name}`"))?;
            // Of ARM it is in RAM.
            let end = (symbol.address.wrapping_sub(flash.start)).saturating_add(symbol.size);
            if let Some(place) = bytes.get_mut((end - symbol.size) as usize..end as usize) {
                place.fill(0);
            }
        }
        Ok(bytes)
    }

    /// The address of a symbol.
    pub fn address(&self, name: &str) -> Result<u32, String> {
        let symbol = self.image.symbols().find(name);
        let symbol = symbol.ok_or_else(|| format!("there is no `{name}`"))?;
        Ok(symbol.address & !1)
    }

    fn run_to(&mut self, mark: &str) -> Result<(), String> {
        let (address, end) = (self.address(mark)?, self.chip.now() + PATIENCE);
        match run_to_breakpoint(self.chip.as_mut(), end) {
            Some(at) if at == address => Ok(()),
            Some(at) => Err(format!("it is at {at:#x} instead of `{mark}`")),
            None => Err(format!("`{mark}` is not reached, at {}", self.chip.now())),
        }
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let address = self.variable(name)?;
        self.chip.program(address, bytes).map_err(|error| error.to_string())
    }

    fn read(&self, name: &str) -> Result<u8, String> {
        let mut byte = [0];
        self.chip.peek(self.variable(name)?, &mut byte).map_err(|error| error.to_string())?;
        Ok(byte[0])
    }

    fn read_u16(&self, name: &str) -> Result<u16, String> {
        let mut bytes = [0; 2];
        self.chip.peek(self.variable(name)?, &mut bytes).map_err(|error| error.to_string())?;
        Ok(u16::from_le_bytes(bytes))
    }

    fn variable(&self, name: &str) -> Result<u32, String> {
        let symbol = self.image.symbols().find(name).map(|symbol| symbol.address);
        symbol.ok_or_else(|| format!("there is no variable `{name}`"))
    }
}
