// SPDX-License-Identifier: MIT OR Apache-2.0
//! A debugger on a simulated mote: the remote protocol of GDB, with the kernel's threads as the
//! debugger's.
//!
//! - [`Debuggee`] is what is debugged; a world with its pace and its console implements it.
//! - [`serve`] serves one debugger until it leaves.
//!
//! Each thread of a Lichen kernel is a thread of the debugger; an image without a kernel, and
//! start-up before the first thread runs, appear as the only thread `core`. Time stops while the
//! mote is halted. A step is that of a thread: interrupts and other threads that come in between
//! run to completion, unless they meet a breakpoint. Halting and inspecting do not change what the
//! firmware does.
//!
//! A debugger can also go back, as far as the moment at which it connected. The past can be
//! inspected, but not changed.

mod access;
mod architecture;
mod back;
mod description;
mod history;
mod link;
mod memory;
mod monitor;
mod resume;
mod stub;
mod threads;
mod watch;

pub use link::Link;

use crate::Kernel;
use gdbstub::stub::{DisconnectReason, GdbStub};
use lichen_chip::{Chip, Time};
use lichen_image::Image;
use std::fmt::{Debug, Display};
use std::path::PathBuf;

/// The target of debugging.
pub trait Debuggee {
    /// What can prevent it from continuing, apart from the firmware.
    type Error: Debug + Display;
    /// A state to return to.
    type State;

    /// Its chip.
    fn chip(&self) -> &dyn Chip;

    /// Its chip, to write memory and registers.
    fn chip_mut(&mut self) -> &mut dyn Chip;

    /// What is wrong with its supply, if its chip cannot start with what it is given.
    fn why_off(&self) -> Option<String> {
        None
    }

    /// What runs on it.
    fn image(&self) -> &Image;

    /// The Lichen kernel in the image, if there is one.
    fn kernel(&self) -> Option<&Kernel>;

    /// The programs that were loaded, and whose ELF files are known.
    fn libraries(&self) -> Vec<Library> {
        Vec::new()
    }

    /// Sets or clears a breakpoint on the instruction at `address`.
    fn set_breakpoint(&mut self, address: u32, on: bool);

    /// Its present state, without what belongs to the debugger: breakpoints.
    fn state(&self) -> Self::State;

    /// Restores an earlier state. From there on, up to the latest moment that it had reached
    /// before, it repeats what it did, and nothing is reported again.
    fn restore(&mut self, state: &Self::State) -> Result<(), Self::Error>;

    /// Lets it run for a while, short enough for a user who wants it to halt, and no longer than
    /// until `until`, where it stops at the same instruction every time.
    fn run(&mut self, until: Time) -> Result<Pause, Self::Error>;

    /// Executes the next instruction even if it has a breakpoint. If the processor sleeps, waits
    /// for it, no longer than until `until`, nor longer than [`Debuggee::run`] runs.
    fn step(&mut self, until: Time) -> Result<Pause, Self::Error>;

    /// What its user has typed since the last call, to be given to [`Debuggee::type_in`].
    fn typed(&mut self) -> Vec<u8>;

    /// Types text at the mote's console.
    fn type_in(&mut self, text: &[u8]) -> Result<(), Self::Error>;

    /// Pulls the reset pin.
    fn reset(&mut self) -> Result<(), Self::Error>;
}

/// A loaded program for the debugger: an ELF file, whose sections have the addresses that they have on the mote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// The file.
    pub path: PathBuf,
    /// How many sections have addresses.
    pub sections: usize,
}

/// Why [`Debuggee::run`] or [`Debuggee::step`] returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pause {
    /// For no particular reason: call again.
    Nothing,
    /// The next instruction has a breakpoint; it has not run.
    Breakpoint,
    /// The firmware faulted or panicked.
    Fault,
    /// The run is over; the code is a process's exit code.
    Over(u8),
}

/// How a debugger left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Farewell {
    /// It let the mote continue without a debugger.
    Detached,
    /// It ended the mote, or was told that the run is over.
    Ended,
    /// The connection broke.
    Lost,
    /// It violated the protocol, and was disconnected.
    Garbled(String),
    /// The command's user wants to stop.
    Interrupted,
}

/// Something other than the debugger ended the conversation.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Failed<E: Debug + Display>(pub E);

/// What a debugger's user should know at the start: why there are no threads, if there are none.
pub fn warning(debuggee: &impl Debuggee) -> Option<&'static str> {
    threads::why_none(debuggee)
}

/// Serves the debugger at the other end of `link` until it leaves. The mote is halted when the
/// debugger connects. When it has left, its breakpoints are removed, and the mote is in the
/// present.
pub fn serve<D: Debuggee>(debuggee: &mut D, link: Link) -> Result<Farewell, Failed<D::Error>> {
    let mut target = stub::Target::new(debuggee);
    let ended = GdbStub::new(link).run_blocking::<resume::Loop<D>>(&mut target);
    target.leave().map_err(Failed)?;
    match ended {
        Ok(DisconnectReason::Disconnect) => Ok(Farewell::Detached),
        Ok(_) => Ok(Farewell::Ended),
        Err(error) if error.is_target_error() => match error.into_target_error() {
            Some(error) => Err(Failed(error)),
            None => Ok(Farewell::Lost),
        },
        Err(error) if error.is_connection_error() => match error.into_connection_error() {
            Some((link::Broken::Interrupted, _)) => Ok(Farewell::Interrupted),
            _ => Ok(Farewell::Lost),
        },
        Err(error) => Ok(Farewell::Garbled(error.to_string())),
    }
}
