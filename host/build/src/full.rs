// SPDX-License-Identifier: MIT OR Apache-2.0
//! RAM or flash that is full: the linker reports by how much; its map shows what takes most.

use super::Message;
use super::postable::{failed, file};
use crate::map::{Piece, pieces};
use std::path::Path;

/// Things to name.
const MOST: usize = 3;
/// How sections of RAM begin; the name of what is in them follows.
const OF_RAM: [&str; 4] = [".bss.", ".data.", ".stack.", ".noinit."];
/// How sections of flash begin; what is initialised in RAM is there, too.
const OF_FLASH: [&str; 3] = [".rodata.", ".text.", ".data."];

/// Names what takes most of a memory that is full. `folder` has the map, `source` the program.
pub(super) fn name_largest(messages: &mut [Message], output: &str, folder: &Path, source: &Path) {
    let is_full = |message: &&mut Message| message.is_of_full_ram() || message.is_of_full_flash();
    let Some(message) = messages.iter_mut().find(is_full) else {
        return;
    };
    let sections: &[&str] = if message.is_of_full_ram() { &OF_RAM } else { &OF_FLASH };
    let map = failed(output).map(|name| folder.join(format!("{name}.map")));
    let map = map.and_then(|map| std::fs::read_to_string(map).ok()).unwrap_or_default();
    let largest = largest(&map, sections, source);
    if !largest.is_empty() {
        message.text = format!("{}; most of it is {}", message.text, largest.join(", "));
    }
}

fn largest(map: &str, sections: &[&str], source: &Path) -> Vec<String> {
    let mut pieces: Vec<(Piece<'_>, &str)> = pieces(map)
        .filter_map(|piece| {
            let name = sections.iter().find_map(|section| piece.section.strip_prefix(section))?;
            Some((piece, name))
        })
        .collect();
    pieces.sort_by_key(|(piece, _)| std::cmp::Reverse(piece.bytes));
    let reported = |(piece, name): &(Piece<'_>, &str)| {
        let name = name
            .strip_suffix("_stack")
            .map_or(format!("`{name}'"), |thread| format!("the stack of `{thread}'"));
        format!("{name} of {} with {} bytes", file(piece, source), piece.bytes)
    };
    pieces.iter().take(MOST).map(reported).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_most_is_named() {
        let map = "Linker script and memory map\n\n.bss\n .bss.small\n                0x20000000        0x4 \
                   CMakeFiles/a.dir/main.c.obj\n .bss.huge      0x20000004     0x4000 CMakeFiles/a.dir/main.c.obj\n \
                   .stack.t_stack\n                0x20004004      0x200 CMakeFiles/a.dir/more/other.c.obj\n";
        assert_eq!(
            largest(map, &OF_RAM, Path::new("app/a")),
            [
                "`huge' of main.c with 16384 bytes",
                "the stack of `t' of more/other.c with 512 bytes",
                "`small' of main.c with 4 bytes"
            ]
        );
    }
}
