// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, vectors and pins against the vendor's description of the chip, which nobody here wrote: a
//! misreading of the data sheet shows, since the description was not read by the same people.

mod facts;
mod rig;
mod spec;

use crate::WarningKind;
use crate::atmega128::map::{self, IO_END};
use crate::atmega128::pins::{ALTERNATES, Signal};
use facts::{Field, Register, registers};
use rig::Rig;
use std::collections::BTreeMap;

/// Bits that exist, by address, as the vendor describes them.
fn described() -> BTreeMap<u16, u8> {
    let mut masks = BTreeMap::new();
    for register in registers().iter().filter(|register| !register.is_fuse()) {
        for (address, mask) in register.bytes() {
            *masks.entry(address.into()).or_insert(0) |= mask;
        }
    }
    masks
}

#[test]
fn registers_and_their_bits_are_where_the_vendor_describes_them_and_nowhere_else() {
    let described = described();
    for address in 0..IO_END {
        let register = map::register(address);
        let mask = register.map(|register| register.mask);
        assert_eq!(mask, described.get(&address).copied(), "{address:#x}");
    }
}

#[test]
fn registers_have_the_vendors_names() {
    for register in registers().iter().filter(|register| !register.is_fuse()) {
        let halves = register.bytes().count() == 2;
        for ((address, _), half) in register.bytes().zip(["L", "H"]) {
            let name = map::register(address.into()).expect("a register").name;
            let expected = format!("{}{}", register.name, if halves { half } else { "" });
            assert_eq!(name, expected);
        }
    }
}

#[test]
fn vectors_have_the_vendors_numbers_and_names() {
    for (number, name) in facts::vectors() {
        assert_eq!(map::vector_name(number), name);
    }
    assert_eq!(map::vector_name(facts::vectors().len() as u32), "");
}

/// A signal as the vendor calls it: block and name.
fn vendors_name(signal: Signal) -> (&'static str, String) {
    let name = |block, name: &str| (block, name.to_string());
    match signal {
        Signal::Ss => name("SPI", "SS"),
        Signal::Sck => name("SPI", "SCK"),
        Signal::Mosi => name("SPI", "MOSI"),
        Signal::Miso => name("SPI", "MISO"),
        Signal::Oc0 => name("TC0", "OC"),
        Signal::Oc1a => name("TC1", "OCA"),
        Signal::Oc1b => name("TC1", "OCB"),
        Signal::Oc1c => name("TC1", "OCC"),
        Signal::Oc2 => name("TC2", "OC"),
        Signal::Oc3a => name("TC3", "OCA"),
        Signal::Oc3b => name("TC3", "OCB"),
        Signal::Oc3c => name("TC3", "OCC"),
        Signal::T1 => name("TC1", "T"),
        Signal::T2 => name("TC2", "T"),
        Signal::T3 => name("TC3", "T"),
        Signal::Icp1 => name("TC1", "ICP"),
        Signal::Icp3 => name("TC3", "ICP"),
        Signal::Scl => name("TWI", "SCL"),
        Signal::Sda => name("TWI", "SDA"),
        Signal::Rxd0 => name("USART0", "RXD"),
        Signal::Txd0 => name("USART0", "TXD"),
        Signal::Xck0 => name("USART0", "XCK"),
        Signal::Rxd1 => name("USART1", "RXD"),
        Signal::Txd1 => name("USART1", "TXD"),
        Signal::Xck1 => name("USART1", "XCK"),
        Signal::Int(line) => ("EXINT", format!("INT{line}")),
        Signal::Ain(input) => ("AC", format!("AIN{input}")),
        // The comparator shares the converter's inputs.
        Signal::Adc(input) | Signal::Multiplexed(input) => ("ADC", format!("ADC{input}")),
        Signal::Jtag(line) => name("JTAG", ["TCK", "TMS", "TDO", "TDI"][usize::from(line)]),
        Signal::Tosc(line) => ("TC0", format!("TOSC{line}")),
    }
}

#[test]
fn signals_are_on_the_vendors_pins() {
    let described = facts::signals();
    for alternate in ALTERNATES {
        let (block, name) = vendors_name(alternate.signal);
        let place = described.iter().find(|[of, signal, _]| *of == block && *signal == name);
        let [.., pin] = place.unwrap_or_else(|| panic!("{block} {name}"));
        assert_eq!(alternate.pin, pin.parse().expect("a pin"), "{block} {name}");
    }
    let ours: Vec<_> = ALTERNATES.iter().map(|alternate| vendors_name(alternate.signal)).collect();
    for [block, name, _] in described {
        assert!(ours.contains(&(block, name.to_string())), "{block} {name}");
    }
}

/// Registers in which ones clear flags, and which are only read.
const FLAGS: [&str; 4] = ["TIFR", "ETIFR", "EIFR", "ADC"];

/// The registers that keep what is written.
fn settings() -> Vec<Register> {
    let kept = |register: &Register| {
        !register.is_fuse() && !FLAGS.contains(&register.name) && !register.name.starts_with("PIN")
    };
    registers().into_iter().filter(kept).collect()
}

#[test]
fn bits_that_the_vendor_does_not_describe_are_reserved_and_no_others() {
    let described = described();
    for register in settings() {
        for (address, _) in register.bytes() {
            for bit in 0..8 {
                // The bit alone may be a reserved value of its field.
                let is_value = register.fields.iter().any(|field| {
                    (field.low..field.low + field.bits).contains(&bit)
                        && !field.takes(1 << (bit - field.low))
                });
                let exists = described[&address.into()] >> bit & 1 != 0;
                let warned = Rig::new().warnings_of(address, 1 << bit);
                let reserved = warned.contains(&WarningKind::Reserved);
                assert!(reserved != exists || is_value, "{} {bit}", register.name);
            }
        }
    }
}

/// Fields whose reserved values depend on others: number of data bits, and outputs of PWM.
const OTHER_VALUES: [&str; 5] = ["UCSZ02", "UCSZ12", "COM0", "COM2", "SM"];

#[test]
fn reserved_values_are_reported_and_no_others() {
    let mut wrong = Vec::new();
    for register in settings() {
        for field in register.fields.iter().filter(|field| !OTHER_VALUES.contains(&field.name)) {
            for value in field.samples() {
                let warnings = warnings_of_choice(&register, field, value);
                if warnings.contains(&WarningKind::Reserved) == field.takes(value) {
                    wrong.push(format!("{} {} {value}", register.name, field.name));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// What the chip reports when a field has this value.
fn warnings_of_choice(register: &Register, field: &Field, value: u32) -> Vec<WarningKind> {
    let mut rig = Rig::new();
    let image = (value << field.low).to_le_bytes();
    let mut bytes: Vec<(u8, u8)> =
        register.bytes().map(|(address, _)| address).zip(image).collect();
    bytes.reverse();
    let mut warnings = Vec::new();
    for (address, byte) in bytes {
        warnings.extend(rig.warnings_of(address, byte));
    }
    if register.name == "ADMUX" {
        // An input matters when it is converted.
        warnings.extend(rig.warnings_of(map::ADCSRA, 0xC0));
    }
    warnings
}
