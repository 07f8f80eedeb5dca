// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions by their names, as the tests write them.

pub const NOP: u16 = 0x0000;
pub const SEI: u16 = 0x9478;
pub const CLI: u16 = 0x94F8;
pub const RET: u16 = 0x9508;
pub const RETI: u16 = 0x9518;
pub const SLEEP: u16 = 0x9588;
pub const WDR: u16 = 0x95A8;
pub const SPM: u16 = 0x95E8;
pub const ELPM_INC_R0: u16 = 0x9007;
pub const LPM_R0: u16 = 0x95C8;
/// rjmp .
pub const HANG: u16 = 0xCFFF;

/// I/O addresses of the core's registers.
pub const RAMPZ: u16 = 0x3B;
pub const SPL: u16 = 0x3D;
pub const SPH: u16 = 0x3E;
pub const SREG: u16 = 0x3F;

fn d(register: u16) -> u16 {
    register << 4
}

/// `register` is one of r16 to r31.
pub fn ldi(register: u16, value: u8) -> u16 {
    let value = u16::from(value);
    0xE000 | d(register - 16) | (value & 0xF0) << 4 | value & 0x0F
}

pub fn input(register: u16, io: u16) -> u16 {
    0xB000 | d(register) | (io & 0x30) << 5 | io & 0x0F
}

pub fn out(io: u16, register: u16) -> u16 {
    input(register, io) | 0x0800
}

pub fn push(register: u16) -> u16 {
    0x920F | d(register)
}

pub fn pop(register: u16) -> u16 {
    0x900F | d(register)
}

pub fn inc(register: u16) -> u16 {
    0x9403 | d(register)
}

pub fn lds(register: u16, address: u16) -> [u16; 2] {
    [0x9000 | d(register), address]
}

pub fn sts(address: u16, register: u16) -> [u16; 2] {
    [0x9200 | d(register), address]
}

/// `offset` counts words from the next instruction.
pub fn rjmp(offset: i16) -> u16 {
    0xC000 | offset as u16 & 0x0FFF
}

/// `to` is an address of a byte.
pub fn jmp(to: u32) -> [u16; 2] {
    [0x940C, (to / 2) as u16]
}

pub fn call(to: u32) -> [u16; 2] {
    [0x940E, (to / 2) as u16]
}

/// `io` is below 32.
pub fn sbi(io: u16, bit: u16) -> u16 {
    0x9A00 | io << 3 | bit
}

pub fn sbis(io: u16, bit: u16) -> u16 {
    0x9B00 | io << 3 | bit
}
