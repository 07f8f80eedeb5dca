// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls of the system on one machine, by number.

use lichen_container::{Group, Machine};
use lichen_project::interface::{self, Architecture};
use std::collections::HashMap;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its name.
    pub name: String,
    /// The name of its group.
    pub group_name: String,
    /// Its group, as containers have it.
    pub group: Group,
}

/// The calls of one machine.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    calls: HashMap<u8, Call>,
    numbers: HashMap<String, u8>,
}

impl Interface {
    /// Those that `interface` lists for `machine`.
    pub fn of(interface: &interface::Interface, machine: Machine) -> Interface {
        let architecture = match machine {
            Machine::Armv6m => Architecture::Armv6m,
            Machine::Avr8 => Architecture::Avr8,
        };
        let mut calls = Interface::default();
        for group in interface.groups.iter().filter(|group| group.is_on(architecture)) {
            let fingerprint = group.fingerprint(architecture);
            for call in &group.calls {
                calls.numbers.insert(call.name.clone(), call.id);
                let group_name = group.name.clone();
                let group = Group { number: group.number, fingerprint };
                calls.calls.insert(call.id, Call { name: call.name.clone(), group_name, group });
            }
        }
        calls
    }

    /// The number of the call of this name.
    pub fn number(&self, name: &str) -> Option<u8> {
        self.numbers.get(name).copied()
    }

    /// The call of this number.
    pub fn call(&self, number: u8) -> Option<&Call> {
        self.calls.get(&number)
    }

    /// The name of a group.
    pub fn group_name(&self, group: u8) -> Option<&str> {
        let mut calls = self.calls.values();
        calls.find(|call| call.group.number == group).map(|call| call.group_name.as_str())
    }

    /// The fingerprint of a group.
    pub fn fingerprint(&self, group: u8) -> Option<u16> {
        let mut groups = self.calls.values().map(|call| call.group);
        groups.find(|known| known.number == group).map(|known| known.fingerprint)
    }
}
