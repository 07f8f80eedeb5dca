// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions as mutations need them: what each is and does comes from the decoder; into which other one it is
//! changed is here.

use crate::code::Code;
use lichen_isa::armv6m::{
    self, Condition, LR, Op, PC, SP, decode, encode, encode_call, instruction,
};
use lichen_isa::{Flow, Place, RegisterSet};

/// The registers that instructions of 16 bits can name: r0 to r7.
const LOW: RegisterSet = RegisterSet(0xFF);

/// A constant within an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Immediate {
    pub(crate) value: u8,
    /// The smallest and largest values with the same kind of instruction.
    pub(crate) least: u8,
    pub(crate) most: u8,
}

/// An instruction at its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thumb {
    pub(crate) address: u32,
    /// Its encoding, or the first half of 32 bits.
    pub(crate) code: u16,
    op: Op,
    /// What it reads, writes, and where it leads.
    pub(crate) facts: lichen_isa::Instruction,
}

impl Thumb {
    /// Condition of a conditional branch.
    pub(crate) fn condition(&self) -> Option<Condition> {
        match self.op {
            Op::BCond { condition, .. } => Some(condition),
            _ => None,
        }
    }

    /// The encoding of B with the target of a conditional branch, to replace it.
    pub(crate) fn unconditional(&self) -> Option<u16> {
        match self.op {
            Op::BCond { offset, .. } => encode(Op::B { offset: offset.into() }, self.code),
            _ => None,
        }
    }

    /// The encoding of the conditional branch that is taken when this one is not.
    pub(crate) fn inverted(&self) -> Option<u16> {
        self.on(self.condition()?.inverse())
    }

    /// The same conditional branch on another condition.
    fn on(&self, condition: Condition) -> Option<u16> {
        match self.op {
            Op::BCond { offset, .. } => encode(Op::BCond { condition, offset }, self.code),
            _ => None,
        }
    }

    /// The encoding of the conditional branch that differs in the equal case: CS and HI, CC and LS, GE
    /// and GT, LT and LE.
    pub(crate) fn other_bound(&self) -> Option<u16> {
        let other = match self.condition()? {
            Condition::Cs => Condition::Hi,
            Condition::Hi => Condition::Cs,
            Condition::Cc => Condition::Ls,
            Condition::Ls => Condition::Cc,
            Condition::Ge => Condition::Gt,
            Condition::Gt => Condition::Ge,
            Condition::Lt => Condition::Le,
            Condition::Le => Condition::Lt,
            _ => return None,
        };
        self.on(other)
    }

    /// CMP with a constant.
    pub(crate) fn is_comparison_with_constant(&self) -> bool {
        matches!(self.op, Op::CmpImm { .. })
    }

    /// BL, BLX, and SVC.
    pub(crate) fn is_call(&self) -> bool {
        matches!(self.facts.flow, Flow::Call(_) | Flow::IndirectCall | Flow::Service)
    }

    /// Whether it reads or writes SP: loads and stores relative to it among others.
    pub(crate) fn uses_stack(&self) -> bool {
        self.facts.reads.with(self.facts.writes).contains(SP)
    }

    /// Whether it is a store relative to SP.
    pub(crate) fn is_store_to_stack(&self) -> bool {
        self.is_store() && self.facts.reads.contains(SP)
    }

    /// Registers that it reads; none for instructions that are unusual between a call and a store:
    /// those that use others than the low registers, or do more than compute, load and store one.
    pub(crate) fn uses(&self) -> Option<RegisterSet> {
        let leads_on = matches!(self.facts.flow, Flow::Next | Flow::BranchIf(_));
        let moves_several = self.facts.access.is_some_and(|access| access.count != 1);
        let all = self.facts.reads.with(self.facts.writes);
        let is_low = LOW.with(all) == LOW;
        let usual = leads_on && is_low && self.facts.system.is_none() && !moves_several;
        (usual || self.is_store()).then_some(self.facts.reads)
    }

    /// Whether it loads what `store` writes, as far as base and offset show.
    pub(crate) fn loads_what(&self, store: &Thumb) -> bool {
        let (Some(load), Some(store)) = (self.facts.access, store.facts.access) else {
            return false;
        };
        let both_indexed = self.index_register().is_some() && store.place.index().is_some();
        let same = (load.place, load.width) == (store.place, store.width);
        !load.write && (both_indexed || same)
    }

    /// The constant of MOVS, CMP, ADDS, SUBS and the shifts; moves between registers have none.
    pub(crate) fn immediate(&self) -> Option<Immediate> {
        let (least, most) = match self.op {
            Op::LslImm { .. } | Op::LsrImm { .. } | Op::AsrImm { .. } => (1, 31),
            // A shorter constant leaves room for a third register.
            Op::AddImm { rd, rn, .. } | Op::SubImm { rd, rn, .. } if rd != rn => (1, 7),
            _ => (0, u8::MAX),
        };
        let value = *constant(&mut self.op.clone())?;
        (least..=most).contains(&value).then_some(Immediate { value, least, most })
    }

    /// The encoding of the same instruction with another constant.
    pub(crate) fn with(&self, value: u8) -> Option<u16> {
        let mut op = self.op;
        *constant(&mut op)? = value;
        encode(op, self.code)
    }

    /// Register and constant of MOVS.
    pub(crate) fn moved_constant(&self) -> Option<(u8, u32)> {
        match self.op {
            Op::MovImm { rd, imm } => Some((rd, imm.into())),
            _ => None,
        }
    }

    /// Source and amount of LSLS by a constant.
    pub(crate) fn left_shift(&self) -> Option<(u8, u32)> {
        match self.op {
            Op::LslImm { rm, n: n @ 1.., .. } => Some((rm, n.into())),
            _ => None,
        }
    }

    /// Address of the literal that LDR loads.
    pub(crate) fn literal(&self) -> Option<u32> {
        match self.facts.access?.place {
            Place::Fixed(address) => Some(address),
            _ => None,
        }
    }

    /// The register that a load or store adds to an address.
    pub(crate) fn index_register(&self) -> Option<u8> {
        self.facts.access?.place.index()
    }
}

impl Code for Thumb {
    fn at(address: u32, code: u16, second: Option<u16>) -> Thumb {
        let (op, facts) = (decode(code, second), instruction(address, code, second));
        Thumb { address, code, op, facts }
    }

    fn facts(&self) -> &lichen_isa::Instruction {
        &self.facts
    }

    fn codes(&self) -> Vec<u16> {
        vec![self.code]
    }

    const NOP: u16 = armv6m::NOP;
    const IS_RELAXED: bool = false;

    /// STR, STRH, STRB and STM in all forms. PUSH belongs to calls.
    fn is_store(&self) -> bool {
        self.facts.access.is_some_and(|access| access.write) && !self.facts.writes.contains(SP)
    }

    fn is_relative(&self) -> bool {
        self.facts.reads.contains(PC)
    }
}

fn constant(op: &mut Op) -> Option<&mut u8> {
    match op {
        Op::LslImm { n, .. } | Op::LsrImm { n, .. } | Op::AsrImm { n, .. } => Some(n),
        Op::AddImm { imm, .. } | Op::SubImm { imm, .. } => Some(imm),
        Op::MovImm { imm, .. } | Op::CmpImm { imm, .. } => Some(imm),
        _ => None,
    }
}

/// BL at `from` to the function at `to`.
pub(crate) fn call(from: u32, to: u32) -> [u16; 2] {
    encode_call(to.wrapping_sub(from.wrapping_add(4)) as i32)
}

/// The encoding of BX LR.
pub(crate) fn leave() -> Option<u16> {
    encode(Op::Bx { rm: LR }, 0)
}

/// For tests: an instruction of 16 bits at address 0.
#[cfg(test)]
pub(crate) fn thumb(code: u16) -> Thumb {
    Thumb::at(0, code, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stores_of_all_forms_are_known() {
        let stores: [(u16, u64); 7] = [
            (0x6051, 0b110),          // str r1, [r2, #4]
            (0x5453, 0b1110),         // strb r3, [r2, r1]
            (0x8019, 0b1010),         // strh r1, [r3]
            (0x7042, 0b101),          // strb r2, [r0, #1]
            (0x9103, 0b10 | 1 << 13), // str r1, [sp, #12]
            (0xC2F0, 0b1111_0100),    // stmia r2!, {r4-r7}
            (0x5211, 0b111),          // strh r1, [r2, r0]
        ];
        for (code, reads) in stores {
            assert!(thumb(code).is_store(), "{code:04x}");
            assert_eq!(thumb(code).facts.reads, RegisterSet(reads), "{code:04x}");
        }
        for code in [0x6851, 0x9803, 0xCAF0, 0xB5F0, 0xB401, 0x5E53, 0x7842] {
            assert!(!thumb(code).is_store(), "{code:04x}: a load, or PUSH");
        }
    }

    #[test]
    fn blocks_end_where_control_may_go_elsewhere() {
        for code in [0xD0FE, 0xE7FE, 0x4770, 0x4788, 0xDF00, 0xBD10, 0xF000, 0x4687, 0xB662] {
            assert!(thumb(code).ends_block(), "{code:04x}");
        }
        for code in [0x6051, 0x2000, 0xBC10, 0x4601, 0xB510, 0xB2C0] {
            assert!(!thumb(code).ends_block(), "{code:04x}");
        }
        let isb = Thumb::at(0, 0xF3BF, Some(0x8F6F));
        assert!(isb.ends_block() && isb.callee().is_none());
    }

    #[test]
    fn branches_and_calls_are_known() {
        assert_eq!(thumb(0xD1FC).condition(), Some(Condition::Ne));
        for code in [0xDE00, 0xDF00, 0xE7FE] {
            assert_eq!(thumb(code).condition(), None, "{code:04x}: UDF, SVC, B");
        }
        let unconditional = thumb(0xD1FC).unconditional().map(|code| thumb(code).target());
        assert_eq!(unconditional, Some(thumb(0xD1FC).target()));
        assert!(thumb(0x4788).is_call() && thumb(0xDF00).is_call() && !thumb(0x4770).is_call());
    }

    #[test]
    fn a_call_is_made_as_it_is_read() {
        assert_eq!(call(0x24EA, 0x2424), [0xF7FF, 0xFF9B]);
        assert_eq!(call(0x24F8, 0x2AA8), [0xF000, 0xFAD6]);
        for (from, to) in [(0x100, 0x3_0000), (0x3_0000, 0x100), (0x200, 0x204)] {
            let [first, second] = call(from, to);
            assert_eq!(Thumb::at(from, first, Some(second)).callee(), Some(to));
        }
    }

    #[test]
    fn unusual_instructions_say_nothing_of_what_they_use() {
        assert_eq!(thumb(0x1888).uses(), Some(RegisterSet(0b110)), "adds r0, r1, r2");
        assert_eq!(thumb(0xD1FC).uses(), Some(RegisterSet::NONE), "bne");
        // ldmia, push, mov r8, bl, cps, ldr [sp]
        for code in [0xCAF0, 0xB510, 0x4680, 0xF000, 0xB662, 0x9801] {
            assert_eq!(thumb(code).uses(), None, "{code:04x}");
        }
    }
}
