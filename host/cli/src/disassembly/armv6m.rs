// SPDX-License-Identifier: MIT OR Apache-2.0
//! Thumb instructions, as ARMv6-M has them.

use lichen_isa::armv6m::{LR, Op, SP, SystemOp, decode, special};
use yaxpeax_arch::{Decoder, U8Reader};
use yaxpeax_arm::armv7::InstDecoder;

pub(super) fn disassemble(_address: u32, first: u16, second: Option<u16>) -> String {
    if let Some(text) = second.and_then(|second| special_register_move(first, second)) {
        return text;
    }
    let halves = [Some(first), second];
    let bytes: Vec<u8> = halves.into_iter().flatten().flat_map(u16::to_le_bytes).collect();
    match InstDecoder::default_thumb().decode(&mut U8Reader::new(&bytes)) {
        Ok(instruction) => instruction.to_string(),
        Err(_) => format!(".hword 0x{first:04x}"),
    }
}

/// MRS and MSR. The disassembler's are those of the application profile, whose special registers are
/// others (ARMv6-M ARM, B4.2.2 and B4.2.3).
fn special_register_move(first: u16, second: u16) -> Option<String> {
    match decode(first, Some(second)) {
        Op::System(SystemOp::Mrs { rd, special }) => {
            Some(format!("mrs {}, {}", register(rd), special::name(special)?))
        }
        Op::System(SystemOp::Msr { special, rn }) => {
            Some(format!("msr {}, {}", special::name(special)?, register(rn)))
        }
        _ => None,
    }
}

fn register(number: u8) -> String {
    match number {
        SP => "sp".into(),
        LR => "lr".into(),
        _ => format!("r{number}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodings as the assembler has them: `arm-none-eabi-as -mcpu=cortex-m0plus`.
    #[test]
    fn special_registers_are_those_of_the_microcontroller_profile() {
        for (first, second, text) in [
            (0xf3ef, 0x8209, "mrs r2, psp"),
            (0xf3ef, 0x8305, "mrs r3, ipsr"),
            (0xf3ef, 0x8e10, "mrs lr, primask"),
            (0xf382, 0x8809, "msr psp, r2"),
            (0xf384, 0x8814, "msr control, r4"),
        ] {
            assert_eq!(special_register_move(first, second).as_deref(), Some(text));
        }
        assert_eq!(special_register_move(0xf3bf, 0x8f6f), None, "isb");
        assert_eq!(special_register_move(0xf000, 0xf809), None, "bl");
    }
}
