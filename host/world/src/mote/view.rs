// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be seen of a mote from outside.

use super::Mote;
use crate::{Summary, probe};
use lichen_board::Board;
use lichen_chip::{Chip, PinId, Time};
use lichen_device::{CONSOLE, Device};
use lichen_image::Image;
use lichen_observe::{Kernel, StackMark, Task, ThreadStatus, Waiting};
use lichen_trace::Signals;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A mote that has done nothing for less than this may still wait for something that is under way.
pub(super) const QUIET: Time = Time::from_ms(500);

impl Mote {
    /// The board.
    pub fn board(&self) -> &Arc<Board> {
        &self.firmware.board
    }

    /// The image.
    pub fn image(&self) -> &Arc<Image> {
        &self.firmware.image
    }

    /// The chip, for inspection.
    pub fn chip(&self) -> &dyn Chip {
        self.chip.as_ref()
    }

    /// What cannot be shown for the image, and why: one sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Whether it has a supply.
    pub fn is_powered(&self) -> bool {
        self.chip.is_powered()
    }

    /// The most that has been used of the stacks of the image's Lichen kernel; empty for other images, and before the
    /// kernel has run.
    pub fn stacks(&self) -> Vec<StackMark> {
        let Some(kernel) = self.kernel() else { return Vec::new() };
        // At other times the program has not marked its stacks.
        let are_marked =
            self.is_powered() && (!kernel.has_threads() || kernel.running(self.chip()).is_some());
        let most = |mark: StackMark| {
            let before = self.stacks_before.get(&mark.name).copied();
            let now = are_marked.then_some(mark.used);
            Some(StackMark { used: now.max(before)?, ..mark })
        };
        kernel.stacks(self.chip()).into_iter().filter_map(most).collect()
    }

    /// What the image's Lichen system has counted as lost, by what counts it; empty for other images.
    pub fn losses(&self) -> BTreeMap<String, u64> {
        let has_run =
            self.kernel_at_work().is_some_and(|kernel| kernel.running(self.chip()).is_some());
        let mut losses = self.losses_before.clone();
        let now = has_run.then(|| self.firmware.losses.read(self.chip()));
        let now = now.filter(|now| self.has_slept || *now != self.losses_at_reset);
        for (what, count) in now.into_iter().flatten() {
            *losses.entry(what).or_default() += count;
        }
        losses
    }

    /// Keeps the use of the stacks, and what was lost, before a program that begins anew forgets it. Memory that has never
    /// been used has no threads.
    pub(super) fn keep_stacks(&mut self) {
        let has_run = self.kernel().is_some_and(|kernel| kernel.running(self.chip()).is_some());
        if has_run {
            self.losses_before = self.losses();
            self.losses_at_reset = self.firmware.losses.read(self.chip());
            self.has_slept = false;
            self.stacks_before =
                self.stacks().into_iter().map(|mark| (mark.name, mark.used)).collect();
        }
    }

    /// Whether a stack overflowed for the first time at `time`.
    pub(crate) fn overflowed_at(&self, time: Time) -> bool {
        self.overflow.as_ref().is_some_and(|overflow| overflow.time == time)
    }

    /// The threads of the image's Lichen kernel; empty for other images, before the first one runs, and
    /// without power.
    pub fn threads(&self) -> Vec<ThreadStatus> {
        self.kernel_at_work().map(|kernel| kernel.statuses(self.chip())).unwrap_or_default()
    }

    /// Name of the thread that runs or is interrupted, if the image has a Lichen kernel.
    pub fn running_thread(&self) -> Option<Cow<'_, str>> {
        self.kernel_at_work()?.running(self.chip())
    }

    /// The place of the instruction at `pc`, in the image or in a loaded program.
    pub(crate) fn place(&self, pc: u32) -> lichen_observe::Place {
        match self.kernel() {
            Some(kernel) => kernel.code(self.image(), self.chip()).place(pc),
            None => lichen_observe::place(self.image(), pc),
        }
    }

    /// The same, but the line of the program where the instruction is one of the system's that was inlined there.
    pub(crate) fn place_in_program(&self, pc: u32) -> lichen_observe::Place {
        match self.kernel() {
            Some(kernel) => kernel.code(self.image(), self.chip()).place_in_program(pc),
            None => lichen_observe::place_in_program(self.image(), pc),
        }
    }

    /// The kernel, if memory holds its state.
    pub(super) fn kernel_at_work(&self) -> Option<&Kernel> {
        self.firmware.kernel.as_ref().filter(|_| self.is_powered())
    }

    /// Where the processor is, in words: `in work_thread at main.c:4`.
    pub fn whereabouts(&self) -> String {
        crate::ending::place(self)
    }

    /// The real-time tasks of the image, as declared.
    pub fn tasks(&self) -> impl Iterator<Item = &Task> {
        self.firmware.tasks.tasks()
    }

    /// The threads of a mote that has done nothing since a moment, since all of them wait, and that moment.
    pub fn all_wait(&self) -> Option<(Time, Vec<Waiting>)> {
        let since = self.quiet.filter(|since| self.now() - *since >= QUIET)?;
        Some((since, self.kernel_at_work()?.all_wait(self.image(), self.chip())?))
    }

    /// The threads that are declared stopped and that nothing has started, if that is known.
    pub fn never_started(&self) -> impl Iterator<Item = &str> {
        let stopped = self.firmware.stopped.values();
        stopped
            .map(String::as_str)
            .filter(|name| self.started.as_ref().is_some_and(|started| !started.contains(*name)))
    }

    /// Its parts that are worn, by name, and how much, in words.
    pub fn wear(&self) -> Vec<(String, String)> {
        let worn = |device: &dyn Device| Some((device.name().to_string(), device.wear()?));
        self.devices.iter().filter_map(|device| worn(device.as_ref())).collect()
    }

    /// A summary of what it has done so far.
    pub fn summary(&self) -> Summary {
        let chip = self.chip.as_ref();
        Summary {
            unserved_fault: self.faults.first_unserved(chip),
            deadlock: self.deadlock.clone().or_else(|| Some((self.now(), self.find_deadlock()?))),
            overflow: self.overflow.clone(),
            tasks: self.tasks.seen(&self.firmware.tasks, chip),
            ..self.tally.at(chip.now(), chip.cycle().0, chip.instructions())
        }
    }

    /// The signals that a waveform can show.
    pub fn signals(&self) -> Signals {
        let board = &self.firmware.board;
        let pins = board.reported_pins().chain(board.silent_outputs()).map(|(_, name)| name);
        let parts = self.devices.iter().filter_map(|device| device.reported_pin());
        // Those that the program gives a name are shown like the board's.
        let own = self.firmware.own_pins.iter().filter(|(pin, _)| self.wires.at(**pin).is_empty());
        let (free, named): (Vec<_>, Vec<_>) =
            own.partition(|(pin, name)| pin.to_string() == name.as_ref());
        let name = |(_, name): (&PinId, &Arc<str>)| name.to_string();
        let kernel = self.firmware.kernel.as_ref();
        let console = board.console.iter().map(|_| CONSOLE.to_string());
        Signals {
            mote: self.number,
            name: format!("mote{}", self.number),
            pins: pins
                .chain(parts.map(str::to_string))
                .chain(named.into_iter().map(name))
                .collect(),
            free_pins: free.into_iter().map(name).collect(),
            ports: console.chain(self.probe.iter().map(|_| probe::PORT.to_string())).collect(),
            threads: kernel.is_some_and(|kernel| !kernel.threads().is_empty()),
        }
    }
}
