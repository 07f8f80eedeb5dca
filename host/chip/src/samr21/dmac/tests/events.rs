// SPDX-License-Identifier: MIT OR Apache-2.0
//! What events do to channels, and which channels send them.

use super::*;

#[test]
fn events_trigger_and_are_sent() {
    let mut bench = dmac();
    describe(&mut bench, BASE, COPY | 1 << 1, 1, 1, 0);
    enable(&mut bench, 0, 1 | 1 << 3 | 1 << 4);
    bench.with(|dmac, cx| dmac.event(cx, 0));
    bench.run_until(bench.block.due());
    bench.run_until(bench.block.due());
    bench.with(|dmac, cx| dmac.moved(cx, 0, BeatOutcome::Done(0)));
    assert_eq!(bench.take().last(), Some(&Effect::Event(30)));
}

#[test]
fn events_suspend_a_channel_resume_it_and_skip_its_suspension() {
    let (suspend, resume, skip) = (4, 5, 6);
    for (action, taken) in [(suspend, true), (resume, true), (skip, true), (skip, false)] {
        for n in 0..EVENT_CHANNELS as u32 {
            let control = TRANSACTION | action | if taken { EVIE } else { 0 };
            let mut bench = dmac();
            let block_action = if action == skip { SUSPEND } else { 0 };
            describe(&mut bench, BASE + 0x10 * n, COPY | block_action, 1, 1, SECOND);
            describe(&mut bench, SECOND, COPY, 1, 1, 0);
            enable(&mut bench, n, control);
            if action == resume {
                bench.write32(CHCTRLB, control | SUSPEND_NOW);
                bench.write32(SWTRIGCTRL, 1 << n);
                assert_eq!(run(&mut bench, Time::from_us(20)), []);
            }
            bench.with(|dmac, cx| dmac.event(cx, n as u8));
            bench.write32(SWTRIGCTRL, 1 << n);
            let moved = run(&mut bench, Time::from_us(50)).len();
            let expected = match action {
                _ if !taken => (1, 4),
                4 => (0, 4),
                5 => (2, 2 | 4),
                _ => (2, 2),
            };
            assert_eq!((moved, bench.read8(CHINTFLAG)), expected, "{action} {n}");
        }
    }
}

#[test]
fn events_trigger_and_are_sent_by_the_first_four_channels_if_that_is_enabled() {
    const TRIGGER: u32 = 1;
    for n in 0..=EVENT_CHANNELS as u32 {
        let has_events = n < EVENT_CHANNELS as u32;
        for enabled in [0, EVIE, EVOE, EVIE | EVOE] {
            let mut bench = dmac();
            // An event after each beat.
            describe(&mut bench, BASE + 0x10 * n, COPY | 3 << 1, 2, 2, 0);
            enable(&mut bench, n, BEAT | TRIGGER | enabled);
            bench.with(|dmac, cx| dmac.event(cx, n as u8));
            let triggered = run(&mut bench, Time::from_us(20)).len();
            assert_eq!(triggered, usize::from(has_events && enabled & EVIE != 0));
            bench.write32(SWTRIGCTRL, 1 << n);
            run_to_beat(&mut bench);
            bench.with(|dmac, cx| dmac.moved(cx, n as u8, BeatOutcome::Done(0)));
            let sent = bench.take().contains(&Effect::Event(FIRST_GENERATOR + n as u8));
            assert_eq!(sent, has_events && enabled & EVOE != 0, "{n} {enabled}");
        }
    }
}
