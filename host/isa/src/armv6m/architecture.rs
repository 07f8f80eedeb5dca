// SPDX-License-Identifier: MIT OR Apache-2.0
//! ARMv6-M as debuggers and tools see it.

use super::describe::{bytes, instruction};
use super::exceptions::INTERRUPT_0;
use super::timing::{BRANCH, ENTRY, EXIT};
use crate::{
    Architecture, ByteOrder, Instruction, Pointers, RegisterInfo, RegisterKind, RegisterRole,
    Vectors,
};

/// ARMv6-M. Registers are numbered as in [`Core::register`](super::Core::register).
pub static ARCHITECTURE: Architecture = Architecture {
    name: "ARMv6-M",
    elf_machine: 40,
    elf_variants: &[],
    gdb_name: "armv6s-m",
    registers: &REGISTERS,
    gdb_registers: REGISTERS.len(),
    // Procedure Call Standard for the Arm Architecture, 6.1.1.
    arguments: &[&[0], &[1], &[2], &[3]],
    pointers: Pointers {
        data_base: 0,
        data_bytes: 4,
        code_bytes: 4,
        code_unit: 1,
        code_mark: 1,
        return_address: ByteOrder::Little,
    },
    byte_order: ByteOrder::Little,
    instruction_alignment: 2,
    vectors: Vectors::Pointers,
    first_interrupt: INTERRUPT_0,
    interrupt_cycles: ENTRY + EXIT - BRANCH,
    fault: "HardFault",
    decode,
};

/// Number of xPSR.
pub const XPSR: usize = 16;
/// Number of the main stack pointer.
pub const MSP: usize = 17;
/// Number of the process stack pointer.
pub const PSP: usize = 18;
/// Number of PRIMASK.
pub const PRIMASK: usize = 19;
/// Number of CONTROL.
pub const CONTROL: usize = 20;

/// Bits of xPSR with the number of the active exception (ARMv6-M Architecture Reference Manual, B1.4.2).
const IPSR_MASK: u32 = 0x3F;

/// Number of the exception that was active when xPSR had this value; 0 for none.
pub fn exception_of(xpsr: u32) -> u32 {
    xpsr & IPSR_MASK
}

/// In GDB's order (GDB manual, "Standard Target Features", ARM), and with its names.
static REGISTERS: [RegisterInfo; 21] = [
    general("r0"),
    general("r1"),
    general("r2"),
    general("r3"),
    general("r4"),
    general("r5"),
    general("r6"),
    general("r7"),
    general("r8"),
    general("r9"),
    general("r10"),
    general("r11"),
    general("r12"),
    with_role("sp", RegisterKind::DataPointer, RegisterRole::StackPointer),
    with_role("lr", RegisterKind::Integer, RegisterRole::ReturnAddress),
    with_role("pc", RegisterKind::CodePointer, RegisterRole::ProgramCounter),
    general("xpsr"),
    system("msp", RegisterKind::DataPointer),
    system("psp", RegisterKind::DataPointer),
    system("primask", RegisterKind::Integer),
    system("control", RegisterKind::Integer),
];

const fn general(name: &'static str) -> RegisterInfo {
    RegisterInfo {
        name,
        bits: 32,
        kind: RegisterKind::Integer,
        role: None,
        group: "general",
        feature: "org.gnu.gdb.arm.m-profile",
    }
}

const fn with_role(name: &'static str, kind: RegisterKind, role: RegisterRole) -> RegisterInfo {
    RegisterInfo { kind, role: Some(role), ..general(name) }
}

const fn system(name: &'static str, kind: RegisterKind) -> RegisterInfo {
    RegisterInfo { kind, group: "system", feature: "org.gnu.gdb.arm.m-system", ..general(name) }
}

fn decode(address: u32, code: &[u8]) -> Option<Instruction> {
    let half = |at: usize| Some(u16::from_le_bytes([*code.get(at)?, *code.get(at + 1)?]));
    let first = half(0)?;
    let second = half(2);
    let whole = bytes(first) == 2 || second.is_some();
    whole.then(|| instruction(address, first, second))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::armv6m::{LR, PC, SP};
    use crate::{Flow, System, architecture};

    #[test]
    fn numbers_are_those_of_the_table() {
        let number = |role| ARCHITECTURE.register(role);
        assert_eq!(number(RegisterRole::ProgramCounter), Some(PC.into()));
        assert_eq!(number(RegisterRole::StackPointer), Some(SP.into()));
        assert_eq!(number(RegisterRole::ReturnAddress), Some(LR.into()));
        let names = [(XPSR, "xpsr"), (MSP, "msp"), (PSP, "psp"), (PRIMASK, "primask")];
        for (number, name) in names.into_iter().chain([(CONTROL, "control")]) {
            assert_eq!(REGISTERS[number].name, name);
        }
        assert_eq!(ARCHITECTURE.register_bytes(), 84);
    }

    #[test]
    fn instructions_are_decoded_from_bytes() {
        let flow = |code: &[u8]| (ARCHITECTURE.decode)(0x100, code).map(|it| it.flow);
        assert_eq!(flow(&[0x70, 0x47]), Some(Flow::Return), "bx lr");
        assert_eq!(flow(&[0xff, 0xf7, 0xfe, 0xff]), Some(Flow::Call(0x100)), "bl");
        assert_eq!(flow(&[0xff, 0xf7]), None, "half of bl");
        assert_eq!(flow(&[0x70]), None);
        assert_eq!(architecture(40), Some(&ARCHITECTURE));
    }

    #[test]
    fn only_a_look_at_the_exception_number_asks_where_code_runs() {
        let system = |second| instruction(0, 0xF3EF, Some(second)).system;
        assert_eq!(system(0x8305), Some(System::ReadException), "mrs r3, ipsr");
        assert_eq!(system(0x8309), Some(System::Register), "mrs r3, psp");
    }
}
