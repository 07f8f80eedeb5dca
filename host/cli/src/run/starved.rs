// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handlers that do not return, and threads that are ready and never run: found by looking at the motes
//! between slices of the run.

use lichen_chip::Time;
use lichen_observe::{Registers, ThreadState};
use lichen_world::{Mote, World};
use std::collections::BTreeMap;

/// What lasts less is not told.
const LONG: Time = Time::from_s(1);
/// Looks at which something must have been seen.
const LOOKS: u32 = 3;
/// More motes are not looked at: this would take longer than running them.
const MOST: usize = 16;

/// What has been seen of all motes.
#[derive(Debug, Default)]
pub struct Starved(Vec<Seen>);

/// What has been seen of one mote since it last slept or was reset.
#[derive(Debug, Default)]
struct Seen {
    /// How long it had slept in all, and how often it had been reset.
    slept: Time,
    resets: u64,
    handler: Option<Lasting>,
    /// Ready threads by name, with the registers that they continue with.
    ready: BTreeMap<String, (Lasting, Option<Registers>)>,
}

/// Something that was the same at each look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lasting {
    since: Time,
    looks: u32,
}

impl Lasting {
    /// The same after another look, or what begins now.
    fn longer(before: Option<Lasting>, now: Time) -> Lasting {
        match before {
            Some(before) => Lasting { looks: before.looks + 1, ..before },
            None => Lasting { since: now, looks: 1 },
        }
    }

    /// For how long, if that is long.
    fn long(self, now: Time) -> Option<Time> {
        let lasted = now - self.since;
        (self.looks >= LOOKS && lasted >= LONG).then_some(lasted)
    }
}

impl Starved {
    /// Looks at all motes.
    pub fn look(&mut self, world: &World) {
        if world.motes().len() > MOST {
            return;
        }
        self.0.resize_with(world.motes().len(), Seen::default);
        for (seen, (_, mote)) in self.0.iter_mut().zip(world.motes()) {
            seen.look(mote, world.now());
        }
    }

    /// What each mote is in trouble with: its number, and a sentence.
    pub fn told(&self, world: &World) -> Vec<(u32, String)> {
        let motes = self.0.iter().zip(world.motes());
        motes
            .flat_map(|(seen, (id, mote))| {
                seen.told(mote, world.now()).into_iter().map(move |text| (id.0, text))
            })
            .collect()
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
        self.handler = (!kernel.is_in_thread(chip)).then(|| Lasting::longer(self.handler, now));
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

    fn told(&self, mote: &Mote, now: Time) -> Vec<String> {
        let here = place(mote);
        if let Some(lasted) = self.handler.and_then(|handler| handler.long(now)) {
            return vec![format!("a handler has not returned for {lasted} s; it is {here}")];
        }
        let running = mote.running_thread().unwrap_or("another").to_string();
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

/// Where the processor is, in the program if the image says so.
fn place(mote: &Mote) -> String {
    let pc = mote.chip().core().pc();
    let symbol = mote.image().symbols().place(pc).map(|place| format!("in {place}"));
    let line = mote.image().locations(pc).into_iter().find_map(|at| Some((at.file?, at.line?)));
    let symbol = symbol.unwrap_or_else(|| format!("at 0x{pc:08x}"));
    match line {
        Some((file, line)) => format!("{symbol} at {file}:{line}"),
        None => symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lasts_is_told_after_a_second_and_three_looks() {
        let at = Time::from_ms;
        let first = Lasting::longer(None, at(100));
        let second = Lasting::longer(Some(first), at(2000));
        let third = Lasting::longer(Some(second), at(2100));
        assert_eq!(first.long(at(2100)), None);
        assert_eq!(second.long(at(2100)), None);
        assert_eq!(third.long(at(2100)), Some(at(2000)));
        assert_eq!(third.long(at(1099)), None);
    }
}
