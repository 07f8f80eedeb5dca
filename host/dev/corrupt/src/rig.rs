// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mote's chip with a program, one word of whose memory is overwritten.

use crate::{Error, Outcome, Place, Program};
use lichen_chip::{Chip, Output, Snapshot, Stamped, Stop, Time};
use lichen_observe::Record;

/// Rounds from power-up to the one that is examined.
const FIRST_ROUNDS: u32 = 5;
/// Rounds that a mote must do to be counted as right.
const ROUNDS: u32 = 4;
/// A run must have an outcome within this time: a hang is noticed after 125 ms by the program's
/// watchdog, on the ATmega128 after 500, and ended after as long again, or 2 s; in a panic, after 2 s.
const LIMIT: Time = Time::from_ms(3_000);

/// A chip that runs a program.
pub struct Rig<'a> {
    program: &'a Program,
    chip: Box<dyn Chip>,
    outputs: Vec<Stamped<Output>>,
}

impl<'a> Rig<'a> {
    /// A chip with the program in its flash, not powered yet.
    pub fn new(program: &'a Program) -> Result<Rig<'a>, Error> {
        let mut chip = lichen_chip::by_part(&program.part, &program.config)?;
        for segment in program.image.segments() {
            chip.program(segment.address, &segment.bytes)?;
        }
        chip.core_mut().set_breakpoint(program.round, true);
        chip.core_mut().set_breakpoint(program.entry, true);
        Ok(Rig { program, chip, outputs: Vec::new() })
    }

    /// Powers the chip, and chooses `count` moments of a round at equal distances, counted in
    /// instructions.
    pub fn moments(&mut self, count: u32) -> Result<Vec<Snapshot>, Error> {
        self.power_on();
        self.expect_rounds(FIRST_ROUNDS)?;
        let (begin, first) = (self.chip.snapshot(), self.chip.instructions());
        self.expect_rounds(1)?;
        let length = self.chip.instructions() - first;
        self.chip.restore(&begin)?;
        let mut moments = Vec::new();
        for index in 0..count {
            let wanted = first + length * u64::from(2 * index + 1) / u64::from(2 * count);
            while self.chip.instructions() < wanted {
                let limit = self.chip.now() + LIMIT;
                self.chip.core_mut().step(limit);
                // It does not continue before its reports are taken.
                self.take_outputs();
            }
            moments.push(self.chip.snapshot());
        }
        Ok(moments)
    }

    /// Powers the chip, up to where the kernel has begun.
    fn power_on(&mut self) {
        self.chip.power_on();
        while self.chip.run(LIMIT) == Stop::Output {
            self.take_outputs();
        }
        self.chip.core_mut().step(LIMIT);
        self.take_outputs();
    }

    fn expect_rounds(&mut self, rounds: u32) -> Result<(), Error> {
        match self.go_on(rounds) {
            Outcome::Right => Ok(()),
            other => Err(Error::Start(other)),
        }
    }

    /// Goes to `moment`, overwrites a word, and continues.
    pub fn overwrite(
        &mut self,
        moment: &Snapshot,
        address: u32,
        value: u32,
    ) -> Result<Outcome, Error> {
        self.chip.restore(moment)?;
        let bytes = &value.to_le_bytes()[..self.program.word_bytes()];
        self.chip.program(address, bytes)?;
        Ok(self.go_on(ROUNDS))
    }

    /// Where the processor is at `moment`.
    pub fn place_at(&mut self, moment: &Snapshot) -> Result<Place, Error> {
        self.chip.restore(moment)?;
        Ok(self.place())
    }

    fn go_on(&mut self, rounds: u32) -> Outcome {
        let until = self.chip.now() + LIMIT;
        let mut done = 0;
        while self.chip.now() < until {
            let stop = self.chip.run(until);
            if let Some(cause) = self.reset() {
                return self.started_again(cause);
            }
            if stop == Stop::Breakpoint && self.chip.core().pc() == self.program.entry {
                return Outcome::Restarted;
            }
            if stop == Stop::Breakpoint {
                self.chip.core_mut().step(until);
                done += 1;
                if done == rounds {
                    return Outcome::Right;
                }
            }
        }
        Outcome::Silent { at: self.place() }
    }

    fn take_outputs(&mut self) {
        self.outputs.clear();
        self.chip.take_outputs(&mut self.outputs);
    }

    /// The cause of a reset other than power-up, if there was one.
    fn reset(&mut self) -> Option<&'static str> {
        self.take_outputs();
        self.outputs.iter().find_map(|output| match output.what {
            Output::Reset { cause } if cause != "power-on" => Some(cause),
            _ => None,
        })
    }

    fn started_again(&self, cause: &str) -> Outcome {
        match self.program.kernel.panic(&self.program.image, self.chip.as_ref()) {
            Some(panic) if self.panics() == Some(1) => Outcome::Record { reason: panic.reason },
            Some(_) => Outcome::Unexplained,
            None if cause == "watchdog" => Outcome::Watchdog,
            None => Outcome::Unexplained,
        }
    }

    /// How many panics the record counts: one that begins inside another would hide it.
    fn panics(&self) -> Option<u32> {
        let image = &self.program.image;
        let layout = image.structure("panic_record")?;
        let address = image.symbols().find("panic_record")?.address;
        Record { bytes: self.chip.as_ref(), layout: &layout, address }.get("count")
    }

    fn place(&self) -> Place {
        let pc = self.chip.core().pc();
        let function = self.program.image.symbols().place(pc);
        Place {
            pc,
            function: function.map(|place| place.to_string()).unwrap_or_default(),
            exception: self.chip.core().exception(),
        }
    }
}
