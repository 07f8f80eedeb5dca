// SPDX-License-Identifier: MIT OR Apache-2.0
//! Numbers of rows of a program's tables, and of its mutexes.

use crate::elf::{Elf, Role};
use crate::error::PackError;
use lichen_container::Rows;
use lichen_image::Image;

/// Tables by what the link calls them, in their order.
const TABLES: [&str; 6] = ["threads", "receivers", "modules", "commands", "starts", "events"];

/// The rows of the program in `elf`, whose debug information `image` has.
pub fn rows(elf: &Elf, image: &Image) -> Result<Rows<u8>, PackError> {
    let row_bytes = elf.machine.row_bytes();
    let mut rows = [0; TABLES.len()];
    for ((table, row), rows) in TABLES.into_iter().zip(row_bytes.tables()).zip(&mut rows) {
        let edge = |edge| elf.address(&format!("tables_{table}_{edge}"));
        let bytes = edge("end").zip(edge("begin")).map_or(0, |(end, begin)| end - begin);
        if bytes % row != 0 {
            return Err(PackError::Rows { table, bytes, row });
        }
        *rows = count("rows of a table", bytes / row)?;
    }
    let mutexes = count("mutexes", mutexes(elf, image) / row_bytes.mutexes)?;
    let [threads, receivers, modules, commands, starts, events] = rows;
    Ok(Rows { threads, receivers, modules, commands, starts, mutexes, events })
}

/// Bytes of mutexes, the first of the objects: the link says where they end, or the debug information says which they are.
fn mutexes(elf: &Elf, image: &Image) -> u32 {
    let Some(objects) = elf.of(Role::Objects).next() else { return 0 };
    if let Some(end) = elf.address("objects_mutexes_end") {
        return end - objects.address;
    }
    let known = image.variables("mutex");
    let are_mutexes = |address: u32| {
        let is_it = |known: &lichen_image::Variable| known.structures == ["mutex"];
        known.iter().any(|known| known.address == Some(address) && is_it(known))
    };
    let mut end = objects.address;
    let of_objects = elf.names.iter().filter(|name| name.role == Role::Objects && name.size > 0);
    for name in of_objects.filter(|name| are_mutexes(name.address)) {
        end = end.max(name.address + name.size);
    }
    end - objects.address
}

fn count(what: &'static str, number: u32) -> Result<u8, PackError> {
    let most = u8::MAX.into();
    u8::try_from(number).map_err(|_| PackError::TooMuch { what, number: number.into(), most })
}
