// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waveform outputs, of an 8-bit timer and of a 16-bit one in its short modes.

use super::*;
use crate::WarningKind;
use crate::atmega128::map::*;

const FAST: u8 = 0x48;
const PHASE: u8 = 0x40;
const CTC: u8 = 0x08;

fn timer2(compare: u8, control: u8) -> Bench<Timer2> {
    let mut bench = Bench::new(Timer2::new());
    bench.write(OCR2, compare);
    bench.write(TCCR2, control | 1);
    bench
}

#[test]
fn in_ctc_the_output_toggles_is_cleared_or_is_set_at_a_match() {
    let mut bench = timer2(9, CTC | 0x10);
    bench.run_cycles(35);
    let toggles = [(0, false), (10, true), (20, false), (30, true)];
    assert_eq!(waveform(&mut bench, Signal::Oc2), toggles);
    let mut bench = timer2(9, CTC | 0x30);
    bench.run_cycles(35);
    assert_eq!(waveform(&mut bench, Signal::Oc2), [(0, false), (10, true)]);
    bench.write(TCCR2, CTC | 0x21);
    bench.run_cycles(10);
    assert_eq!(waveform(&mut bench, Signal::Oc2).last(), Some(&(40, false)));
}

#[test]
fn fast_pwm_sets_at_the_bottom_and_clears_at_a_match_or_the_other_way_round() {
    let mut bench = timer2(0, FAST | 0x20);
    bench.write(OCR2, 63);
    bench.run_cycles(600);
    // The new value is compared from the second period on.
    let wave = waveform(&mut bench, Signal::Oc2);
    assert_eq!(wave, [(0, false), (256, true), (256 + 64, false), (512, true), (512 + 64, false)]);
    let mut bench = timer2(63, FAST | 0x30);
    bench.run_cycles(600);
    let wave = waveform(&mut bench, Signal::Oc2);
    assert_eq!(wave[wave.len() - 2..], [(512, false), (512 + 64, true)]);
}

#[test]
fn fast_pwm_at_its_maximum_is_constant() {
    let mut bench = timer2(0, FAST | 0x20);
    bench.write(OCR2, 0xFF);
    bench.run_cycles(2_000);
    assert_eq!(waveform(&mut bench, Signal::Oc2), [(0, false), (256, true)]);
}

#[test]
fn phase_correct_pwm_clears_on_the_way_up_and_sets_on_the_way_down() {
    let mut bench = timer2(0, PHASE | 0x20);
    bench.write(OCR2, 100);
    bench.run_cycles(255 + 3 * 510);
    let wave = waveform(&mut bench, Signal::Oc2);
    // OCR2 takes its value at the first top; its matches are 155 clocks to either side of a top.
    let expected = |top: u64| [(top - 154, false), (top + 156, true)];
    let tops = [255 + 510, 255 + 2 * 510];
    let first = (255 + 156, true);
    let all: Vec<(u64, bool)> = [(0, false), first]
        .into_iter()
        .chain(tops.into_iter().flat_map(expected))
        .chain([(255 + 3 * 510 - 154, false)])
        .collect();
    assert_eq!(wave, all);
}

#[test]
fn phase_correct_pwm_is_constant_at_its_ends() {
    for (compare, level) in [(0, false), (0xFF, true)] {
        let mut bench = timer2(128, PHASE | 0x20);
        bench.run_cycles(1_000);
        bench.write(OCR2, compare);
        bench.run_cycles(1_000);
        waveform(&mut bench, Signal::Oc2);
        bench.run_cycles(2_000);
        assert_eq!(waveform(&mut bench, Signal::Oc2), []);
        bench.write(TCCR2, 0);
        bench.write(TCCR2, PHASE | 0x20);
        assert_eq!(waveform(&mut bench, Signal::Oc2)[0].1, level, "{compare}");
    }
}

#[test]
fn a_strobe_forces_the_output_without_a_flag_except_in_pwm() {
    let mut bench = timer2(100, 0x30);
    bench.write(TCCR2, 0x80 | 0x30);
    assert_eq!(waveform(&mut bench, Signal::Oc2).last().map(|(_, high)| *high), Some(true));
    assert_eq!((bench.read(TIFR), bench.read(TCCR2)), (0, 0x30));
    let mut bench = timer2(100, FAST | 0x20);
    bench.write(TCCR2, 0x80 | FAST | 0x20);
    assert_eq!(waveform(&mut bench, Signal::Oc2).len(), 1);
}

#[test]
fn the_reserved_output_mode_of_pwm_is_reported() {
    let mut bench = timer2(100, CTC | 0x10);
    assert_eq!(bench.take_warnings(), []);
    bench.write(TCCR2, FAST | 0x10);
    assert_eq!(bench.take_warnings(), [WarningKind::Reserved]);
}

#[test]
fn each_channel_of_a_16_bit_timer_has_its_output() {
    let mut bench = Bench::new(Sixteen::new(1));
    write16(&mut bench, OCR1AL, 10);
    write16(&mut bench, OCR1BL, 20);
    write16(&mut bench, OCR1CL, 30);
    bench.write(TCCR1A, 0xFC);
    bench.write(TCCR1B, 1);
    bench.run_cycles(100);
    let effects = std::mem::take(&mut bench.effects);
    for (signal, cycle) in [(Signal::Oc1a, 11), (Signal::Oc1b, 21), (Signal::Oc1c, 31)] {
        bench.effects.clone_from(&effects);
        assert_eq!(waveform(&mut bench, signal), [(0, false), (cycle, true)]);
    }
}

#[test]
fn only_channel_a_toggles_in_pwm_and_only_if_it_is_the_top() {
    let mut bench = Bench::new(Sixteen::new(3));
    // Mode 15, and after it mode 14.
    write16(&mut bench, OCR3AL, 99);
    bench.write(TCCR3A, 0x54 | 3);
    bench.write(TCCR3B, 0x18);
    write16(&mut bench, OCR3AL, 99);
    bench.write(TCCR3B, 0x19);
    bench.run_cycles(0x1_0000 + 250);
    let effects = std::mem::take(&mut bench.effects);
    bench.effects.clone_from(&effects);
    let toggles = waveform(&mut bench, Signal::Oc3a);
    let gaps: Vec<u64> = toggles.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    assert!(gaps[1..].iter().all(|gap| *gap == 100), "{gaps:?}");
    bench.effects = effects;
    let toggles = waveform(&mut bench, Signal::Oc3b);
    assert!(toggles.iter().all(|(_, high)| !high), "{toggles:?}");
    bench.write(TCCR3A, 0x54 | 2);
    waveform(&mut bench, Signal::Oc3a);
    bench.run_cycles(500);
    assert_eq!(waveform(&mut bench, Signal::Oc3a), []);
}
