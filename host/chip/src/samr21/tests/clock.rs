// SPDX-License-Identifier: MIT OR Apache-2.0
use super::program::{Program, Rig, Size};
use super::*;
use crate::clock::Clock;
use crate::{Config, Drift, Input, Level, PinId, Time};

#[test]
fn it_starts_on_osc8m_divided_by_eight() {
    let mut program = Program::new();
    program.stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    assert_eq!(rig.chip.processor_hz(), 1_000_000);
    let cycles = rig.chip.cycle().0;
    // A branch to itself takes 2 cycles; the oscillator takes 2.1 us to start.
    assert!((9_990..10_000).contains(&cycles), "{cycles}");
    assert_eq!(rig.resets(), ["power-on"]);
}

#[test]
fn the_prescaler_changes_the_speed_at_once() {
    let mut program = Program::new();
    program.set(OSC8M, OSC8M_8MHZ).mark().mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(1));
    assert_eq!(rig.chip.processor_hz(), 8_000_000);
    let marks = rig.marks();
    // Two literal loads with their jumps, a nop at most, and a single-cycle store.
    let between = marks[1] - marks[0];
    assert!(between >= Time::from_ns(9 * 125) && between <= Time::from_ns(11 * 125), "{between}");
}

#[test]
fn drift_makes_a_piece_faster_or_slower() {
    let mut program = Program::new();
    program.stay();
    let drift = Drift { fast_rc_ppm: 20_000, ..Drift::default() };
    let mut rig = Rig::with(&program, &Config { drift, ..Config::default() });
    rig.run(Time::from_s(1));
    let cycles = rig.chip.cycle().0;
    assert!((1_019_990..1_020_010).contains(&cycles), "{cycles}");
}

/// Starts the watch crystal with the shortest start-up time.
fn start_crystal(program: &mut Program) {
    program.set16(XOSC32K, 0x004E).wait(Size::Word, PCLKSR, 1 << 1, true);
}

#[test]
fn the_dfll_locks_to_the_crystal_and_drives_the_processor() {
    let mut program = Program::new();
    program.set(NVM_CTRLB, 2);
    start_crystal(&mut program);
    program
        .set(GENCTRL, 0x0001_0501)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set16(CLKCTRL, 0x4100)
        .set16(DFLLCTRL, 0)
        .wait(Size::Word, PCLKSR, 1 << 4, true)
        .set(DFLLMUL, 7 << 26 | 0x3F << 16 | 1_464)
        .wait(Size::Word, PCLKSR, 1 << 4, true)
        .set16(DFLLCTRL, 0x0806)
        .wait(Size::Word, PCLKSR, 1 << 6, true)
        .wait(Size::Word, PCLKSR, 1 << 7, true)
        .set(GENCTRL, 0x0001_0700)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .mark()
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(20));
    assert_eq!(rig.marks().len(), 1);
    assert_eq!(rig.chip.processor_hz(), 1_464 * 32_768);
    let (cycle, now) = (rig.chip.cycle().0, rig.chip.now());
    rig.run(now + Time::from_s(1));
    let expected = Clock::new(Time::ZERO, 1_464 * 32_768).edges_until(rig.chip.now() - now);
    assert!(rig.chip.cycle().0.abs_diff(cycle + expected) <= 1);
}

#[test]
fn the_fractional_loop_multiplies_a_generic_clock() {
    let mut program = Program::new();
    program
        .set(NVM_CTRLB, 2)
        .set(GENDIV, 8 << 8 | 1)
        .set(OSC8M, OSC8M_8MHZ)
        .set(GENCTRL, 0x0001_0601)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set16(CLKCTRL, 0x4101)
        .set(DPLLRATIO, 47)
        .set(DPLLCTRLB, 2 << 4)
        .set8(DPLLCTRLA, 2)
        .wait(Size::Byte, DPLLSTATUS, 1, true)
        .wait(Size::Byte, DPLLSTATUS, 2, true)
        .set(GENCTRL, 0x0001_0800)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .mark()
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    assert_eq!(rig.marks().len(), 1);
    assert_eq!(rig.chip.processor_hz(), 48_000_000);
}

#[test]
fn a_source_that_is_not_on_demand_does_not_hold_up_its_generator() {
    let mut program = Program::new();
    program.set16(XOSC32K, 0x034E).set(GENCTRL, 0x0001_0503).set(GENDIV, 0x0103);
    program.wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(60));
    assert_eq!(rig.marks().len(), 1);
}

#[test]
fn a_generator_keeps_its_old_source_until_the_new_one_runs() {
    let mut program = Program::new();
    program.set16(XOSC32K, 0x03CE).set(GENCTRL, 0x0001_0500).mark();
    program.wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(60));
    assert_eq!((rig.marks().len(), rig.chip.processor_hz()), (1, 1_000_000));
    // 4,096 cycles and three: 125.1 ms after it was enabled.
    rig.run(Time::from_ms(140));
    assert_eq!((rig.marks().len(), rig.chip.processor_hz()), (2, 32_768));
    assert!(rig.marks()[1] > Time::from_ms(125), "it is synchronizing until then");
}

#[test]
fn a_clock_on_a_pin_feeds_the_generator_of_its_number_while_the_pin_leads_there() {
    const PMUX_PC16: u32 = 0x4100_4538;
    const PINCFG_PC16: u32 = 0x4100_4550;
    let mut program = Program::new();
    program.set8(PMUX_PC16, 5).set8(PINCFG_PC16, 3);
    program.set(GENCTRL, 0x0001_0101).set(GENCTRL, 0x0001_0200).stay();
    let pin = PinId { port: 2, bit: 16 };
    let mut rig = Rig::new(&program);
    rig.chip.input(Input::Clock { pin, millihertz: 4_000_000_500 });
    rig.run(Time::from_ms(1));
    assert_eq!(rig.chip.processor_hz(), 4_000_000);
    let (cycle, now) = (rig.chip.cycle().0, rig.chip.now());
    rig.run(now + Time::from_s(2));
    let cycles = rig.chip.cycle().0 - cycle;
    assert!((8_000_000..8_000_003).contains(&cycles), "{cycles}");
    rig.chip.input(Input::Clock { pin, millihertz: 0 });
    rig.run(rig.chip.now() + Time::from_ms(1));
    assert_eq!(rig.chip.processor_hz(), 0, "it stands");
    rig.chip.input(Input::Clock { pin, millihertz: 1_000_000_000 });
    rig.run(rig.chip.now() + Time::from_ms(1));
    assert_eq!(rig.chip.processor_hz(), 1_000_000);
    rig.chip.input(Input::Pin { pin, level: Level::Low });
    rig.run(rig.chip.now() + Time::from_ms(1));
    assert_eq!(rig.chip.processor_hz(), 0, "a level ends it");
}

#[test]
fn a_crystal_that_is_not_there_is_never_ready() {
    let mut program = Program::new();
    start_crystal(&mut program);
    program.mark().stay();
    let mut rig = Rig::with(&program, &Config::default());
    rig.run(Time::from_s(5));
    assert!(rig.marks().is_empty());
}

#[test]
fn a_divided_bus_makes_accesses_slower_and_the_iobus_is_not_behind_it() {
    let timed = |division: u32, address: u32| {
        let mut program = Program::new();
        program.set8(0x4000_0409, division).mark().read(Size::Word, address, 0).mark().stay();
        let mut rig = Rig::new(&program);
        rig.run(Time::from_ms(1));
        let marks = rig.marks();
        (marks[1] - marks[0]).us()
    };
    let plain = timed(0, 0x4000_0418);
    assert_eq!(timed(0, 0x2000_0000), plain - 2, "RAM has no bridge");
    let slow = timed(3, 0x4000_0418);
    assert!((plain + 14..plain + 31).contains(&slow), "{plain} {slow}");
    assert_eq!(timed(3, 0x6000_0010), timed(0, 0x6000_0010));
}

#[test]
fn an_access_through_a_divided_bridge_ends_on_the_third_edge_of_its_clock() {
    // The bridges' selection of a division, and a register behind each.
    let bridges =
        [(0x4000_0409, 0x4000_0418), (0x4000_040A, 0x4100_4400), (0x4000_040B, 0x4200_0410)];
    for (select, address) in bridges {
        for phase in 0..8 {
            let mut program = Program::new();
            program.set8(select, 3).mark().nops(8 - phase).jumps(phase);
            program.read(Size::Word, address, 0).mark().mark().stay();
            let mut rig = Rig::new(&program);
            rig.run(Time::from_ms(1));
            let marks = rig.mark_cycles();
            // The store of the mark; nops and jumps; one more nop and two constants of four cycles.
            let begin = marks[0] + 1 + (8 + u64::from(phase)) + 9;
            let data = begin + 1;
            let end = (data.div_ceil(8) + 3) * 8;
            // A store to RAM, and two constants.
            assert_eq!(marks[1], end + 2 + 8, "{address:#x} {phase}");
            assert_eq!(marks[2], marks[1] + 1 + 9);
        }
    }
}

#[test]
fn a_generator_runs_from_every_source() {
    let config = Config {
        xosc32k_hz: Some(32_768),
        xosc_hz: Some(16_000_000),
        drift: Drift { low_power_rc_ppm: 1_000, watch_rc_ppm: 2_000, ..Drift::default() },
        ..Config::default()
    };
    // SYSCTRL's registers for the main crystal and OSC32K; generator 1 from OSC8M by 4.
    let sources =
        [(0, 16_000_000), (2, 250_000), (3, 32_800), (4, 32_833), (5, 32_768), (6, 1_000_000)];
    for (source, hz) in sources {
        let mut program = Program::new();
        program
            .set16(0x4000_0810, 0x0006)
            .set(0x4000_0818, 0x003F_0006)
            .set16(XOSC32K, 0x004E)
            .set(GENDIV, 4 << 8 | 1)
            .set(GENCTRL, 0x0001_0601)
            .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
            .wait(Size::Word, PCLKSR, 1 << 0, true)
            .wait(Size::Word, PCLKSR, 1 << 1, true)
            .wait(Size::Word, PCLKSR, 1 << 2, true)
            .set(GENCTRL, 0x0001_0000 | source << 8)
            .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
            .mark()
            .stay();
        let mut rig = Rig::with(&program, &config);
        rig.run(Time::from_ms(50));
        assert_eq!((rig.chip.processor_hz(), rig.marks().len()), (hz, 1), "{source}");
    }
}
