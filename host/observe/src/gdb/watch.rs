// SPDX-License-Identifier: MIT OR Apache-2.0
//! Data watchpoints. While there is one, the mote is stepped, and each step is compared with the
//! access of its instruction and with the previous bytes. So nothing is missed: neither a store nor
//! a write by DMA or by the entry of an exception.

use super::access::Access;
use gdbstub::target::ext::breakpoints::WatchKind;
use lichen_chip::Chip;

/// Watched bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Watchpoint {
    pub address: u32,
    pub kind: WatchKind,
    /// The bytes as they were last seen.
    bytes: Vec<u8>,
}

impl Watchpoint {
    /// Watches `length` bytes; `None` where there is no memory to watch.
    pub fn new(chip: &dyn Chip, address: u32, length: u32, kind: WatchKind) -> Option<Watchpoint> {
        let longest = chip.memories().iter().map(|memory| memory.size).max()?;
        if length == 0 || length > longest {
            return None;
        }
        let mut bytes = vec![0; length as usize];
        chip.peek(address, &mut bytes).ok()?;
        Some(Watchpoint { address, kind, bytes })
    }

    /// Whether these arguments would create the same one.
    pub fn is(&self, address: u32, length: u32, kind: WatchKind) -> bool {
        (self.address, self.bytes.len(), self.kind) == (address, length as usize, kind)
    }

    /// Records the bytes as they are now.
    pub fn look(&mut self, chip: &dyn Chip) {
        self.changes(chip);
    }

    /// Whether to stop after a step that made `access`.
    pub fn meets(&mut self, chip: &dyn Chip, access: Option<Access>) -> bool {
        let changed = self.changes(chip);
        let touched = access.filter(|access| self.overlaps(access));
        let written = changed || touched.is_some_and(|access| access.write);
        let read = touched.is_some_and(|access| !access.write);
        match self.kind {
            WatchKind::Write => written,
            WatchKind::Read => read,
            WatchKind::ReadWrite => read || written,
        }
    }

    fn changes(&mut self, chip: &dyn Chip) -> bool {
        let mut now = vec![0; self.bytes.len()];
        if chip.peek(self.address, &mut now).is_err() {
            return false;
        }
        let before = std::mem::replace(&mut self.bytes, now);
        before != self.bytes
    }

    fn overlaps(&self, access: &Access) -> bool {
        let end = |address: u32, length: u32| u64::from(address) + u64::from(length);
        u64::from(access.address) < end(self.address, self.bytes.len() as u32)
            && u64::from(self.address) < end(access.address, access.bytes)
    }
}
