// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen console`: the console of a real mote, with times, and with the places of its panics.

use crate::mote::{Builder, image};
use crate::run::console::{Consoles, Line};
use crate::run::live::{Keyboard, Typist};
use crate::sniff::port::{Port, Reading, is_standard, only_port};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_device::CONSOLE;
use lichen_image::Image;
use lichen_observe::{Place, Reported};
use lichen_project::{DEFAULT_BOARD, Program, default_board};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::InputFile;
use lichen_terminal::interrupt;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{self, Screen};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Examples below the options.
pub const HELP: &str = "\
Examples:
  lichen flash sampler --board samr21-xpro
  lichen console sampler --board samr21-xpro
  lichen console sampler --board micaz --port /dev/ttyUSB1
  lichen console firmware.elf --port recorded.txt
  lichen console --port /dev/ttyACM0

With a serial port, each line has the seconds since the call. What you type is sent to the mote, line by line; Ctrl-C ends the call.

With a program, the places of its panics are shown: function, file and line, by the image that `lichen build` makes of its sources now. Give \
the image itself if the sources have changed since the mote was flashed.

Exit code 1 if the port fails, 2 if there is no such port, program or board.";

/// Options of `console`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The program that the mote runs: its name under app/, the path of its folder, or an image.
    #[arg(value_name = "APP|IMAGE.elf")]
    program: Option<String>,
    /// The mote's board, which says what the rate of its console is; if not given, `hamilton`, or the first one of the
    /// manifest.
    #[arg(long)]
    board: Option<String>,
    /// Serial port of the mote; if not given, the only one of this machine. Or a file or a pipe with what a mote has
    /// printed; `-` is the standard input.
    #[arg(long, value_name = "PORT|FILE")]
    port: Option<InputFile>,
    /// Rate of the serial port; if not given, that of the board's console.
    #[arg(long, value_name = "BAUD")]
    baud: Option<u32>,
    /// The mote runs what `lichen flash --debug` has written.
    #[arg(long, requires = "program")]
    debug: bool,
}

/// Rate of boards that do not say theirs.
const USUAL_BAUD: u32 = 115_200;

/// Shows what a mote prints until Ctrl-C, or the end of the input.
pub fn console(options: &Options, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let board = board(options, &here)?;
    let named = |path: &Path| if is_standard(path) { path.to_path_buf() } else { here.path(path) };
    let path = options.port.as_deref().map(named);
    let path = path.map_or_else(only_port, Ok)?;
    let builder = Builder { debug: options.debug, screen };
    let image = options.program.as_ref().map(|given| image(&here, given, &board.name, builder));
    let image = image.transpose()?.map(|(_, image)| image);
    let interrupted = interrupt::catch(|| {})?;
    let usual = board.console.as_ref().map_or(USUAL_BAUD, |console| console.baud);
    let baud = options.baud.unwrap_or(usual);
    let mut port = Port::open(&path, baud)?;
    let typist = if port.is_live() { Typist::Anyone } else { Typist::Nobody };
    let mut shown = Shown {
        screen,
        image,
        is_live: port.is_live(),
        consoles: Consoles::new(port.is_live() && screen.is_typed_to()),
        begun: Instant::now(),
    };
    if port.is_live() {
        let text = format!("{} at {baud} baud; Ctrl-C ends", path.display());
        eprintln!("{}", screen.dim(&text));
    }
    shown.follow(&mut port, &mut Keyboard::of(typist, false), &interrupted)?;
    Ok(Code::Done)
}

/// The board of the mote.
fn board(options: &Options, here: &Here) -> Result<Board, Failure> {
    let program = options.program.as_ref();
    let program = program.and_then(|name| Program::find(&here.tree, &here.folder, name).ok());
    let usual = program.as_ref().map_or(DEFAULT_BOARD, |it| default_board(&it.manifest.boards));
    let name = options.board.as_deref().unwrap_or(usual);
    Ok(Board::load(&here.tree.board_file(name)?)?)
}

/// What is shown of a mote.
struct Shown<'a> {
    screen: &'a Screen,
    image: Option<Image>,
    /// Whether it comes from a mote now, so that it has times.
    is_live: bool,
    consoles: Consoles,
    begun: Instant,
}

impl Shown<'_> {
    fn follow(
        &mut self,
        port: &mut Port,
        keyboard: &mut Keyboard,
        interrupted: &AtomicBool,
    ) -> Result<(), Failure> {
        let mut bytes = [0; 4096];
        while !interrupted.load(Ordering::Relaxed) {
            match port.read(&mut bytes)? {
                Reading::End => break,
                Reading::Nothing => {}
                Reading::Bytes(count) => self.characters(&bytes[..count]),
            }
            if self.is_live {
                let lines = self.consoles.due(Some(self.now()));
                self.print(lines);
            }
            let typed = keyboard.typed();
            if !typed.is_empty() {
                port.write(&typed)?;
                self.consoles.typed(&typed);
            }
        }
        let lines = self.consoles.due(None);
        self.print(lines);
        screen::print_text(self.consoles.end());
        Ok(())
    }

    fn now(&self) -> Time {
        Time::from_us(self.begun.elapsed().as_micros() as u64)
    }

    fn characters(&mut self, bytes: &[u8]) {
        let (now, port) = (self.now(), (0, CONSOLE.into()));
        for byte in bytes {
            let lines = self.consoles.character(&port, now, *byte);
            self.print(lines);
        }
    }

    fn print(&mut self, lines: Vec<Line>) {
        for line in lines {
            let head = self.head(line.time);
            self.consoles.line(&line, head, line.text.clone());
            for note in self.panic(&line.text) {
                let head = self.head(line.time);
                self.consoles.note(line.time, head, self.screen.red(&note));
            }
        }
        screen::print_text(&self.consoles.release());
    }

    fn head(&self, time: Time) -> String {
        match self.is_live {
            true => format!("{} ", self.screen.dim(&format!("{:>13}", time.to_string()))),
            false => String::new(),
        }
    }

    /// What is to be said about a line that is the report of a panic.
    fn panic(&self, line: &str) -> Vec<String> {
        let (Some(image), Some(reported)) = (&self.image, Reported::read(line)) else {
            return Vec::new();
        };
        let at = reported.place(image);
        if at.symbol.is_none() {
            return vec![format!(
                "! the image has no function at 0x{:08x}: does the mote run another one?",
                reported.pc
            )];
        }
        let caller = reported.caller(image);
        let caller = caller.map(|caller| format!("!   called by {}", shown(caller)));
        [format!("! panic at {}", shown(at))].into_iter().chain(caller).collect()
    }
}

fn shown(Place { pc, symbol, file, line }: Place) -> String {
    lichen_trace::Place { pc: Some(pc), symbol, file, line }.to_string()
}
