// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packer's check of itself: its container, linked, is the program that the ELF's relocations make.

use crate::blocks::Blocks;
use crate::elf::{Elf, Role};
use crate::error::PackError;
use crate::interface::Interface;
use crate::relocate::{Bases, relocate};
use lichen_container::{Calls, Machine, Places, link};

/// An image that has all calls of the interface at some addresses.
struct Image<'image> {
    interface: &'image Interface,
    address: &'image dyn Fn(u8) -> Option<u32>,
}

impl Calls for Image<'_> {
    fn fingerprint(&self, group: u8) -> Option<u16> {
        self.interface.fingerprint(group)
    }

    fn group(&self, call: u8) -> Option<u8> {
        Some(self.interface.call(call)?.group.number)
    }

    fn address(&self, call: u8) -> Option<u32> {
        (self.address)(call)
    }
}

/// Compares the container `bytes` with its program at the addresses of the link and at two others.
pub fn check(
    elf: &Elf,
    blocks: &Blocks,
    interface: &Interface,
    bytes: &[u8],
) -> Result<(), PackError> {
    let origins = [Role::Flash, Role::Objects, Role::Data].map(|role| blocks.origin(role));
    let linked = Bases {
        flash: origins[0],
        objects: origins[1],
        stacks: blocks.origin(Role::Stacks),
        data: origins[2],
        call: &|address| address,
    };
    for (role, bytes) in [
        (Role::Flash, &blocks.flash_bytes),
        (Role::Objects, &blocks.object_bytes),
        (Role::Data, &blocks.data_bytes),
    ] {
        let what = "the relocations at the addresses of the link";
        same(what, role, bytes, &relocate(elf, blocks, role, &linked))?;
    }
    let number = |address: u32| named(elf, interface, address);
    let stub = |call: u8| {
        let calls = elf.names.iter().filter(|name| name.role == Role::Calls);
        let name = interface.call(call)?.name.as_str();
        calls.into_iter().find(|known| known.name == name).map(|known| known.address)
    };
    let Shifted { places, call } = shifted(elf.machine);
    let at =
        |index: usize, base: u32| move |number: u8| Some(call[index] + base * u32::from(number));
    let origin = if elf.machine == Machine::Avr8 { origins.map(|it| it & 0xffff) } else { origins };
    let nominal = Places { code: origin[0], objects: origin[1], data: origin[2] };
    compare(elf, blocks, interface, bytes, &nominal, &number, &stub)?;
    compare(elf, blocks, interface, bytes, &places[0], &number, &at(0, 4))?;
    compare(elf, blocks, interface, bytes, &places[1], &number, &at(1, 18))
}

/// Two other sets of addresses, whose bytes differ from each other's, and where calls begin.
struct Shifted {
    places: [Places; 2],
    call: [u32; 2],
}

fn shifted(machine: Machine) -> Shifted {
    match machine {
        Machine::Armv6m => Shifted {
            places: [
                Places { code: 0x3_56a4, objects: 0x2000_1238, data: 0x2000_5aa4 },
                Places { code: 0x7c, objects: 0x2000_7f08, data: 0x2000_00fc },
            ],
            call: [0x101, 0x2_0135],
        },
        Machine::Avr8 => Shifted {
            places: [
                Places { code: 0x1234, objects: 0x05ab, data: 0x0cf1 },
                Places { code: 0x00fc, objects: 0x0f0e, data: 0x01ff },
            ],
            call: [0x100, 0x1_5432],
        },
    }
}

fn named(elf: &Elf, interface: &Interface, address: u32) -> Option<u8> {
    let mut calls = elf.names.iter().filter(|name| name.role == Role::Calls);
    let is = calls.find(|name| name.address & !1 == address & !1)?;
    interface.number(&is.name)
}

fn compare(
    elf: &Elf,
    blocks: &Blocks,
    interface: &Interface,
    bytes: &[u8],
    places: &Places,
    number: &dyn Fn(u32) -> Option<u8>,
    call: &dyn Fn(u8) -> Option<u32>,
) -> Result<(), PackError> {
    let odd = u32::from(elf.machine == Machine::Armv6m);
    let call = |number: u8| call(number).map(|address| address | odd);
    let image = Image { interface, address: &call };
    let linked = link(bytes, places, &image)
        .map_err(|error| PackError::Differs { what: error.to_string() })?;
    let bases = Bases {
        flash: places.code,
        objects: places.objects,
        stacks: places.objects + u32::from(blocks.objects),
        data: places.data,
        call: &|address| number(address).and_then(call).unwrap_or(0),
    };
    let flash = linked.flash.len() - usize::from(linked.header.initial_bytes);
    let what = format!("linked for 0x{:x}", places.code);
    for (role, found) in [
        (Role::Flash, &linked.flash[..flash]),
        (Role::Objects, &linked.initial.objects),
        (Role::Data, &linked.initial.data),
    ] {
        same(&what, role, found, &relocate(elf, blocks, role, &bases))?;
    }
    Ok(())
}

fn same(what: &str, role: Role, found: &[u8], expected: &[u8]) -> Result<(), PackError> {
    let lengths = [found.len(), expected.len()];
    let differs = |what: String| Err(PackError::Differs { what });
    if lengths[0] != lengths[1] {
        return differs(format!("{what}: {} bytes of {role:?}, not {}", lengths[0], lengths[1]));
    }
    match found.iter().zip(expected).position(|(a, b)| a != b) {
        Some(at) => differs(format!(
            "{what}: byte {at} of {role:?} is 0x{:02x}, not 0x{:02x}",
            found[at], expected[at]
        )),
        None => Ok(()),
    }
}
