// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use crate::Environment;
use crate::part::bench::{Bench, mismatch};
use lichen_chip::{BitTime, Word};

mod air;
mod extended;
mod signals;

const WIRES: &[(&str, &str)] = &[
    ("mosi", "PB30"),
    ("sck", "PC18"),
    ("miso", "PC19"),
    ("select", "PB31"),
    ("irq", "PB00"),
    ("reset", "PB15"),
    ("sleep", "PA20"),
    ("clkm", "PC16"),
];

const MOSI: PinId = PinId { port: 1, bit: 30 };
const SCK: PinId = PinId { port: 2, bit: 18 };
const SELECT: PinId = PinId { port: 1, bit: 31 };
const RST: PinId = PinId { port: 1, bit: 15 };
const SLP_TR: PinId = PinId { port: 0, bit: 20 };

const CLKM: PinId = PinId { port: 2, bit: 16 };

const TRX_OFF: u8 = 0x08;
const IRQ_MASK: u8 = 0x0E;

/// The radio and its master.
struct Rig(Bench);

impl Rig {
    /// A radio that has just been powered.
    fn powered() -> Rig {
        let device =
            connect(&RadioWires::of(WIRES), &RadioCrystal { hz: None, ppm: 20 }).expect("this one");
        let (environment, now) = (Environment::usual(), Time::ZERO);
        let mut bench = Bench { device, environment, now, driven: None, log: Vec::new() };
        bench.power_on();
        Rig(bench)
    }

    /// A radio in TRX_OFF.
    fn off() -> Rig {
        let mut rig = Rig::powered();
        rig.pass_us(330);
        rig.command(TRX_OFF);
        rig.pass_us(360);
        rig.read(IRQ_STATUS);
        rig
    }

    fn pass_us(&mut self, us: u64) {
        self.0.pass(Time::from_us(us));
    }

    fn drive(&mut self, pin: PinId, level: Level) -> Vec<Act> {
        self.0.serve(|device, around| device.level(around, pin, level))
    }

    /// Exchanges words while it is selected.
    fn words(&mut self, words: &[Word]) -> (Vec<Option<u8>>, Vec<Act>) {
        self.drive(SELECT, Level::Low);
        let (mut bytes, mut all) = (Vec::new(), Vec::new());
        for word in words {
            let transfer = Transfer::Spi(*word);
            let acts = self.0.serve(|device, around| device.transfer(around, MOSI, transfer));
            bytes.push(acts.iter().find_map(|act| match act {
                Act::Drive(Input::Reply { reply: Reply::Word(word), .. }) => Some(*word as u8),
                _ => None,
            }));
            all.extend(acts);
        }
        self.drive(SELECT, Level::High);
        (bytes, all)
    }

    fn exchange(&mut self, bytes: &[u8]) -> (Vec<Option<u8>>, Vec<Act>) {
        let words: Vec<Word> = bytes.iter().map(|byte| word(*byte)).collect();
        self.words(&words)
    }

    fn try_read(&mut self, register: u8) -> Option<u8> {
        self.exchange(&[0x80 | register, 0]).0[1]
    }

    fn read(&mut self, register: u8) -> u8 {
        self.try_read(register).expect("an answer")
    }

    fn write(&mut self, register: u8, value: u8) -> Vec<Act> {
        self.exchange(&[0xC0 | register, value]).1
    }

    fn command(&mut self, command: u8) -> Vec<Act> {
        self.write(TRX_STATE, command)
    }

    fn status(&mut self) -> u8 {
        self.read(TRX_STATUS)
    }

    fn state(&self) -> &'static str {
        self.0.state()
    }
}

fn word(byte: u8) -> Word {
    Word { data: byte.into(), bits: 8, mode: 0, bit_time: BitTime::from_ns(250) }
}

#[test]
fn it_starts_and_says_who_it_is() {
    let mut rig = Rig::powered();
    assert_eq!((rig.try_read(0x1C), rig.state()), (None, "p_on"));
    rig.pass_us(330);
    // PART_NUM, VERSION_NUM, and the manufacturer's number.
    assert_eq!([0x1C, 0x1D, 0x1E, 0x1F].map(|register| rig.read(register)), [0x0B, 2, 0x1F, 0]);
    rig.write(0x1C, 3);
    assert_eq!((rig.read(0x1C), rig.status()), (0x0B, 0));
    rig.command(TRX_OFF);
    assert_eq!(rig.status(), 0x1F, "on the way");
    rig.pass_us(360);
    assert_eq!((rig.status(), rig.state()), (TRX_OFF, "trx_off"));
    assert_eq!(rig.read(IRQ_STATUS), AWAKE_END);
    assert_eq!(rig.read(IRQ_STATUS), 0, "it is read");
    assert_eq!([0x03, 0x04, 0x08, 0x10].map(|register| rig.read(register)), [9, 0x22, 0x2B, 4]);
}

#[test]
fn registers_keep_what_is_written_and_a_reset_returns_them() {
    let mut rig = Rig::off();
    rig.write(0x08, 0x39);
    assert_eq!(rig.read(0x08), 0x39);
    rig.drive(RST, Level::Low);
    assert_eq!(rig.try_read(0x08), None, "while it is reset");
    rig.pass_us(10);
    rig.drive(RST, Level::High);
    rig.pass_us(25);
    assert_eq!(rig.try_read(0x08), None);
    rig.pass_us(1);
    assert_eq!((rig.read(0x08), rig.status(), rig.read(IRQ_STATUS)), (0x2B, TRX_OFF, AWAKE_END));
}

/// Its crystal starts anew.
#[test]
fn a_reset_out_of_sleep_takes_as_long_as_to_wake() {
    let mut rig = Rig::off();
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(100);
    assert_eq!(rig.state(), "sleep");
    rig.drive(SLP_TR, Level::Low);
    rig.drive(RST, Level::Low);
    rig.pass_us(1);
    rig.drive(RST, Level::High);
    rig.pass_us(209);
    assert_eq!(rig.try_read(0x08), None);
    rig.pass_us(1);
    assert_eq!(rig.status(), TRX_OFF);
    rig.drive(RST, Level::Low);
    rig.drive(RST, Level::High);
    rig.pass_us(26);
    assert_eq!(rig.status(), TRX_OFF, "the next one is as short as ever");
}

#[test]
fn a_reset_in_p_on_stays_there() {
    let mut rig = Rig::powered();
    rig.pass_us(400);
    rig.drive(RST, Level::Low);
    rig.drive(RST, Level::High);
    rig.pass_us(100);
    assert_eq!((rig.status(), rig.state()), (0, "p_on"));
}

#[test]
fn slp_tr_lets_it_sleep_and_wakes_it_with_its_registers() {
    let mut rig = Rig::off();
    rig.write(0x08, 0x39);
    rig.write(IRQ_MASK, AWAKE_END);
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(34);
    assert_eq!((rig.state(), rig.status()), ("trx_off", TRX_OFF), "35 cycles of CLKM at 1 MHz");
    rig.pass_us(1);
    assert_eq!((rig.state(), rig.try_read(TRX_STATUS)), ("sleep", None));
    rig.pass_us(1_000_000);
    rig.drive(SLP_TR, Level::Low);
    rig.pass_us(209);
    assert_eq!((rig.try_read(TRX_STATUS), rig.0.driven), (None, Some(Level::Low)));
    rig.pass_us(1);
    assert_eq!(rig.0.driven, Some(Level::High), "it interrupts");
    assert_eq!((rig.state(), rig.status(), rig.read(0x08)), ("trx_off", TRX_OFF, 0x39));
    rig.read(IRQ_STATUS);
    assert_eq!(rig.0.driven, Some(Level::Low));
}

#[test]
fn without_its_clock_output_it_sleeps_at_once() {
    let mut rig = Rig::off();
    rig.write(0x03, 0);
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(0);
    assert_eq!(rig.state(), "sleep");
}

#[test]
fn a_change_of_the_clock_output_may_wait_for_a_sleep() {
    let mut rig = Rig::off();
    rig.write(0x03, 1 << 3);
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(1);
    assert_eq!(rig.state(), "trx_off", "CLKM still has 1 MHz");
    rig.pass_us(40);
    rig.drive(SLP_TR, Level::Low);
    rig.pass_us(210);
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(0);
    assert_eq!(rig.state(), "sleep");
}

/// The frequency that CLKM reports, in millihertz.
fn clock(acts: &[Act]) -> Option<u64> {
    acts.iter().find_map(|act| match act {
        Act::Drive(Input::Clock { pin: CLKM, millihertz }) => Some(*millihertz),
        _ => None,
    })
}

#[test]
fn its_clock_output_follows_its_crystal_which_sleeps() {
    let mut rig = Rig::powered();
    assert_eq!(clock(&rig.drive(SLP_TR, Level::Low)), None, "nothing oscillates");
    rig.0.now = Time::from_us(330);
    let fire = |rig: &mut Rig| rig.0.serve(|device, around| device.fire(around));
    // The crystal of the rig is 20 ppm fast.
    assert_eq!(clock(&fire(&mut rig)), Some(1_000_020_000));
    assert_eq!(clock(&rig.command(TRX_OFF)), None, "it has not changed");
    rig.pass_us(360);
    assert_eq!(clock(&rig.write(0x03, 5)), Some(16_000_320_000), "without CLKM_SHA_SEL at once");
    rig.drive(SLP_TR, Level::High);
    rig.0.now = rig.0.device.due();
    assert_eq!((clock(&fire(&mut rig)), rig.state()), (Some(0), "sleep"));
    rig.drive(SLP_TR, Level::Low);
    rig.0.now = rig.0.device.due();
    assert_eq!(clock(&fire(&mut rig)), Some(16_000_320_000));
    assert_eq!(clock(&rig.0.set(Condition::Absent)), Some(0));
}

#[test]
fn it_is_prepared_for_its_deep_sleep_which_forgets_its_registers() {
    let mut rig = Rig::off();
    rig.write(0x03, 0);
    rig.write(0x08, 0x39);
    rig.command(0x10);
    rig.pass_us(1);
    assert_eq!((rig.status(), rig.state()), (0x10, "prep_deep_sleep"));
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(0);
    assert_eq!(rig.state(), "deep_sleep");
    rig.drive(SLP_TR, Level::Low);
    rig.pass_us(359);
    assert_eq!(rig.try_read(TRX_STATUS), None);
    rig.pass_us(1);
    assert_eq!((rig.status(), rig.read(0x08), rig.read(0x03)), (TRX_OFF, 0x2B, 9));
    rig.command(0x10);
    rig.pass_us(1);
    rig.command(TRX_OFF);
    rig.pass_us(1);
    assert_eq!(rig.status(), TRX_OFF, "and back");
}

#[test]
fn what_is_said_while_it_sleeps_is_lost_and_reported_once() {
    let mut rig = Rig::off();
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(40);
    let text =
        "at86rf233 does not answer in its state sleep: wake it, and wait until it has started";
    assert_eq!(mismatch(&rig.command(TRX_OFF)), Some(text));
    assert_eq!((mismatch(&rig.command(TRX_OFF)), rig.state()), (None, "sleep"));
}

#[test]
fn its_synthesizer_takes_eighty_microseconds() {
    let mut rig = Rig::off();
    rig.command(0x09);
    rig.pass_us(79);
    assert_eq!(rig.status(), 0x1F);
    rig.pass_us(1);
    assert_eq!((rig.status(), rig.state(), rig.read(IRQ_STATUS)), (0x09, "pll_on", PLL_LOCK));
    assert_eq!(rig.read(VREG_CTRL), AVDD_OK | DVDD_OK);
    rig.command(0x16);
    rig.pass_us(1);
    assert_eq!((rig.status(), rig.state()), (0x16, "rx_aack_on"));
    rig.command(3);
    rig.pass_us(1);
    assert_eq!(rig.status(), TRX_OFF);
}

#[test]
fn a_command_that_the_state_does_not_allow_is_reported() {
    let mut rig = Rig::powered();
    rig.pass_us(330);
    let text = "at86rf233 ignores the command 0x09 while its TRX_STATUS is 0x00";
    assert_eq!(mismatch(&rig.command(0x09)), Some(text));
    let mut rig = Rig::off();
    rig.command(0x09);
    assert!(mismatch(&rig.command(0x06)).is_some(), "it is on its way to another state");
    assert!(mismatch(&rig.command(3)).is_none(), "which can be forced");
    assert_eq!(rig.status(), TRX_OFF);
}

#[test]
fn masked_interrupts_can_be_polled_or_not() {
    let mut rig = Rig::off();
    rig.write(0x04, 0x20);
    rig.command(0x09);
    rig.pass_us(80);
    assert_eq!(rig.read(IRQ_STATUS), 0);
    rig.write(0x04, 0x21);
    assert_eq!(rig.0.driven, Some(Level::High), "active low");
}

#[test]
fn the_frame_buffer_is_its_sram() {
    let mut rig = Rig::off();
    rig.exchange(&[0x60, 3, 0x11, 0x22, 0x33]);
    rig.exchange(&[0x40, 2, 0x44]);
    let (read, _) = rig.exchange(&[0x20, 0, 0, 0, 0]);
    assert_eq!(read[1..], [Some(3), Some(0x11), Some(0x44), Some(0x33)]);
    let (read, acts) = rig.exchange(&[0x00, 1, 0, 0]);
    assert_eq!((&read[2..], mismatch(&acts)), (&[Some(0x11), Some(0x44)][..], None));
    rig.exchange(&[0x40, 0x83, 0x18]);
    assert_eq!(rig.exchange(&[0x00, 0x83, 0]).0[2], Some(0x18), "its cipher is behind that");
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(35);
    rig.drive(SLP_TR, Level::Low);
    rig.pass_us(210);
    assert_eq!(rig.exchange(&[0x20, 0]).0[1], Some(0), "a sleep forgets it");
}

#[test]
fn the_first_byte_can_be_its_status() {
    let mut rig = Rig::off();
    assert_eq!(rig.exchange(&[0x80]).0, [Some(0)]);
    rig.write(0x04, 0x26);
    assert_eq!(rig.exchange(&[0x80]).0, [Some(TRX_OFF)]);
}

#[test]
fn it_does_not_understand_another_mode_or_a_faster_clock() {
    let mut rig = Rig::off();
    let (_, acts) = rig.words(&[Word { mode: 3, ..word(0x9C) }]);
    let text = "at86rf233 does not understand SPI mode 3; its mode is 0";
    assert_eq!(mismatch(&acts), Some(text));
    let mut rig = Rig::off();
    let (bytes, acts) = rig.words(&[Word { bit_time: BitTime::from_ns(125), ..word(0x9C) }]);
    let text = "at86rf233 does not understand a clock of 8000000 Hz; its fastest is 7500000 Hz";
    assert_eq!((bytes[0], mismatch(&acts)), (None, Some(text)));
}

#[test]
fn it_fails_as_asked_and_can_be_saved() {
    let mut rig = Rig::off();
    rig.0.set(Condition::Absent);
    assert_eq!((rig.try_read(0x1C), rig.state()), (None, "off"));
    rig.0.set(Condition::Wrong);
    assert_ne!((rig.read(0x1C), rig.read(0x1E)), (0x0B, 0x1F));
    rig.0.set(Condition::Works);
    rig.write(0x08, 0x39);
    let saved = rig.0.device.save();
    let mut other = Rig::off();
    other.0.device.load(&saved).expect("its state");
    assert_eq!(other.read(0x08), 0x39);
}

#[test]
fn a_master_that_drives_the_wires_bit_by_bit_is_understood() {
    let mut rig = Rig::powered();
    rig.pass_us(400);
    rig.drive(SELECT, Level::Low);
    for byte in [0xC2, TRX_OFF] {
        for bit in (0..8).rev() {
            rig.drive(MOSI, if byte >> bit & 1 != 0 { Level::High } else { Level::Low });
            rig.drive(SCK, Level::High);
            rig.drive(SCK, Level::Low);
        }
    }
    rig.drive(SELECT, Level::High);
    rig.drive(SLP_TR, Level::High);
    rig.pass_us(500);
    assert_eq!(rig.0.device.consumption().map(|it| it.state), Some("sleep"));
}
