// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote's history: its states, and the changes made to it from outside.
//!
//! Execution from a given state is repeatable, so every moment of the past can be reached from the
//! last state before it, with the changes made in between. The older the states, the farther apart
//! they are, so that their number is bounded and the run from a state to a moment stays short
//! compared with the run from that moment to the present.

use super::Debuggee;
use lichen_chip::Time;

/// Instructions between the latest states, at least: a few milliseconds of the host's time.
const SPACING: u64 = 100_000;
/// States kept at most.
pub(super) const MOST: usize = 256;

/// What a debugger or the mote's user did to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Bytes of memory were written.
    Memory { address: u32, bytes: Vec<u8> },
    /// A register was written, numbered as in the architecture's table.
    Register { number: usize, value: u32 },
    /// Characters were typed at the console.
    Typed(Vec<u8>),
    /// The reset pin was pulled.
    Reset,
}

/// A state that can be restored.
#[derive(Debug)]
struct Kept<S> {
    time: Time,
    instructions: u64,
    /// Changes that were made before.
    made: usize,
    state: S,
}

/// States and changes since a debugger connected.
#[derive(Debug)]
pub(super) struct History<S> {
    /// In order of time; the first one is where history begins.
    kept: Vec<Kept<S>>,
    changes: Vec<(Time, Change)>,
    /// How many of the changes have been made at the mote's position.
    made: usize,
    /// The latest moment that the mote has reached.
    present: Time,
}

impl<S> History<S> {
    /// A history that begins at the position of `debuggee`.
    pub(super) fn begin<D: Debuggee<State = S>>(debuggee: &D) -> History<S> {
        let mut history =
            History { kept: Vec::new(), changes: Vec::new(), made: 0, present: Time::ZERO };
        history.reach(debuggee);
        history
    }

    /// The mote has run by itself: the present moves with it, and its state is kept if the last one
    /// is far away.
    pub(super) fn reach<D: Debuggee<State = S>>(&mut self, debuggee: &D) {
        let (time, instructions) = (debuggee.chip().now(), debuggee.chip().instructions());
        self.present = self.present.max(time);
        let far = self.kept.last().is_none_or(|last| instructions >= last.instructions + SPACING);
        if far && time == self.present {
            let state = debuggee.state();
            self.kept.push(Kept { time, instructions, made: self.made, state });
        }
        if self.kept.len() > MOST {
            let instructions: Vec<u64> = self.kept.iter().map(|kept| kept.instructions).collect();
            self.kept.remove(least_needed(&instructions));
        }
    }

    /// The latest moment that the mote has reached.
    pub(super) fn present(&self) -> Time {
        self.present
    }

    /// When history begins.
    pub(super) fn beginning(&self) -> Time {
        self.kept.first().map_or(self.present, |first| first.time)
    }

    /// The last state that lies before `moment`: its time.
    pub(super) fn before(&self, moment: Time) -> Option<Time> {
        self.kept.iter().rev().map(|kept| kept.time).find(|time| *time < moment)
    }

    /// Takes `debuggee` to the last state that is not after `moment`, or to the beginning.
    pub(super) fn restore<D: Debuggee<State = S>>(
        &mut self,
        debuggee: &mut D,
        moment: Time,
    ) -> Result<(), D::Error> {
        let found = self.kept.iter().rev().find(|kept| kept.time <= moment);
        let Some(kept) = found.or(self.kept.first()) else { return Ok(()) };
        debuggee.restore(&kept.state)?;
        self.made = kept.made;
        Ok(())
    }

    /// When the next change is to be made; never if at the present.
    pub(super) fn next_change(&self) -> Time {
        self.changes.get(self.made).map_or(Time::NEVER, |(time, _)| *time)
    }

    /// Repeats the changes that are due at the position of `debuggee`.
    pub(super) fn repeat<D: Debuggee<State = S>>(
        &mut self,
        debuggee: &mut D,
    ) -> Result<(), D::Error> {
        while let Some((time, change)) = self.changes.get(self.made) {
            if *time > debuggee.chip().now() {
                break;
            }
            make(debuggee, change)?;
            self.made += 1;
        }
        Ok(())
    }

    /// Makes a change in the present, and records it. Returns false, and does nothing, in the past,
    /// and where there is no memory.
    pub(super) fn change<D: Debuggee<State = S>>(
        &mut self,
        debuggee: &mut D,
        change: Change,
    ) -> Result<bool, D::Error> {
        let now = debuggee.chip().now();
        if now < self.present || !make(debuggee, &change)? {
            return Ok(false);
        }
        self.changes.push((now, change));
        self.made = self.changes.len();
        Ok(true)
    }
}

fn make<D: Debuggee>(debuggee: &mut D, change: &Change) -> Result<bool, D::Error> {
    match change {
        Change::Memory { address, bytes } => {
            return Ok(debuggee.chip_mut().program(*address, bytes).is_ok());
        }
        Change::Register { number, value } => {
            debuggee.chip_mut().core_mut().set_register(*number, *value);
        }
        Change::Typed(text) => debuggee.type_in(text)?,
        Change::Reset => debuggee.reset()?,
    }
    Ok(true)
}

/// Which of the states at these counts of instructions is needed least: the one whose removal
/// leaves the smallest gap, relative to its age. Neither the first nor the last one.
fn least_needed(instructions: &[u64]) -> usize {
    let last = instructions.last().copied().unwrap_or(0);
    let need = |index: usize| {
        let (before, behind) = (instructions[index - 1], instructions[index + 1]);
        (behind - before) as f64 / (last - before) as f64
    };
    (1..instructions.len().saturating_sub(1))
        .min_by(|one, other| need(*one).total_cmp(&need(*other)))
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_short_beside_how_long_ago_they_are() {
        let mut kept: Vec<u64> = Vec::new();
        // An hour at 48 MHz would be twenty times this.
        for instructions in (0..8_000_000_000).step_by(SPACING as usize) {
            kept.push(instructions);
            if kept.len() > MOST {
                kept.remove(least_needed(&kept));
            }
        }
        assert_eq!((kept.len(), kept[0]), (MOST, 0));
        let last = kept[MOST - 1];
        for pair in kept.windows(2) {
            let (gap, ago) = (pair[1] - pair[0], last - pair[0]);
            assert!(gap <= 3 * SPACING || gap * 10 <= ago, "{gap} instructions, {ago} ago");
        }
    }
}
