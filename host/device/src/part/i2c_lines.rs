// SPDX-License-Identifier: MIT OR Apache-2.0
//! I2C from the levels of its lines, for masters that drive them bit by bit (I2C specification UM10204, section 3.1).

use borsh::{BorshDeserialize, BorshSerialize};
use lichen_chip::{I2cStep, Reply};

/// Bits of a byte, and the clock of its acknowledgement behind them.
const BITS: u8 = 8;

/// One of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Sda,
    Scl,
}

/// What the bytes are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
enum Phase {
    /// No transaction, or one that is not for this part.
    #[default]
    Idle,
    Address,
    Write,
    Read,
}

/// The lines as the master leaves them, and a byte under way.
#[derive(Clone, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) struct Lines {
    sda_is_low: bool,
    scl_is_low: bool,
    phase: Phase,
    /// Clocks of this byte that have risen.
    clocks: u8,
    byte: u8,
    /// Who receives the byte has acknowledged it.
    is_acknowledged: bool,
    /// The part holds SDA low.
    pub holds: bool,
}

impl Lines {
    /// The master uses an interface.
    pub fn leave(&mut self) {
        self.phase = Phase::Idle;
        self.holds = false;
    }

    /// A line has changed. The part answers the steps of its transactions; `holds` says what it does to SDA then.
    pub fn change(&mut self, line: Line, low: bool, step: impl FnMut(I2cStep) -> Option<Reply>) {
        match line {
            Line::Sda => {
                let changes = std::mem::replace(&mut self.sda_is_low, low) != low;
                if changes && !self.scl_is_low {
                    self.condition(low, step);
                }
            }
            Line::Scl => {
                let changes = std::mem::replace(&mut self.scl_is_low, low) != low;
                match (changes, low) {
                    (true, true) => self.falls(step),
                    (true, false) => self.rises(step),
                    (false, _) => {}
                }
            }
        }
    }

    /// A start, or a stop.
    fn condition(&mut self, is_start: bool, mut step: impl FnMut(I2cStep) -> Option<Reply>) {
        self.holds = false;
        (self.clocks, self.byte) = (0, 0);
        if is_start {
            self.phase = Phase::Address;
        } else if std::mem::take(&mut self.phase) != Phase::Idle {
            step(I2cStep::Stop);
        }
    }

    /// Bits are taken.
    fn rises(&mut self, mut step: impl FnMut(I2cStep) -> Option<Reply>) {
        match self.phase {
            Phase::Address | Phase::Write if self.clocks < BITS => {
                self.byte = self.byte << 1 | u8::from(!self.sda_is_low);
            }
            Phase::Read if self.clocks == BITS => {
                self.is_acknowledged = self.sda_is_low;
                step(I2cStep::Acknowledge(self.is_acknowledged));
            }
            _ => {}
        }
        self.clocks = self.clocks.saturating_add(1);
    }

    /// Bits change.
    fn falls(&mut self, mut step: impl FnMut(I2cStep) -> Option<Reply>) {
        match (self.phase, self.clocks) {
            (Phase::Address, BITS) => {
                let (address, read) = (u16::from(self.byte >> 1), self.byte & 1 != 0);
                self.acknowledge(step(I2cStep::Start { address, read }));
            }
            (Phase::Write, BITS) => self.acknowledge(step(I2cStep::Write(self.byte))),
            (Phase::Read, 0..BITS) => self.holds = self.byte << self.clocks & 0x80 == 0,
            (Phase::Read, BITS) => self.holds = false,
            (Phase::Idle, _) | (_, 0..BITS) => {}
            _ => self.next_byte(step),
        }
    }

    fn acknowledge(&mut self, reply: Option<Reply>) {
        self.is_acknowledged = reply == Some(Reply::Acknowledge);
        self.holds = self.is_acknowledged;
    }

    fn next_byte(&mut self, mut step: impl FnMut(I2cStep) -> Option<Reply>) {
        let reads = self.phase == Phase::Read || self.phase == Phase::Address && self.byte & 1 != 0;
        self.phase = match (self.is_acknowledged, reads) {
            (false, _) => Phase::Idle,
            (true, false) => Phase::Write,
            (true, true) => Phase::Read,
        };
        (self.clocks, self.byte, self.holds) = (0, 0, false);
        if self.phase == Phase::Read {
            self.byte = match step(I2cStep::Read) {
                Some(Reply::Data(byte)) => byte,
                _ => 0xFF,
            };
            self.holds = self.byte & 0x80 == 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::I2cBench;
    use super::super::{hdc1080, tmp006};
    use lichen_chip::{Level, Pull, Time};

    const HDC1080: u8 = 0x40;
    const RELEASED: Level = Level::Floating(Pull::None);

    impl I2cBench {
        fn sda(&mut self, high: bool) {
            self.line(I2cBench::SDA, if high { RELEASED } else { Level::Low });
        }

        fn scl(&mut self, high: bool) {
            self.line(I2cBench::SCL, if high { RELEASED } else { Level::Low });
        }

        /// A clock, and what SDA is during it.
        fn bit(&mut self, bit: bool) -> bool {
            self.sda(bit);
            self.scl(true);
            let high = bit && self.driven != Some(Level::Low);
            self.scl(false);
            high
        }

        /// A start, also a repeated one.
        fn begin(&mut self) {
            self.sda(true);
            self.scl(true);
            self.sda(false);
            self.scl(false);
        }

        fn end(&mut self) {
            self.sda(false);
            self.scl(true);
            self.sda(true);
        }

        /// Sends a byte; whether it is acknowledged.
        fn send(&mut self, byte: u8) -> bool {
            for bit in (0..8).rev() {
                self.bit(byte >> bit & 1 != 0);
            }
            !self.bit(true)
        }

        fn receive(&mut self, wants_more: bool) -> u8 {
            let byte = (0..8).fold(0, |byte, _| byte << 1 | u8::from(self.bit(true)));
            self.bit(!wants_more);
            byte
        }
    }

    fn started(part: &super::super::Part, address: u8) -> I2cBench {
        let mut bench = I2cBench::powered(part, address);
        bench.now = Time::from_s(1);
        bench
    }

    #[test]
    fn a_register_is_read_bit_by_bit() {
        let mut bench = started(&hdc1080::PART, HDC1080);
        bench.begin();
        assert!(bench.send(HDC1080 << 1) && bench.send(0xFE));
        bench.begin();
        assert!(bench.send(HDC1080 << 1 | 1));
        assert_eq!([bench.receive(true), bench.receive(false)], [0x54, 0x49]);
        bench.end();
        assert_eq!(bench.word(0xFE), 0x5449, "an interface may go on");
    }

    #[test]
    fn others_are_not_disturbed() {
        let mut bench = started(&hdc1080::PART, HDC1080);
        bench.begin();
        assert!(!bench.send(0x41 << 1) && !bench.send(0xFE), "another part is addressed");
        assert!(bench.bit(true), "and it holds no line");
        bench.end();
        assert_ne!(bench.driven, Some(Level::Low));
    }

    #[test]
    fn a_register_is_written_bit_by_bit() {
        let mut bench = started(&tmp006::PART, 0x44);
        assert_eq!(bench.state(), "converting");
        bench.begin();
        assert!([0x44 << 1, 0x02, 0, 0].into_iter().all(|byte| bench.send(byte)));
        bench.end();
        assert_eq!(bench.state(), "power-down");
    }
}
