// SPDX-License-Identifier: MIT OR Apache-2.0
use super::program::{Program, Rig, Size};
use super::*;
use crate::samr21::factory;
use crate::samr21::map::{ENTRIES, Entry};
use crate::{Input, Output, Time, Warning, WarningKind};

const WDT_CTRL: u32 = 0x4000_1000;
const WDT_CONFIG: u32 = 0x4000_1001;
const APBCMASK: u32 = 0x4000_0420;
const SERCOM0_CTRLA: u32 = 0x4200_0800;

fn warnings(rig: &Rig) -> Vec<Warning> {
    let warning = |output: &Output| match output {
        Output::Warning(warning) => Some(warning.clone()),
        _ => None,
    };
    rig.seen.iter().filter_map(|seen| warning(&seen.what)).collect()
}

#[test]
fn the_watchdog_resets_the_chip_and_says_so() {
    let mut program = Program::new();
    program
        .read(Size::Byte, RCAUSE, 0)
        .set16(CLKCTRL, 0x4203)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set8(WDT_CONFIG, 0)
        .set8(WDT_CTRL, 2)
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(12));
    assert_eq!(rig.result(0), 1, "power-on");
    rig.run(Time::from_ms(25));
    // Generator 2 gives 1,024 Hz: 6 cycles to provide the clock, 6 to start the watchdog, then 8.
    assert_eq!(rig.resets(), ["power-on", "watchdog"]);
    assert_eq!(rig.result(0), 1 << 5);
    let at = rig.when(|output| *output == Output::Reset { cause: "watchdog" })[0];
    assert!(at > Time::from_ms(19) && at < Time::from_ms(21), "{at}");
}

#[test]
fn interrupts_that_may_come_are_enabled_in_a_block_and_in_the_controller() {
    const EIC: u32 = 0x4000_1800;
    let armed = |program: &Program| {
        let mut rig = Rig::new(program);
        rig.run(Time::from_ms(10));
        rig.chip.enabled_interrupts()
    };
    assert_eq!(armed(Program::new().stay()), []);
    assert_eq!(armed(Program::new().set(NVIC_ISER, u32::MAX).stay()), []);
    assert_eq!(armed(Program::new().set(EIC + 0x0C, 1 << 9).stay()), []);
    let both = armed(Program::new().set(EIC + 0x0C, 1 << 9).set(NVIC_ISER, 1 << 4).stay());
    assert_eq!(both, [16 + 4]);
    let mut clock = Program::new();
    start_rtc(&mut clock);
    let ours = armed(clock.set8(RTC_INTENSET, 0x80).set(NVIC_ISER, 1 << 3).stay());
    assert_eq!(ours, Rig::new(&Program::new()).chip.low_power_timer_exceptions());
    let console = |control: u32| {
        let mut program = Program::new();
        program.set(APBCMASK, 1 << 2).set16(CLKCTRL, 0x4014).set8(SERCOM0_CTRLA + 0x16, 4);
        program.set(SERCOM0_CTRLA, control).set(NVIC_ISER, 1 << 9).stay();
        armed(&program)
    };
    assert_eq!(console(4), [], "a receiver that is not enabled");
    assert_eq!(console(6), [16 + 9]);
}

#[test]
fn timers_are_tcc0_to_tc5() {
    let rig = Rig::new(&Program::new());
    let timers: Vec<u32> = (0..64).filter(|number| rig.chip.is_of_timer(*number)).collect();
    assert_eq!(timers, (16 + 15..=16 + 22).collect::<Vec<_>>());
}

#[test]
fn a_low_supply_holds_it_in_reset() {
    let mut program = Program::new();
    program.read(Size::Byte, RCAUSE, 0).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    // LEVEL 7 of the user row, without hysteresis.
    let (below, from) = rig.chip.supply_limits().brown_out.expect("the detector is on");
    assert_eq!((below, from), (1_738_000, 1_738_000));
    rig.chip.input(Input::Supply { microvolts: below });
    rig.run(Time::from_ms(20));
    assert_eq!(rig.resets(), ["power-on"]);
    rig.chip.input(Input::Supply { microvolts: below - 1 });
    rig.run(Time::from_ms(30));
    assert_eq!(rig.resets(), ["power-on", "brown-out"]);
    let executed = rig.chip.instructions();
    rig.chip.input(Input::Reset);
    rig.run(Time::from_s(1));
    assert_eq!(rig.chip.instructions(), executed, "it stays in reset");
    rig.chip.power_off();
    rig.chip.power_on();
    rig.run(Time::from_ms(1_010));
    assert_eq!(rig.chip.instructions(), executed, "a start does not help");
    rig.chip.input(Input::Supply { microvolts: from });
    rig.run(Time::from_ms(1_020));
    assert!(rig.chip.instructions() > executed);
    rig.chip.input(Input::Supply { microvolts: 0 });
    rig.chip.input(Input::Supply { microvolts: 3_300_000 });
    rig.run(Time::from_ms(1_030));
    assert_eq!(rig.result(0), 1 << 2, "it was the brown-out");
}

#[test]
fn a_low_supply_may_only_be_reported() {
    const BOD33: u32 = 0x4000_0834;
    const SYSCTRL_PCLKSR: u32 = 0x4000_080C;
    let mut program = Program::new();
    // Level 39 with hysteresis, and an interrupt instead of a reset.
    program.set(BOD33, 39 << 16 | 2 << 3 | 1 << 2 | 1 << 1);
    program
        .wait(Size::Word, SYSCTRL_PCLKSR, 1 << 10, true)
        .read(Size::Word, SYSCTRL_PCLKSR, 0)
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(10));
    assert_eq!(rig.chip.supply_limits().brown_out, Some((2_826_000, 2_926_000)));
    rig.chip.input(Input::Supply { microvolts: 2_800_000 });
    rig.run(Time::from_ms(20));
    assert_eq!((rig.resets(), rig.result(0) >> 10 & 1), (vec!["power-on"], 1));
}

#[test]
fn a_system_request_and_the_pin_reset_it_and_the_rtc_counts_on() {
    let mut program = Program::new();
    program.read(Size::Byte, RCAUSE, 0).read(Size::Half, RTC_CTRL, 1);
    program.wait(Size::Byte, RCAUSE, 1, true);
    start_rtc(&mut program);
    program.set(0xE000_ED0C, 0x05FA_0004).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(50));
    assert_eq!((rig.result(0), rig.result(1)), (1 << 6, 2));
    rig.chip.input(Input::Reset);
    rig.run(Time::from_ms(60));
    assert_eq!((rig.result(0), rig.result(1)), (1 << 4, 2));
    assert_eq!(rig.resets(), ["power-on", "system", "external"]);
}

#[test]
fn an_unclocked_block_reads_zero_ignores_writes_and_warns_once() {
    let mut program = Program::new();
    program.read(Size::Word, SERCOM0_CTRLA, 0);
    // A loop of two writes and a jump back over them.
    program.wait(Size::Word, SERCOM0_CTRLA, 4, true);
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    let warnings = warnings(&rig);
    assert_eq!(warnings.len(), 1);
    assert_eq!((warnings[0].kind, warnings[0].block), (WarningKind::BusUnclocked, "SERCOM0"));
    assert_eq!(warnings[0].written, None);
}

#[test]
fn the_bus_clock_brings_a_block_to_life() {
    let mut program = Program::new();
    program
        .set(APBCMASK, 0x0001_0004)
        .set(SERCOM0_CTRLA, 1 << 30 | 1 << 2)
        .read(Size::Word, SERCOM0_CTRLA, 0)
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    assert_eq!(rig.result(0), 1 << 30 | 1 << 2);
    assert!(warnings(&rig).is_empty());
}

#[test]
fn an_access_to_nothing_warns_and_faults() {
    let mut program = Program::new();
    program.read(Size::Word, 0x4000_1C00, 0).mark().stay();
    program.handler(3).mark().mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    assert_eq!(rig.marks().len(), 2, "the handler's");
    let warnings = warnings(&rig);
    assert_eq!((warnings.len(), warnings[0].kind), (1, WarningKind::Nothing));
    assert_eq!(warnings[0].address, 0x4000_1C00);
}

#[test]
fn a_protected_block_refuses_writes_with_a_fault() {
    let mut program = Program::new();
    program.set(0x4000_0004, 1 << 1).set8(0x4000_0401, 2).mark().stay();
    program.handler(3).read(Size::Byte, 0x4000_0401, 0).mark().mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    assert_eq!((rig.marks().len(), rig.result(0)), (2, 0));
    assert_eq!(warnings(&rig)[0].kind, WarningKind::Protected);
}

/// The PACs of the three bridges.
const PACS: [u32; 3] = [0x4000_0000, 0x4100_0000, 0x4200_0000];
/// The third has no clock after reset.
const PAC2_CLOCK: u32 = 1 << 0;
const WPCLR: u32 = 0;
const WPSET: u32 = 4;
/// The DSU's bit, which is set after reset.
const DSU: u32 = 1 << 1;

/// Whether a block refuses a write while another one on its bridge is the only one protected.
fn is_refused(written: &Entry, protected: &Entry) -> bool {
    let pac = PACS[usize::from(protected.bridge())];
    let mut program = Program::new();
    program
        .set(APBCMASK, PAC2_CLOCK)
        .set(PACS[1] + WPCLR, DSU)
        .set(pac + WPSET, 1 << protected.bit);
    program.set8(written.base, 0).stay();
    program.handler(3).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(1));
    let refusals = warnings(&rig).into_iter().filter(|w| w.kind == WarningKind::Protected);
    refusals.map(|refusal| assert_eq!(refusal.block, written.name)).count() != 0
}

#[test]
fn each_protection_bit_is_of_one_block() {
    for bridge in 0..3 {
        let here = |entry: &&Entry| entry.bridge() == bridge && entry.bit != 0;
        for protected in ENTRIES.iter().filter(here) {
            for written in ENTRIES.iter().filter(here) {
                // The matrix has the trace buffer's bit.
                let expected = written.bit == protected.bit;
                let names = (protected.name, written.name);
                assert_eq!(is_refused(written, protected), expected, "{names:?}");
            }
        }
    }
}

/// Whether the last of some writes to a PAC is refused, and what the PAC protects in the end.
fn protects(pac: u32, writes: &[(Size, u32, u32)]) -> (bool, u32) {
    let mut program = Program::new();
    program.set(APBCMASK, PAC2_CLOCK);
    for (size, offset, value) in writes {
        program.mark().write(*size, pac + offset, *value);
    }
    program.mark().read(Size::Word, pac + WPCLR, 0).read(Size::Word, pac + WPSET, 1).stay();
    program.handler(3).read(Size::Word, pac + WPCLR, 0).read(Size::Word, pac + WPSET, 1).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(1));
    assert_eq!(rig.result(0), rig.result(1));
    let refused = rig.marks().len() == writes.len();
    let protected = |warning: &Warning| warning.kind == WarningKind::Protected;
    assert_eq!(warnings(&rig).iter().filter(|warning| protected(warning)).count() == 1, refused);
    (refused, rig.result(0))
}

#[test]
fn protecting_what_is_protected_and_releasing_what_is_free_is_an_error() {
    use Size::{Byte, Word};
    const PM: u32 = 1 << 1;
    const GCLK: u32 = 1 << 3;
    let [a, b, c] = PACS;
    let protect = |bits| (Word, WPSET, bits);
    let release = |bits| (Word, WPCLR, bits);
    assert_eq!(protects(a, &[protect(PM), protect(GCLK)]), (false, PM | GCLK));
    assert_eq!(protects(a, &[protect(PM), release(PM)]), (false, 0));
    assert_eq!(protects(a, &[protect(PM), protect(PM | GCLK)]), (true, PM));
    assert_eq!(protects(a, &[protect(PM), release(PM | GCLK)]), (true, PM));
    assert_eq!(protects(a, &[release(PM)]), (true, 0));
    assert_eq!(protects(b, &[release(DSU)]), (false, 0));
    assert_eq!(protects(b, &[protect(DSU)]), (true, DSU));
    // TCC0 has bit 8.
    assert_eq!(protects(c, &[(Byte, WPSET + 1, 1)]), (false, 1 << 8));
    assert_eq!(protects(c, &[(Byte, WPSET + 1, 1), (Byte, WPSET, 2)]), (false, 1 << 8 | 2));
    assert_eq!(protects(c, &[(Byte, WPSET + 1, 1), (Byte, WPSET + 1, 1)]), (true, 1 << 8));
    // The PAC itself has bit 0, which does not exist.
    assert_eq!(protects(a, &[protect(1), protect(1), release(1)]), (false, 0));
}

/// To 48 MHz with `up` wait states, and back with `down`.
fn clock_of_the_dfll(up: u32, down: u32) -> Rig {
    let mut program = Program::new();
    program
        .set16(DFLLCTRL, 2)
        .wait(Size::Word, PCLKSR, 1 << 4, true)
        .set(DFLLVAL, factory::DFLL_COARSE << 10 | factory::DFLL_FINE)
        .wait(Size::Word, PCLKSR, 1 << 4, true)
        .set(NVM_CTRLB, up << 1)
        .set(GENCTRL, 0x0001_0700)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set(NVM_CTRLB, down << 1)
        .set(GENCTRL, 0x0001_0600)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set(NVM_CTRLB, 0)
        .mark()
        .stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    assert_eq!(rig.marks().len(), 1);
    rig
}

#[test]
fn flash_without_wait_states_is_too_slow_for_48_mhz() {
    assert_eq!(warnings(&clock_of_the_dfll(1, 1)), []);
    let first = |rig| warnings(&rig).first().map(|warning| (warning.kind, warning.block));
    let too_slow = |block| Some((WarningKind::FlashTooSlow, block));
    assert_eq!(first(clock_of_the_dfll(0, 1)), too_slow("GCLK"), "on the way up");
    assert_eq!(first(clock_of_the_dfll(1, 0)), too_slow("NVMCTRL"), "on the way down");
}

#[test]
fn a_read_of_the_count_without_request_holds_the_core() {
    let mut program = Program::new();
    start_rtc(&mut program);
    program.mark().read(Size::Word, RTC_COUNT, 0).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(50));
    let marks = rig.marks();
    let held = marks[1] - marks[0];
    assert!(held > Time::from_us(153) && held < Time::from_us(220), "{held}");
}

#[test]
fn a_register_without_clock_hangs_the_core_until_the_pin_resets_it() {
    let mut program = Program::new();
    program.mark().read(Size::Word, RTC_COUNT, 0).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_s(1));
    assert_eq!(rig.marks().len(), 1);
    assert_eq!(warnings(&rig)[0].kind, WarningKind::CoreUnclocked);
    let instructions = rig.chip.instructions();
    rig.run(Time::from_s(2));
    assert_eq!(rig.chip.instructions(), instructions);
    rig.chip.input(Input::Reset);
    rig.run(Time::from_s(3));
    assert!(rig.chip.instructions() > instructions);
}

#[test]
fn a_register_whose_clock_is_starting_holds_the_core_until_that_runs() {
    let mut program = Program::new();
    // The watch crystal takes 32,771 cycles to start.
    program.set16(XOSC32K, 0x054E).set(GENCTRL, 0x0001_0503);
    program.wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false).set16(CLKCTRL, 0x4304);
    program.wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false).set16(RTC_CTRL, 2);
    program.read(Size::Word, RTC_COUNT, 0).mark().stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_s(2));
    let marks = rig.marks();
    assert_eq!(marks.len(), 1);
    assert!(marks[0] > Time::from_s(1) && marks[0] < Time::from_ms(1_002), "{}", marks[0]);
    assert!(warnings(&rig).is_empty());
}

#[test]
fn a_lockup_is_reported_and_time_goes_on() {
    let mut program = Program::new();
    program.read(Size::Word, 0x4000_1C00, 0).stay();
    program.handler(3).read(Size::Word, 0x4000_1C00, 0).stay();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(5));
    assert_eq!(rig.when(|output| matches!(output, Output::Lockup { .. })).len(), 1);
    assert!(rig.chip.now() >= Time::from_ms(5));
    assert_eq!(rig.chip.next_event(), Time::NEVER);
}

#[test]
fn breakpoints_stop_before_the_instruction_and_steps_go_over_them() {
    let mut program = Program::new();
    program.mark().stay();
    let mut rig = Rig::new(&program);
    let image_end = program.image().len() as u32 - 2;
    rig.chip.core_mut().set_breakpoint(image_end, true);
    loop {
        match rig.chip.run(Time::from_s(1)) {
            crate::Stop::Output => rig.chip.take_outputs(&mut rig.seen),
            stop => break assert_eq!(stop, crate::Stop::Breakpoint),
        }
    }
    assert_eq!(rig.chip.core().pc(), image_end);
    let before = rig.chip.instructions();
    assert_eq!(rig.chip.core_mut().step(crate::Time::NEVER), crate::Stop::Reached);
    assert_eq!(rig.chip.instructions(), before + 1);
    assert_eq!(rig.chip.core().exception_name(19), "RTC");
}
