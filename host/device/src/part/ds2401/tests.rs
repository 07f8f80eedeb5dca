// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::part::bench::{Bench, wires};

const PIN: PinId = PinId { port: 0, bit: 4 };

fn powered() -> Bench {
    let mut bench = Bench::new(&PART, &wires(PIN));
    bench.environment.set_serial(0xABCD_0605_0403_0201);
    bench.power_on();
    bench
}

impl Bench {
    fn is_pulled(&self) -> bool {
        self.driven == Some(Level::Low)
    }

    /// The master pulls the line low, or lets go of it.
    fn pull(&mut self, low: bool) {
        let level = if low { Level::Low } else { Level::Floating(Pull::None) };
        self.serve(|device, around| device.level(around, PIN, level));
    }

    fn pass_us(&mut self, us: u64) {
        self.pass(Time::from_us(us));
    }

    /// Resets it; whether it answers.
    fn reset(&mut self) -> bool {
        self.pull(true);
        self.pass_us(480);
        self.pull(false);
        self.pass_us(70);
        let present = self.is_pulled();
        self.pass_us(410);
        assert!(!self.is_pulled() || self.device.due() == Time::NEVER);
        present
    }

    fn write(&mut self, bit: bool) {
        self.pull(true);
        self.pass_us(if bit { 6 } else { 60 });
        self.pull(false);
        self.pass_us(if bit { 64 } else { 10 });
    }

    fn read(&mut self) -> bool {
        self.pull(true);
        self.pass_us(6);
        self.pull(false);
        self.pass_us(9);
        let high = !self.is_pulled();
        self.pass_us(55);
        high
    }

    fn instruct(&mut self, instruction: u8) {
        (0..8).for_each(|bit| self.write(instruction >> bit & 1 != 0));
    }

    fn number(&mut self) -> [u8; 8] {
        let mut byte = || (0..8).fold(0, |byte, bit| byte | u8::from(self.read()) << bit);
        [(); 8].map(|()| byte())
    }
}

/// The family, and the lower 48 bits of the serial number.
const NUMBER: [u8; 7] = [FAMILY, 1, 2, 3, 4, 5, 6];

#[test]
fn its_number_is_read_after_a_reset() {
    let mut bench = powered();
    for instruction in READ {
        assert!(bench.reset());
        bench.instruct(instruction);
        let number = bench.number();
        assert_eq!(number[..7], NUMBER);
        assert_eq!(number.iter().fold(0, |crc, byte| check(crc ^ byte)), 0);
        assert_eq!(bench.number(), [0xFF; 8], "nothing follows");
    }
}

#[test]
fn what_is_no_instruction_is_not_answered() {
    let mut bench = powered();
    bench.reset();
    bench.instruct(0xCC);
    assert_eq!(bench.number(), [0xFF; 8]);
}

#[test]
fn a_search_finds_it() {
    let mut bench = powered();
    bench.reset();
    bench.instruct(SEARCH);
    for index in 0..64 {
        let (bit, complement) = (bench.read(), bench.read());
        assert_ne!(bit, complement, "bit {index}");
        assert_eq!(bit, number(0x0605_0403_0201)[index / 8] >> (index % 8) & 1 != 0);
        bench.write(bit);
    }
    bench.reset();
    bench.instruct(SEARCH);
    let bit = bench.read();
    bench.read();
    bench.write(!bit);
    assert!(bench.read() && bench.read(), "another one is meant");
}

#[test]
fn the_check_sum_is_that_of_the_makers_example() {
    // Application Note 27: family 02, serial number 00000001B81C, check sum A2.
    let rom = [0x02, 0x1C, 0xB8, 0x01, 0, 0, 0];
    assert_eq!(rom.iter().fold(0, |crc, byte| check(crc ^ byte)), 0xA2);
}

#[test]
fn it_fails_as_asked() {
    let mut bench = powered();
    bench.set(Condition::Absent);
    assert!(!bench.reset());
    bench.set(Condition::Shorted);
    assert!(bench.is_pulled());
    bench.set(Condition::Wrong);
    assert!(!bench.is_pulled() && bench.reset());
    bench.instruct(READ[0]);
    assert_ne!(bench.number()[..7], NUMBER);
    bench.set(Condition::Works);
    bench.reset();
    bench.instruct(READ[0]);
    assert_eq!(bench.number()[..7], NUMBER);
}
