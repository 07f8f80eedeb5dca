// SPDX-License-Identifier: MIT OR Apache-2.0
//! External interrupts INT0 to INT7 (data sheet, "External Interrupts").
//!
//! Edges on INT3:0 are found without a clock, and wake from all sleep modes. INT7:4 are sampled with the I/O
//! clock; without it only their low level is seen.

use super::clocks::Clocks;
use super::map::{EICRA, EICRB, EIFR, EIMSK, INT0};
use super::peripheral::{Context, Due, Holds, PadInput, Peripheral};
use super::pins::Signal;
use crate::WarningKind;

/// What requests an interrupt (ISCn1:0).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sense {
    Low,
    Change,
    Fall,
    Rise,
}

/// INT7:4.
const SAMPLED: u8 = 0xF0;

/// The block. Bit n of a field is for INTn.
#[derive(Clone, borsh::BorshSerialize, borsh::BorshDeserialize)]
pub(crate) struct Exint {
    /// EICRA and EICRB.
    control: [u8; 2],
    mask: u8,
    flags: u8,
    /// Levels of the pins.
    levels: u8,
    /// Levels of INT7:4 at the last sample, and the cycle of the next one.
    sampled: u8,
    sample_at: Option<u64>,
}

impl Exint {
    pub fn new() -> Exint {
        Exint { control: [0; 2], mask: 0, flags: 0, levels: 0, sampled: 0, sample_at: None }
    }

    fn sense(&self, line: u8) -> Sense {
        let control = u16::from_le_bytes(self.control);
        match control >> (2 * line) & 3 {
            0 => Sense::Low,
            1 => Sense::Change,
            2 => Sense::Fall,
            _ => Sense::Rise,
        }
    }

    /// Lines that interrupt as long as they are low.
    fn level_triggered(&self) -> u8 {
        (0..8).filter(|line| self.sense(*line) == Sense::Low).fold(0, |all, line| all | 1 << line)
    }

    /// The levels of some lines have become `now`.
    fn change(&mut self, before: u8, now: u8) {
        for line in (0..8).filter(|line| (before ^ now) >> line & 1 != 0) {
            let high = now >> line & 1 != 0;
            let requests = match self.sense(line) {
                Sense::Low => false,
                Sense::Change => true,
                Sense::Fall => !high,
                Sense::Rise => high,
            };
            self.flags |= u8::from(requests) << line;
        }
    }
}

impl Peripheral for Exint {
    fn read(&mut self, _cx: &mut Context<'_>, register: u8) -> u8 {
        match register {
            EICRA => self.control[0],
            EICRB => self.control[1],
            EIMSK => self.mask,
            _ => self.flags,
        }
    }

    fn holds(&self, _cx: &Context<'_>, _register: u8) -> Holds {
        Holds::UntilDue
    }

    fn write(&mut self, cx: &mut Context<'_>, register: u8, value: u8) {
        match register {
            EICRA => {
                self.control[0] = value;
                if (0..4).any(|line| self.sense(line) == Sense::Change) {
                    cx.out.warn(WarningKind::Reserved);
                }
            }
            EICRB => self.control[1] = value,
            EIMSK => self.mask = value,
            EIFR => self.flags &= !value,
            _ => {}
        }
        // A level has no flag.
        self.flags &= !self.level_triggered();
    }

    fn due(&self, _clocks: &Clocks) -> Due {
        self.sample_at.map_or(Due::Never, Due::Cycle)
    }

    fn fire(&mut self, _cx: &mut Context<'_>) {
        self.sample_at = None;
        let before = std::mem::replace(&mut self.sampled, self.levels & SAMPLED);
        self.change(before, self.sampled);
    }

    fn lines(&self) -> u64 {
        let low = self.level_triggered() & !self.levels;
        u64::from(self.mask & (self.flags | low)) << INT0
    }

    fn interrupts(&self) -> u64 {
        u64::from(self.mask) << INT0
    }

    fn acknowledge(&mut self, _cx: &mut Context<'_>, vector: u32) {
        self.flags &= !(1 << (vector - INT0));
    }

    fn clocks_changed(&mut self, cx: &mut Context<'_>) {
        // Changes while the clock stood are seen at its first edges, as a level that is another one.
        if cx.clocks.io_runs() && self.levels & SAMPLED != self.sampled {
            self.sample_at = Some(cx.cycle + 1);
        }
    }

    fn input(&mut self, cx: &mut Context<'_>, signal: Signal, input: PadInput) {
        let (Signal::Int(line), PadInput::Level(high)) = (signal, input) else { return };
        let before = self.levels;
        self.levels = before & !(1 << line) | u8::from(high) << line;
        self.change(before & !SAMPLED, self.levels & !SAMPLED);
        if line >= 4 && cx.clocks.io_runs() && self.sample_at.is_none() {
            self.sample_at = Some(cx.cycle + 1);
        }
    }

    fn reset(&mut self, _cx: &mut Context<'_>, _power: bool) {
        let levels = self.levels;
        *self = Exint { levels, sampled: levels & SAMPLED, ..Exint::new() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Time;
    use crate::atmega128::bench::{Bench, CYCLE};
    use crate::atmega128::sleep::Mode;

    fn bench() -> Bench<Exint> {
        let mut bench = Bench::new(Exint::new());
        for line in 0..8 {
            set(&mut bench, line, true);
        }
        bench.run_cycles(4);
        bench.write(EIFR, 0xFF);
        bench.write(EIMSK, 0xFF);
        bench
    }

    fn set(bench: &mut Bench<Exint>, line: u8, high: bool) {
        bench.input(Signal::Int(line), PadInput::Level(high));
    }

    #[test]
    fn a_low_level_interrupts_as_long_as_it_lasts_and_has_no_flag() {
        for line in 0..8 {
            let mut bench = bench();
            set(&mut bench, line, false);
            assert_eq!(bench.block.lines(), 1 << (INT0 + u32::from(line)));
            assert_eq!(bench.read(EIFR), 0);
            bench.with(|block, cx| block.acknowledge(cx, INT0 + u32::from(line)));
            assert_ne!(bench.block.lines(), 0);
            set(&mut bench, line, true);
            assert_eq!(bench.block.lines(), 0);
        }
    }

    #[test]
    fn edges_are_those_that_are_selected() {
        let cases = [(1, true, true), (2, true, false), (3, false, true)];
        for line in 0..8 {
            for (sense, falls, rises) in cases {
                if line < 4 && sense == 1 {
                    continue;
                }
                let mut bench = bench();
                let register = if line < 4 { EICRA } else { EICRB };
                bench.write(register, sense << (2 * (line % 4)));
                for (high, expected) in [(false, falls), (true, rises)] {
                    set(&mut bench, line, high);
                    bench.run_cycles(2);
                    assert_eq!(bench.read(EIFR) != 0, expected, "INT{line} {sense} {high}");
                    bench.write(EIFR, 1 << line);
                    assert_eq!(bench.read(EIFR), 0);
                }
            }
        }
    }

    #[test]
    fn an_edge_on_one_of_the_last_four_has_its_flag_at_the_next_cycle() {
        for line in 4..8 {
            for into_cycle in [Time::ZERO, CYCLE / 2] {
                let mut bench = bench();
                bench.write(EICRB, 0xAA);
                let next = bench.now + CYCLE;
                bench.run_for(into_cycle);
                set(&mut bench, line, false);
                bench.run_until(next - Time::from_units(1));
                assert_eq!(bench.read(EIFR), 0, "INT{line}");
                bench.run_until(next);
                assert_eq!(bench.read(EIFR), 1 << line);
            }
        }
    }

    #[test]
    fn a_pulse_shorter_than_a_cycle_is_seen_on_the_first_four_only() {
        let mut bench = bench();
        bench.write(EICRA, 0xAA);
        bench.write(EICRB, 0xAA);
        for line in 0..8 {
            set(&mut bench, line, false);
            set(&mut bench, line, true);
        }
        bench.run_cycles(3);
        assert_eq!(bench.read(EIFR), 0x0F);
    }

    #[test]
    fn without_the_io_clock_only_the_first_four_see_edges_and_all_see_levels() {
        let mut bench = bench();
        bench.write(EICRA, 0xAA);
        bench.write(EICRB, 0x2A);
        bench.sleep(Mode::PowerDown);
        for line in 0..8 {
            set(&mut bench, line, false);
        }
        let expected = 0x0F | 1 << 7;
        assert_eq!(bench.block.lines(), expected << INT0, "INT7 is level-triggered");
    }

    #[test]
    fn entering_the_handler_clears_the_flag() {
        let mut bench = bench();
        bench.write(EICRA, 0x02);
        set(&mut bench, 0, false);
        assert_eq!(bench.block.lines(), 1 << INT0);
        bench.with(|block, cx| block.acknowledge(cx, INT0));
        assert_eq!((bench.block.lines(), bench.read(EIFR)), (0, 0));
    }

    #[test]
    fn the_reserved_sense_of_the_first_four_is_reported() {
        let mut bench = bench();
        bench.write(EICRB, 0x55);
        assert_eq!(bench.take_warnings(), []);
        bench.write(EICRA, 0x01);
        assert_eq!(bench.take_warnings(), [WarningKind::Reserved]);
    }
}
