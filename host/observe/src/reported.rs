// SPDX-License-Identifier: MIT OR Apache-2.0
//! A panic as the console of a mote reports it (`os/kernel/panic/print.c`): where it was, by the program's image.

use crate::callers::of_program;
use crate::{Place, place};
use lichen_image::Image;

/// How the line with the numbers of a report begins.
const BEGIN: &str = "panic: pc=";

/// The addresses of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reported {
    /// Where it was.
    pub pc: u32,
    /// Where the function was to return, as far as a link register shows; 0 if there is none.
    pub lr: u32,
}

impl Reported {
    /// The addresses in a line of a console, if it is one of a report.
    pub fn read(line: &str) -> Option<Reported> {
        let numbers = line.trim().strip_prefix(BEGIN)?;
        let (pc, rest) = numbers.split_once(' ')?;
        let lr = rest.split(' ').find_map(|word| word.strip_prefix("lr="))?;
        let number = |digits| u32::from_str_radix(digits, 16).ok();
        Some(Reported { pc: number(pc)?, lr: number(lr)? })
    }

    /// Where it was.
    pub fn place(&self, image: &Image) -> Place {
        place(image, self.pc)
    }

    /// The line of the program that called the system there, if the panic was in the system, and this is known.
    pub fn caller(&self, image: &Image) -> Option<Place> {
        if of_program(image, self.pc).is_some() {
            return None;
        }
        // The instruction before the one to which it was to return.
        of_program(image, (self.lr & !1).checked_sub(2)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_with_numbers_is_a_report() {
        let line = "panic: pc=00000a4e lr=00000b01 sp=20000d38 status=00000000 detail=00000000 stack_free=00000010";
        assert_eq!(Reported::read(line), Some(Reported { pc: 0xA4E, lr: 0xB01 }));
        for other in ["panic: assertion failed in thread a", "panic: pc=1", "pc=1 lr=2", ""] {
            assert_eq!(Reported::read(other), None, "{other}");
        }
    }
}
