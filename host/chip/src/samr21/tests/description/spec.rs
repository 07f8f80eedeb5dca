// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of the specification, `doc/spec/samr21.md`: complete, and true as far as it can be
//! tried.

use super::facts::{Field, Register, registers, series};
use super::rig::{bench, width};
use super::{choosable, settings, values, warnings_of_choice};
use crate::WarningKind;
use std::path::Path;

const PAGE: &str = include_str!("../../../../../../doc/spec/samr21.md");

/// A row of the table.
struct Row {
    block: &'static str,
    registers: Vec<&'static str>,
    fields: Vec<String>,
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
        (state != "state").then(|| Row {
            block,
            registers: registers.split(", ").collect(),
            fields: fields.split(", ").flat_map(series).collect(),
            state,
            warned: warned.split_whitespace().map(|value| value.parse().expect(line)).collect(),
            tests: tests.split(", ").filter(|test| !test.is_empty()).collect(),
        })
    }

    fn names(&self, register: &Register) -> bool {
        let is_name = |name: &&str| **name == *register.name || **name == register.path();
        self.block == register.block && self.registers.iter().any(is_name)
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
    row.unwrap_or_else(|| panic!("{} {}", register.block, register.path()))
}

#[test]
fn every_field_of_the_vendors_description_is_in_one_row_and_every_row_is_of_fields() {
    let (all, table) = (registers(), table());
    let mut wrong = Vec::new();
    for register in &all {
        for field in &register.fields {
            let rows = table.iter().filter(|row| row.covers(register, field)).count();
            if rows != 1 {
                let path = register.path();
                wrong.push(format!("{} {path} {}: {rows} rows", register.block, field.name));
            }
        }
    }
    for row in &table {
        let here: Vec<&Register> = all.iter().filter(|register| row.names(register)).collect();
        for name in &row.registers {
            if !here.iter().any(|register| *name == register.name || *name == register.path()) {
                wrong.push(format!("{} {name} is no register", row.block));
            }
        }
        for name in &row.fields {
            if !here.iter().any(|register| register.fields.iter().any(|field| field.name == *name))
            {
                wrong.push(format!("{} {:?} {name} is no field", row.block, row.registers));
            }
        }
    }
    assert_eq!(wrong, [""; 0], "doc/spec/samr21.md and the blocks differ");
}

#[test]
fn what_is_modelled_names_tests_that_exist() {
    let mut sources = String::new();
    read_sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
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
    for register in settings().iter().filter(|register| register.mode != "I2CS") {
        for field in choosable(register) {
            let row = row_of(&table, register, field);
            for value in values(field).into_iter().filter(|value| field.takes(*value)) {
                let warnings = warnings_of_choice(register, field, value);
                if warnings.contains(&WarningKind::NotModelled) != row.warns_of(value) {
                    let path = register.path();
                    wrong.push(format!("{} {path} {} {value}", register.block, field.name));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0], "doc/spec/samr21.md and the blocks differ");
}

#[test]
fn what_is_stored_reads_back() {
    let table = table();
    let mut wrong = Vec::new();
    for register in settings().iter().filter(|register| register.mode != "I2CS") {
        for field in choosable(register) {
            if row_of(&table, register, field).state != "stored" {
                continue;
            }
            let width = width(register.bits);
            let others = register.reset & register.mask() & !field.mask();
            for value in values(field).into_iter().chain([0]) {
                let mut bench = bench(register);
                let mode = bench.read(register.offset, width) & !field.mask() & 0x1F;
                let image = others | mode | value << field.low;
                bench.write(register.offset, width, image);
                if bench.read(register.offset, width) != image {
                    let path = register.path();
                    wrong.push(format!("{} {path} {} {value}", register.block, field.name));
                }
            }
        }
    }
    assert_eq!(wrong, [""; 0], "doc/spec/samr21.md and the blocks differ");
}

#[test]
fn a_mode_that_is_not_modelled_is_reported() {
    let slaves = registers().into_iter().filter(|register| register.mode == "I2CS");
    for register in slaves.filter(|register| register.access == "rw" && register.offset == 0) {
        for field in choosable(&register) {
            let warnings = warnings_of_choice(&register, field, 0);
            assert!(warnings.contains(&WarningKind::NotModelled), "{}", field.name);
        }
    }
}
