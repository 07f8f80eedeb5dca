// SPDX-License-Identifier: MIT OR Apache-2.0
//! How functions use the stack at each of their instructions (`.debug_frame`), to find their callers.

use crate::dwarf::{self, Reader};
use gimli::{CfaRule, DebugFrame, RegisterRule, Section, UnwindContext, UnwindSection};
use std::sync::{Arc, OnceLock};

/// A function's use of the stack where it calls, or is interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallFrame {
    /// The register, by its DWARF number, from which the frame is found: the stack pointer, or a copy.
    pub register: u16,
    /// From its value to that which the stack pointer has in the caller, after the return.
    pub caller: i64,
    /// Where the return address is, relative to that value; `None` while the link register has it.
    pub return_at: Option<i64>,
}

/// Bytes of an address in the tables, of both architectures.
const ADDRESS_BYTES: u8 = 4;

/// The frames of an image, read on first use.
#[derive(Debug)]
pub(crate) struct Frames {
    bytes: Arc<[u8]>,
    section: OnceLock<Option<DebugFrame<Reader>>>,
}

impl Frames {
    pub(crate) fn new(bytes: Arc<[u8]>) -> Frames {
        Frames { bytes, section: OnceLock::new() }
    }

    /// The frame at the instruction at `pc`; `None` if the image does not say.
    pub(crate) fn at(&self, pc: u32) -> Option<CallFrame> {
        let section = self.section.get_or_init(|| {
            let bytes = dwarf::section(&self.bytes, DebugFrame::<Reader>::id())?;
            let mut section = DebugFrame::from(bytes);
            section.set_address_size(ADDRESS_BYTES);
            Some(section)
        });
        let section = section.as_ref()?;
        let bases = gimli::BaseAddresses::default();
        let entry = section.fde_for_address(&bases, pc.into(), DebugFrame::cie_from_offset).ok()?;
        let mut context = UnwindContext::new();
        let row = entry.unwind_info_for_address(section, &bases, &mut context, pc.into()).ok()?;
        let CfaRule::RegisterAndOffset { register, offset } = row.cfa() else { return None };
        let return_at = match row.register(entry.cie().return_address_register()) {
            RegisterRule::Offset(offset) => Some(offset),
            RegisterRule::Undefined | RegisterRule::SameValue => None,
            _ => return None,
        };
        Some(CallFrame { register: register.0, caller: *offset, return_at })
    }
}
