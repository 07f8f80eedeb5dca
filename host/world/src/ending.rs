// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is wrong with motes when a run ends and no event has reported: real-time tasks that are late, handlers that
//! do not return, threads that are ready and never run, and threads that nothing can wake. Handlers and ready threads
//! are found by looking at the motes between slices of the run.

use crate::{Mote, MoteId, Summary, World};
use lichen_chip::{Chip, Time};
use lichen_observe::{Kernel, Place, Registers, ThreadState};
use std::collections::BTreeMap;

/// A shorter state is not reported.
const LONG: Time = Time::from_s(1);
/// In so many samples a state must have been seen.
const SAMPLES: u32 = 3;
/// More motes are not sampled: this would take longer than running them.
const MOST: usize = 16;

/// What has been seen of all motes of a run.
#[derive(Debug, Default)]
pub struct Ending(Vec<Seen>);

/// What has been seen of one mote since it last slept or was reset.
#[derive(Debug, Default)]
struct Seen {
    /// The sum of its sleep.
    slept: Time,
    /// The number of its resets.
    resets: u64,
    /// The handler that it was in, with the stack of the interrupted thread, which stays the same until the handler
    /// returns.
    handler: Option<(Lasting, Vec<u8>)>,
    /// The runs of real-time tasks when the handler began.
    runs: u64,
    /// Ready threads by name, with the registers that they continue with.
    ready: BTreeMap<String, (Lasting, Option<Registers>)>,
}

/// A state that was the same in each sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lasting {
    since: Time,
    samples: u32,
}

impl Lasting {
    /// The same after another sample, or a state that begins now.
    fn longer(before: Option<Lasting>, now: Time) -> Lasting {
        match before {
            Some(before) => Lasting { samples: before.samples + 1, ..before },
            None => Lasting { since: now, samples: 1 },
        }
    }

    /// Its length, if it is long enough to be reported.
    fn long(self, now: Time) -> Option<Time> {
        let lasted = now - self.since;
        (self.samples >= SAMPLES && lasted >= LONG).then_some(lasted)
    }
}

impl Ending {
    /// Looks at all motes. To be called often during the run: at least three times a second to find what lasts no
    /// longer than that.
    pub fn look(&mut self, world: &World) {
        if world.motes().len() > MOST {
            return;
        }
        self.0.resize_with(world.motes().len(), Seen::default);
        for (seen, (_, mote)) in self.0.iter_mut().zip(world.motes()) {
            seen.look(mote, world.now());
        }
    }

    /// What to warn of if the run ends now.
    pub fn warnings(&self, world: &World) -> Vec<(MoteId, String)> {
        let mut warnings = Vec::new();
        for (id, mote) in world.motes() {
            let seen = self.0.get(id.0 as usize);
            let starved = seen.map(|seen| seen.reported(mote, world.now())).unwrap_or_default();
            let all = starved.into_iter().chain(mote.complaints());
            warnings.extend(all.map(|what| (id, what)));
        }
        warnings
    }

    /// The first mote on which nothing but a handler, or real-time tasks, has run for long, and a sentence about it.
    pub fn hung(&self, world: &World) -> Option<(MoteId, String)> {
        let mut seen = self.0.iter().zip(world.motes());
        seen.find_map(|(seen, (id, mote))| Some((id, seen.hung(mote, world.now())?)))
    }
}

impl Seen {
    fn look(&mut self, mote: &Mote, now: Time) {
        let summary = mote.summary();
        let slept = summary.asleep.values().fold(Time::ZERO, |sum, time| sum + *time);
        let resets = summary.resets.values().sum();
        if (slept, resets) != (self.slept, self.resets) || !mote.is_powered() {
            *self = Seen { slept, resets, ..Seen::default() };
        }
        let Some(kernel) = mote.kernel() else { return };
        let chip = mote.chip();
        let handler = self.handler.take();
        let runs = runs_of_tasks(&summary);
        self.handler = (!kernel.is_in_thread(chip)).then(|| {
            let stack = interrupted_stack(kernel, chip);
            let same = handler.filter(|(_, before)| *before == stack);
            if same.is_none() {
                self.runs = runs;
            }
            (Lasting::longer(same.map(|(lasting, _)| lasting), now), stack)
        });
        let before = std::mem::take(&mut self.ready);
        let ready = mote
            .threads()
            .into_iter()
            .filter(|thread| thread.state == ThreadState::Ready && thread.priority > 0);
        self.ready = ready
            .map(|thread| {
                let registers = kernel.saved_registers(chip, thread.block);
                let same = before.get(&thread.name).filter(|(_, before)| *before == registers);
                let lasting = Lasting::longer(same.map(|(lasting, _)| *lasting), now);
                (thread.name, (lasting, registers))
            })
            .collect();
    }

    /// What keeps all threads from running, if that has lasted.
    fn hung(&self, mote: &Mote, now: Time) -> Option<String> {
        let (lasting, _) = self.handler.as_ref()?;
        let lasted = lasting.long(now)?;
        let here = place(mote);
        Some(match runs_of_tasks(&mote.summary()) - self.runs {
            0 => format!("a handler has not returned for {lasted} s; it is {here}"),
            runs => format!(
                "real-time tasks have left no time for anything else for {lasted} s, in which they ran {runs} times; \
                 the processor is {here}"
            ),
        })
    }

    fn reported(&self, mote: &Mote, now: Time) -> Vec<String> {
        if let Some(hung) = self.hung(mote, now) {
            return vec![hung];
        }
        let here = place(mote);
        let running = mote.running_thread().unwrap_or("another".into());
        let ready = self.ready.iter();
        ready
            .filter_map(|(name, (lasting, _))| {
                let lasted = lasting.long(now)?;
                Some(format!(
                    "{name} has been ready for {lasted} s and has not run: {running} keeps the \
                     processor; it is {here}"
                ))
            })
            .collect()
    }
}

/// How often its real-time tasks have run.
fn runs_of_tasks(summary: &Summary) -> u64 {
    summary.tasks.values().map(|task| task.runs).sum()
}

/// What is on the stack of the thread that runs or is interrupted; nothing if it is none that was declared.
fn interrupted_stack(kernel: &Kernel, chip: &dyn Chip) -> Vec<u8> {
    let current = kernel.current(chip);
    let thread = kernel.threads().iter().find(|thread| Some(thread.block) == current);
    let stack = thread.and_then(|thread| {
        let mut stack = vec![0; thread.stack_bytes as usize];
        chip.peek(thread.stack, &mut stack).ok().map(|()| stack)
    });
    stack.unwrap_or_default()
}

/// Where the processor is, in words: `in work_thread at main.c:4`.
pub(crate) fn place(mote: &Mote) -> String {
    let Place { pc, symbol, file, line } = mote.place_in_program(mote.chip().core().pc());
    let symbol = symbol.map_or_else(|| format!("at 0x{pc:08x}"), |symbol| format!("in {symbol}"));
    match (file, line) {
        (Some(file), Some(line)) => format!("{symbol} at {file}:{line}"),
        _ => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TaskRuns;

    #[test]
    fn what_lasts_is_reported_after_a_second_and_three_looks() {
        let at = Time::from_ms;
        let first = Lasting::longer(None, at(100));
        let second = Lasting::longer(Some(first), at(2000));
        let third = Lasting::longer(Some(second), at(2100));
        assert_eq!(first.long(at(2100)), None);
        assert_eq!(second.long(at(2100)), None);
        assert_eq!(third.long(at(2100)), Some(at(2000)));
        assert_eq!(third.long(at(1099)), None);
    }

    #[test]
    fn runs_of_all_tasks_count() {
        let tasks = [("blink", 2), ("sample", 3)]
            .map(|(name, runs)| (name.to_string(), TaskRuns { runs, ..TaskRuns::default() }));
        let summary = Summary { tasks: tasks.into(), ..Summary::default() };
        assert_eq!(runs_of_tasks(&summary), 5);
    }

    /// A kernel's image in which nothing calls `thread_start`.
    #[test]
    fn a_thread_that_nothing_can_start_is_warned_of() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let board = lichen_board::Board::find(&folder.join("../../board"), "samr21-xpro");
        let image = lichen_image::Image::load(&folder.join("../observe/tests/data/kernel.elf"));
        let mut world = World::new();
        let id = world.add(board.expect("a board"), image.expect("an image").into());
        let warnings = Ending::default().warnings(&world);
        let [(mote, what)] = &warnings[..] else { panic!("one warning: {warnings:?}") };
        assert_eq!(*mote, id.expect("a mote"));
        assert!(what.starts_with("sampler is a THREAD_STOPPED, and never runs"), "{what}");
    }
}
