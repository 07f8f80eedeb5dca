// SPDX-License-Identifier: MIT OR Apache-2.0
//! Resets, clocks and fuses, from outside.

use super::program::{CRYSTAL, INTERNAL, Program, Rig};
use crate::atmega128::fuses::FACTORY;
use crate::atmega128::map::*;
use crate::{Config, Fuses, Input, Level, Output, Time, WarningKind};

/// Leaves MCUCSR and clears it.
fn reporter() -> Program {
    let mut program = Program::new();
    program.read(MCUCSR, 0).set(MCUCSR, 0).mark().stay();
    program
}

#[test]
fn execution_begins_after_the_start_up_time() {
    for (low, us) in [(0xDF, 4_096), (0xFF, 4_096 + 59_200), (0xEE, 256), (0xFE, 256 + 3_700)] {
        let mut rig = Rig::with_fuses(&reporter(), Fuses { low, ..CRYSTAL });
        rig.run(Time::from_ms(100));
        let begins = rig.marks()[0].as_us();
        assert!((begins - f64::from(us)).abs() < 20.0, "{low:#x}: {begins}");
    }
}

#[test]
fn causes_are_reported_and_stay_until_they_are_cleared() {
    let mut rig = Rig::new(&reporter());
    rig.run(Time::from_ms(10));
    assert_eq!(rig.result(0), 0x01);
    rig.chip.input(Input::Reset);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.result(0), 0x02);
    rig.chip.power_off();
    rig.chip.power_on();
    rig.run(Time::from_ms(40));
    assert_eq!(rig.result(0), 0x01);
    assert_eq!(rig.resets(), ["power-on", "external", "power-on"]);
}

#[test]
fn a_low_supply_holds_it_in_reset_if_the_fuse_says_so() {
    let supply = |microvolts| Input::Supply { microvolts };
    let mut rig = Rig::new(&reporter());
    rig.run(Time::from_ms(100));
    assert_eq!(rig.chip.supply_limits().brown_out, None);
    rig.chip.input(supply(2_000_000));
    rig.run(Time::from_ms(200));
    assert_eq!(rig.resets(), ["power-on"]);

    // BODEN programmed, BODLEVEL not: 2.6 V, with 100 mV of hysteresis.
    let mut rig = Rig::with_fuses(&reporter(), Fuses { low: 0xBF, ..CRYSTAL });
    rig.run(Time::from_ms(100));
    assert_eq!(rig.chip.supply_limits().brown_out, Some((2_550_000, 2_650_000)));
    let marks = rig.marks().len();
    rig.chip.input(supply(2_500_000));
    rig.run(Time::from_ms(200));
    rig.chip.input(supply(2_600_000));
    rig.run(Time::from_ms(300));
    assert_eq!((rig.resets(), rig.marks().len()), (vec!["power-on", "brown-out"], marks));
    rig.chip.input(supply(2_650_000));
    rig.run(Time::from_ms(400));
    assert!(rig.marks().len() > marks);
    assert_eq!(rig.result(0), 0x04);
}

#[test]
fn the_watchdog_resets_unless_it_is_fed() {
    let mut program = Program::new();
    program.read(MCUCSR, 0).set(WDTCR, 0x18).set(WDTCR, 0x08).mark();
    let start = program.here();
    program.wait(TIFR, 0x04, true).set(TIFR, 0x04).watchdog_reset().mark().jump(start);
    let mut rig = Rig::with_fuses(&program, INTERNAL);
    rig.run(Time::from_ms(40));
    assert_eq!(rig.resets(), ["power-on", "watchdog", "watchdog"]);
    assert_eq!(rig.result(0), 0x09, "the cause of power-on was not cleared");

    let mut fed = Program::new();
    fed.set(WDTCR, 0x18).set(WDTCR, 0x08);
    let start = fed.here();
    fed.watchdog_reset().jump(start);
    let mut rig = Rig::with_fuses(&fed, INTERNAL);
    rig.run(Time::from_ms(200));
    assert_eq!(rig.resets(), ["power-on"]);
}

#[test]
fn a_reset_releases_the_pins_and_stops_the_blocks() {
    let mut program = Program::new();
    program.set(DDRB, 0xFF).set(TCCR1B, 1).set(UCSR0B, 0x08).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    rig.seen.clear();
    rig.chip.input(Input::Reset);
    rig.run(Time::from_ms(11));
    let released =
        rig.when(|output| matches!(output, Output::Pin { level: Level::Floating(_), .. }));
    assert_eq!(released.len(), 1 + 8 + 1);
}

#[test]
fn the_boot_section_is_entered_if_the_fuse_says_so_and_may_have_the_vectors() {
    const BOOT: usize = 0xF000;
    let mut program = Program::at(BOOT);
    // IVCE, then IVSEL; then the watch crystal's timer interrupts.
    program.load(16, 1).load(17, 2).out(MCUCR, 16).out(MCUCR, 17);
    program.set(TIMSK, 1).set(TCCR0, 1).interrupts(true).stay();
    let at = BOOT + TIMER0_OVERFLOW as usize * 2;
    program.nops(at - program.address() as usize / 2);
    program.mark().done();
    let fuses = Fuses { high: CRYSTAL.high & !0x07, ..CRYSTAL };
    let mut rig = Rig::with_fuses(&program, fuses);
    assert_eq!(rig.chip.core().reset_address(), Some(0x1_E000));
    rig.run(Time::from_ms(10));
    assert!(!rig.marks().is_empty());
}

#[test]
fn a_chip_without_its_clock_never_begins_and_says_so() {
    let config = Config { fuses: Some(CRYSTAL), ..Config::default() };
    let mut chip = crate::by_part("ATmega128L", &config).expect("known part");
    chip.power_on();
    let mut seen = Vec::new();
    chip.take_outputs(&mut seen);
    chip.run(Time::from_s(1));
    chip.take_outputs(&mut seen);
    assert_eq!((chip.now(), chip.instructions()), (Time::from_s(1), 0));
    let warned = seen.iter().any(|seen| {
        matches!(&seen.what, Output::Warning(warning) if warning.kind == WarningKind::CoreUnclocked)
    });
    assert!(warned);
}

#[test]
fn xdiv_divides_the_processors_clock() {
    let mut program = Program::new();
    program.mark().nops(100).mark().set(XDIV, 0x80 | 127).mark().nops(100).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    let marks = rig.marks();
    assert_eq!(marks[3] - marks[2], (marks[1] - marks[0]) * 2);
    assert_eq!(rig.chip.processor_hz(), 2_000_000);
}

#[test]
fn osccal_changes_the_internal_oscillator() {
    let mut program = Program::new();
    program
        .read(OSCCAL, 0)
        .mark()
        .nops(100)
        .mark()
        .set(OSCCAL, 0xFF)
        .mark()
        .nops(100)
        .mark()
        .stay();
    let mut rig = Rig::with_fuses(&program, INTERNAL);
    rig.run(Time::from_ms(10));
    let marks = rig.marks();
    let ratio = (marks[1] - marks[0]).as_us() / (marks[3] - marks[2]).as_us();
    assert!((ratio - 1.5).abs() < 0.001, "{ratio}");
    assert_ne!(rig.result(0), 0);
}

#[test]
fn an_atmega103_has_ram_at_the_extended_registers() {
    let mut program = Program::new();
    program.set(0x62, 0x5A).read(0x62, 0).set(0x9B, 0xA5).read(0x9B, 1).mark().stay();
    let mut rig = Rig::with_fuses(&program, Fuses { extended: FACTORY.extended, ..CRYSTAL });
    rig.run(Time::from_ms(10));
    assert_eq!([rig.result(0), rig.result(1)], [0x5A, 0xA5]);
    assert!(
        rig.when(|output| matches!(output, Output::Pin { pin, .. } if pin.port == 5)).is_empty()
    );
}

#[test]
fn accesses_to_nothing_are_reported_once_for_each_place() {
    let mut program = Program::new();
    let start = program.here();
    program.fetch(16, 0x60).store(16, 0x2000).set(DDRG, 0xFF).set(PINA, 1).jump(start);
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    let kinds: Vec<(u32, WarningKind)> =
        rig.warnings().iter().map(|warning| (warning.address, warning.kind)).collect();
    let expected = [
        (0x80_0060, WarningKind::NoRegister),
        (0x80_2000, WarningKind::NoMemory),
        (0x80_0064, WarningKind::Reserved),
        (0x80_0039, WarningKind::Reserved),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn all_parts_are_there() {
    for part in ["ATmega128", "ATmega128A", "ATmega128L"] {
        let chip = crate::by_part(part, &Config::default()).expect("known part");
        assert_eq!(chip.part(), part);
        assert!(!crate::component_states(part).is_empty());
    }
}
