// SPDX-License-Identifier: MIT OR Apache-2.0
//! A run under a debugger that connects over this machine's network.
//!
//! After a detach, the mote continues without a debugger; a kill ends the run; a broken connection
//! leaves the mote halted for the next debugger. A debugger that goes back makes the mote repeat
//! what it has done, which is neither printed nor recorded again.

use super::debug::debugger;
use super::show::Show;
use super::{End, LIVE_SLICE, Session};
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use lichen_observe::gdb::{self, Debuggee, Farewell, Library, Link, Pause};
use lichen_observe::{Installed, Kernel};
use lichen_terminal::failure::Failure;
use lichen_terminal::screen::out;
use lichen_trace::{Event, Sink};
use lichen_world::{Action, Error, Halt, Snapshot, SnapshotError};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How often the port is polled for a connection.
const KNOCK: Duration = Duration::from_millis(20);

/// Opens `port` of localhost to debuggers; 0 is any free one.
pub fn listen(port: u16) -> Result<TcpListener, Failure> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| {
        let failure = Failure::wrong(match error.kind() {
            ErrorKind::AddrInUse => format!("port {port} of localhost is in use"),
            _ => format!("cannot listen on port {port} of localhost: {error}"),
        });
        failure.remedy("choose another port, or end what uses it (ss -ltnp names it)")
    })?;
    listener.set_nonblocking(true).map_err(|error| failed(&error))?;
    Ok(listener)
}

/// The port of `listener`.
pub fn port(listener: &TcpListener) -> Result<u16, Failure> {
    Ok(listener.local_addr().map_err(|error| failed(&error))?.port())
}

fn failed(error: &std::io::Error) -> Failure {
    Failure::failed(format!("the network of this machine does not work: {error}"))
}

/// Waits for a debugger while `waits` returns true.
pub fn accept(
    listener: &TcpListener,
    mut waits: impl FnMut() -> bool,
) -> Result<Option<TcpStream>, Failure> {
    while waits() {
        match listener.accept() {
            Ok((stream, _)) => return Ok(Some(stream)),
            Err(error) if error.kind() == ErrorKind::WouldBlock => std::thread::sleep(KNOCK),
            Err(error) => return Err(failed(&error)),
        }
    }
    Ok(None)
}

/// Runs `session` for the debuggers that connect to `listener`, until one of them ends it.
pub fn play(
    session: &mut Session<'_>,
    show: &mut Show<'_>,
    listener: TcpListener,
    elf: &Path,
    interrupted: &Arc<AtomicBool>,
) -> Result<End, Failure> {
    let port = port(&listener)?;
    out!("halted before the first instruction; waiting for a debugger:");
    let gdb = debugger(session.world.mote(session.mote).image()).name;
    // As `lichen debug` calls it.
    let system = "-iex 'set osabi none' -iex 'set sysroot /'";
    out!("    {gdb} {} {system} -ex 'target remote localhost:{port}'", elf.display());
    while let Some(stream) = accept(&listener, || !interrupted.load(Ordering::Relaxed))? {
        let (farewell, end) = converse(session, show, stream, interrupted)?;
        match farewell {
            Farewell::Ended => return Ok(end.unwrap_or(End::Interrupted)),
            Farewell::Interrupted => break,
            Farewell::Detached => {
                out!("the debugger has detached; the mote runs on alone");
                drop(listener);
                return session.play(show, interrupted);
            }
            Farewell::Lost => out!("the debugger is gone; halted, waiting for the next on {port}"),
            Farewell::Garbled(what) => {
                out!("the debugger was cut off, what it sent is not GDB's protocol: {what}");
                out!("halted, waiting for the next debugger on {port}");
            }
        }
    }
    Ok(End::Interrupted)
}

/// Serves one debugger: how it left, and why the run is over, if it is.
pub fn converse(
    session: &mut Session<'_>,
    show: &mut Show<'_>,
    stream: TcpStream,
    interrupted: &Arc<AtomicBool>,
) -> Result<(Farewell, Option<End>), Failure> {
    let link = Link::new(stream, Arc::clone(interrupted)).map_err(|error| failed(&error))?;
    session.world.stop_at_fault(true);
    let latest = session.world.now();
    let mut debugged = Debugged { session, reporter: Reporter::new(show), latest, end: None };
    if let Some(warning) = gdb::warning(&debugged) {
        out!("note: {warning}");
    }
    let farewell = gdb::serve(&mut debugged, link).map_err(|gdb::Failed(error)| match error {
        SessionError::World(error) => Failure::from(error),
        SessionError::Snapshot(error) => Failure::from(error),
    })?;
    let end = debugged.end;
    session.world.stop_at_fault(false);
    Ok((farewell, end))
}

/// A copy of a program's ELF with the addresses that it has on the mote, beside the ELF.
fn library(program: &Installed) -> Option<Library> {
    let (elf, moved) = (program.elf()?, program.moved_elf()?);
    let name = format!("{}-at-{:x}.elf", program.name, program.flash.start);
    let path = elf.path.with_file_name(name);
    if !std::fs::read(&path).is_ok_and(|before| before == moved) {
        std::fs::write(&path, moved).ok()?;
    }
    Some(Library { path, sections: elf.allocated })
}

/// What keeps a session from running on, or back.
#[derive(Debug, thiserror::Error)]
enum SessionError {
    #[error(transparent)]
    World(#[from] Error),
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
}

/// Reports each event once, even if the mote repeats it. Events are identified by their number:
/// those between two moments are the same every time.
struct Reporter<'s, 'w> {
    show: &'s mut Show<'w>,
    /// Events up to the mote's present time.
    passed: u64,
    /// Events that were reported.
    reported: u64,
}

impl<'s, 'w> Reporter<'s, 'w> {
    fn new(show: &'s mut Show<'w>) -> Reporter<'s, 'w> {
        Reporter { show, passed: 0, reported: 0 }
    }
}

impl Sink for Reporter<'_, '_> {
    fn event(&mut self, event: &Event) -> Result<(), lichen_trace::Error> {
        self.passed += 1;
        if self.passed <= self.reported {
            return Ok(());
        }
        self.reported = self.passed;
        self.show.event(event)
    }
}

/// A session as a debugger sees it.
struct Debugged<'s, 'a, 'w> {
    session: &'s mut Session<'a>,
    reporter: Reporter<'s, 'w>,
    /// The latest moment that the mote has reached.
    latest: Time,
    end: Option<End>,
}

impl Debugged<'_, '_, '_> {
    /// When to poll the debugger again, at the latest.
    fn soon(&self) -> Time {
        self.session.end.min(self.session.world.now() + LIVE_SLICE)
    }

    fn pause(&mut self, halt: Halt) -> Pause {
        let now = self.session.world.now();
        if now >= self.latest {
            self.latest = now;
            self.session.keep_pace();
            self.reporter.show.end_of_slice(now);
        }
        match halt {
            Halt::Reached if now < self.session.end => Pause::Nothing,
            Halt::Reached | Halt::Text => {
                self.end = Some(End::Halt(halt));
                Pause::Over(0)
            }
            Halt::Breakpoint(_) => Pause::Breakpoint,
            Halt::Warning | Halt::Fault | Halt::Dead => Pause::Fault,
        }
    }
}

impl Debuggee for Debugged<'_, '_, '_> {
    type Error = SessionError;
    /// The world, and how many events there were before.
    type State = (Snapshot, u64);

    fn chip(&self) -> &dyn Chip {
        self.session.world.mote(self.session.mote).chip()
    }

    fn chip_mut(&mut self) -> &mut dyn Chip {
        self.session.world.chip_mut(self.session.mote)
    }

    fn why_off(&self) -> Option<String> {
        let low = self.session.world.mote(self.session.mote).low_supply()?;
        Some(low.to_string())
    }

    fn image(&self) -> &Image {
        self.session.world.mote(self.session.mote).image()
    }

    fn kernel(&self) -> Option<&Kernel> {
        self.session.world.mote(self.session.mote).kernel()
    }

    fn libraries(&self) -> Vec<Library> {
        let Some(kernel) = self.kernel() else { return Vec::new() };
        let programs = kernel.programs(self.chip());
        let active = programs.each().filter(|program| program.is_active);
        active.filter_map(library).collect()
    }

    fn set_breakpoint(&mut self, address: u32, on: bool) {
        self.session.world.set_breakpoint(self.session.mote, address, on);
    }

    fn state(&self) -> (Snapshot, u64) {
        (self.session.world.snapshot(), self.reporter.passed)
    }

    fn restore(&mut self, (snapshot, passed): &(Snapshot, u64)) -> Result<(), SessionError> {
        self.session.world.restore(snapshot)?;
        self.reporter.passed = *passed;
        Ok(())
    }

    fn run(&mut self, until: Time) -> Result<Pause, SessionError> {
        let until = until.min(self.soon());
        let halt = self.session.world.run(until, &mut self.reporter)?;
        Ok(self.pause(halt))
    }

    fn step(&mut self, until: Time) -> Result<Pause, SessionError> {
        let until = until.min(self.soon());
        let halt = self.session.world.step(self.session.mote, until, &mut self.reporter)?;
        Ok(self.pause(halt))
    }

    fn typed(&mut self) -> Vec<u8> {
        self.session.keyboard.typed()
    }

    fn type_in(&mut self, text: &[u8]) -> Result<(), SessionError> {
        Ok(self.session.world.act(self.session.mote, Action::Type(text.to_vec()))?)
    }

    fn reset(&mut self) -> Result<(), SessionError> {
        Ok(self.session.world.act(self.session.mote, Action::Reset)?)
    }
}
