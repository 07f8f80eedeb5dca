// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the steps of a processor between two marks.

use crate::disassembly::disassemble;
use lichen_chip::Chip;
use lichen_image::Image;
use lichen_observe::{Observer, Step};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

/// How far a trace has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The first mark was not reached.
    Before,
    /// The second one was not reached.
    Between,
    /// It is complete, or can no longer be written.
    Over,
}

/// Where a trace begins and ends. A function that is part of others has several first instructions.
pub struct Marks {
    pub from: BTreeSet<u32>,
    pub to: BTreeSet<u32>,
}

impl Marks {
    /// What reaching `address` makes of `state`. Functions may begin with the same instruction, where one is part of the
    /// other: then nothing lies between them.
    fn arrive(&self, state: State, address: u32) -> State {
        let is_end = self.to.contains(&address);
        match state {
            State::Before if self.from.contains(&address) => match is_end && self.from != self.to {
                true => State::Over,
                false => State::Between,
            },
            State::Between if is_end => State::Over,
            state => state,
        }
    }
}

/// A trace under way: an [`Observer`].
pub struct Tracer {
    image: Arc<Image>,
    marks: Marks,
    writer: Box<dyn Write + Send>,
    error: Option<io::Error>,
    limit: u64,
    lines: u64,
    state: State,
    instructions: u64,
    cycles: u64,
    /// Cycles of the step under way.
    unfinished: u64,
}

impl Tracer {
    /// Writes what is executed from the first of `marks` to the second, up to `limit` lines.
    pub fn new(
        image: Arc<Image>,
        marks: Marks,
        writer: Box<dyn Write + Send>,
        limit: u64,
    ) -> Tracer {
        Tracer {
            image,
            marks,
            writer,
            error: None,
            limit,
            lines: 0,
            state: State::Before,
            instructions: 0,
            cycles: 0,
            unfinished: 0,
        }
    }

    /// How far it has come.
    pub fn state(&self) -> State {
        self.state
    }

    /// Whether nothing more will be written.
    pub fn is_over(&self) -> bool {
        self.state == State::Over
    }

    /// Instructions between the marks so far.
    pub fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Cycles between the marks so far.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Completes the file.
    pub fn finish(&mut self) -> io::Result<()> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.writer.flush(),
        }
    }

    fn line(&mut self, step: &Step, chip: &dyn Chip) -> io::Result<()> {
        let context = match step.exception {
            0 => "",
            number => chip.core().exception_name(number),
        };
        let place = self.image.symbols().place(step.pc);
        let place = place.map(|place| place.to_string()).unwrap_or_default();
        let what = if step.asleep {
            "(asleep)".to_string()
        } else if step.executed {
            disassemble(step.pc, chip) + &self.target(step)
        } else {
            "(entry of an exception)".to_string()
        };
        let Step { pc, cycles, .. } = step;
        writeln!(
            self.writer,
            "{:>10} {cycles:>6}  {context:<10} {pc:08x}  {place:<28} {what}",
            self.cycles
        )
    }

    /// Where a step leads, if that is another function.
    fn target(&self, step: &Step) -> String {
        let symbols = self.image.symbols();
        match (symbols.place(step.pc), symbols.place(step.next)) {
            (Some(from), Some(to)) if from.name != to.name => format!("  ; to {to}"),
            _ => String::new(),
        }
    }

    /// Continues at `address`.
    fn arrive(&mut self, address: u32) {
        self.state = self.marks.arrive(self.state, address);
    }
}

impl Observer for Tracer {
    fn step(&mut self, step: &Step, chip: &dyn Chip) {
        // No step leads to the first instruction after a reset.
        if self.state == State::Before {
            self.arrive(step.pc);
        }
        let begun = !step.executed && !step.asleep && step.pc == step.next;
        if self.state == State::Between && begun {
            self.unfinished += step.cycles;
        } else if self.state == State::Between {
            let cycles = step.cycles + std::mem::take(&mut self.unfinished);
            let step = &Step { cycles, ..*step };
            if self.lines < self.limit {
                self.lines += 1;
                if let Err(error) = self.line(step, chip) {
                    self.error = Some(error);
                    self.state = State::Over;
                    return;
                }
            }
            self.instructions += u64::from(step.executed);
            self.cycles += cycles;
        }
        self.arrive(step.next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_have_several_places_and_may_share_one() {
        let marks = |from: &[u32], to: &[u32]| Marks {
            from: from.iter().copied().collect(),
            to: to.iter().copied().collect(),
        };
        let apart = marks(&[2, 4], &[6, 8]);
        assert_eq!(apart.arrive(State::Before, 4), State::Between);
        assert_eq!(apart.arrive(State::Before, 6), State::Before);
        assert_eq!(apart.arrive(State::Between, 8), State::Over);
        assert_eq!(apart.arrive(State::Between, 2), State::Between);
        assert_eq!(marks(&[2], &[2, 4]).arrive(State::Before, 2), State::Over);
        assert_eq!(marks(&[2], &[2]).arrive(State::Before, 2), State::Between, "a whole period");
    }
}
