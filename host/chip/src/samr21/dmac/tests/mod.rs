// SPDX-License-Identifier: MIT OR Apache-2.0
mod checksum;
mod events;
mod priority;

use super::*;
use crate::WarningKind;
use crate::samr21::bench::Bench;
use crate::samr21::peripheral::{Beat, BeatOutcome, Effect};
use lichen_isa::Width;

const CTRL: u32 = 0x00;
const CRCCTRL: u32 = 0x02;
const CRCDATAIN: u32 = 0x04;
const CRCCHKSUM: u32 = 0x08;
const CRCSTATUS: u32 = 0x0C;
const SWTRIGCTRL: u32 = 0x10;
const PRICTRL0: u32 = 0x14;
const INTPEND: u32 = 0x20;
const INTSTATUS: u32 = 0x24;
const BUSYCH: u32 = 0x28;
const PENDCH: u32 = 0x2C;
const ACTIVE: u32 = 0x30;
const BASEADDR: u32 = 0x34;
const WRBADDR: u32 = 0x38;
const CHID: u32 = 0x3F;
const CHCTRLA: u32 = 0x40;
const CHCTRLB: u32 = 0x44;
const CHINTENCLR: u32 = 0x4C;
const CHINTENSET: u32 = 0x4D;
const CHINTFLAG: u32 = 0x4E;
const CHSTATUS: u32 = 0x4F;

const BASE: u32 = 0x2000_0000;
const WRITE_BACK: u32 = 0x2000_0100;
const SECOND: u32 = 0x2000_0200;
const SOURCE: u32 = 0x2000_0400;
const DESTINATION: u32 = 0x2000_0500;

/// VALID, both addresses increment, bytes.
const COPY: u32 = 0x0C01;
const WORDS: u32 = 0x0200;
const INT: u32 = 1 << 3;
const SUSPEND: u32 = 2 << 3;
const BEAT: u32 = 2 << 22;
const TRANSACTION: u32 = 3 << 22;
const SERCOM0_TX: u32 = 2;
/// The last trigger: an empty buffer of the DAC.
const DAC_EMPTY: u32 = 40;
const EVIE: u32 = 1 << 3;
const EVOE: u32 = 1 << 4;
/// CHCTRLB.CMD.
const SUSPEND_NOW: u32 = 1 << 24;
const RESUME_NOW: u32 = 2 << 24;

fn store(bench: &mut Bench<Dmac>, address: u32, value: u32) {
    bench.memory.store(address, Width::Word, value).expect("memory");
}

fn load(bench: &Bench<Dmac>, address: u32) -> u32 {
    bench.memory.read(address, Width::Word).expect("memory")
}

fn describe(bench: &mut Bench<Dmac>, at: u32, control: u32, bytes: u32, beats: u32, next: u32) {
    let words = [control | beats << 16, SOURCE + bytes, DESTINATION + bytes, next];
    for (n, word) in words.into_iter().enumerate() {
        store(bench, at + 4 * n as u32, word);
    }
}

fn dmac() -> Bench<Dmac> {
    let mut bench = Bench::new(Dmac::new());
    bench.write32(BASEADDR, BASE);
    bench.write32(WRBADDR, WRITE_BACK);
    bench.write16(CTRL, 0x0F02);
    bench
}

fn enable(bench: &mut Bench<Dmac>, channel: u32, control: u32) {
    bench.write8(CHID, channel);
    bench.write32(CHCTRLB, control);
    bench.write8(CHINTENSET, 0x07);
    bench.write8(CHCTRLA, 2);
}

/// Acts as the chip: performs the beats as they come, for `span`.
fn run(bench: &mut Bench<Dmac>, span: Time) -> Vec<(Time, Beat)> {
    let end = bench.now + span;
    let mut beats = Vec::new();
    while bench.block.due() <= end {
        bench.run_until(bench.block.due());
        for (at, effect) in std::mem::take(&mut bench.effects) {
            let Effect::Beat(beat) = effect else { continue };
            let outcome = match bench.memory.read(beat.source, beat.width) {
                Some(value) => match bench.memory.store(beat.destination, beat.width, value) {
                    Some(()) => BeatOutcome::Done(value),
                    None => BeatOutcome::Fault,
                },
                None => BeatOutcome::Fault,
            };
            beats.push((at, beat));
            bench.with(|dmac, cx| dmac.moved(cx, beat.channel, outcome));
        }
    }
    bench.run_until(end);
    beats
}

#[test]
fn software_moves_a_block() {
    let mut bench = dmac();
    store(&mut bench, SOURCE, 0x4433_2211);
    describe(&mut bench, BASE, COPY | INT, 4, 4, 0);
    enable(&mut bench, 0, 0);
    assert_eq!(run(&mut bench, Time::from_us(10)), []);
    bench.write32(SWTRIGCTRL, 1);
    let beats = run(&mut bench, Time::from_us(10));
    assert_eq!((beats.len(), load(&bench, DESTINATION)), (4, 0x4433_2211));
    assert_eq!(beats[1].0 - beats[0].0, Time::from_ns(3 * 125));
    assert!(bench.block.irq());
    assert_eq!((bench.read16(INTPEND), bench.read32(INTSTATUS)), (0x0200, 1));
    assert_eq!(bench.read8(CHCTRLA), 0);
    assert_eq!(load(&bench, WRITE_BACK), COPY & !1 | INT);
    bench.write16(INTPEND, 0x0200);
    assert!(!bench.block.irq());
}

#[test]
fn a_peripheral_triggers_beat_by_beat() {
    let mut bench = dmac();
    describe(&mut bench, BASE + 0x20, COPY, 4, 4, 0);
    enable(&mut bench, 2, BEAT | SERCOM0_TX << 8);
    for sent in 1..=3 {
        bench.with(|dmac, cx| dmac.trigger(cx, 2, true));
        bench.run_until(bench.block.due());
        bench.run_until(bench.block.due());
        let Some((_, Effect::Beat(_))) = bench.effects.pop() else { panic!("no beat") };
        bench.with(|dmac, cx| dmac.moved(cx, 2, BeatOutcome::Done(0)));
        bench.with(|dmac, cx| dmac.trigger(cx, 2, false));
        assert_eq!(run(&mut bench, Time::from_us(100)), []);
        assert_eq!(load(&bench, WRITE_BACK + 0x20) >> 16, 4 - sent);
        assert_eq!(bench.read8(CHSTATUS), 2);
    }
}

#[test]
fn a_trigger_whose_level_stays_asks_again() {
    let mut bench = dmac();
    bench.with(|dmac, cx| dmac.trigger(cx, 2, true));
    describe(&mut bench, BASE, COPY, 4, 4, 0);
    enable(&mut bench, 0, BEAT | SERCOM0_TX << 8);
    assert_eq!(run(&mut bench, Time::from_us(20)).len(), 4);
}

#[test]
fn a_pulse_of_a_timer_is_one_beat() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY, 4, 4, 0);
    enable(&mut bench, 0, BEAT | 24 << 8);
    bench.with(|dmac, cx| dmac.trigger(cx, 24, true));
    bench.with(|dmac, cx| dmac.trigger(cx, 24, false));
    assert_eq!(run(&mut bench, Time::from_us(20)).len(), 1);
}

#[test]
fn descriptors_link_and_a_transaction_takes_them_all() {
    for (action, moved, flags) in [(0, 1, 0), (TRANSACTION, 3, 2)] {
        let mut bench = dmac();
        describe(&mut bench, BASE, COPY, 1, 1, SECOND);
        describe(&mut bench, SECOND, COPY | WORDS, 8, 2, 0);
        enable(&mut bench, 0, action);
        bench.write32(SWTRIGCTRL, 1);
        let beats = run(&mut bench, Time::from_us(20));
        assert_eq!((beats.len(), bench.read8(CHINTFLAG)), (moved, flags));
        if moved == 3 {
            assert_eq!(beats[2].1.source, SOURCE + 4);
            assert_eq!(bench.read8(CHCTRLA), 0);
        }
    }
}

#[test]
fn a_suspended_channel_goes_on_when_it_is_resumed() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY | SUSPEND, 1, 1, SECOND);
    describe(&mut bench, SECOND, COPY, 1, 1, 0);
    enable(&mut bench, 0, TRANSACTION);
    bench.write32(SWTRIGCTRL, 1);
    assert_eq!(run(&mut bench, Time::from_us(20)).len(), 1);
    assert_eq!((bench.read8(CHINTFLAG), bench.read8(CHCTRLA)), (4, 2));
    bench.write32(CHCTRLB, TRANSACTION | 2 << 24);
    assert_eq!(run(&mut bench, Time::from_us(20)).len(), 1);
    assert_eq!(bench.warnings, []);
}

#[test]
fn an_invalid_descriptor_suspends_with_an_error() {
    let mut bench = dmac();
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    assert_eq!(run(&mut bench, Time::from_us(20)), []);
    assert_eq!((bench.read8(CHINTFLAG), bench.read8(CHSTATUS) & 4), (5, 4));
}

#[test]
fn an_address_that_nothing_answers_ends_the_channel() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY, 4, 4, 0);
    store(&mut bench, BASE + 8, 0x3000_0004);
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    assert_eq!(run(&mut bench, Time::from_us(20)).len(), 1);
    assert_eq!((bench.read8(CHINTFLAG), bench.read8(CHCTRLA)), (1, 0));
}

#[test]
fn steps_spread_one_side() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY | 2 << 13, 2, 2, 0);
    store(&mut bench, BASE + 8, DESTINATION + 2 * 4);
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    let beats = run(&mut bench, Time::from_us(20));
    let pairs: Vec<(u32, u32)> =
        beats.iter().map(|(_, beat)| (beat.source, beat.destination)).collect();
    assert_eq!(pairs, [(SOURCE, DESTINATION), (SOURCE + 1, DESTINATION + 4)]);
}

#[test]
fn a_busy_register_delays_its_beat() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY, 1, 1, 0);
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    bench.run_until(bench.block.due());
    bench.run_until(bench.block.due());
    bench.effects.clear();
    let later = bench.now + Time::from_us(7);
    bench.with(|dmac, cx| dmac.moved(cx, 0, BeatOutcome::Busy(later)));
    let beats = run(&mut bench, Time::from_us(20));
    assert_eq!(beats.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [later]);
}

#[test]
fn addresses_are_locked_while_enabled() {
    let mut bench = dmac();
    bench.write32(BASEADDR, 0);
    assert_eq!(
        (bench.read32(BASEADDR), &bench.warnings[..]),
        (BASE, &[WarningKind::Protected][..])
    );
    bench.write16(CTRL, 0);
    bench.write16(CTRL, 1);
    assert_eq!(bench.read32(BASEADDR), 0);
}

/// Serves the controller until it wants to make a beat.
fn run_to_beat(bench: &mut Bench<Dmac>) {
    while bench.effects.is_empty() {
        bench.run_until(bench.block.due());
    }
    bench.effects.clear();
}

#[test]
fn nothing_moves_unless_the_controller_and_the_channels_level_are_enabled() {
    for level in 0..4 {
        let own = 1 << (8 + level);
        for (ctrl, moves) in [(0x0F02, 1), (own | 2, 1), (0x0F00, 0), (0x0F02 & !own, 0)] {
            let mut bench = dmac();
            bench.write16(CTRL, ctrl);
            describe(&mut bench, BASE, COPY, 1, 1, 0);
            enable(&mut bench, 0, level << 5);
            bench.write32(SWTRIGCTRL, 1);
            assert_eq!(run(&mut bench, Time::from_us(20)).len(), moves, "{ctrl:#x} {level}");
        }
    }
}

#[test]
fn each_channel_has_its_descriptor_its_trigger_and_its_interrupt() {
    for n in 0..CHANNELS as u32 {
        let (bit, level) = (1 << n, n % 4);
        let mut bench = dmac();
        describe(&mut bench, BASE + 0x10 * n, COPY, 1, 1, 0);
        enable(&mut bench, n, level << 5);
        bench.write32(SWTRIGCTRL, bit);
        let waiting = [SWTRIGCTRL, PENDCH, BUSYCH, ACTIVE].map(|offset| bench.read32(offset));
        assert_eq!((waiting, bench.read8(CHSTATUS)), ([bit, bit, 0, 0], 1));
        run_to_beat(&mut bench);
        let active = 1 << level | n << 8 | 1 << 15 | 1 << 16;
        let moving = [SWTRIGCTRL, PENDCH, BUSYCH, ACTIVE].map(|offset| bench.read32(offset));
        assert_eq!((moving, bench.read8(CHSTATUS)), ([0, 0, bit, active], 2));
        bench.with(|dmac, cx| dmac.moved(cx, n as u8, BeatOutcome::Done(0)));
        assert_eq!((bench.read32(BUSYCH), bench.read8(CHSTATUS)), (0, 0));
        assert_eq!((bench.read32(INTSTATUS), bench.read16(INTPEND)), (bit, n | 0x200));
        assert_eq!(load(&bench, WRITE_BACK + 0x10 * n), COPY & !1);
    }
}

#[test]
fn a_trigger_during_a_block_is_kept_for_the_next() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY, 2, 2, SECOND);
    describe(&mut bench, SECOND, COPY, 2, 2, 0);
    enable(&mut bench, 0, 0);
    bench.write32(SWTRIGCTRL, 1);
    run_to_beat(&mut bench);
    bench.write32(SWTRIGCTRL, 1);
    assert_eq!(bench.read8(CHSTATUS), 3);
    bench.with(|dmac, cx| dmac.moved(cx, 0, BeatOutcome::Done(0)));
    assert_eq!(run(&mut bench, Time::from_us(50)).len(), 3);
}

#[test]
fn a_channel_takes_the_trigger_that_is_chosen_and_no_other() {
    for source in 1..=DAC_EMPTY {
        let channel = source % CHANNELS as u32;
        for (fires, moves) in [(source, 1), (source % DAC_EMPTY + 1, 0)] {
            let mut bench = dmac();
            describe(&mut bench, BASE + 0x10 * channel, COPY, 4, 4, 0);
            enable(&mut bench, channel, BEAT | source << 8);
            bench.with(|dmac, cx| dmac.trigger(cx, fires as u8, true));
            bench.with(|dmac, cx| dmac.trigger(cx, fires as u8, false));
            assert_eq!(run(&mut bench, Time::from_us(20)).len(), moves, "{source} {fires}");
        }
    }
}

#[test]
fn the_pending_interrupt_is_the_lowest_channels_and_its_flags_are_cleared_by_name() {
    let mut bench = dmac();
    describe(&mut bench, BASE + 0x50, COPY, 4, 4, 0);
    enable(&mut bench, 5, BEAT);
    bench.write32(SWTRIGCTRL, 1 << 5);
    assert_eq!(run(&mut bench, Time::from_us(20)).len(), 1);
    bench.write32(CHCTRLB, BEAT | SUSPEND_NOW);
    // Suspended and busy.
    assert_eq!(bench.read16(INTPEND), 5 | 4 << 8 | 1 << 14);
    enable(&mut bench, 3, 0);
    bench.write32(SWTRIGCTRL, 1 << 3);
    run(&mut bench, Time::from_us(20));
    // An error of transfer and suspended; an error of fetching, and the trigger waits.
    assert_eq!((bench.read16(INTPEND), bench.read32(INTSTATUS)), (3 | 5 << 8 | 5 << 13, 0x28));
    bench.write16(INTPEND, 3 | 1 << 8);
    assert_eq!(bench.read16(INTPEND), 3 | 4 << 8 | 5 << 13);
    bench.write16(INTPEND, 3 | 4 << 8);
    assert_eq!(bench.read16(INTPEND), 5 | 4 << 8 | 1 << 14);
}

#[test]
fn each_flag_interrupts_if_that_is_enabled() {
    let (error, complete, suspend) = (1, 2, 4);
    for happens in [error, complete, suspend] {
        for enabled in [error, complete, suspend] {
            let mut bench = dmac();
            describe(&mut bench, BASE, COPY, 1, 1, 0);
            if happens == error {
                store(&mut bench, BASE + 8, 0x3000_0001);
            }
            bench.write8(CHINTENSET, enabled);
            bench.write8(CHCTRLA, 2);
            bench.write32(CHCTRLB, if happens == suspend { SUSPEND_NOW } else { 0 });
            bench.write32(SWTRIGCTRL, 1);
            run(&mut bench, Time::from_us(20));
            assert_eq!((bench.block.irq(), bench.read8(CHINTFLAG)), (happens == enabled, happens));
            bench.write8(CHINTENCLR, enabled);
            assert_eq!((bench.block.irq(), bench.read8(CHINTENSET)), (false, 0));
            bench.write8(CHINTFLAG, happens);
            assert_eq!(bench.read8(CHINTFLAG), 0);
        }
    }
}

#[test]
fn a_resumed_channel_fetches_again_what_was_not_valid() {
    for (first, second) in [(BASE, SECOND), (SECOND, BASE)] {
        let mut bench = dmac();
        describe(&mut bench, BASE, COPY, 1, 1, SECOND);
        describe(&mut bench, SECOND, COPY, 1, 1, 0);
        let valid = load(&bench, second);
        store(&mut bench, second, valid & !1);
        enable(&mut bench, 0, TRANSACTION);
        bench.write32(SWTRIGCTRL, 1);
        let before = run(&mut bench, Time::from_us(20)).len();
        assert_eq!((before, bench.read8(CHSTATUS) & 4), (usize::from(first == BASE), 4));
        store(&mut bench, second, valid);
        bench.write32(CHCTRLB, TRANSACTION | RESUME_NOW);
        assert_eq!(bench.read8(CHSTATUS) & 4, 0);
        assert_eq!(run(&mut bench, Time::from_us(20)).len(), 2 - before);
    }
}

#[test]
fn an_enabled_channel_changes_its_level_and_nothing_else() {
    let mut bench = dmac();
    enable(&mut bench, 0, BEAT);
    bench.write32(CHCTRLB, BEAT | 3 << 5);
    assert_eq!((bench.read32(CHCTRLB), &bench.warnings[..]), (BEAT | 3 << 5, &[][..]));
    bench.write32(CHCTRLB, TRANSACTION | 1 << 5);
    assert_eq!(
        (bench.read32(CHCTRLB), bench.warnings),
        (BEAT | 1 << 5, vec![WarningKind::Protected])
    );
}

#[test]
fn a_channel_is_reset_alone_and_while_it_is_disabled() {
    let mut bench = dmac();
    enable(&mut bench, 0, BEAT);
    enable(&mut bench, 1, BEAT);
    let state = |bench: &mut Bench<Dmac>| {
        (bench.read32(CHCTRLB), bench.read8(CHINTENSET), bench.read8(CHCTRLA))
    };
    bench.write8(CHCTRLA, 1);
    assert_eq!(
        (state(&mut bench), &bench.warnings[..]),
        ((BEAT, 7, 2), &[WarningKind::Protected][..])
    );
    bench.write8(CHCTRLA, 0);
    bench.write8(CHCTRLA, 1);
    assert_eq!(state(&mut bench), (0, 0, 0));
    bench.write8(CHID, 0);
    assert_eq!(state(&mut bench), (BEAT, 7, 2));
}

#[test]
fn it_stands_still_without_the_ahb_and_goes_on_with_it() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY, 4, 4, 0);
    enable(&mut bench, 0, BEAT | SERCOM0_TX << 8);
    bench.clocks.awake = false;
    bench.with(|dmac, cx| dmac.clocks_changed(cx));
    bench.with(|dmac, cx| dmac.trigger(cx, 2, true));
    assert_eq!(run(&mut bench, Time::from_us(100)), []);
    bench.clocks.awake = true;
    bench.with(|dmac, cx| dmac.clocks_changed(cx));
    assert_eq!(run(&mut bench, Time::from_us(100)).len(), 4);
}
