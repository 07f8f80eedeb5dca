// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen load`, `ps`, `start`, `stop`, `remove`, `floor`: the programs of a running mote at a serial port (`doc/spec/loading.md`).

use crate::run::console::Consoles;
use crate::sniff::port::{Port, Reading, only_port};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_device::CONSOLE;
use lichen_load::{Client, Container, Job, LoadError, Next, Outcome, Whom};
use lichen_project::Place;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::InputFile;
use lichen_terminal::interrupt;
use lichen_terminal::place::Here;
use lichen_terminal::screen::{self, Screen, out};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Examples below the options.
pub const LOAD_HELP: &str = "\
Examples:
  lichen load sense.lichen
  lichen load sense.lichen --port /dev/ttyUSB1
  lichen load blink.lichen --instance 2        a second one, called blink.2
  lichen load sense.lichen --to-all            and over the air to all others

The mote keeps working, and what it prints meanwhile is shown. The program is installed whole or not at all, and started. If the mote has a
version of it, this one takes its place.

With --to-all the mote passes the program on, over any number of hops, if its image has LOADER_OVER_THE_AIR. This command ends when the mote
itself has it. A mote that has this version or a newer one keeps that.

For a simulated mote: `lichen run base --serial` says what --port is to be given here.

Exit code 1 if the mote does not answer, 2 if it cannot run the program, or if there is no such file or port.";

/// Examples below the options of the others.
pub const HELP: &str = "\
Examples:
  lichen ps
  lichen stop sense
  lichen start sense --port /dev/ttyUSB1
  lichen remove blink.2

Exit code 1 if the mote does not answer, 2 if it has no such program, or if there is no such port.";

/// The line that a mote is at.
#[derive(Debug, clap::Args)]
pub struct Line {
    /// Serial port of the mote; if not given, the only one of this machine.
    #[arg(long, value_name = "PORT")]
    port: Option<InputFile>,
    /// The mote's board, which says what the rate of its console is; if neither is given, those of the boards are tried.
    #[arg(long)]
    board: Option<String>,
    /// Rate of the serial port.
    #[arg(long, value_name = "BAUD")]
    baud: Option<u32>,
}

/// Options of `load`.
#[derive(Debug, clap::Args)]
pub struct Load {
    /// The program, as `lichen pack` makes it.
    #[arg(value_name = "FILE")]
    file: InputFile,
    /// Install it as another program than the one of its name: `NAME.N`.
    #[arg(long, value_name = "N", default_value_t = 0)]
    instance: u8,
    /// Send it to all motes that this one reaches over the air, and to itself.
    #[arg(long, conflicts_with = "instance")]
    to_all: bool,
    /// The line.
    #[command(flatten)]
    line: Line,
}

/// Options of what is done to a program that is there.
#[derive(Debug, clap::Args)]
pub struct Named {
    /// The program, as `lichen ps` calls it.
    #[arg(value_name = "NAME")]
    name: String,
    /// The line.
    #[command(flatten)]
    line: Line,
}

/// Rates of boards that say none, and of those whose console is slower.
const RATES: [u32; 2] = [115_200, 57_600];

/// Sends a program to a mote.
pub fn load(options: &Load, screen: &Screen) -> Result<Code, Failure> {
    let here = Here::find()?;
    let path = here.path(&options.file);
    let container = std::fs::read(&path).map_err(|error| {
        Failure::wrong(format!("cannot read it: {error}")).at(Place::file(&path))
    })?;
    Container::read(&container)
        .map_err(|wrong| refused(&LoadError::from(wrong)).at(Place::file(&path)))?;
    let whom = if options.to_all { Whom::All } else { Whom::Instance(options.instance) };
    let job = Job::Load { container, whom };
    call(&here, &options.line, job, screen).map_err(|failure| match failure.code {
        Code::Wrong if failure.place.is_none() => failure.at(Place::file(&path)),
        _ => failure,
    })
}

/// Lists the programs of a mote.
pub fn ps(line: &Line, screen: &Screen) -> Result<Code, Failure> {
    call(&Here::find()?, line, Job::List, screen)
}

/// Starts a program, or does something else to it.
pub fn named(
    options: &Named,
    job: impl Fn(String) -> Job,
    screen: &Screen,
) -> Result<Code, Failure> {
    call(&Here::find()?, &options.line, job(options.name.clone()), screen)
}

/// Does a job at the rate of the board, or at the one that a mote answers at.
fn call(here: &Here, line: &Line, job: Job, screen: &Screen) -> Result<Code, Failure> {
    let path = line.port.as_deref().map(|path| here.path(path));
    let path = path.map_or_else(only_port, Ok)?;
    let rates = rates(here, line, &job)?;
    let interrupted = interrupt::catch(|| {})?;
    for (index, baud) in rates.iter().enumerate() {
        let mut call = Call::new(screen, job.clone());
        let mut port = open(&path, *baud)?;
        match call.play(&mut port, &interrupted)? {
            Err(LoadError::Silent) if index + 1 < rates.len() => {}
            Err(LoadError::Silent) => return Err(silent(&path, &rates)),
            Err(error) => return Err(refused(&error)),
            Ok(outcome) => {
                job.done(&outcome).iter().for_each(|line| out!("{line}"));
                return Ok(Code::Done);
            }
        }
    }
    Ok(Code::Failed)
}

/// The rates to try. The MICA motes' is the slower one.
fn rates(here: &Here, line: &Line, job: &Job) -> Result<Vec<u32>, Failure> {
    if let Some(baud) = line.baud {
        return Ok(vec![baud]);
    }
    let Some(name) = &line.board else {
        let [usual, slow] = RATES;
        let is_slow = match job {
            Job::Load { container, .. } => {
                Container::read(container).is_ok_and(|it| it.is_for_avr())
            }
            _ => false,
        };
        return Ok(if is_slow { vec![slow, usual] } else { vec![usual, slow] });
    };
    let board = Board::load(&here.tree.board_file(name)?)?;
    Ok(vec![board.console.as_ref().map_or(RATES[0], |console| console.baud)])
}

fn open(path: &Path, baud: u32) -> Result<Port, Failure> {
    let port = Port::open(path, baud)?;
    match port.is_live() {
        true => Ok(port),
        false => Err(Failure::wrong("this is no serial port").at(Place::file(path))),
    }
}

fn silent(path: &PathBuf, rates: &[u32]) -> Failure {
    let rates: Vec<String> = rates.iter().map(u32::to_string).collect();
    Failure::failed(format!("no mote with a loader answers at {} baud", rates.join(" or ")))
        .at(Place::file(path))
        .remedy("is it on, is `lichen console` closed, and does its program have LOADER_SERIAL (lichen/loader_serial.h)?")
}

fn refused(error: &LoadError) -> Failure {
    match error.is_refusal() {
        true => Failure::wrong(error.to_string()),
        false => Failure::failed(error.to_string()),
    }
}

/// A job at a port, and what the mote prints meanwhile.
struct Call<'a> {
    screen: &'a Screen,
    client: Client,
    consoles: Consoles,
    begun: Instant,
}

impl Call<'_> {
    fn new(screen: &Screen, job: Job) -> Call<'_> {
        let (client, consoles) = (Client::new(job), Consoles::new(false));
        Call { screen, client, consoles, begun: Instant::now() }
    }

    fn now(&self) -> Time {
        Time::from_us(self.begun.elapsed().as_micros() as u64)
    }

    fn play(
        &mut self,
        port: &mut Port,
        interrupted: &AtomicBool,
    ) -> Result<Result<Outcome, LoadError>, Failure> {
        let mut bytes = [0; 4096];
        loop {
            if interrupted.load(Ordering::Relaxed) {
                return Err(Failure::failed("interrupted"));
            }
            match self.client.next(self.now()) {
                Next::Send(frame) => port.write(&frame)?,
                Next::Over => break,
                Next::Wait(_) => match port.read(&mut bytes)? {
                    Reading::End => return Err(Failure::failed("the port was closed")),
                    Reading::Nothing => {}
                    Reading::Bytes(count) => self.bytes(&bytes[..count]),
                },
            }
            if let Some((done, all)) = self.client.progress() {
                self.screen.progress("sending", done as u64, all as u64);
            }
        }
        self.screen.end_progress();
        let lines = self.consoles.due(None);
        self.print(lines);
        Ok(self.client.result().cloned().unwrap_or(Err(LoadError::Silent)))
    }

    fn bytes(&mut self, bytes: &[u8]) {
        let now = self.now();
        for byte in bytes {
            for character in self.client.byte(now, *byte).into_iter().flatten() {
                let lines = self.consoles.character(&(0, CONSOLE.into()), now, character);
                self.print(lines);
            }
        }
    }

    fn print(&mut self, lines: Vec<crate::run::console::Line>) {
        for line in lines {
            self.screen.end_progress();
            self.consoles.line(&line, String::new(), line.text.clone());
        }
        screen::print_text(&self.consoles.release());
    }
}
