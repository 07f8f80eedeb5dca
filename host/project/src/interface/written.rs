// SPDX-License-Identifier: MIT OR Apache-2.0
//! The file of the interface as it is written, and what is wrong in it.

use super::{Architecture, Call, Group, Interface, Layout};
use crate::tomlfile::parse_toml;
use crate::{FileError, Place};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;

/// `CALLS_GROUPS` of `os/load/calls.h`.
const GROUPS: u8 = 40;

/// Names that no program may ever call, whatever the file says: they run any function at the kernel level.
const NEVER: [&str; 3] = ["arch_", "kernel_", "syscall_"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    inline: Inline,
    group: Vec<WrittenGroup>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inline {
    headers: Vec<String>,
    refused: Vec<String>,
    kept: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenGroup {
    name: Spanned<String>,
    number: Spanned<u8>,
    arch: Option<Spanned<String>>,
    headers: Vec<String>,
    #[serde(default)]
    needs: Vec<String>,
    #[serde(default)]
    made: Vec<String>,
    #[serde(default)]
    instead: Vec<String>,
    calls: Vec<Spanned<String>>,
    #[serde(default)]
    layouts: Vec<Spanned<String>>,
}

/// Where something is, and what is wrong with it.
struct Lines<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Lines<'_> {
    fn line(&self, offset: usize) -> u32 {
        self.text[..offset].matches('\n').count() as u32 + 1
    }

    fn refuse<T>(&self, offset: usize, message: String, remedy: &str) -> Result<T, FileError> {
        let place = Place::offset(self.file, self.text, offset);
        Err(FileError::Invalid { place, message, remedy: remedy.to_string() })
    }
}

pub(super) fn parse(file: &Path, text: &str) -> Result<Interface, FileError> {
    let written: Written = parse_toml(file, text)?;
    let lines = Lines { file, text };
    let mut numbers = BTreeMap::new();
    let mut calls = BTreeMap::new();
    let mut groups = Vec::new();
    for group in &written.group {
        let at = group.number.span().start;
        let number = *group.number.as_ref();
        if number == 0 || number >= GROUPS {
            lines.refuse(
                at,
                format!("group {number} is not 1 to {}", GROUPS - 1),
                "choose another number",
            )?;
        }
        let group = read_group(&lines, group)?;
        for architecture in Architecture::ALL.into_iter().filter(|it| group.is_on(*it)) {
            if let Some(other) = numbers.insert((number, architecture.name()), group.name.clone()) {
                let message = format!("`{other}` has the number {number}, too");
                lines.refuse(at, message, "choose another number")?;
            }
            for call in &group.calls {
                let key = (call.id, architecture.name());
                if let Some(other) = calls.insert(key, call.name.clone()) {
                    let message = format!("call {:02x} is `{other}` and `{}`", call.id, call.name);
                    let place = Place::line(file, call.line);
                    let remedy = "choose another number".to_string();
                    return Err(FileError::Invalid { place, message, remedy });
                }
            }
        }
        groups.push(group);
    }
    groups.sort_by_key(|group| group.number);
    Ok(Interface {
        file: file.to_path_buf(),
        groups,
        refused: written.inline.refused,
        refused_headers: written.inline.headers,
        kept: written.inline.kept,
    })
}

fn read_group(lines: &Lines<'_>, group: &WrittenGroup) -> Result<Group, FileError> {
    let only = match &group.arch {
        None => None,
        Some(arch) => match Architecture::ALL.into_iter().find(|it| it.name() == arch.as_ref()) {
            Some(found) => Some(found),
            None => {
                let message = format!("there is no architecture `{}`", arch.as_ref());
                lines.refuse(arch.span().start, message, "write avr8 or armv6m")?
            }
        },
    };
    let mut calls = Vec::new();
    for call in &group.calls {
        calls.push(read_call(lines, call, calls.last())?);
    }
    if calls.is_empty() {
        let message = format!("the group `{}` has no calls", group.name.as_ref());
        lines.refuse(group.name.span().start, message, "list its calls")?;
    }
    Ok(Group {
        name: group.name.as_ref().clone(),
        number: *group.number.as_ref(),
        only,
        headers: group.headers.clone(),
        needs: group.needs.clone(),
        made: group.made.clone(),
        instead: group.instead.clone(),
        calls,
        layouts: group.layouts.iter().map(|it| read_layout(lines, it)).collect::<Result<_, _>>()?,
        line: lines.line(group.name.span().start),
    })
}

/// A call, behind `last` of its group.
fn read_call(
    lines: &Lines<'_>,
    written: &Spanned<String>,
    last: Option<&Call>,
) -> Result<Call, FileError> {
    let (at, text) = (written.span().start, written.as_ref());
    let parts = text.split_once(' ').and_then(|(id, prototype)| {
        let name = prototype.split_once('(')?.0.rsplit([' ', '*']).next()?;
        let id = (id.len() == 2).then(|| u8::from_str_radix(id, 16).ok())??;
        (prototype.ends_with(')') && !name.is_empty()).then_some((id, name, prototype))
    });
    let Some((id, name, prototype)) = parts else {
        let message = format!("`{text}` is no call");
        return lines.refuse(
            at,
            message,
            "write its number, two hexadecimal digits, and its prototype",
        );
    };
    if NEVER.iter().any(|prefix| name.starts_with(prefix)) {
        let message = format!("`{name}` can never be called by programs");
        return lines.refuse(
            at,
            message,
            "call it in a function of its own, which is in the interface",
        );
    }
    if last.is_some_and(|last| last.id >= id) {
        return lines.refuse(at, format!("call {id:02x} is not in order"), "sort calls by number");
    }
    let (name, prototype) = (name.to_string(), prototype.to_string());
    Ok(Call { id, name, prototype, line: lines.line(at) })
}

fn read_layout(lines: &Lines<'_>, written: &Spanned<String>) -> Result<Layout, FileError> {
    let mut parts = written.as_ref().rsplitn(3, ' ');
    let mut number = || parts.next().and_then(|it| it.parse().ok());
    let (armv6m, avr8) = (number(), number());
    match (parts.next(), avr8, armv6m) {
        (Some(of), Some(avr8), Some(armv6m)) => Ok(Layout { of: of.to_string(), avr8, armv6m }),
        _ => {
            let message = format!("`{}` is no layout", written.as_ref());
            let remedy = "write what it is of, its size on avr8, and that on armv6m";
            lines.refuse(written.span().start, message, remedy)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Explain;

    const GOOD: &str = "[inline]\nheaders = []\nrefused = []\nkept = []\n\
                        [[group]]\nname = \"led\"\nnumber = 3\nheaders = [\"led\"]\n\
                        calls = [\"59 void led_on(unsigned index)\", \"5b const char *led_name(void)\"]\n\
                        layouts = [\"struct led 2 4\"]\n";

    fn read(text: &str) -> Result<Interface, FileError> {
        Interface::parse(Path::new("interface.toml"), text)
    }

    fn refused(text: &str) -> (String, String) {
        let error = read(text).expect_err("refused");
        (error.place().map(|it| it.to_string()).unwrap_or_default(), error.to_string())
    }

    #[test]
    fn a_call_has_a_number_and_a_name() {
        let interface = read(GOOD).expect("good");
        let (group, call) = interface.call("led_name", Architecture::Avr8).expect("one");
        assert_eq!((group.number, call.id, call.line), (3, 0x5b, 9));
        assert_eq!(call.prototype, "const char *led_name(void)");
    }

    #[test]
    fn a_fingerprint_is_of_calls_and_layouts() {
        let group = &read(GOOD).expect("good").groups[0];
        let lines = "59 void led_on(unsigned index)\n5b const char *led_name(void)\nstruct led 2\n";
        assert_eq!(group.lines(Architecture::Avr8), lines);
        let [avr8, armv6m] = Architecture::ALL.map(|it| group.fingerprint(it));
        assert_ne!(avr8, armv6m);
        let other = read(&GOOD.replace("led_on(unsigned", "led_on(uint8_t")).expect("good");
        assert_ne!(other.groups[0].fingerprint(Architecture::Avr8), avr8);
    }

    #[test]
    fn what_runs_functions_at_the_kernel_level_is_refused() {
        for name in ["arch_kernel_run", "syscall_run_on", "kernel_call"] {
            let (place, message) = refused(&GOOD.replace("led_on", name));
            assert!(place.starts_with("interface.toml:9:"), "{place}");
            assert!(message.contains("can never be called"), "{message}");
        }
    }

    #[test]
    fn numbers_are_of_one_call_each() {
        assert!(refused(&GOOD.replace("5b ", "59 ")).1.contains("not in order"));
        let twice = format!(
            "{GOOD}[[group]]\nname = \"other\"\nnumber = 4\nheaders = []\ncalls = [\"5b void other(void)\"]\n"
        );
        assert!(refused(&twice).1.contains("call 5b is `led_name` and `other`"));
        assert!(refused(&twice.replace("= 4", "= 3")).1.contains("`led` has the number 3"));
        assert!(refused(&GOOD.replace("= 3", "= 40")).1.contains("not 1 to 39"));
        let avr = twice.replace("= 4\n", "= 4\narch = \"avr8\"\n");
        let arm = avr.replace("= 3\n", "= 3\narch = \"armv6m\"\n");
        assert!(read(&arm).is_ok() && read(&avr).is_err());
        let one_name = arm.replace("= 4\n", "= 3\n").replace("\"other\"", "\"led\"");
        assert_eq!(read(&one_name).expect("of two architectures").groups.len(), 2);
    }

    #[test]
    fn what_is_no_call_and_no_layout_is_refused() {
        assert!(refused(&GOOD.replace("59 void", "059 void")).1.contains("is no call"));
        assert!(refused(&GOOD.replace("(void)", "")).1.contains("is no call"));
        assert!(refused(&GOOD.replace("led 2 4", "led 2")).1.contains("is no layout"));
    }
}
