// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the flags and enable bits of each timer are: TIFR and TIMSK, ETIFR and ETIMSK have the same
//! layout.

use crate::atmega128::map::*;

/// A flag: the register that has it, its bit there, and its vector.
pub(super) struct Row {
    register: u8,
    bit: u8,
    vector: u32,
}

const fn row(register: u8, bit: u8, vector: u32) -> Row {
    Row { register, bit, vector }
}

/// The flags of a timer in the order of their numbers: overflow, compare A to C, capture.
fn rows(timer: u8) -> &'static [Row] {
    static TIMER0: [Row; 2] = [row(TIFR, 0, TIMER0_OVERFLOW), row(TIFR, 1, TIMER0_COMPARE)];
    static TIMER2: [Row; 2] = [row(TIFR, 6, TIMER2_OVERFLOW), row(TIFR, 7, TIMER2_COMPARE)];
    static TIMER1: [Row; 5] = [
        row(TIFR, 2, TIMER1_OVERFLOW),
        row(TIFR, 4, TIMER1_COMPARE_A),
        row(TIFR, 3, TIMER1_COMPARE_B),
        row(ETIFR, 0, TIMER1_COMPARE_C),
        row(TIFR, 5, TIMER1_CAPTURE),
    ];
    static TIMER3: [Row; 5] = [
        row(ETIFR, 2, TIMER3_OVERFLOW),
        row(ETIFR, 4, TIMER3_COMPARE_A),
        row(ETIFR, 3, TIMER3_COMPARE_B),
        row(ETIFR, 1, TIMER3_COMPARE_C),
        row(ETIFR, 5, TIMER3_CAPTURE),
    ];
    match timer {
        0 => &TIMER0,
        1 => &TIMER1,
        2 => &TIMER2,
        _ => &TIMER3,
    }
}

/// Flags by number, as a register has them.
pub(super) fn in_register(timer: u8, register: u8, flags: u8) -> u8 {
    let register = if register == TIMSK {
        TIFR
    } else if register == ETIMSK {
        ETIFR
    } else {
        register
    };
    let rows = rows(timer).iter().enumerate();
    rows.filter(|(_, row)| row.register == register)
        .fold(0, |value, (number, row)| value | (flags >> number & 1) << row.bit)
}

/// Flags by number, and those of them that are in the register, from a register's value.
pub(super) fn from_register(timer: u8, register: u8, value: u8) -> (u8, u8) {
    let register = if register == TIMSK {
        TIFR
    } else if register == ETIMSK {
        ETIFR
    } else {
        register
    };
    let rows = rows(timer).iter().enumerate();
    rows.filter(|(_, row)| row.register == register).fold(
        (0, 0),
        |(flags, there), (number, row)| {
            (flags | (value >> row.bit & 1) << number, there | 1 << number)
        },
    )
}

/// Requests by vector number.
pub(super) fn lines(timer: u8, flags: u8) -> u64 {
    if flags == 0 {
        return 0;
    }
    let rows = rows(timer).iter().enumerate();
    rows.fold(0, |lines, (number, row)| lines | u64::from(flags >> number & 1) << row.vector)
}

/// The flag of a vector.
pub(super) fn of_vector(timer: u8, vector: u32) -> u8 {
    rows(timer).iter().position(|row| row.vector == vector).map_or(0, |number| 1 << number)
}
