// SPDX-License-Identifier: MIT OR Apache-2.0
//! An access on SPI: what its first bytes ask for (data sheet of the AT86RF233, "SPI Protocol").

use borsh::{BorshDeserialize, BorshSerialize};

/// What the master wants while the radio is selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, BorshSerialize, BorshDeserialize)]
pub(super) enum Access {
    /// The first byte says.
    #[default]
    Command,
    /// A register.
    Register { register: u8, writes: bool },
    /// The frame buffer from its beginning: the length of the frame, and then its bytes.
    Frame { at: u8, writes: bool },
    /// The address in the SRAM is to come.
    Address { writes: bool },
    /// The SRAM from an address on.
    Sram { at: u8, writes: bool },
    /// What follows means nothing.
    Over,
}

impl Access {
    /// The access that a first byte begins.
    pub fn begun(command: u8) -> Access {
        let writes = command & 1 << 6 != 0;
        match (command >> 7, command >> 5 & 1) {
            (1, _) => Access::Register { register: command & 0x3F, writes },
            (_, 1) => Access::Frame { at: 0, writes },
            _ => Access::Address { writes },
        }
    }

    /// What the byte after the next one is for.
    pub fn after(self, byte: u8) -> Access {
        match self {
            Access::Command => Access::begun(byte),
            Access::Register { .. } | Access::Over => Access::Over,
            Access::Address { writes } => Access::Sram { at: byte, writes },
            Access::Frame { at, writes } => Access::Frame { at: at.saturating_add(1), writes },
            Access::Sram { at, writes } => Access::Sram { at: at.wrapping_add(1), writes },
        }
    }
}
