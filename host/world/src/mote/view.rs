// SPDX-License-Identifier: MIT OR Apache-2.0
//! What can be seen of a mote from outside.

use super::Mote;
use crate::{Summary, TaskRuns, probe};
use lichen_chip::{Chip, Time};
use lichen_device::{Board, CONSOLE, Device};
use lichen_image::Image;
use lichen_observe::{Kernel, StackMark, Task, ThreadState, ThreadStatus, Waiting};
use lichen_trace::Signals;
use std::sync::Arc;

/// A mote that has done nothing for less than this may still wait for something that is under way.
const QUIET: Time = Time::from_ms(500);
/// How the names of timers' interrupts begin: those of other interrupts may never come.
const TIMERS: [&str; 2] = ["TC", "TIMER"];

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

    /// Keeps the use of the stacks before a program that begins anew forgets it. Memory that has never been used
    /// has no threads.
    pub(super) fn keep_stacks(&mut self) {
        let has_run = self.kernel().is_some_and(|kernel| kernel.running(self.chip()).is_some());
        if has_run {
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
    pub fn running_thread(&self) -> Option<&str> {
        self.kernel_at_work()?.running(self.chip())
    }

    /// The kernel, if memory holds its state.
    fn kernel_at_work(&self) -> Option<&Kernel> {
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

    /// A sentence about threads that wait and that nothing can ever wake, unless they are known to be in a deadlock:
    /// none has ended, no wait has a deadline, no timer is armed, and no interrupt is enabled except those of the
    /// kernel's clock.
    pub fn stuck(&self) -> Option<String> {
        let (since, kernel, chip) = (self.quiet?, self.kernel_at_work()?, self.chip());
        let threads = kernel.all_wait(self.image(), chip)?;
        let statuses = kernel.statuses(chip);
        let mut stopped = statuses.iter().filter(|thread| thread.state == ThreadState::Stopped);
        let mut enabled = chip.enabled_interrupts().into_iter();
        let has_ended = stopped.any(|thread| !self.never_started().any(|name| name == thread.name));
        let is_armed = enabled.any(|it| !chip.low_power_timer_exceptions().contains(&it));
        if has_ended || is_armed || self.find_deadlock().is_some() {
            return None;
        }
        let threads: Vec<String> = threads.iter().map(Waiting::to_string).collect();
        Some(format!(
            "no thread can ever run again: since {since} s all wait: {}",
            threads.join(", ")
        ))
    }

    /// The threads that are declared stopped and that nothing has started, if that is known.
    pub fn never_started(&self) -> impl Iterator<Item = &str> {
        let stopped = self.firmware.stopped.values();
        stopped
            .map(String::as_str)
            .filter(|name| self.started.as_ref().is_some_and(|started| !started.contains(*name)))
    }

    /// A sentence about each thread that nothing can start.
    pub(crate) fn unstartable(&self) -> Vec<String> {
        if Kernel::starts_threads(self.image()) {
            return Vec::new();
        }
        let sentence = |name| {
            format!(
                "{name} is a THREAD_STOPPED, and never runs: nothing in the program calls thread_start"
            )
        };
        self.never_started().map(sentence).collect()
    }

    /// A sentence about each request of a real-time task whose deadline is past, and whose task has not ended.
    pub(crate) fn overdue(&self) -> Vec<String> {
        if !self.is_powered() {
            return Vec::new();
        }
        self.tasks.complaints(&self.firmware.tasks, self.chip())
    }

    /// A sentence about each real-time task of a timer that has never been requested.
    pub(crate) fn never_requested(&self) -> Vec<String> {
        let seen = self.tasks.seen(&self.firmware.tasks, self.chip());
        let waits = |task: &&Task| {
            let period = Time::from_us(task.period_us.into());
            let runs = seen.get(&task.name).cloned().unwrap_or_default();
            let is_of_timer = TIMERS.iter().any(|timer| task.vector.starts_with(timer));
            is_of_timer && self.now() > period + QUIET && runs == TaskRuns::default()
        };
        let sentence = |task: &Task| {
            format!(
                "real-time task {0} has never run: rt_period_start({0}) starts its period",
                task.name
            )
        };
        self.tasks().filter(waits).map(sentence).collect()
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
        let kernel = self.firmware.kernel.as_ref();
        let console = board.console.iter().map(|_| CONSOLE.to_string());
        Signals {
            mote: self.number,
            name: format!("mote{}", self.number),
            pins: pins.chain(parts.map(str::to_string)).collect(),
            ports: console.chain(self.probe.iter().map(|_| probe::PORT.to_string())).collect(),
            threads: kernel.is_some_and(|kernel| !kernel.threads().is_empty()),
        }
    }
}
