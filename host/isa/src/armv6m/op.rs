// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decoded instructions: the meaning of one halfword (or pair) of code, in four bytes.

/// Index of a core register, 0 to 15.
pub type Reg = u8;

/// Number of the stack pointer.
pub const SP: u8 = 13;
/// Number of the link register.
pub const LR: u8 = 14;
/// Number of the program counter.
pub const PC: u8 = 15;

/// One decoded instruction. Registers are indices; immediates are scaled to their final value
/// where that fits. They have the manual's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    /// Not decoded yet: decode, then execute.
    Undecoded,
    /// A breakpoint replaces the instruction.
    Breakpoint,

    LslImm {
        rd: Reg,
        rm: Reg,
        n: u8,
    },
    LsrImm {
        rd: Reg,
        rm: Reg,
        n: u8,
    },
    AsrImm {
        rd: Reg,
        rm: Reg,
        n: u8,
    },
    AddReg {
        rd: Reg,
        rn: Reg,
        rm: Reg,
    },
    SubReg {
        rd: Reg,
        rn: Reg,
        rm: Reg,
    },
    /// Both immediate encodings (T1 with `rd` and `rn`, T2 with `rd` twice).
    AddImm {
        rd: Reg,
        rn: Reg,
        imm: u8,
    },
    SubImm {
        rd: Reg,
        rn: Reg,
        imm: u8,
    },
    MovImm {
        rd: Reg,
        imm: u8,
    },
    CmpImm {
        rn: Reg,
        imm: u8,
    },

    And {
        rd: Reg,
        rm: Reg,
    },
    Eor {
        rd: Reg,
        rm: Reg,
    },
    LslReg {
        rd: Reg,
        rm: Reg,
    },
    LsrReg {
        rd: Reg,
        rm: Reg,
    },
    AsrReg {
        rd: Reg,
        rm: Reg,
    },
    Adc {
        rd: Reg,
        rm: Reg,
    },
    Sbc {
        rd: Reg,
        rm: Reg,
    },
    Ror {
        rd: Reg,
        rm: Reg,
    },
    Tst {
        rn: Reg,
        rm: Reg,
    },
    Rsb {
        rd: Reg,
        rn: Reg,
    },
    Cmp {
        rn: Reg,
        rm: Reg,
    },
    Cmn {
        rn: Reg,
        rm: Reg,
    },
    Orr {
        rd: Reg,
        rm: Reg,
    },
    Mul {
        rd: Reg,
        rm: Reg,
    },
    Bic {
        rd: Reg,
        rm: Reg,
    },
    Mvn {
        rd: Reg,
        rm: Reg,
    },

    /// Neither register is SP or PC; the plain case of [`Op::AddAny`].
    AddHigh {
        rd: Reg,
        rm: Reg,
    },
    /// Neither register is SP or PC; the plain case of [`Op::MovAny`].
    MovHigh {
        rd: Reg,
        rm: Reg,
    },
    AddAny {
        rd: Reg,
        rm: Reg,
    },
    MovAny {
        rd: Reg,
        rm: Reg,
    },
    CmpAny {
        rn: Reg,
        rm: Reg,
    },
    Bx {
        rm: Reg,
    },
    Blx {
        rm: Reg,
    },

    /// `words` from the word-aligned program counter.
    LdrLit {
        rt: Reg,
        words: u8,
    },
    LdrReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    LdrhReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    LdrbReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    LdrshReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    LdrsbReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    StrReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    StrhReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    StrbReg {
        rt: Reg,
        rn: Reg,
        rm: Reg,
    },
    LdrImm {
        rt: Reg,
        rn: Reg,
        offset: u8,
    },
    LdrhImm {
        rt: Reg,
        rn: Reg,
        offset: u8,
    },
    LdrbImm {
        rt: Reg,
        rn: Reg,
        offset: u8,
    },
    StrImm {
        rt: Reg,
        rn: Reg,
        offset: u8,
    },
    StrhImm {
        rt: Reg,
        rn: Reg,
        offset: u8,
    },
    StrbImm {
        rt: Reg,
        rn: Reg,
        offset: u8,
    },
    LdrSp {
        rt: Reg,
        offset: u16,
    },
    StrSp {
        rt: Reg,
        offset: u16,
    },

    Adr {
        rd: Reg,
        words: u8,
    },
    AddRdSp {
        rd: Reg,
        offset: u16,
    },
    /// ADD SP and SUB SP, immediate.
    AdjustSp {
        offset: i16,
    },
    Sxth {
        rd: Reg,
        rm: Reg,
    },
    Sxtb {
        rd: Reg,
        rm: Reg,
    },
    Uxth {
        rd: Reg,
        rm: Reg,
    },
    Uxtb {
        rd: Reg,
        rm: Reg,
    },
    Rev {
        rd: Reg,
        rm: Reg,
    },
    Rev16 {
        rd: Reg,
        rm: Reg,
    },
    Revsh {
        rd: Reg,
        rm: Reg,
    },

    /// `list` has R0 to R7; `lr` adds LR.
    Push {
        list: u8,
        lr: bool,
    },
    /// POP without PC.
    Pop {
        list: u8,
    },
    PopPc {
        list: u8,
    },
    Stm {
        rn: Reg,
        list: u8,
    },
    Ldm {
        rn: Reg,
        list: u8,
    },

    /// Conditional branch; `offset` in halfwords from the instruction's address plus 4.
    BCond {
        condition: Condition,
        offset: i8,
    },
    /// Unconditional branch, the same way.
    B {
        offset: i16,
    },
    /// Branch with link: 24 bits of halfwords, split so that the instruction stays small.
    Bl {
        high: i8,
        low: u16,
    },

    Nop,
    /// Instructions that need more than registers, flags and memory; not on the fast path.
    System(SystemOp),
    Undefined,
}

/// Instructions that change what runs next or how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SystemOp {
    /// SVC.
    Svc,
    /// BKPT.
    Bkpt,
    /// CPSIE i and CPSID i.
    Cps {
        /// Whether it is CPSID.
        disable: bool,
    },
    /// SEV.
    Sev,
    /// WFE.
    Wfe,
    /// WFI.
    Wfi,
    /// DSB, DMB and ISB.
    Barrier,
    /// MRS.
    Mrs {
        /// The register.
        rd: u8,
        /// Number of the special register.
        special: u8,
    },
    /// MSR.
    Msr {
        /// The register.
        rn: u8,
        /// Number of the special register.
        special: u8,
    },
}

/// Condition of a conditional branch, in the order of their encodings (ARMv6-M Architecture Reference
/// Manual, A6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Carry set; unsigned higher or the same.
    Cs,
    /// Carry clear; unsigned lower.
    Cc,
    /// Negative.
    Mi,
    /// Positive or zero.
    Pl,
    /// Overflow.
    Vs,
    /// No overflow.
    Vc,
    /// Unsigned higher.
    Hi,
    /// Unsigned lower or the same.
    Ls,
    /// Signed greater or equal.
    Ge,
    /// Signed less.
    Lt,
    /// Signed greater.
    Gt,
    /// Signed less or equal.
    Le,
}

impl Condition {
    /// The one that holds when this one does not.
    pub fn inverse(self) -> Condition {
        match self {
            Condition::Eq => Condition::Ne,
            Condition::Ne => Condition::Eq,
            Condition::Cs => Condition::Cc,
            Condition::Cc => Condition::Cs,
            Condition::Mi => Condition::Pl,
            Condition::Pl => Condition::Mi,
            Condition::Vs => Condition::Vc,
            Condition::Vc => Condition::Vs,
            Condition::Hi => Condition::Ls,
            Condition::Ls => Condition::Hi,
            Condition::Ge => Condition::Lt,
            Condition::Lt => Condition::Ge,
            Condition::Gt => Condition::Le,
            Condition::Le => Condition::Gt,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode::decode;
    use super::*;
    use crate::TracedFlags;

    #[test]
    fn a_condition_holds_when_its_inverse_does_not() {
        for code in 0xD000..0xDE00 {
            let Op::BCond { condition, .. } = decode(code, None) else { panic!("{code:04x}") };
            for flags in (0..16).map(|flags| flags << 28) {
                let holds = |it: Condition| it.holds(&mut TracedFlags::of(flags));
                assert_ne!(holds(condition), holds(condition.inverse()), "{condition:?}");
            }
        }
    }
}
