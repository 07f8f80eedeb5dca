// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream of the components' states.

use super::program::{CRYSTAL, Program, Rig};
use crate::atmega128::map::*;
use crate::{Activity, Fuses, OFF, Output, Time};

fn activities(rig: &Rig) -> Vec<(&'static str, &'static str)> {
    let reported = rig.seen.iter().filter_map(|seen| match seen.what {
        Output::Activity(Activity { component, state, .. }) => Some((component, state)),
        _ => None,
    });
    reported.collect()
}

#[test]
fn components_tell_what_they_do_when_it_changes() {
    let mut program = Program::new();
    program.set(TCCR1B, 1).set(TCCR1B, 0).set(UCSR0B, 0x08).set(ACSR, 0x80);
    program.set(EEDR, 1).load(16, 4).load(17, 6).out(EECR, 16).out(EECR, 17);
    program.set(ASSR, 8).set(MCUCR, 0x30).sleep().stay();
    let mut rig = Rig::new(&program);
    rig.chip.watch_activity(true);
    rig.run(Time::from_ms(50));
    let expected = [
        ("CPU", "standby"),
        ("CPU", "active"),
        ("AC", "on"),
        ("TIMER1", "counting"),
        ("TIMER1", OFF),
        ("USART0", "on"),
        ("AC", OFF),
        ("EEPROM", "writing"),
        ("TIMER0", "asynchronous"),
        ("USART0", "on"),
        ("EEPROM", "writing"),
        ("CPU", "power-down"),
        ("EEPROM", OFF),
    ];
    let mut reported = activities(&rig);
    reported.dedup();
    // Which of the components comes first at one moment does not matter.
    let mut expected = expected.to_vec();
    reported.sort_unstable();
    expected.sort_unstable();
    assert_eq!(reported, expected);
}

#[test]
fn the_brown_out_detector_draws_its_current() {
    for (low, on) in [(0xDF, false), (0x9F, true)] {
        let mut rig = Rig::with_fuses(Program::new().stay(), Fuses { low, ..CRYSTAL });
        rig.chip.watch_activity(true);
        rig.run(Time::from_ms(10));
        assert_eq!(activities(&rig).contains(&("BOD", "on")), on);
    }
}

#[test]
fn watching_changes_nothing() {
    let mut program = Program::new();
    program.set(TCCR1B, 1).set(MCUCR, 0x38).set(ASSR, 8).set(TCCR0, 1).set(TIMSK, 1);
    program.interrupts(true);
    let start = program.here();
    program.sleep().nops(300).jump(start);
    program.handler(TIMER0_OVERFLOW).mark().done();
    let mut plain = Rig::new(&program);
    plain.run(Time::from_ms(100));
    let mut watched = Rig::new(&program);
    watched.chip.watch_activity(true);
    watched.run(Time::from_ms(100));
    assert_eq!(plain.marks(), watched.marks());
    assert_eq!(plain.chip.state_hash(), watched.chip.state_hash());
}

#[test]
fn without_power_nothing_draws() {
    let mut rig = Rig::new(Program::new().set(UCSR0B, 0x08).stay());
    rig.chip.watch_activity(true);
    rig.run(Time::from_ms(10));
    rig.seen.clear();
    rig.chip.power_off();
    rig.run(Time::from_ms(20));
    let reported = activities(&rig);
    assert!(
        reported.contains(&("CPU", OFF)) && reported.iter().all(|(_, state)| *state == OFF),
        "{reported:?}"
    );
}
