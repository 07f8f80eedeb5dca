// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machines that containers are for.

use crate::header::Rows;
use crate::partition::Storage;
use std::fmt;

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Machine {
    /// ARMv6-M.
    Armv6m,
    /// AVR with 16-bit pointers to flash.
    Avr8,
}

impl Machine {
    /// All of them.
    pub const ALL: [Machine; 2] = [Machine::Armv6m, Machine::Avr8];

    /// Its number in the header.
    pub fn number(self) -> u8 {
        match self {
            Machine::Armv6m => 1,
            Machine::Avr8 => 2,
        }
    }

    /// The machine of this number.
    pub fn numbered(number: u8) -> Option<Machine> {
        Machine::ALL.into_iter().find(|machine| machine.number() == number)
    }

    /// Bytes of a row of each table, and of a mutex: `struct thread_info`, `link_taker`, `syslog_module` and what
    /// makes it even, `shell_command`, a pointer, `struct mutex`, `event_row`.
    pub fn row_bytes(self) -> Rows<u32> {
        let [threads, receivers, modules, commands, starts, mutexes, events] = match self {
            Machine::Armv6m => [20, 8, 12, 16, 4, 8, 8],
            Machine::Avr8 => [12, 4, 6, 8, 2, 4, 4],
        };
        Rows { threads, receivers, modules, commands, starts, mutexes, events }
    }

    /// Bytes of the object of each kind of storage: `struct log`, `struct volume`, `struct counter`.
    pub(crate) fn storage_bytes(self, kind: Storage) -> u32 {
        match (self, kind) {
            (Machine::Armv6m, Storage::Log) => 24,
            (Machine::Armv6m, Storage::Volume) => 16,
            (Machine::Armv6m, Storage::Counter) => 20,
            (Machine::Avr8, Storage::Log) => 19,
            (Machine::Avr8, Storage::Volume | Storage::Counter) => 13,
        }
    }

    /// What the lengths of objects, stacks and data are multiples of.
    pub fn multiples(self) -> [u16; 3] {
        match self {
            Machine::Armv6m => [4, 8, 4],
            Machine::Avr8 => [2, 1, 1],
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Machine::Armv6m => "ARMv6-M",
            Machine::Avr8 => "AVR",
        })
    }
}
