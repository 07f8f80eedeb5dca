// SPDX-License-Identifier: MIT OR Apache-2.0
//! What images for AVR say about the chip that they are made for, beyond the machine: the family of its
//! core, and often its name.
//!
//! Sources: the linker of GNU binutils for the families (`e_flags`) and for the note
//! `.note.gnu.avr.deviceinfo`, in which start-up code names the device (since binutils 2.26).

use crate::elf::File;
use object::{Object, ObjectSection, elf};
use std::fmt;

/// Address of an AVR's signature, as compilers have it.
pub const SIGNATURE: u32 = 0x0084_0000;

/// Whether `address` is one of the signature, which is read and not programmed.
pub(crate) fn is_in_signature(address: u32) -> bool {
    address & !0xFFFF == SIGNATURE
}

/// Whether an address is behind those of flash and of data memory.
pub(crate) fn is_apart(address: u64) -> bool {
    address >= 0x0081_0000
}

/// The family of cores that an image for AVR is made for: `avr51` has the number 51.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant(pub u32);

/// Families by number: name, and a chip of the family.
const VARIANTS: [(u32, &str, &str); 18] = [
    (elf::EF_AVR_ARCH_AVR1, "avr1", "AT90S1200"),
    (elf::EF_AVR_ARCH_AVR2, "avr2", "AT90S8515"),
    (elf::EF_AVR_ARCH_AVR25, "avr25", "ATtiny85"),
    (elf::EF_AVR_ARCH_AVR3, "avr3", "AT43USB355"),
    (elf::EF_AVR_ARCH_AVR31, "avr31", "ATmega103"),
    (elf::EF_AVR_ARCH_AVR35, "avr35", "ATtiny167"),
    (elf::EF_AVR_ARCH_AVR4, "avr4", "ATmega8"),
    (elf::EF_AVR_ARCH_AVR5, "avr5", "ATmega32"),
    (elf::EF_AVR_ARCH_AVR51, "avr51", "ATmega128"),
    (elf::EF_AVR_ARCH_AVR6, "avr6", "ATmega2560"),
    (elf::EF_AVR_ARCH_AVRTINY, "avrtiny", "ATtiny10"),
    (elf::EF_AVR_ARCH_XMEGA1, "avrxmega1", "XMEGA"),
    (elf::EF_AVR_ARCH_XMEGA2, "avrxmega2", "ATxmega32A4"),
    (elf::EF_AVR_ARCH_XMEGA3, "avrxmega3", "ATtiny817"),
    (elf::EF_AVR_ARCH_XMEGA4, "avrxmega4", "ATxmega64A3"),
    (elf::EF_AVR_ARCH_XMEGA5, "avrxmega5", "ATxmega64A1"),
    (elf::EF_AVR_ARCH_XMEGA6, "avrxmega6", "ATxmega128A3"),
    (elf::EF_AVR_ARCH_XMEGA7, "avrxmega7", "ATxmega128A1"),
];

impl Variant {
    pub(crate) fn of(flags: u32) -> Variant {
        Variant(flags & elf::EF_AVR_ARCH)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match VARIANTS.iter().find(|(number, _, _)| *number == self.0) {
            Some((_, name, chip)) => write!(f, "{name} (such as {chip})"),
            None => write!(f, "the unknown family {}", self.0),
        }
    }
}

/// Fields of the note before its table of strings: begin and size of flash, RAM and EEPROM.
const FIELDS: usize = 6 * 4;

/// The device that the image's start-up code names, such as `atmega128`.
pub(crate) fn device(file: &File<'_>) -> Option<String> {
    let section = file.section_by_name(".note.gnu.avr.deviceinfo")?;
    let note = section.data().ok()?;
    let word = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(word)).ok()
    };
    let owner = word(note, 0)?.checked_next_multiple_of(4)?;
    let contents = note.get(12usize.checked_add(owner)?..)?;
    let table = word(contents, FIELDS)?;
    let name = word(contents, FIELDS + 4)?.checked_add(table)?.checked_add(FIELDS)?;
    let name = contents.get(name..)?.split(|byte| *byte == 0).next()?;
    let is_name = !name.is_empty() && name.iter().all(u8::is_ascii_alphanumeric);
    is_name.then(|| String::from_utf8_lossy(name).into_owned())
}

/// Whether an image for `device` runs on the chip `part`: the same one, its later revision A, which has the
/// same registers, or its grade L for low voltages.
pub(crate) fn is_same_chip(device: &str, part: &str) -> bool {
    let plain = |name: &str| name.to_ascii_lowercase().trim_end_matches(['a', 'l']).to_string();
    plain(device) == plain(part)
}

/// Whether a program states the signature of the chip. Programs have its bytes in the order of their
/// addresses (`avr/signature.h`): the manufacturer's last.
pub(crate) fn is_signature(stated: &[u8], chip: &[u8]) -> bool {
    chip.is_empty() || stated.iter().rev().eq(chip)
}

/// A chip that is only known by its signature, in words.
pub(crate) fn signed(stated: &[u8]) -> String {
    let bytes: Vec<String> = stated.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("chip with the signature {}", bytes.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_known_by_their_numbers() {
        assert_eq!(Variant::of(0xB3).to_string(), "avr51 (such as ATmega128)");
        assert_eq!(Variant::of(99).to_string(), "the unknown family 99");
    }

    #[test]
    fn revision_a_of_a_chip_is_the_same_chip() {
        assert!(is_same_chip("atmega128", "ATmega128"));
        assert!(is_same_chip("atmega128a", "ATmega128"));
        assert!(is_same_chip("atmega128", "ATmega128A") && is_same_chip("atmega128", "ATmega128L"));
        assert!(!is_same_chip("atmega1281", "ATmega128"));
        assert!(!is_same_chip("at90can128", "ATmega128"));
    }
}
