// SPDX-License-Identifier: MIT OR Apache-2.0
//! The description of the target for the debugger, in XML: registers and memories.

use super::Library;
use lichen_chip::MemoryInfo;
use lichen_isa::{Architecture, RegisterInfo, RegisterKind};
use std::fmt::Write;

/// The registers, in the order of the architecture's table (GDB manual, "Target Description Format"); only the
/// architecture's name where GDB reads no description of registers.
pub(super) fn target(architecture: &Architecture) -> String {
    let mut xml = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n\
         <target version=\"1.0\">\n<architecture>{}</architecture>\n",
        architecture.gdb_name
    );
    let one_feature = |a: &RegisterInfo, b: &RegisterInfo| a.feature == b.feature;
    let reads = architecture.gdb_registers == architecture.registers.len();
    let described = if reads { architecture.registers } else { &[] };
    for registers in described.chunk_by(one_feature) {
        let feature = registers.first().map_or("", |register| register.feature);
        // Writing to a String cannot fail.
        let _ = writeln!(xml, "<feature name=\"{feature}\">");
        for RegisterInfo { name, bits, kind, group, .. } in registers {
            let kind = match kind {
                RegisterKind::Integer => "int",
                RegisterKind::DataPointer => "data_ptr",
                RegisterKind::CodePointer => "code_ptr",
            };
            let size = format!("bitsize=\"{bits}\" type=\"{kind}\" group=\"{group}\"");
            let _ = writeln!(xml, "<reg name=\"{name}\" {size}/>");
        }
        xml.push_str("</feature>\n");
    }
    xml.push_str("</target>\n");
    xml
}

/// The memories: the debugger loads programs into flash by erasing, and reads nothing outside.
pub(super) fn memory_map(memories: &[MemoryInfo]) -> String {
    let mut xml = String::from(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE memory-map PUBLIC \
         \"+//IDN gnu.org//DTD GDB Memory Map V1.0//EN\" \
         \"http://sourceware.org/gdb/gdb-memory-map.dtd\">\n<memory-map>\n",
    );
    for MemoryInfo { start, size, row, .. } in memories {
        let place = format!("start=\"0x{start:x}\" length=\"0x{size:x}\"");
        let _ = match row {
            0 => writeln!(xml, "<memory type=\"ram\" {place}/>"),
            row => writeln!(
                xml,
                "<memory type=\"flash\" {place}>\
                 <property name=\"blocksize\">0x{row:x}</property></memory>"
            ),
        };
    }
    xml.push_str("</memory-map>\n");
    xml
}

/// The loaded programs (GDB manual, "Library List Format"). GDB adds what is said of a section to the address that it has in
/// the file.
pub(super) fn libraries(libraries: &[Library]) -> String {
    let mut xml = String::from("<library-list>\n");
    for Library { path, sections } in libraries {
        let sections = "<section address=\"0x0\"/>".repeat(*sections);
        let _ = writeln!(xml, "<library name=\"{}\">{sections}</library>", path.display());
    }
    xml.push_str("</library-list>\n");
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
    use lichen_isa::armv6m::ARCHITECTURE;
    use lichen_isa::avr8;

    #[test]
    fn registers_come_in_the_order_of_the_table() {
        let xml = target(&ARCHITECTURE);
        let names: Vec<&str> = xml
            .lines()
            .filter_map(|line| line.strip_prefix("<reg name=\"")?.split('"').next())
            .collect();
        assert_eq!(names.len(), ARCHITECTURE.registers.len());
        let special = ["sp", "lr", "pc", "xpsr", "msp", "psp", "primask", "control"];
        assert_eq!(names[13..], special);
        assert_eq!(xml.matches("<feature").count(), 2);
    }

    #[test]
    fn avr_has_no_description_of_its_registers() {
        let xml = target(&avr8::ARCHITECTURE);
        assert!(xml.contains("<architecture>avr:51</architecture>"), "{xml}");
        assert!(!xml.contains("<reg "), "{xml}");
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
