// SPDX-License-Identifier: MIT OR Apache-2.0
//! What must be known of ARMv6-M instructions to delete and swap stores: which registers each reads or
//! writes, and where a basic block ends (ARMv6-M ARM, A5.2).

/// A set of low registers and SP, by bit.
pub(crate) type Registers = u16;

const SP: Registers = 1 << 13;

/// NOP (T1).
pub(crate) const NOP: u16 = 0xBF00;

/// An instruction of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thumb(pub(crate) u16);

impl Thumb {
    /// Whether it is the first half of an instruction of 32 bits: BL, MSR, MRS and barriers.
    pub(crate) fn is_long(self) -> bool {
        self.0 >= 0xE800
    }

    /// STR, STRH, STRB and STM in all forms. PUSH belongs to calls.
    pub(crate) fn is_store(self) -> bool {
        matches!(self.0, 0x5000..=0x55FF | 0x6000..=0x67FF | 0x7000..=0x77FF | 0x8000..=0x87FF
            | 0x9000..=0x97FF | 0xC000..=0xC7FF)
    }

    /// Whether it may go on elsewhere, or lets others run: B, BX, BLX, SVC, BKPT, POP with PC, CPS,
    /// hints, and all of 32 bits.
    pub(crate) fn ends_block(self) -> bool {
        matches!(self.0, 0x4700..=0x47FF | 0xB660..=0xB67F | 0xBD00..=0xBFFF | 0xD000..)
            || self.writes_high() == Some(15)
    }

    /// Where a direct branch at `address` goes to.
    pub(crate) fn target(self, address: u32) -> Option<u32> {
        let offset = match self.0 {
            0xD000..=0xDDFF => i32::from(self.0 as u8 as i8) << 1,
            0xE000..=0xE7FF => i32::from((self.0 << 5) as i16) >> 4,
            _ => return None,
        };
        Some(address.wrapping_add(4).wrapping_add_signed(offset))
    }

    /// Whether what it does depends on its own address.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self.0, 0x4800..=0x4FFF | 0xA000..=0xA7FF)
            || self.is_high() && (self.0 >> 3) & 15 == 15
    }

    /// Registers that a store needs: address, offset, data.
    pub(crate) fn reads(self) -> Registers {
        match self.0 {
            0x5000..=0x55FF => self.at(0) | self.at(3) | self.at(6),
            0x9000..=0x97FF => self.at(8) | SP,
            0xC000..=0xC7FF => self.at(8) | self.0 & 0xFF,
            _ => self.at(0) | self.at(3),
        }
    }

    /// Registers that it changes, of those that a store can need.
    pub(crate) fn writes(self) -> Registers {
        match self.0 {
            // CMP, CMN and TST change flags alone.
            0x2800..=0x2FFF | 0x4200..=0x423F | 0x4280..=0x42FF | 0x4500..=0x45FF => 0,
            0x2000..=0x3FFF | 0x4800..=0x4FFF | 0x9800..=0xAFFF => self.at(8),
            0x4400..=0x46FF => match self.writes_high() {
                Some(register) if register < 8 || register == 13 => 1 << register,
                _ => 0,
            },
            0x5000..=0x55FF
            | 0x6000..=0x67FF
            | 0x7000..=0x77FF
            | 0x8000..=0x87FF
            | 0x9000..=0x97FF => 0,
            0xB000..=0xB0FF | 0xB400..=0xB5FF => SP,
            0xBC00..=0xBDFF => self.0 & 0xFF | SP,
            0xC000..=0xC7FF => self.at(8),
            0xC800..=0xCFFF => self.0 & 0xFF | self.at(8),
            _ => self.at(0),
        }
    }

    /// The three-bit register field at bit `shift`, as a set.
    fn at(self, shift: u32) -> Registers {
        1 << (self.0 >> shift & 7)
    }

    /// ADD, CMP and MOV of all registers.
    fn is_high(self) -> bool {
        matches!(self.0, 0x4400..=0x46FF)
    }

    /// Register that ADD or MOV of all registers writes.
    fn writes_high(self) -> Option<u16> {
        let writes = matches!(self.0, 0x4400..=0x44FF | 0x4600..=0x46FF);
        writes.then_some(self.0 & 7 | self.0 >> 4 & 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_of_all_forms_are_known() {
        let stores: [(u16, Registers); 7] = [
            (0x6051, 0b110),       // str r1, [r2, #4]
            (0x5453, 0b1110),      // strb r3, [r2, r1]
            (0x8019, 0b1010),      // strh r1, [r3]
            (0x7042, 0b101),       // strb r2, [r0, #1]
            (0x9103, 0b10 | SP),   // str r1, [sp, #12]
            (0xC2F0, 0b1111_0100), // stmia r2!, {r4-r7}
            (0x5211, 0b111),       // strh r1, [r2, r0]
        ];
        for (code, reads) in stores {
            assert!(Thumb(code).is_store(), "{code:04x}");
            assert_eq!(Thumb(code).reads(), reads, "{code:04x}");
        }
        for code in [0x6851, 0x9803, 0xCAF0, 0xB5F0, 0x5E53, 0x7842] {
            assert!(!Thumb(code).is_store(), "{code:04x}: a load, or PUSH");
        }
    }

    #[test]
    fn blocks_end_where_control_may_go_elsewhere() {
        for code in [0xD0FE, 0xE7FE, 0x4770, 0x4788, 0xDF00, 0xBD10, 0xF000, 0x4687, 0xB662] {
            assert!(Thumb(code).ends_block(), "{code:04x}");
        }
        for code in [0x6051, 0x2000, 0xBC10, 0x4601, 0xB510, 0xB2C0] {
            assert!(!Thumb(code).ends_block(), "{code:04x}");
        }
        assert_eq!(Thumb(0xD0FE).target(0x100), Some(0x100), "beq to itself");
        assert_eq!(Thumb(0xE7FE).target(0x100), Some(0x100), "b to itself");
        assert_eq!(Thumb(0xE001).target(0x100), Some(0x106));
    }

    #[test]
    fn changed_registers_are_known() {
        let writes: [(u16, Registers); 9] = [
            (0x2105, 0b10),     // movs r1, #5
            (0x2905, 0),        // cmp r1, #5
            (0x4048, 0b1),      // eors r0, r1
            (0x4288, 0),        // cmp r0, r1
            (0x4683, 0),        // mov r11, r0
            (0x465C, 0b1_0000), // mov r4, r11
            (0x6898, 0b1),      // ldr r0, [r3, #8]
            (0xC2F0, 0b100),    // stmia r2!, {r4-r7}
            (0xB082, SP),       // sub sp, #8
        ];
        for (code, registers) in writes {
            assert_eq!(Thumb(code).writes(), registers, "{code:04x}");
        }
        assert!(Thumb(0x4B1B).is_relative(), "ldr r3, [pc, #108]");
    }
}
