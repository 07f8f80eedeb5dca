// SPDX-License-Identifier: MIT OR Apache-2.0
//! What waveforms show in addition to the events of every run: exceptions, thread switches, and
//! named pins that no device reports.

use lichen_board::Board;
use lichen_chip::{Chip, Level, PinId};
use lichen_observe::Kernel;
use lichen_trace::Kind;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Follows the execution of one mote.
#[derive(Debug)]
pub(crate) struct Execution {
    pins: BTreeMap<PinId, Arc<str>>,
    thread: Option<String>,
    /// The exceptions that are active, the innermost last.
    active: Vec<u32>,
}

impl Execution {
    /// Follows a chip on `board` from now on.
    pub(crate) fn watch(chip: &mut dyn Chip, board: &Board) -> Execution {
        chip.core_mut().watch_exceptions(true);
        let pins = board.silent_outputs().map(|(pin, name)| (pin, name.into())).collect();
        Execution { pins, thread: None, active: active(chip) }
    }

    /// Another exception is active. One that has ended is followed by the one that it preempted, or by
    /// none, even if the next one begins at the same moment: whoever sees one follow another knows that it
    /// preempts it. Threads are switched by handlers, so the end of the last one is the moment at which
    /// another thread runs. Where they are switched without one, the chip reports that none is active.
    pub(crate) fn exception(
        &mut self,
        number: u32,
        chip: &dyn Chip,
        kernel: Option<&Kernel>,
    ) -> impl Iterator<Item = Kind> + use<> {
        let depth = if number == 0 { 0 } else { chip.core().exceptions_active().max(1) };
        let name = |number: u32| match number {
            0 => Kind::Exception { name: None },
            number => Kind::Exception { name: Some(chip.core().exception_name(number)) },
        };
        let mut news = Vec::new();
        let has_ended = |active: &[u32]| {
            active.len() > depth || active.len() == depth && active.last() != Some(&number)
        };
        // If nothing else has changed, the same one begins again.
        let again =
            number != 0 && self.active.len() == depth && self.active.last() == Some(&number);
        while !self.active.is_empty() && (again && news.is_empty() || has_ended(&self.active)) {
            self.active.pop();
            news.push(name(self.active.last().copied().unwrap_or(0)));
        }
        if number != 0 && self.active.last() != Some(&number) {
            self.active.push(number);
            news.push(name(number));
        }
        news.extend(if number == 0 { self.switched(chip, kernel) } else { None });
        news.into_iter()
    }

    fn switched(&mut self, chip: &dyn Chip, kernel: Option<&Kernel>) -> Option<Kind> {
        let running = kernel?.running(chip)?;
        if self.thread.as_deref() == Some(running.as_ref()) {
            return None;
        }
        self.thread = Some(running.to_string());
        Some(Kind::Thread { name: running.to_string() })
    }

    /// The thread that was last reported.
    pub(crate) fn reported(&self) -> Option<&str> {
        self.thread.as_deref()
    }

    /// Continues from a state of `chip` in which `thread` was last reported.
    pub(crate) fn take_up(&mut self, thread: Option<String>, chip: &dyn Chip) {
        self.thread = thread;
        self.active = active(chip);
    }

    /// The chip starts again, without threads.
    pub(crate) fn reset(&mut self) {
        self.thread = None;
        self.active.clear();
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

/// The exceptions that are active: of those that were preempted before anybody watched, only how many they are
/// is known.
fn active(chip: &dyn Chip) -> Vec<u32> {
    vec![chip.core().exception(); chip.core().exceptions_active()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_image::Image;
    use std::path::Path;

    #[test]
    fn another_thread_is_reported_once() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let board = Board::find(&folder.join("../../board"), "samr21-xpro").expect("a board");
        let image = Image::load(&folder.join("../observe/tests/data/kernel.elf"));
        let image = image.expect("an image");
        let address = |name| image.symbols().find(name).expect("a symbol").address;
        let kernel = Kernel::find(&image).expect("readable").expect("a kernel");
        let mut chip = lichen_chip::by_part(&board.chip, &board.config()).expect("a chip");
        let mut execution = Execution::watch(chip.as_mut(), &board);
        for name in ["logger", "sampler"] {
            // The member `current` is the first one.
            chip.program(address("kernel"), &address(name).to_le_bytes()).expect("RAM");
            let mut switched = || execution.switched(chip.as_ref(), Some(&kernel));
            assert_eq!(switched(), Some(Kind::Thread { name: name.to_string() }));
            assert_eq!(switched(), None);
        }
    }
}
