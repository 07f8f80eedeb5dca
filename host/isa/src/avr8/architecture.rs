// SPDX-License-Identifier: MIT OR Apache-2.0
//! AVR as debuggers and tools see it.

use super::describe::{instruction, needs_second};
use super::timing::{ENTRY, JUMP};
use crate::{
    Architecture, ByteOrder, Instruction, Pointers, RegisterInfo, RegisterKind, RegisterRole,
    Vectors,
};

/// Linear address of data address 0 in ELF files and debuggers.
pub const DATA_BASE: u32 = 0x80_0000;

/// Number of SREG.
pub const SREG: usize = 32;
/// Number of the stack pointer.
pub const SP: usize = 33;
/// Number of the program counter, an address of a byte.
pub const PC: usize = 34;
/// Number of RAMPZ.
pub const RAMPZ: usize = 35;

/// AVR. Registers are numbered as in [`Core::register`](super::Core::register).
pub static ARCHITECTURE: Architecture = Architecture {
    name: "AVR",
    elf_machine: 83,
    elf_variants: &[51, 5],
    gdb_name: "avr:51",
    registers: &REGISTERS,
    // GDB reads no target description for AVR: it knows r0 to r31, SREG, SP and PC (GDB, avr-tdep.c).
    gdb_registers: RAMPZ,
    // avr-gcc's calling convention ("Application Binary Interface" of the GCC wiki on AVR).
    arguments: &[
        &[24, 25],
        &[22, 23],
        &[20, 21],
        &[18, 19],
        &[16, 17],
        &[14, 15],
        &[12, 13],
        &[10, 11],
        &[8, 9],
    ],
    pointers: Pointers {
        data_base: DATA_BASE,
        data_bytes: 2,
        code_bytes: 2,
        code_unit: 2,
        code_mark: 0,
        return_address: ByteOrder::Big,
    },
    byte_order: ByteOrder::Little,
    instruction_alignment: 2,
    vectors: Vectors::Instructions(4),
    first_interrupt: 1,
    interrupt_cycles: ENTRY + JUMP,
    fault: "",
    decode,
};

static REGISTERS: [RegisterInfo; 36] = [
    byte("r0"),
    byte("r1"),
    byte("r2"),
    byte("r3"),
    byte("r4"),
    byte("r5"),
    byte("r6"),
    byte("r7"),
    byte("r8"),
    byte("r9"),
    byte("r10"),
    byte("r11"),
    byte("r12"),
    byte("r13"),
    byte("r14"),
    byte("r15"),
    byte("r16"),
    byte("r17"),
    byte("r18"),
    byte("r19"),
    byte("r20"),
    byte("r21"),
    byte("r22"),
    byte("r23"),
    byte("r24"),
    byte("r25"),
    byte("r26"),
    byte("r27"),
    byte("r28"),
    byte("r29"),
    byte("r30"),
    byte("r31"),
    byte("sreg"),
    pointer("sp", 16, RegisterKind::DataPointer, RegisterRole::StackPointer),
    pointer("pc", 32, RegisterKind::CodePointer, RegisterRole::ProgramCounter),
    RegisterInfo { group: "system", feature: "org.lichen.avr.system", ..byte("rampz") },
];

const fn byte(name: &'static str) -> RegisterInfo {
    RegisterInfo {
        name,
        bits: 8,
        kind: RegisterKind::Integer,
        role: None,
        group: "general",
        feature: "org.gnu.gdb.avr.cpu",
    }
}

const fn pointer(
    name: &'static str,
    bits: u32,
    kind: RegisterKind,
    role: RegisterRole,
) -> RegisterInfo {
    RegisterInfo { bits, kind, role: Some(role), ..byte(name) }
}

fn decode(address: u32, code: &[u8]) -> Option<Instruction> {
    let word = |at: usize| Some(u16::from_le_bytes([*code.get(at)?, *code.get(at + 1)?]));
    let first = word(0)?;
    let second = if needs_second(first) { word(2)? } else { 0 };
    Some(instruction(address, first, second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Flow, architecture};

    #[test]
    fn numbers_are_those_of_the_table() {
        let number = |role| ARCHITECTURE.register(role);
        assert_eq!(number(RegisterRole::ProgramCounter), Some(PC));
        assert_eq!(number(RegisterRole::StackPointer), Some(SP));
        for (number, name) in [(0, "r0"), (31, "r31"), (SREG, "sreg"), (RAMPZ, "rampz")] {
            assert_eq!(REGISTERS[number].name, name);
        }
        assert_eq!(architecture(83), Some(&ARCHITECTURE));
        let of_gdb = &REGISTERS[..ARCHITECTURE.gdb_registers];
        assert_eq!(of_gdb.iter().map(RegisterInfo::bytes).sum::<usize>(), 32 + 1 + 2 + 4);
    }

    #[test]
    fn instructions_are_decoded_from_bytes() {
        let flow = |code: &[u8]| (ARCHITECTURE.decode)(0x100, code).map(|it| it.flow);
        assert_eq!(flow(&[0x08, 0x95]), Some(Flow::Return), "ret");
        assert_eq!(flow(&[0x0e, 0x94, 0x80, 0x00]), Some(Flow::Call(0x100)), "call");
        assert_eq!(flow(&[0x0e, 0x94]), None, "half of call");
        assert_eq!(flow(&[0xfd, 0xcf, 0, 0]), Some(Flow::Branch(0xfc)), "rjmp .-6");
        assert_eq!(flow(&[0x5d, 0x9b, 0, 0]), Some(Flow::BranchIf(0x104)), "sbis over nop");
        assert_eq!(flow(&[0x5d, 0x9b]), None, "what it skips is not known");
    }

    #[test]
    fn pointers_become_linear_addresses() {
        let returned = ARCHITECTURE.pointers.return_address.number(&[0x12, 0x34]);
        assert_eq!(ARCHITECTURE.code_address(returned), 0x2468, "high byte first, in words");
        assert_eq!(ARCHITECTURE.data_address(0x10FF), 0x80_10FF);
        assert_eq!(ARCHITECTURE.byte_order.number(&[0x34, 0x12]), 0x1234);
    }
}
