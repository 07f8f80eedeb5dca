// SPDX-License-Identifier: MIT OR Apache-2.0
use super::program::{Program, Rig, Size};
use super::*;
use crate::{Activity, Output, Time, component_states};

const SERCOM0_CTRLA: u32 = 0x4200_0800;
const PM_APBCMASK: u32 = 0x4000_0420;
const NVM_CTRLA: u32 = 0x4100_4000;
const NVM_ADDR: u32 = 0x4100_401C;
const NVM_INTFLAG: u32 = 0x4100_4014;

/// Runs a program that is watched from power-up.
fn watched(program: &Program, until: Time) -> Rig {
    let mut rig = Rig::new(program);
    rig.chip.watch_activity(true);
    rig.run(until);
    rig
}

/// What was reported of a component: time, state, frequencies.
fn history(rig: &Rig, component: &str) -> Vec<(Time, &'static str, u64, u64)> {
    let of = |output: &Output| match output {
        Output::Activity(activity) if activity.component == component => Some(*activity),
        _ => None,
    };
    let all = rig.seen.iter().filter_map(|seen| Some((seen.time, of(&seen.what)?)));
    all.map(|(time, Activity { state, hz, bus_hz, .. })| (time, state, hz, bus_hz)).collect()
}

/// States without times.
fn states(rig: &Rig, component: &str) -> Vec<(&'static str, u64)> {
    history(rig, component).into_iter().map(|(_, state, hz, _)| (state, hz)).collect()
}

/// Sleeps in standby until the RTC's first compare.
fn sleeper() -> Program {
    let mut program = Program::new();
    program.set(OSC8M, OSC8M_8MHZ);
    start_rtc(&mut program);
    interrupt_at(&mut program, 3_276);
    program.set(SCR, SLEEPDEEP).sleep().mark().stay();
    program.handler(16 + 3).mark().set8(RTC_INTFLAG, 1).leave();
    program
}

#[test]
fn after_power_up_a_slow_oscillator_and_a_fast_one_run() {
    let rig = watched(Program::new().stay(), Time::from_ms(1));
    let on = |seen: &crate::Stamped<Output>| match seen.what {
        Output::Activity(activity) => Some((activity.component, activity.state, activity.hz)),
        _ => None,
    };
    let seen: Vec<_> = rig.seen.iter().filter_map(on).collect();
    let expected = [
        ("CPU", "active", 0),
        ("OSCULP32K", "on", 32_768),
        ("OSC8M", "on", 0),
        ("BOD33", "continuous", 0),
        ("OSC8M", "on", 8_000_000),
        ("CPU", "active", 1_000_000),
    ];
    assert_eq!(seen, expected);
}

#[test]
fn sleep_and_wake_up_are_states_at_their_times() {
    let rig = watched(&sleeper(), Time::from_ms(200));
    let slept = rig.when(|output| matches!(output, Output::Sleep { .. }))[0];
    let woke = rig.when(|output| matches!(output, Output::Wake { .. }))[0];
    let processor = history(&rig, "CPU");
    let later: Vec<_> = processor.into_iter().skip_while(|(time, ..)| *time < slept).collect();
    assert_eq!(later, [(slept, "standby", 0, 0), (woke, "active", 8_000_000, 0)]);
    let fast: Vec<_> = history(&rig, "OSC8M").into_iter().skip(2).collect();
    assert_eq!(fast, [(slept, "off", 0, 0), (woke, "on", 8_000_000, 0)]);
    let rtc = history(&rig, "RTC");
    assert_eq!(rtc[0].1, "counting");
    let asleep: Vec<_> = rtc.into_iter().skip(1).collect();
    // It goes on counting, without a bus.
    let expected = [(slept, "counting", 32_768, 0), (woke, "counting", 32_768, 8_000_000)];
    assert_eq!(asleep, expected);
}

#[test]
fn what_is_left_running_in_standby_is_reported() {
    let left_running = (OSC8M_8MHZ | 1 << 6) & !(1 << 7);
    let mut program = Program::new();
    program.set(OSC8M, left_running).set(SCR, SLEEPDEEP).sleep().stay();
    let rig = watched(&program, Time::from_ms(10));
    assert_eq!(states(&rig, "CPU").last(), Some(&("standby", 0)));
    assert_eq!(states(&rig, "OSC8M").last(), Some(&("on", 8_000_000)));
}

#[test]
fn idle_keeps_the_clock_and_says_its_depth() {
    for (mode, name) in [(0, "idle0"), (1, "idle1"), (2, "idle2")] {
        let mut program = Program::new();
        program.set8(0x4000_0401, mode).sleep().stay();
        let rig = watched(&program, Time::from_ms(1));
        assert_eq!(states(&rig, "CPU")[1..], [("active", 1_000_000), (name, 1_000_000)]);
    }
}

#[test]
fn a_loop_says_how_it_runs() {
    let mut program = Program::new();
    program
        .set(DFLLCTRL, 2)
        .wait(Size::Word, PCLKSR, 1 << 4, true)
        .set(DFLLCTRL, 6)
        .set(DFLLCTRL, 0)
        .stay();
    let rig = watched(&program, Time::from_ms(1));
    let mut seen = history(&rig, "DFLL48M");
    // Of several reports at one time the last one counts.
    seen.reverse();
    seen.dedup_by_key(|(time, ..)| *time);
    seen.reverse();
    let seen: Vec<_> = seen.into_iter().map(|(_, state, hz, _)| (state, hz > 0)).collect();
    let expected =
        [("open loop", false), ("open loop", true), ("closed loop", true), ("off", false)];
    assert_eq!(seen, expected);
}

#[test]
fn a_serial_interface_draws_from_its_enabling_on() {
    let mut program = Program::new();
    program
        .set(PM_APBCMASK, 1 << 2)
        .set16(CLKCTRL, 0x4014)
        .wait(Size::Byte, GCLK_STATUS, SYNCBUSY, false)
        .set(SERCOM0_CTRLA, 0x4000_0006)
        .nops(50)
        .set(PM_APBCMASK, 0)
        .stay();
    let rig = watched(&program, Time::from_ms(1));
    let seen: Vec<_> = history(&rig, "SERCOM0").into_iter().map(|(_, a, b, c)| (a, b, c)).collect();
    assert_eq!(seen, [("usart", 1_000_000, 1_000_000), ("usart", 1_000_000, 0)]);
}

#[test]
fn flash_is_erased_for_as_long_as_the_controller_is_busy() {
    let mut program = Program::new();
    program.set(NVM_ADDR, 0x8000).set16(NVM_CTRLA, 0xA502);
    program.wait(Size::Byte, NVM_INTFLAG, 1, true).mark().stay();
    let rig = watched(&program, Time::from_ms(10));
    let seen = history(&rig, "NVMCTRL");
    let [(begin, "erasing", ..), (end, "off", ..)] = seen[..] else { panic!("{seen:?}") };
    assert_eq!(end - begin, Time::from_ms(6));
}

#[test]
fn without_power_nothing_draws_a_current() {
    let mut rig = watched(&sleeper(), Time::from_ms(50));
    rig.seen.clear();
    rig.chip.power_off();
    rig.run(Time::from_ms(60));
    let off = [("CPU", "off"), ("OSCULP32K", "off"), ("RTC", "off")];
    for (component, state) in off {
        assert_eq!(states(&rig, component), [(state, 0)], "{component}");
    }
    rig.chip.power_on();
    rig.run(Time::from_us(60_200));
    assert!(states(&rig, "CPU").contains(&("active", 1_000_000)));
    assert_eq!(states(&rig, "OSCULP32K").last(), Some(&("on", 32_768)));
    assert_eq!(states(&rig, "RTC").last(), Some(&("off", 0)));
    assert_eq!(states(&rig, "BOD33"), [("continuous", 0)]);
}

#[test]
fn a_watched_run_is_the_same_run() {
    let program = sleeper();
    let mut rig = Rig::new(&program);
    let mut other = Rig::new(&program);
    other.chip.watch_activity(true);
    for milliseconds in [1, 50, 101, 150, 300] {
        let until = Time::from_ms(milliseconds);
        let hashes = [rig.run(until), other.run(until)].map(|rig| rig.chip.state_hash());
        assert_eq!(hashes[0], hashes[1], "at {milliseconds} ms");
    }
    assert_eq!(rig.chip.cycle(), other.chip.cycle());
    let is_reported_anyway =
        |seen: &crate::Stamped<Output>| !matches!(seen.what, Output::Activity(_));
    other.seen.retain(is_reported_anyway);
    assert_eq!(rig.seen, other.seen);
}

#[test]
fn a_restored_chip_reports_what_differs() {
    let mut rig = watched(&sleeper(), Time::from_ms(50));
    let saved = rig.chip.save();
    let mut later = Rig::new(&sleeper());
    later.chip.watch_activity(true);
    later.run(Time::ZERO);
    later.seen.clear();
    later.chip.load(&saved).expect("same part");
    let now = later.chip.now();
    later.run(now);
    assert_eq!(states(&later, "CPU"), [("standby", 0)]);
    assert_eq!(states(&later, "OSC8M"), [("off", 0)]);
    assert_eq!(states(&later, "RTC"), [("counting", 32_768)]);
    rig.chip.watch_activity(false);
    rig.seen.clear();
    rig.run(Time::from_ms(200));
    assert!(rig.seen.iter().all(|seen| !matches!(seen.what, Output::Activity(_))));
}

#[test]
fn whatever_is_reported_is_listed() {
    let listed = component_states("ATSAMR21G18A");
    let rig = watched(&sleeper(), Time::from_ms(200));
    for seen in &rig.seen {
        let Output::Activity(activity) = seen.what else { continue };
        let states = listed.iter().find(|(name, _)| *name == activity.component);
        let (_, states) = states.expect("a listed component");
        assert!(activity.state == crate::OFF || states.contains(&activity.state), "{activity:?}");
    }
    assert!(component_states("ATTINY85").is_empty());
}
