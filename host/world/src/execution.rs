// SPDX-License-Identifier: MIT OR Apache-2.0
//! What waveforms show in addition to the events of every run: exceptions, thread switches, and
//! named pins that no device reports.

use lichen_chip::{Chip, Level, PinId};
use lichen_device::Board;
use lichen_observe::Kernel;
use lichen_trace::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Follows the execution of one mote.
#[derive(Debug)]
pub(crate) struct Execution {
    pins: BTreeMap<PinId, Arc<str>>,
    thread: Option<String>,
}

impl Execution {
    /// Follows a chip on `board` from now on.
    pub(crate) fn watch(chip: &mut dyn Chip, board: &Board) -> Execution {
        chip.core_mut().watch_exceptions(true);
        let pins = board.silent_outputs().map(|(pin, name)| (pin, name.into())).collect();
        Execution { pins, thread: None }
    }

    /// Another exception is active. Threads are switched by handlers, so the end of the last one
    /// is the moment at which another thread runs.
    pub(crate) fn exception(
        &mut self,
        number: u32,
        chip: &dyn Chip,
        kernel: Option<&Kernel>,
    ) -> impl Iterator<Item = Kind> + use<> {
        let name = (number != 0).then(|| chip.core().exception_name(number));
        let thread = if number == 0 { self.switched(chip, kernel) } else { None };
        std::iter::once(Kind::Exception { name }).chain(thread)
    }

    fn switched(&mut self, chip: &dyn Chip, kernel: Option<&Kernel>) -> Option<Kind> {
        let running = kernel?.running(chip)?;
        if self.thread.as_deref() == Some(running) {
            return None;
        }
        self.thread = Some(running.to_string());
        Some(Kind::Thread { name: running.to_string() })
    }

    /// The thread that was last reported.
    pub(crate) fn told(&self) -> Option<&str> {
        self.thread.as_deref()
    }

    /// Continues from a state in which `thread` was last reported.
    pub(crate) fn take_up(&mut self, thread: Option<String>) {
        self.thread = thread;
    }

    /// The chip starts again, without threads.
    pub(crate) fn reset(&mut self) {
        self.thread = None;
    }

    /// The chip changes what it drives on `pin`.
    pub(crate) fn level(&self, pin: PinId, level: Level) -> Option<Kind> {
        let name = Arc::clone(self.pins.get(&pin)?);
        let level = match level {
            Level::Low => Some(0),
            Level::High => Some(1),
            Level::Floating(_) => None,
        };
        Some(Kind::Pin { name, level })
    }
}
