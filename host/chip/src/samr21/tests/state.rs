// SPDX-License-Identifier: MIT OR Apache-2.0
use super::program::{MARK, Program, Rig, Size};
use super::*;
use crate::{Config, Input, Level, StateError, Time};

const SYST_CSR: u32 = 0xE000_E010;
const SYST_RVR: u32 = 0xE000_E014;
const DMAC: u32 = 0x4100_4800;
const DESCRIPTOR: u32 = 0x2000_0400;
const WRITE_BACK: u32 = 0x2000_0500;
const SOURCE: u32 = 0x2000_0600;
const DESTINATION: u32 = 0x2000_0700;
const SYS_TICK: usize = 15;

/// How long the uninterrupted run lasts.
const LENGTH: Time = Time::from_ms(40);

/// DMA copies the same words for ever while the core sleeps between ticks, then polls.
fn busy() -> Program {
    let mut program = Program::new();
    start_rtc(&mut program);
    for (offset, word) in
        [0x0010_0E01, SOURCE + 64, DESTINATION + 64, DESCRIPTOR].iter().enumerate()
    {
        program.set(DESCRIPTOR + 4 * offset as u32, *word);
    }
    program.set(SOURCE, 0x1234_5678).set(DMAC + 0x34, DESCRIPTOR).set(DMAC + 0x38, WRITE_BACK);
    program.set16(DMAC, 0x0F02).set8(DMAC + 0x3F, 0).set(DMAC + 0x44, 3 << 22);
    program.set8(DMAC + 0x40, 2).set(DMAC + 0x10, 1);
    program.set(SYST_RVR, 499).set(SYST_CSR, 7);
    for _ in 0..30 {
        program.sleep();
    }
    program.wait(Size::Word, RTC_COUNT, 1 << 31, true).stay();
    program.handler(SYS_TICK).mark().leave();
    program
}

fn rig() -> Rig {
    Rig::new(&busy())
}

/// Numbers that look random and are the same in every run (Marsaglia's xorshift).
fn random(mut seed: u64) -> impl FnMut() -> u64 {
    move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    }
}

#[test]
fn a_run_across_save_and_restore_at_a_hundred_points_is_the_straight_one() {
    let mut straight = rig();
    straight.run(LENGTH);
    assert!(straight.marks().len() > 50, "{}", straight.marks().len());
    let mut random = random(0x5EED);
    let mut points: Vec<Time> = (0..100).map(|_| Time::from_units(random()) % LENGTH).collect();
    points.sort();
    let mut broken = rig();
    let mut moved = rig();
    for (number, point) in points.into_iter().enumerate() {
        broken.run(point);
        // What comes between leaves no trace.
        moved.run(point + Time::from_us(random() % 3_000));
        if number % 2 == 0 {
            moved.chip.restore(&broken.chip.snapshot()).expect("the same part");
        } else {
            moved.chip.load(&broken.chip.save()).expect("whole");
        }
        assert_eq!(moved.chip.state_hash(), broken.chip.state_hash(), "at {point}");
        moved.seen.clone_from(&broken.seen);
        std::mem::swap(&mut broken, &mut moved);
    }
    broken.run(LENGTH);
    assert_eq!(broken.seen, straight.seen);
    assert_eq!(broken.chip.state_hash(), straight.chip.state_hash());
}

#[test]
fn breakpoints_and_decoded_code_are_no_part_of_the_state() {
    let (mut one, mut other) = (rig(), rig());
    one.run(Time::from_ms(5));
    other.chip.core_mut().set_breakpoint(0xFFE, true);
    other.run(Time::from_ms(5));
    assert_eq!(one.chip.state_hash(), other.chip.state_hash());
    other.chip.restore(&one.chip.snapshot()).expect("the same part");
    one.run(Time::from_us(5_001));
    assert_ne!(one.chip.state_hash(), other.chip.state_hash(), "time goes on");
}

#[test]
fn a_breakpoint_outlives_a_restore() {
    let mut rig = rig();
    let before = rig.chip.snapshot();
    rig.run(Time::from_ms(1));
    let pc = rig.chip.core().pc();
    rig.chip.core_mut().set_breakpoint(pc, true);
    rig.chip.restore(&before).expect("the same part");
    rig.run(Time::from_ms(5));
    assert_eq!(rig.chip.core().pc(), pc);
    assert!(rig.chip.now() < Time::from_ms(5));
}

#[test]
fn flash_that_is_written_after_a_snapshot_comes_back() {
    let mut rig = rig();
    rig.run(Time::from_ms(1));
    let (before, hash) = (rig.chip.snapshot(), rig.chip.state_hash());
    rig.chip.program(0x3_0000, b"new").expect("flash");
    rig.chip.input(Input::Pin { pin: MARK, level: Level::High });
    assert_ne!(rig.chip.state_hash(), hash);
    rig.chip.restore(&before).expect("the same part");
    assert_eq!(rig.chip.state_hash(), hash);
}

#[test]
fn states_of_other_chips_and_damaged_ones_are_refused() {
    let mut rig = rig();
    rig.run(Time::from_ms(1));
    let hash = rig.chip.state_hash();
    let other = crate::by_part("ATSAMR21G16A", &Config::default()).expect("known part");
    let part = "ATSAMR21G18A";
    assert_eq!(rig.chip.restore(&other.snapshot()), Err(StateError::OtherPart { part }));
    assert_eq!(rig.chip.load(&other.save()), Err(StateError::OtherPart { part }));
    let saved = rig.chip.save();
    for length in (0..saved.len()).step_by(saved.len() / 50).chain([saved.len() - 1]) {
        let refused = rig.chip.load(&saved[..length]);
        assert!(matches!(refused, Err(StateError::Damaged { .. })), "{length}: {refused:?}");
    }
    assert!(rig.chip.load(&[saved, vec![0]].concat()).is_err(), "one byte too many");
    assert_eq!(rig.chip.state_hash(), hash, "it has kept its own");
}

#[test]
fn an_interrupt_can_be_forced() {
    const IRQ: usize = 5;
    let mut program = Program::new();
    program.set(NVIC_ISER, 1 << IRQ).stay();
    program.handler(16 + IRQ).mark().leave();
    let mut rig = Rig::new(&program);
    rig.run(Time::from_ms(1));
    assert!(rig.marks().is_empty());
    rig.chip.core_mut().pend_interrupt(16 + IRQ as u32);
    rig.run(Time::from_ms(2));
    assert_eq!(rig.marks().len(), 1);
}
