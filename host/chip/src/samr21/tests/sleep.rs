// SPDX-License-Identifier: MIT OR Apache-2.0
use super::program::{Program, Rig, Size};
use super::*;
use crate::clock::Clock;
use crate::{Input, Level, Output, PinId, Time};

/// Exception number of the RTC.
const RTC: u32 = 16 + 3;

fn watch() -> Clock {
    Clock::new(Time::ZERO, 32_768)
}

/// Sleeps once until the RTC's compare `count`, deeply or not, and marks the handler's start.
fn sleeper(count: u32, idle_mode: u32, deep: bool) -> Program {
    let mut program = Program::new();
    program.set(OSC8M, OSC8M_8MHZ);
    start_rtc(&mut program);
    interrupt_at(&mut program, count);
    program
        .set8(0x4000_0401, idle_mode)
        .set(SCR, if deep { SLEEPDEEP } else { 0 })
        .sleep()
        .mark()
        .stay();
    program.handler(RTC as usize).mark().set8(RTC_INTFLAG, 1).leave();
    program
}

/// When the RTC was enabled in `sleeper`: the count is 0 there.
fn start_of_count(rig: &Rig, count: u64) -> (Time, Time) {
    let slept = rig.when(|output| matches!(output, Output::Sleep { .. }))[0];
    let woke = rig.when(|output| matches!(output, Output::Wake { exception: Some(RTC) }))[0];
    assert!(woke > slept);
    // The compare shows one tick after it matches.
    let edge = watch().edges_until(woke);
    (watch().edge(edge - count - 1), woke)
}

#[test]
fn wake_up_takes_the_data_sheets_time_in_each_mode() {
    let modes = [
        (0, false, "idle0", 4_000),
        (1, false, "idle1", 12_100),
        (2, false, "idle2", 13_000),
        (0, true, "standby", 19_600),
    ];
    for (idle_mode, deep, name, nanoseconds) in modes {
        let mut rig = Rig::new(&sleeper(3_276, idle_mode, deep));
        rig.run(Time::from_s(1));
        assert_eq!(rig.when(|output| *output == Output::Sleep { mode: name }).len(), 1);
        let (_, woke) = start_of_count(&rig, 3_276);
        let cause = watch().edge(watch().edges_until(woke));
        let delay = woke - cause;
        assert_eq!(delay, Time::from_ns(nanoseconds), "{name}");
        let handler = rig.marks()[0];
        // Exception entry, literals and the store, at 8 MHz.
        assert!(handler > woke && handler < woke + Time::from_us(5), "{name}");
        assert_eq!(rig.marks().len(), 2, "{name}: it goes on behind WFI");
    }
}

#[test]
fn an_hour_in_standby_costs_nothing_and_ends_on_the_tick() {
    let count = 3_600 * 32_768;
    let mut rig = Rig::new(&sleeper(count, 0, true));
    rig.run(Time::from_s(1));
    let (cycle, instructions) = (rig.chip.cycle(), rig.chip.instructions());
    rig.run(Time::from_s(3_599));
    assert_eq!((rig.chip.cycle(), rig.chip.instructions()), (cycle, instructions));
    rig.run(Time::from_s(3_601));
    let (start, woke) = start_of_count(&rig, u64::from(count));
    let tick = watch().edge(watch().edges_until(start) + u64::from(count) + 1);
    assert_eq!(woke, tick + Time::from_ns(19_600));
    assert!(rig.chip.time_asleep() > Time::from_s(3_599));
}

/// The compare matches before, during and after the processor's entry into sleep, a few cycles
/// apart.
#[test]
fn a_line_that_rises_as_sleep_begins_is_not_missed() {
    for (pause, count) in (0..20).flat_map(|pause| (14..20).map(move |count| (pause, count))) {
        let mut program = Program::new();
        start_rtc(&mut program);
        interrupt_at(&mut program, count);
        program.set(SCR, SLEEPDEEP);
        (0..pause).for_each(|_| {
            program.set(SCR, SLEEPDEEP);
        });
        program.sleep().stay();
        program.handler(RTC as usize).mark().set8(RTC_INTFLAG, 1).leave();
        let mut rig = Rig::new(&program);
        rig.run(Time::from_s(1));
        assert!(rig.marks()[0] < Time::from_ms(2), "{pause}, {count}: {:?}", rig.marks());
    }
}

#[test]
fn a_line_raised_from_outside_wakes_at_once() {
    let mut program = Program::new();
    program
        .set(GENCTRL, 0x0001_0303)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set16(CLKCTRL, 0x4305)
        // PA18 to the EIC, whose line 2 detects a high level.
        .set8(0x4100_4452, 3)
        .set(0x4000_1818, 4 << 8)
        .set(0x4000_1814, 1 << 2)
        .set(0x4000_180C, 1 << 2)
        .set8(0x4000_1800, 2)
        .wait(Size::Byte, 0x4000_1801, SYNCBUSY, false)
        .set(NVIC_ISER, 1 << 4)
        .set(SCR, SLEEPDEEP)
        .sleep()
        .stay();
    program.handler(16 + 4).set(0x4000_1808, 1 << 2).leave();
    let mut rig = Rig::new(&program);
    let pressed = Time::from_ms(10);
    rig.run(pressed);
    rig.chip.input(Input::Pin { pin: PinId { port: 0, bit: 18 }, level: Level::High });
    rig.run(Time::from_s(1));
    let woke = rig.when(|output| *output == Output::Wake { exception: Some(16 + 4) });
    assert_eq!(woke, [pressed + Time::from_ns(19_600)]);
}

#[test]
fn systick_counts_in_idle_and_stands_in_standby() {
    for (deep, wakes) in [(false, 1), (true, 0)] {
        let mut program = Program::new();
        program
            .set(0xE000_E014, 9_999)
            .set(0xE000_E010, 7)
            .set(SCR, if deep { SLEEPDEEP } else { 0 })
            .sleep()
            .mark()
            .stay();
        program.handler(15).set(0xE000_E010, 0).leave();
        let mut rig = Rig::new(&program);
        rig.run(Time::from_ms(50));
        let woken = rig.when(|output| *output == Output::Wake { exception: Some(15) });
        assert_eq!(woken.len(), wakes);
        assert_eq!(rig.marks().len(), wakes);
    }
}

/// Starts TC4 in 16-bit mode on OSC8M, which both run in standby, or not, and sleeps deeply.
fn timer_in_standby(runs: bool) -> Program {
    const TC4: u32 = 0x4200_3000;
    let mut program = Program::new();
    program
        .set(OSC8M, OSC8M_8MHZ | u32::from(runs) << 6)
        .set(0x4000_0420, 0x0001_1000)
        .set(GENCTRL, 0x0001_0604)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set16(CLKCTRL, 0x441C)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set8(TC4 + 0x0D, 1)
        .set(NVIC_ISER, 1 << 19)
        .set16(TC4, 2 | u32::from(runs) << 11)
        .set(SCR, SLEEPDEEP)
        .sleep()
        .stay();
    program.handler(16 + 19).mark().set8(TC4 + 0x0E, 1).leave();
    program
}

#[test]
fn a_timer_that_runs_in_standby_keeps_its_oscillator_and_wakes() {
    let mut rig = Rig::new(&timer_in_standby(true));
    rig.run(Time::from_ms(10));
    // 65,536 cycles of 8 MHz are 8.2 ms.
    assert_eq!(rig.marks().len(), 1);
    let mut rig = Rig::new(&timer_in_standby(false));
    rig.run(Time::from_s(10));
    assert_eq!(rig.marks().len(), 0);
}

#[test]
fn wfi_under_primask_goes_on_without_the_handler() {
    let mut program = Program::new();
    start_rtc(&mut program);
    interrupt_at(&mut program, 500);
    program.mask_interrupts().sleep().mark().stay();
    program.handler(RTC as usize).mark().mark().mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_s(1));
    assert_eq!(rig.marks().len(), 1);
}

#[test]
fn a_run_can_be_cut_anywhere_without_changing_it() {
    let program = sleeper(3_276, 2, true);
    let mut whole = Rig::new(&program);
    whole.run(Time::from_ms(300));
    let mut cut = Rig::new(&program);
    for step in 1..=3_000 {
        cut.run(Time::from_us(step * 100));
    }
    assert_eq!(whole.seen, cut.seen);
    assert_eq!(whole.chip.instructions(), cut.chip.instructions());
}

#[test]
fn the_dfll_adds_its_start_to_the_wake_up() {
    let mut program = Program::new();
    start_rtc(&mut program);
    program
        .set16(DFLLCTRL, 2)
        .wait(Size::Word, PCLKSR, 1 << 4, true)
        .set(0x4100_4004, 2)
        .set(GENCTRL, 0x0001_0700)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false);
    interrupt_at(&mut program, 1_000);
    program.set(SCR, SLEEPDEEP).sleep().stay();
    program.handler(RTC as usize).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_s(1));
    let (_, woke) = start_of_count(&rig, 1_000);
    let handler = rig.marks()[0] - woke;
    assert!(handler > Time::from_us(8) && handler < Time::from_us(12), "{handler}");
}
