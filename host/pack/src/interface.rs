// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls of the system: `os/load/interface.toml`.

use crate::error::PackError;
use lichen_container::{Machine, crc16};
use serde::Deserialize;
use std::path::Path;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Its number.
    pub number: u8,
    /// Its name.
    pub name: String,
}

/// A group of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGroup {
    /// Its number.
    pub number: u8,
    /// Its name.
    pub name: String,
    /// Its calls.
    pub calls: Vec<Call>,
    fingerprints: [u16; 2],
}

impl CallGroup {
    /// Its fingerprint on a machine.
    pub fn fingerprint(&self, machine: Machine) -> u16 {
        self.fingerprints[machine as usize]
    }
}

/// All calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interface {
    /// The groups.
    pub groups: Vec<CallGroup>,
}

#[derive(Deserialize)]
struct Text {
    #[serde(default)]
    group: Vec<GroupText>,
}

#[derive(Deserialize)]
struct GroupText {
    name: String,
    number: u8,
    #[serde(default)]
    calls: Vec<String>,
    #[serde(default)]
    layouts: Vec<String>,
}

impl Interface {
    /// Reads the file.
    pub fn load(path: &Path) -> Result<Interface, PackError> {
        let wrong = |what: String| PackError::Interface { file: path.display().to_string(), what };
        let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Interface::parse(&text).map_err(wrong)
    }

    /// Reads its text.
    pub fn parse(text: &str) -> Result<Interface, String> {
        let text: Text = toml::from_str(text).map_err(|error| error.to_string())?;
        let groups = text.group.iter().map(group).collect::<Result<Vec<CallGroup>, String>>()?;
        Ok(Interface { groups })
    }

    /// The call of this name.
    pub fn named(&self, name: &str) -> Option<&Call> {
        self.groups.iter().flat_map(|group| &group.calls).find(|call| call.name == name)
    }

    /// The group of a call, and the call.
    pub fn numbered(&self, number: u8) -> Option<(&CallGroup, &Call)> {
        self.groups.iter().find_map(|group| {
            group.calls.iter().find(|call| call.number == number).map(|call| (group, call))
        })
    }
}

fn group(text: &GroupText) -> Result<CallGroup, String> {
    let calls = text
        .calls
        .iter()
        .map(|line| call(line).ok_or_else(|| format!("`{line}` is not a number and a prototype")));
    Ok(CallGroup {
        number: text.number,
        name: text.name.clone(),
        calls: calls.collect::<Result<Vec<Call>, String>>()?,
        fingerprints: Machine::ALL.map(|machine| fingerprint(text, machine)),
    })
}

/// `24 int mutex_lock(struct mutex *mutex)`.
fn call(line: &str) -> Option<Call> {
    let (number, prototype) = line.split_once(' ')?;
    let number = u8::from_str_radix(number, 16).ok()?;
    let (before, _) = prototype.split_once('(')?;
    let name = before.rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    (!name.is_empty()).then(|| Call { number, name: name.to_string() })
}

/// Of the lines of the group and of its layouts on the machine, each with its end.
fn fingerprint(text: &GroupText, machine: Machine) -> u16 {
    let layouts = text.layouts.iter().map(|layout| layout_on(layout, machine));
    let lines = text.calls.iter().cloned().chain(layouts);
    crc16(lines.map(|line| line + "\n").collect::<String>().as_bytes())
}

/// `struct mutex 4 8` is `struct mutex 4` on AVR.
fn layout_on(layout: &str, machine: Machine) -> String {
    let mut words: Vec<&str> = layout.split(' ').collect();
    let on_armv6m = words.pop().unwrap_or_default();
    let on_avr8 = words.pop().unwrap_or_default();
    words.push(match machine {
        Machine::Armv6m => on_armv6m,
        Machine::Avr8 => on_avr8,
    });
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MUTEX: &str = r#"
[refused]
functions = ["kernel_run"]

[[group]]
name = "mutex"
number = 6
headers = ["mutex"]
layouts = ["struct mutex 4 8"]
calls = [
    "24 int mutex_lock(struct mutex *mutex)",
    "25 int mutex_lock_until(struct mutex *mutex, uint64_t deadline)",
    "26 int mutex_try(struct mutex *mutex)",
    "27 void mutex_unlock(struct mutex *mutex)",
]
"#;

    /// Fingerprints as the image has them: `os/load/calls/mutex.c`.
    #[test]
    fn calls_have_numbers_and_groups_fingerprints() {
        let interface = Interface::parse(MUTEX).expect("an interface");
        assert_eq!(interface.named("mutex_try").map(|call| call.number), Some(0x26));
        assert_eq!(interface.named("mutex"), None);
        let (group, call) = interface.numbered(0x27).expect("a call");
        assert_eq!((group.number, call.name.as_str()), (6, "mutex_unlock"));
        let fingerprints = Machine::ALL.map(|machine| group.fingerprint(machine));
        assert_eq!(fingerprints, [0xd841, 0x9d2c]);
    }

    #[test]
    fn names_are_found_in_prototypes() {
        let name = |line| call(line).map(|call| call.name);
        let text = "0e const char *thread_name(const struct thread *thread)";
        assert_eq!(name(text).as_deref(), Some("thread_name"));
        assert_eq!(name("02 _Noreturn void panic(uintptr_t detail)").as_deref(), Some("panic"));
        assert_eq!(name("no number"), None);
    }
}
