// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which function of which block each pin of the SAMR21 can carry (data sheet, table "PORT function
//! multiplexing"; functions A to H are the values 0 to 7 of PMUX).

use crate::PinId;
use crate::samr21::peripheral::Signal;

use super::GROUPS;

/// A pin and its functions A to H.
pub(super) struct Pin {
    pub id: PinId,
    pub functions: [Option<Signal>; 8],
}

const A: u8 = 0;
const B: u8 = 1;
const C: u8 = 2;

/// No function.
#[allow(non_upper_case_globals, reason = "an empty cell of the table")]
const __: Option<Signal> = None;

/// A function of a block without a model of its pins: USB, debug port, RF front end, comparators.
#[allow(non_upper_case_globals, reason = "a cell of the table")]
const etc: Option<Signal> = Some(Signal::Other);

const fn pin(port: u8, bit: u8, functions: [Option<Signal>; 8]) -> Pin {
    Pin { id: PinId { port, bit }, functions }
}

const fn ext(line: u8) -> Option<Signal> {
    Some(Signal::External(line))
}

const fn ain(input: u8) -> Option<Signal> {
    Some(Signal::Adc(input))
}

const fn ser(instance: u8, pad: u8) -> Option<Signal> {
    Some(Signal::Sercom { instance, pad })
}

const fn tc(instance: u8, output: u8) -> Option<Signal> {
    Some(Signal::Tc { instance, output })
}

const fn tcc(instance: u8, output: u8) -> Option<Signal> {
    Some(Signal::Tcc { instance, output })
}

const fn clk(io: u8) -> Option<Signal> {
    Some(Signal::GclkIo(io))
}

/// Functions A to H of each pin, by group and bit; `None` for pins that the part lacks.
static FUNCTIONS: [[Option<&[Option<Signal>; 8]>; 32]; GROUPS] = {
    let mut functions = [[None; 32]; GROUPS];
    let mut n = 0;
    while n < PINS.len() {
        let PinId { port, bit } = PINS[n].id;
        functions[port as usize][bit as usize] = Some(&PINS[n].functions);
        n += 1;
    }
    functions
};

/// Pins that the converter reaches, in their order.
pub fn analog_pins() -> impl Iterator<Item = PinId> {
    let is_analog = |pin: &&Pin| pin.functions.iter().any(|it| matches!(it, Some(Signal::Adc(_))));
    PINS.iter().filter(is_analog).map(|pin| pin.id)
}

/// Functions A to H of pin `bit` of group `group`, if it exists.
pub(super) fn functions(group: u8, bit: u8) -> Option<&'static [Option<Signal>; 8]> {
    *FUNCTIONS.get(usize::from(group))?.get(usize::from(bit))?
}

/// The pins of the SAMR21G: those of the package and those that lead to the radio inside it.
#[rustfmt::skip]
pub(super) const PINS: &[Pin] = &[
    pin(A, 0, [ext(0), __, __, ser(1, 0), tcc(2, 0), __, __, __]),
    pin(A, 1, [ext(1), __, __, ser(1, 1), tcc(2, 1), __, __, __]),
    pin(A, 4, [ext(4), ain(4), __, ser(0, 0), tcc(0, 0), __, __, __]),
    pin(A, 5, [ext(5), ain(5), __, ser(0, 1), tcc(0, 1), __, __, __]),
    pin(A, 6, [ext(6), ain(6), __, ser(0, 2), tcc(1, 0), __, __, __]),
    pin(A, 7, [ext(7), ain(7), __, ser(0, 3), tcc(1, 1), __, __, __]),
    pin(A, 8, [ext(16), ain(16), ser(0, 0), ser(2, 0), tcc(0, 0), etc, __, __]),
    pin(A, 9, [ext(9), ain(17), ser(0, 1), ser(2, 1), tcc(0, 1), etc, __, __]),
    pin(A, 10, [ext(10), ain(18), ser(0, 2), ser(2, 2), tcc(1, 0), tcc(0, 2), __, clk(4)]),
    pin(A, 11, [ext(11), ain(19), ser(0, 3), ser(2, 3), tcc(1, 1), tcc(0, 3), __, clk(5)]),
    pin(A, 12, [ext(12), __, ser(2, 0), ser(4, 0), tcc(2, 0), etc, __, etc]),
    pin(A, 13, [ext(13), __, ser(2, 1), ser(4, 1), tcc(2, 1), etc, __, etc]),
    pin(A, 14, [ext(14), __, ser(2, 2), ser(4, 2), tc(3, 0), etc, __, clk(0)]),
    pin(A, 15, [ext(15), __, ser(2, 3), ser(4, 3), tc(3, 1), etc, __, clk(1)]),
    pin(A, 16, [ext(0), __, ser(1, 0), ser(3, 0), tcc(2, 0), tcc(0, 0), __, clk(2)]),
    pin(A, 17, [ext(1), __, ser(1, 1), ser(3, 1), tcc(2, 1), tcc(0, 1), __, clk(3)]),
    pin(A, 18, [ext(2), __, ser(1, 2), ser(3, 2), tc(3, 0), tcc(0, 2), __, etc]),
    pin(A, 19, [ext(3), __, ser(1, 3), ser(3, 3), tc(3, 1), tcc(0, 3), __, etc]),
    pin(A, 20, [ext(4), __, ser(5, 2), ser(3, 2), tc(7, 0), tcc(0, 6), __, clk(4)]),
    pin(A, 22, [ext(6), __, ser(3, 0), ser(5, 0), tc(4, 0), tcc(0, 4), __, clk(6)]),
    pin(A, 23, [ext(7), __, ser(3, 1), ser(5, 1), tc(4, 1), tcc(0, 5), etc, clk(7)]),
    pin(A, 24, [ext(12), __, ser(3, 2), ser(5, 2), tc(5, 0), tcc(1, 2), etc, __]),
    pin(A, 25, [ext(13), __, ser(3, 3), ser(5, 3), tc(5, 1), tcc(1, 3), etc, __]),
    pin(A, 27, [ext(15), __, __, __, __, ser(3, 0), __, clk(0)]),
    pin(A, 28, [ext(8), __, __, __, __, ser(3, 1), __, clk(0)]),
    pin(A, 30, [ext(10), __, __, ser(1, 2), tcc(1, 0), __, etc, clk(0)]),
    pin(A, 31, [ext(11), __, __, ser(1, 3), tcc(1, 1), __, etc, __]),
    pin(B, 0, [ext(0), ain(8), __, ser(5, 2), tc(7, 0), __, __, __]),
    pin(B, 2, [ext(2), ain(10), __, ser(5, 0), tc(6, 0), __, __, __]),
    pin(B, 3, [ext(3), ain(11), __, ser(5, 1), tc(6, 1), __, __, __]),
    pin(B, 8, [ext(8), ain(2), __, ser(4, 0), tc(4, 0), __, __, __]),
    pin(B, 9, [ext(9), ain(3), __, ser(4, 1), tc(4, 1), __, __, __]),
    pin(B, 14, [ext(14), __, ser(4, 2), __, tc(5, 0), __, __, clk(0)]),
    pin(B, 15, [ext(15), __, ser(4, 3), __, tc(5, 1), __, __, clk(1)]),
    pin(B, 16, [ext(0), __, ser(5, 0), __, tc(6, 0), tcc(0, 4), __, clk(2)]),
    pin(B, 17, [ext(1), __, ser(5, 1), __, tc(6, 1), tcc(0, 5), __, clk(3)]),
    pin(B, 22, [ext(6), __, __, ser(5, 2), tc(7, 0), __, __, clk(0)]),
    pin(B, 23, [ext(7), __, __, ser(5, 3), tc(7, 1), __, __, clk(1)]),
    pin(B, 30, [ext(14), __, __, ser(5, 0), tcc(0, 0), ser(4, 2), __, __]),
    pin(B, 31, [ext(15), __, __, ser(5, 1), tcc(0, 1), ser(4, 1), __, __]),
    pin(C, 16, [__, __, __, __, __, clk(1), __, __]),
    pin(C, 18, [__, __, __, __, __, ser(4, 3), __, __]),
    pin(C, 19, [__, __, __, __, __, ser(4, 0), __, __]),
];
