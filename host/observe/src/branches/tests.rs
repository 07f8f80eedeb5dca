// SPDX-License-Identifier: MIT OR Apache-2.0

use super::*;
use crate::{Leap, run_observed};
use lichen_chip::{Config, Fuses, Stop};

/// Counts down from 3, stores, skips, and ends in a jump to itself.
const PROGRAM: [u16; 8] = [
    0xE003, // 0x0: ldi r16, 3
    0x950A, // 0x2: dec r16
    0xF7F1, // 0x4: brne 0x2
    0x9300, 0x0100, // 0x6: sts 0x0100, r16
    0xFD00, // 0xa: sbrc r16, 0
    0x0000, // 0xc: nop
    0xCFFF, // 0xe: rjmp 0xe
];

/// Executes it for 100 ms, most of which the chip takes to start.
fn branches(program: &[u16]) -> Branches {
    let fuses = Fuses { low: 0xE1, high: 0x99, extended: 0xFF, lock: 0xFF };
    let config = Config { fuses: Some(fuses), ..Config::default() };
    let mut chip = lichen_chip::by_part("ATmega128", &config).expect("a chip");
    let code: Vec<u8> = program.iter().flat_map(|word| word.to_le_bytes()).collect();
    chip.program(0, &code).expect("in flash");
    chip.power_on();
    let mut branches = Branches::new(Time::from_ms(50), chip.as_ref());
    let (end, mut leap) = (Time::from_ms(100), Leap::default());
    while run_observed(chip.as_mut(), end, &mut branches, &mut leap) == Stop::Output {
        chip.take_outputs(&mut Vec::new());
    }
    branches.finish(chip.as_ref());
    assert_eq!(branches.instructions(), chip.instructions());
    branches
}

#[test]
fn branches_are_reported_by_kind_and_direction() {
    let branches = branches(&PROGRAM);
    let conditional = Count { executed: 4, taken: 3, backward: 2 };
    assert_eq!(branches.count(Kind::Conditional), conditional);
    // ldi, three times dec and brne, sts, sbrc.
    let jumps = branches.instructions() - 9;
    let jump = Count { executed: jumps, taken: jumps, backward: jumps };
    assert_eq!(branches.count(Kind::Jump), jump);
    assert_eq!(branches.count(Kind::Call), Count::default());
    assert_eq!(branches.all(), conditional.with(jump));
}

#[test]
fn instructions_before_branches_are_counted() {
    let branches = branches(&PROGRAM);
    let jumps = branches.count(Kind::Jump).executed;
    let before: Vec<_> = branches.before_branch().counts().collect();
    assert_eq!(before, [(0, jumps), (1, 3), (2, 1)]);
    let before: Vec<_> = branches.before_backward().counts().collect();
    assert_eq!(before, [(0, jumps - 1), (1, 1), (2, 1), (4, 1)]);
}

#[test]
fn addresses_of_instructions_and_data_are_counted_in_windows() {
    let branches = branches(&PROGRAM);
    assert_eq!(branches.addresses(), (6, 1), "the nop is skipped");
    let [first, second, ..] = branches.windows() else { panic!("{:?}", branches.windows()) };
    assert_eq!((first.instructions, first.code), (0, 0), "it starts in the second");
    assert_eq!((second.code, second.data), (6, 1));
}

#[test]
fn sleep_is_counted_to_the_end() {
    // ldi r16, 1 << SE; out MCUCR, r16; sleep: idle, for ever.
    let branches = branches(&[0xE200, 0xBF05, 0x9588]);
    assert_eq!(branches.instructions(), 3);
    let last = branches.windows().last().expect("a window");
    assert!(last.asleep > Time::from_ms(30), "{last:?}");
}
