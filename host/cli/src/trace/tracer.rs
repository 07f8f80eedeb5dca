// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the steps of a processor between two marks.

use super::disassembly::disassemble;
use lichen_chip::Chip;
use lichen_image::Image;
use lichen_observe::{Observer, Step};
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

/// A trace under way: an [`Observer`].
pub struct Tracer {
    image: Arc<Image>,
    from: u32,
    to: u32,
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
        marks: (u32, u32),
        writer: Box<dyn Write + Send>,
        limit: u64,
    ) -> Tracer {
        let (from, to) = marks;
        Tracer {
            image,
            from,
            to,
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
        match self.state {
            State::Before if address == self.from => self.state = State::Between,
            State::Between if address == self.to => self.state = State::Over,
            _ => {}
        }
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
