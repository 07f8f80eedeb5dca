// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of the specification, `doc/spec/atmega128.md`: complete, and true as far as it can be tried.

use super::facts::{Field, Register, registers};
use super::{Rig, settings, warnings_of_choice};
use crate::WarningKind;
use std::path::Path;

const PAGE: &str = include_str!("../../../../../../doc/spec/atmega128.md");

/// A row of the table.
struct Row {
    block: &'static str,
    registers: Vec<&'static str>,
    fields: Vec<&'static str>,
    state: &'static str,
    /// Values that are reported as not modelled.
    warned: Vec<u32>,
    tests: Vec<&'static str>,
}

impl Row {
    /// The row in a line of a block's section, unless it is the table's head.
    fn parse(block: &'static str, line: &'static str) -> Option<Row> {
        let cells: Vec<&str> = line.strip_prefix("| ")?.split('|').map(str::trim).collect();
        let [registers, fields, state, warned, tests, _] = cells[..] else { panic!("{line}") };
        let range = |text: &str| {
            let (first, last) = text.split_once("..").unwrap_or((text, text));
            let [first, last] = [first, last].map(|text| text.parse().expect(line));
            first..=last
        };
        (state != "state").then(|| Row {
            block,
            registers: registers.split(", ").collect(),
            fields: fields.split(", ").collect(),
            state,
            warned: warned.split_whitespace().flat_map(range).collect(),
            tests: tests.split(", ").filter(|test| !test.is_empty()).collect(),
        })
    }

    fn names(&self, register: &Register) -> bool {
        self.block == register.block && self.registers.contains(&register.name)
    }

    fn covers(&self, register: &Register, field: &Field) -> bool {
        self.names(register) && self.fields.contains(&field.name)
    }

    /// Whether choosing the value is to be reported.
    fn warns_of(&self, value: u32) -> bool {
        self.state == "warned" && value != 0 || self.warned.contains(&value)
    }
}

fn table() -> Vec<Row> {
    let sections = PAGE.split("\n## ").skip(1);
    let rows = sections.flat_map(|section| {
        let block = section.lines().next().unwrap_or_default();
        section.lines().filter_map(move |line| Row::parse(block, line))
    });
    rows.collect()
}

/// The row of a field.
fn row_of<'a>(table: &'a [Row], register: &Register, field: &Field) -> &'a Row {
    let row = table.iter().find(|row| row.covers(register, field));
    row.unwrap_or_else(|| panic!("{} {}", register.block, register.name))
}

#[test]
fn every_field_of_the_vendors_description_is_in_one_row_and_every_row_is_of_fields() {
    let (all, table) = (registers(), table());
    let mut wrong = Vec::new();
    for register in &all {
        for field in &register.fields {
            let rows = table.iter().filter(|row| row.covers(register, field)).count();
            if rows != 1 {
                let Register { block, name, .. } = register;
                wrong.push(format!("{block} {name} {}: {rows} rows", field.name));
            }
        }
    }
    for row in &table {
        let here: Vec<&Register> = all.iter().filter(|register| row.names(register)).collect();
        for name in &row.registers {
            if !here.iter().any(|register| register.name == *name) {
                wrong.push(format!("{} {name} is no register", row.block));
            }
        }
        for name in &row.fields {
            let is_field = |field: &Field| field.name == *name;
            if !here.iter().any(|register| register.fields.iter().any(is_field)) {
                wrong.push(format!("{} {:?} {name} is no field", row.block, row.registers));
            }
        }
    }
    assert_eq!(wrong, [""; 0], "doc/spec/atmega128.md and the blocks differ");
}

#[test]
fn what_is_modelled_names_tests_that_exist() {
    let mut sources = String::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/atmega128"), &mut sources);
    for row in table() {
        let place = format!("{} {:?} {:?}", row.block, row.registers, row.fields);
        match (row.state, &row.tests[..]) {
            ("modelled", tests) => {
                assert!(!tests.is_empty(), "{place}");
                for test in tests {
                    let exists = sources.contains(&format!("fn {test}() {{"));
                    assert!(exists, "{place}: there is no test {test}");
                }
            }
            ("stored" | "never" | "warned", []) => {}
            (state, tests) => panic!("{place}: {state} {tests:?}"),
        }
    }
}

fn read_sources(folder: &Path, into: &mut String) {
    for entry in std::fs::read_dir(folder).expect("the crate's sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_sources(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push_str(&std::fs::read_to_string(&path).expect("text"));
        }
    }
}

#[test]
fn what_is_not_modelled_is_reported_when_it_is_chosen_and_nothing_else() {
    let table = table();
    let mut wrong = Vec::new();
    for register in settings() {
        for field in &register.fields {
            let row = row_of(&table, &register, field);
            for value in field.samples().into_iter().filter(|value| field.takes(*value)) {
                let warnings = warnings_of_choice(&register, field, value);
                if warnings.contains(&WarningKind::NotModelled) != row.warns_of(value) {
                    wrong.push(format!("{} {} {value}", register.name, field.name));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0], "doc/spec/atmega128.md and the blocks differ");
}

#[test]
fn what_is_stored_reads_back() {
    let table = table();
    for register in settings() {
        for field in &register.fields {
            if row_of(&table, &register, field).state != "stored" {
                continue;
            }
            for value in field.samples().into_iter().chain([0]) {
                let mut rig = Rig::new();
                let image = (value << field.low) as u8;
                rig.warnings_of(register.address, image);
                let mask = field.mask() as u8;
                assert_eq!(rig.read(register.address) & mask, image, "{}", field.name);
            }
        }
    }
}
