// SPDX-License-Identifier: MIT OR Apache-2.0
//! The description of the target for the debugger, in XML: registers and memories.

use lichen_chip::MemoryInfo;
use std::fmt::Write;

/// Bytes of flash that are erased together (SAM R21 data sheet, "NVM Rows": four pages of 64 bytes).
pub(super) const FLASH_ROW: u32 = 256;

/// The registers, numbered as in `Chip::register` (GDB manual, "Standard Target Features", ARM).
pub(super) fn target() -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n\
         <target version=\"1.0\">\n<architecture>armv6s-m</architecture>\n\
         <feature name=\"org.gnu.gdb.arm.m-profile\">\n",
    );
    for number in 0..=12 {
        register(&mut xml, &format!("r{number}"), "int", "general");
    }
    register(&mut xml, "sp", "data_ptr", "general");
    register(&mut xml, "lr", "int", "general");
    register(&mut xml, "pc", "code_ptr", "general");
    register(&mut xml, "xpsr", "int", "general");
    xml.push_str("</feature>\n<feature name=\"org.gnu.gdb.arm.m-system\">\n");
    register(&mut xml, "msp", "data_ptr", "system");
    register(&mut xml, "psp", "data_ptr", "system");
    register(&mut xml, "primask", "int", "system");
    register(&mut xml, "control", "int", "system");
    xml.push_str("</feature>\n</target>\n");
    xml
}

fn register(xml: &mut String, name: &str, kind: &str, group: &str) {
    // Writing to a String cannot fail.
    let _ =
        writeln!(xml, "<reg name=\"{name}\" bitsize=\"32\" type=\"{kind}\" group=\"{group}\"/>");
}

/// The memories: the debugger loads programs into flash by erasing, and reads nothing outside.
pub(super) fn memory_map(memories: &[MemoryInfo]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE memory-map PUBLIC \
         \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" \
         \"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n<memory-map>\n",
    );
    for MemoryInfo { name, start, size } in memories {
        let place = format!("start=\"0x{start:x}\" length=\"0x{size:x}\"");
        let _ = match *name {
            "flash" => writeln!(
                xml,
                "<memory type=\"flash\" {place}>\
                 <property name=\"blocksize\">0x{FLASH_ROW:x}</property></memory>"
            ),
            _ => writeln!(xml, "<memory type=\"ram\" {place}/>"),
        };
    }
    xml.push_str("</memory-map>\n");
    xml
}

/// Copies the part of `text` that a debugger requests, at most `length` bytes from `offset`, into
/// `buffer`; returns their number.
pub(super) fn part(text: &str, offset: u64, length: usize, buffer: &mut [u8]) -> usize {
    let rest = usize::try_from(offset).ok().and_then(|offset| text.as_bytes().get(offset..));
    let rest = rest.unwrap_or_default();
    let count = rest.len().min(length).min(buffer.len());
    buffer[..count].copy_from_slice(&rest[..count]);
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_come_in_the_order_of_the_chip() {
        let xml = target();
        let names: Vec<&str> = xml
            .lines()
            .filter_map(|line| line.strip_prefix("<reg name=\"")?.split('"').next())
            .collect();
        assert_eq!(names.len(), crate::REGISTERS);
        let special = ["sp", "lr", "pc", "xpsr", "msp", "psp", "primask", "control"];
        assert_eq!(names[13..], special);
    }

    #[test]
    fn parts_put_together_are_the_whole() {
        let text = "memory map";
        let mut buffer = [0; 4];
        let mut whole: Vec<u8> = Vec::new();
        loop {
            let count = part(text, whole.len() as u64, 100, &mut buffer);
            if count == 0 {
                break;
            }
            whole.extend(&buffer[..count]);
        }
        assert_eq!(whole, text.as_bytes());
        assert_eq!(part(text, u64::MAX, 100, &mut buffer), 0);
    }
}
