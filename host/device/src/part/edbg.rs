// SPDX-License-Identifier: MIT OR Apache-2.0
//! Atmel's embedded debugger EDBG of the Xplained Pro boards, as their chip sees it on I2C (EDBG user guide,
//! Atmel-42096, "TWI interface", "Information interface"): it tells the board's EUI-64, and which extensions are
//! connected.
//!
//! The master writes a token, and reads the answer behind a repeated start.

use super::{Bus, Part, Sense, i2c};
use borsh::{BorshDeserialize, BorshSerialize};

pub(super) const PART: Part = Part {
    number: "EDBG",
    title: "the board's EUI-64",
    bus: Bus::I2c,
    senses: &[],
    lines: &[],
    addresses: &[0x28],
    make: i2c::connect::<Edbg>,
};

/// Tokens: the data of the kit, and the extensions.
const KIT_DATA: u8 = 0xD2;
const EXTENSIONS: u8 = 0xE1;

/// Atmel's first bytes of an EUI-64.
const ATMEL: [u8; 3] = [0x00, 0x04, 0x25];

#[derive(Debug, Default, BorshSerialize, BorshDeserialize)]
struct Edbg {
    /// The last byte that was written, until the next start.
    written: Option<u8>,
    /// The token that is answered, and how many bytes of its answer were sent. The kit has 256 bytes: the number wraps.
    token: Option<u8>,
    sent: u8,
    /// A byte that was taken for a token, but is none.
    unknown: Option<u8>,
}

impl Edbg {
    /// Answers this token. One that was not answered to the end goes on.
    fn answer(&mut self, token: u8) {
        if self.token != Some(token) {
            (self.token, self.sent) = (Some(token), 0);
        }
        self.unknown = Some(token).filter(|token| ![KIT_DATA, EXTENSIONS].contains(token));
    }
}

/// The EUI-64 of the mote with this serial number.
fn eui64(serial: u64) -> [u8; 8] {
    let mut eui = serial.to_be_bytes();
    eui[..ATMEL.len()].copy_from_slice(&ATMEL);
    eui
}

impl i2c::Target for Edbg {
    const PART: &'static str = "edbg";

    fn power_on(&mut self, _sense: &Sense<'_>) {
        *self = Edbg::default();
    }

    fn start(&mut self, _sense: &Sense<'_>, read: bool) -> bool {
        if let Some(token) = self.written.take().filter(|_| read) {
            self.answer(token);
        }
        true
    }

    fn write(&mut self, _sense: &Sense<'_>, byte: u8) -> bool {
        self.written = Some(byte);
        true
    }

    fn read(&mut self, sense: &Sense<'_>) -> u8 {
        let sent = self.sent;
        self.sent = sent.wrapping_add(1);
        match self.token {
            // Nothing follows the EUI-64, and no extension is connected.
            Some(KIT_DATA) => eui64(sense.serial()).get(usize::from(sent)).copied().unwrap_or(0),
            Some(EXTENSIONS) => 0,
            _ => 0xFF,
        }
    }

    fn state(&self) -> &'static str {
        "on"
    }

    fn complaint(&self) -> Option<String> {
        self.unknown.map(|token| {
            format!("is asked for {token:#04x}; it knows the tokens {KIT_DATA:#04x} and {EXTENSIONS:#04x}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::part::bench::{I2cBench, mismatch};
    use lichen_chip::{I2cStep, Reply};

    fn bench() -> I2cBench {
        let mut bench = I2cBench::powered(&PART, 0x28);
        bench.environment.set_serial(0xFFFF_FF12_3456_789A);
        bench
    }

    /// Asks for `token`, and reads so many bytes behind a repeated start.
    fn ask(bench: &mut I2cBench, token: &[u8], count: usize) -> Vec<u8> {
        assert!(bench.start(false));
        for byte in token {
            assert_eq!(bench.reply(I2cStep::Write(*byte)), Some(Reply::Acknowledge));
        }
        assert!(bench.start(true));
        let bytes = (0..count).map(|n| {
            let Some(Reply::Data(byte)) = bench.reply(I2cStep::Read) else { panic!("no data") };
            bench.step(I2cStep::Acknowledge(n + 1 < count));
            byte
        });
        let bytes = bytes.collect();
        bench.step(I2cStep::Stop);
        bytes
    }

    const EUI: [u8; 8] = [0x00, 0x04, 0x25, 0x12, 0x34, 0x56, 0x78, 0x9A];

    #[test]
    fn the_kits_data_begin_with_the_eui64_of_the_mote() {
        let mut bench = bench();
        let data = ask(&mut bench, &[KIT_DATA], 256);
        assert_eq!((data.len(), &data[..8]), (256, &EUI[..]));
        assert!(data[8..].iter().all(|byte| *byte == 0));
        assert_eq!(ask(&mut bench, &[0x51, KIT_DATA], 8), EUI, "the last byte is the token");
    }

    #[test]
    fn data_that_were_not_read_to_the_end_go_on_until_there_is_another_token() {
        let mut bench = bench();
        assert_eq!(ask(&mut bench, &[KIT_DATA], 3), EUI[..3]);
        assert_eq!(ask(&mut bench, &[KIT_DATA], 5), EUI[3..]);
        assert_eq!(ask(&mut bench, &[EXTENSIONS], 3), [0, 0, 0]);
        assert_eq!(ask(&mut bench, &[KIT_DATA], 8), EUI);
    }

    #[test]
    fn data_begin_anew_after_it_was_without_power() {
        let mut bench = bench();
        assert_eq!(ask(&mut bench, &[KIT_DATA], 3), EUI[..3]);
        bench.power_on();
        assert_eq!(ask(&mut bench, &[KIT_DATA], 8), EUI);
    }

    #[test]
    fn what_is_written_without_a_question_is_no_token() {
        let mut bench = bench();
        assert_eq!(mismatch(&bench.write(KIT_DATA, &[1, 2])), None);
        bench.write(KIT_DATA, &[]);
        bench.start(false);
        bench.start(true);
        assert_eq!(bench.reply(I2cStep::Read), Some(Reply::Data(0xFF)));
    }

    #[test]
    fn a_token_that_it_does_not_know_is_reported() {
        let mut bench = bench();
        bench.start(false);
        bench.step(I2cStep::Write(0x17));
        let acts = bench.step(I2cStep::Start { address: 0x28, read: true });
        assert!(
            mismatch(&acts).is_some_and(|text| text.contains("it is asked for 0x17")),
            "{acts:?}"
        );
    }
}
