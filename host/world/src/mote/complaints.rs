// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with a mote if its run ends now, in sentences.

use super::Mote;
use super::view::QUIET;
use lichen_chip::Time;
use lichen_observe::{Kernel, Task, ThreadState, Waiting};

/// Functions that an image has if it makes threads at run time, if the low-power timer is its kernel's clock, and if it
/// has a watchdog, which may use that timer, too.
const MAKES_THREADS: &str = "thread_create";
const CLOCK: &str = "chip_ticks_start";
const WATCHDOG: &str = "kernel_watchdog";

/// So many addresses are listed.
const FEW: usize = 4;

impl Mote {
    /// All of that, as far as one look at it tells.
    pub(crate) fn complaints(&self) -> impl Iterator<Item = String> {
        let of_tasks = self.overdue().into_iter().chain(self.never_begun());
        of_tasks.chain(self.unstartable()).chain(self.stuck()).chain(self.unanswered())
    }

    /// A sentence about addresses on I2C at which the board has nothing. A program that looks for parts calls many.
    fn unanswered(&self) -> Option<String> {
        let addresses = &self.unanswered;
        let (first, last) = (addresses.first()?, addresses.last()?);
        let at = match addresses.len() {
            1 => format!("address 0x{first:02x}"),
            count if count <= FEW => {
                let all: Vec<String> = addresses.iter().map(|it| format!("0x{it:02x}")).collect();
                format!("addresses {}", all.join(", "))
            }
            count => format!("{count} addresses from 0x{first:02x} to 0x{last:02x}"),
        };
        Some(format!("the board has no part on I2C at {at}, which the program calls"))
    }

    /// A sentence about threads that wait and that nothing can ever wake, unless they are known to be in a deadlock:
    /// none has ended, no wait has a deadline, no timer is armed, and no interrupt is enabled except those of the
    /// kernel's clock.
    pub fn stuck(&self) -> Option<String> {
        let (since, kernel, chip) = (self.quiet?, self.kernel_at_work()?, self.chip());
        let threads = kernel.all_wait(self.image(), chip)?;
        let statuses = kernel.statuses(chip);
        let mut stopped = statuses.iter().filter(|thread| thread.state == ThreadState::Stopped);
        let has = |name| self.image().has(name);
        // Of a thread that is made at run time nothing is left when it has ended.
        let has_ended = has(MAKES_THREADS)
            || stopped.any(|thread| !self.never_started().any(|name| name == thread.name));
        let of_clock = match has(CLOCK) && !has(WATCHDOG) {
            true => chip.low_power_timer_exceptions(),
            false => Default::default(),
        };
        let is_armed = chip.enabled_interrupts().iter().any(|it| !of_clock.contains(it));
        if has_ended || is_armed || self.find_deadlock().is_some() {
            return None;
        }
        let threads: Vec<String> = threads.iter().map(Waiting::to_string).collect();
        Some(format!(
            "no thread can ever run again: all have waited since {since} s, {}",
            threads.join(", ")
        ))
    }

    /// A sentence about each thread that nothing can start.
    fn unstartable(&self) -> Vec<String> {
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
    fn overdue(&self) -> Vec<String> {
        if !self.is_powered() {
            return Vec::new();
        }
        self.tasks.complaints(&self.firmware.tasks, self.chip())
    }

    /// A sentence about each real-time task of a timer that nothing in the program starts.
    fn never_begun(&self) -> Vec<String> {
        // A mote that starts again and again may have had no time to.
        let tasks = (self.tally.panics() == 0)
            .then(|| self.tasks.idle(&self.firmware.tasks, self.chip()))
            .into_iter()
            .flatten();
        let is_past = |task: &&Task| self.now() > Time::from_us(task.period_us.into()) + QUIET;
        let is_forgotten = |task: &&Task| !task.is_started_by(self.image());
        let sentence = |task: &Task| {
            format!("real-time task {0} never runs: nothing calls rt_period_start({0})", task.name)
        };
        tasks.filter(is_past).filter(is_forgotten).map(sentence).collect()
    }
}
