// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an exception leaves on the stack: ARMv6-M Architecture Reference Manual, B1.5.6 to B1.5.8.

use super::architecture::{MSP, PSP, XPSR};
use super::core::{LR, PC};

/// Bytes of a frame, without the word that may align it.
pub const FRAME_BYTES: u32 = 0x20;
/// Bit of the stacked xPSR: a word above the frame is free, which aligns it to 8 bytes.
pub(super) const REALIGNED: u32 = 1 << 9;
/// Bytes of that word.
pub const REALIGNED_BYTES: u32 = 4;

/// EXC_RETURN values: to a handler, to a thread on the main stack, to a thread on the process stack.
pub(super) const TO_HANDLER: u32 = 0xFFFF_FFF1;
pub(super) const TO_THREAD_MAIN: u32 = 0xFFFF_FFF9;
pub(super) const TO_THREAD_PROCESS: u32 = 0xFFFF_FFFD;

/// Bits that all EXC_RETURN values have.
const EXC_RETURN: u32 = 0xFFFF_FFF0;
/// Bit of EXC_RETURN: the frame is on the process stack.
const ON_PROCESS_STACK: u32 = 1 << 2;

/// The registers of a frame, from its lowest address on.
const REGISTERS: [usize; 8] = [0, 1, 2, 3, 12, LR, PC, XPSR];

/// Whether a jump to `value` in a handler returns from its exception.
pub fn is_exc_return(value: u32) -> bool {
    value & EXC_RETURN == EXC_RETURN
}

/// Number of the stack pointer that points to the frame, at the first instruction of a handler whose
/// link register is `exc_return`.
pub fn stack_of(exc_return: u32) -> usize {
    if exc_return & ON_PROCESS_STACK != 0 { PSP } else { MSP }
}

/// Registers that an exception has saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionFrame {
    address: u32,
    words: [u32; REGISTERS.len()],
}

impl ExceptionFrame {
    /// The frame at `address`, given how to read a word of memory.
    pub fn read(address: u32, word: impl Fn(u32) -> Option<u32>) -> Option<ExceptionFrame> {
        let mut words = [0; REGISTERS.len()];
        for (value, offset) in words.iter_mut().zip((0..).step_by(4)) {
            *value = word(address.checked_add(offset)?)?;
        }
        Some(ExceptionFrame { address, words })
    }

    /// Numbers and values of the registers, as they were saved.
    pub fn registers(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        REGISTERS.into_iter().zip(self.words)
    }

    /// The stack pointer after the return, and xPSR as it will be.
    pub fn after_return(&self) -> (u32, u32) {
        let xpsr = self.words[REGISTERS.len() - 1];
        let free = if xpsr & REALIGNED != 0 { REALIGNED_BYTES } else { 0 };
        (self.address.wrapping_add(FRAME_BYTES + free), xpsr & !REALIGNED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_says_what_was_and_what_will_be() {
        let word = |address: u32| Some(if address == 0x11C { REALIGNED | 3 } else { address });
        let frame = ExceptionFrame::read(0x100, word).expect("readable");
        let pc = frame.registers().find(|(number, _)| *number == PC);
        assert_eq!(pc, Some((PC, 0x118)));
        assert_eq!(frame.after_return(), (0x124, 3));
        assert_eq!(ExceptionFrame::read(u32::MAX - 7, word), None, "it does not fit");
    }

    #[test]
    fn exc_return_says_where_the_frame_is() {
        assert!(is_exc_return(TO_HANDLER) && !is_exc_return(0x2000_0001));
        assert_eq!([TO_THREAD_PROCESS, TO_THREAD_MAIN].map(stack_of), [PSP, MSP]);
    }
}
