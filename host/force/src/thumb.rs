// SPDX-License-Identifier: MIT OR Apache-2.0
//! The facts about ARMv6-M instructions that are needed to change them: which registers each reads
//! or writes, where a basic block ends, which ones branch, call, and have a constant (ARMv6-M ARM,
//! A5.2).

/// A set of low registers and SP, by bit.
pub(crate) type Registers = u16;

const SP: Registers = 1 << 13;

/// NOP (T1).
pub(crate) const NOP: u16 = 0xBF00;

/// BX LR.
pub(crate) const RETURN: u16 = 0x4770;

/// A constant within an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Immediate {
    pub(crate) value: u16,
    /// Its lowest bit.
    pub(crate) shift: u16,
    /// The smallest and largest values with the same kind of instruction.
    pub(crate) least: u16,
    pub(crate) most: u16,
}

/// An instruction of 16 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thumb(pub(crate) u16);

impl Thumb {
    /// Whether it is the first half of an instruction of 32 bits: BL, MSR, MRS and barriers.
    pub(crate) fn is_long(self) -> bool {
        self.0 >= 0xE800
    }

    /// Bytes of the instruction.
    pub(crate) fn bytes(self) -> u32 {
        if self.is_long() { 4 } else { 2 }
    }

    /// Condition of a conditional branch.
    pub(crate) fn condition(self) -> Option<u16> {
        matches!(self.0, 0xD000..=0xDDFF).then_some(self.0 >> 8 & 15)
    }

    /// B with the target of a conditional branch, to replace it.
    pub(crate) fn unconditional(self) -> Thumb {
        Thumb(0xE000 | i16::from(self.0 as u8 as i8) as u16 & 0x7FF)
    }

    /// The conditional branch that differs in the equal case: CS and HI, CC and LS, GE and GT, LT
    /// and LE.
    pub(crate) fn other_bound(self) -> Option<Thumb> {
        let other = match self.condition()? {
            2 => 8,
            8 => 2,
            3 => 9,
            9 => 3,
            10 => 12,
            12 => 10,
            11 => 13,
            13 => 11,
            _ => return None,
        };
        Some(Thumb(self.0 & 0xF0FF | other << 8))
    }

    /// CMP with a constant.
    pub(crate) fn is_comparison_with_constant(self) -> bool {
        matches!(self.0, 0x2800..=0x2FFF)
    }

    /// BL, by its first half, BLX, and SVC. Of the instructions of 32 bits only BL has so few bits set.
    pub(crate) fn is_call(self) -> bool {
        matches!(self.0, 0x4780..=0x47FF | 0xDF00..=0xDFFF | 0xF000..=0xF7FF)
    }

    /// The target of BL at `address`, given its `second` half; none if that makes it another
    /// instruction.
    pub(crate) fn callee(self, address: u32, second: u16) -> Option<u32> {
        let (first, second) = (u32::from(self.0), u32::from(second));
        if second >> 14 != 3 || second >> 12 & 1 != 1 {
            return None;
        }
        let sign = first >> 10 & 1;
        let bit = |shift: u32| 1 ^ sign ^ (second >> shift & 1);
        let high = sign << 24 | bit(13) << 23 | bit(11) << 22;
        let offset = high | (first & 0x3FF) << 12 | (second & 0x7FF) << 1;
        let offset = ((offset << 7) as i32) >> 7;
        Some(address.wrapping_add(4).wrapping_add_signed(offset))
    }

    /// Whether it is a load or store relative to SP, or moves SP.
    pub(crate) fn uses_stack(self) -> bool {
        matches!(self.0, 0x9000..=0x9FFF | 0xA800..=0xB0FF | 0xB400..=0xB5FF | 0xBC00..=0xBDFF)
    }

    /// Whether it is a store relative to SP.
    pub(crate) fn is_store_to_stack(self) -> bool {
        matches!(self.0, 0x9000..=0x97FF)
    }

    /// Low registers that it reads; none for instructions that are unusual between a call and a
    /// store.
    pub(crate) fn uses(self) -> Option<Registers> {
        Some(match self.0 {
            0x0000..=0x17FF | 0x1C00..=0x1FFF | 0xB200..=0xB2FF => self.at(3),
            0x1800..=0x1BFF | 0x5600..=0x5FFF => self.at(3) | self.at(6),
            0x2000..=0x27FF | 0xD000..=0xDDFF => 0,
            0x2800..=0x3FFF => self.at(8),
            0x4000..=0x43FF => self.at(0) | self.at(3),
            0x6800..=0x6FFF | 0x7800..=0x7FFF | 0x8800..=0x8FFF => self.at(3),
            _ if self.is_store() => self.reads(),
            _ => return None,
        })
    }

    /// Whether it loads what `store` writes, as far as base and offset show.
    pub(crate) fn loads_what(self, store: Thumb) -> bool {
        let indexed = matches!(self.0, 0x5600..=0x5FFF) && matches!(store.0, 0x5000..=0x55FF);
        // Loads with an offset differ from stores by this bit.
        let loads = matches!(self.0, 0x6800..=0x6FFF | 0x7800..=0x7FFF | 0x8800..=0x8FFF);
        indexed || loads && self.0 & 0xFFF8 == (store.0 | 0x0800) & 0xFFF8
    }

    /// Address of the literal that LDR at `address` loads.
    pub(crate) fn literal(self, address: u32) -> Option<u32> {
        let offset = u32::from(self.0 & 0xFF) * 4;
        matches!(self.0, 0x4800..=0x4FFF).then(|| (address & !3) + 4 + offset)
    }

    /// The constant of MOVS, CMP, ADDS, SUBS and the shifts; moves between registers have none.
    pub(crate) fn immediate(self) -> Option<Immediate> {
        let field = |shift: u16, bits: u16| self.0 >> shift & ((1 << bits) - 1);
        let (shift, least, most) = match self.0 {
            0x0000..=0x17FF => (6, 1, 31),
            0x1C00..=0x1FFF => (6, 1, 7),
            0x2000..=0x3FFF => (0, 0, 255),
            _ => return None,
        };
        let value = field(
            shift,
            if most == 255 {
                8
            } else if most == 31 {
                5
            } else {
                3
            },
        );
        (value >= least).then_some(Immediate { value, shift, least, most })
    }

    /// Register and constant of MOVS.
    pub(crate) fn moved_constant(self) -> Option<(u16, u16)> {
        matches!(self.0, 0x2000..=0x27FF).then_some((self.0 >> 8 & 7, self.0 & 0xFF))
    }

    /// Result, source and amount of LSLS by a constant.
    pub(crate) fn left_shift(self) -> Option<(u16, u16, u16)> {
        let amount = self.0 >> 6 & 31;
        let shifts = self.0 < 0x0800 && amount > 0;
        shifts.then_some((self.0 & 7, self.0 >> 3 & 7, amount))
    }

    /// The register that a load or store adds to an address.
    pub(crate) fn index_register(self) -> Option<u16> {
        matches!(self.0, 0x5000..=0x5FFF).then_some(self.0 >> 6 & 7)
    }

    /// STR, STRH, STRB and STM in all forms. PUSH belongs to calls.
    pub(crate) fn is_store(self) -> bool {
        matches!(self.0, 0x5000..=0x55FF | 0x6000..=0x67FF | 0x7000..=0x77FF | 0x8000..=0x87FF
            | 0x9000..=0x97FF | 0xC000..=0xC7FF)
    }

    /// Whether it may branch, or lets others run: B, BX, BLX, SVC, BKPT, POP with PC, CPS, hints,
    /// and all 32-bit instructions.
    pub(crate) fn ends_block(self) -> bool {
        matches!(self.0, 0x4700..=0x47FF | 0xB660..=0xB67F | 0xBD00..=0xBFFF | 0xD000..)
            || self.writes_high() == Some(15)
    }

    /// The target of a direct branch at `address`.
    pub(crate) fn target(self, address: u32) -> Option<u32> {
        let offset = match self.0 {
            0xD000..=0xDDFF => i32::from(self.0 as u8 as i8) << 1,
            0xE000..=0xE7FF => i32::from((self.0 << 5) as i16) >> 4,
            _ => return None,
        };
        Some(address.wrapping_add(4).wrapping_add_signed(offset))
    }

    /// Whether its effect depends on its own address.
    pub(crate) fn is_relative(self) -> bool {
        matches!(self.0, 0x4800..=0x4FFF | 0xA000..=0xA7FF)
            || self.is_high() && (self.0 >> 3) & 15 == 15
    }

    /// Registers that a store reads: address, offset, data.
    pub(crate) fn reads(self) -> Registers {
        match self.0 {
            0x5000..=0x55FF => self.at(0) | self.at(3) | self.at(6),
            0x9000..=0x97FF => self.at(8) | SP,
            0xC000..=0xC7FF => self.at(8) | self.0 & 0xFF,
            _ => self.at(0) | self.at(3),
        }
    }

    /// Registers that it changes, of those that a store can read.
    pub(crate) fn writes(self) -> Registers {
        match self.0 {
            // CMP, CMN and TST change only flags.
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

/// BL at `from` to the function at `to`.
pub(crate) fn call(from: u32, to: u32) -> [u16; 2] {
    let offset = to.wrapping_sub(from.wrapping_add(4));
    let sign = offset >> 24 & 1;
    let bit = |shift: u32| 1 ^ sign ^ (offset >> shift & 1);
    let first = 0xF000 | sign << 10 | offset >> 12 & 0x3FF;
    let second = 0xD000 | bit(23) << 13 | bit(22) << 11 | offset >> 1 & 0x7FF;
    [first as u16, second as u16]
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
    fn branches_and_calls_are_known() {
        assert_eq!(Thumb(0xD1FC).condition(), Some(1), "bne");
        for code in [0xDE00, 0xDF00, 0xE7FE] {
            assert_eq!(Thumb(code).condition(), None, "{code:04x}: UDF, SVC, B");
        }
        assert_eq!(Thumb(0xD1FC).unconditional().target(8), Thumb(0xD1FC).target(8));
        assert!(Thumb(0x4788).is_call() && Thumb(0xDF00).is_call() && !Thumb(0x4770).is_call());
        // 24ea: f7ff ff9b  bl 2424
        assert_eq!(Thumb(0xF7FF).callee(0x24EA, 0xFF9B), Some(0x2424));
        // 24f8: f000 fad6  bl 2aa8
        assert_eq!(Thumb(0xF000).callee(0x24F8, 0xFAD6), Some(0x2AA8));
        assert_eq!(Thumb(0xF3BF).callee(0, 0x8F6F), None, "isb");
    }

    #[test]
    fn a_call_is_made_as_it_is_read() {
        assert_eq!(call(0x24EA, 0x2424), [0xF7FF, 0xFF9B]);
        assert_eq!(call(0x24F8, 0x2AA8), [0xF000, 0xFAD6]);
        for (from, to) in [(0x100, 0x3_0000), (0x3_0000, 0x100), (0x200, 0x204)] {
            let [first, second] = call(from, to);
            assert_eq!(Thumb(first).callee(from, second), Some(to));
        }
    }

    #[test]
    fn constants_between_the_code_are_found() {
        assert_eq!(Thumb(0x492E).literal(0x24F4), Some(0x25B0));
        assert_eq!(Thumb(0x482F).literal(0x24F6), Some(0x25B4), "an address that is not aligned");
        assert_eq!(Thumb(0x6848).literal(0), None, "ldr r0, [r1, #4]");
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
