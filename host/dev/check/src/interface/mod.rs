// SPDX-License-Identifier: MIT OR Apache-2.0
//! The calls of programs that are loaded, `os/load/interface.toml`: what is generated from it, and whether headers and what
//! was published agree with it.

mod made;
mod published;

pub use made::{Made, made};

use crate::header::{self, Function, Item, Kind};
use crate::{CheckError, Rules, Violation, files, read};
use lichen_project::interface::{self, Interface};
use lichen_project::{Place, Tree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where public headers are.
const HEADERS: &str = "os/include/lichen";

/// A function of a public header.
struct Declared {
    file: PathBuf,
    line: u32,
    function: Function,
    is_inline: bool,
}

/// The functions of all public headers by name.
fn declared(tree: &Tree) -> Result<BTreeMap<String, Declared>, CheckError> {
    let mut found = BTreeMap::new();
    for file in files(tree, HEADERS, &["h"])? {
        for item in header::read(&read(tree, &file)?).items {
            let Item { kind: Kind::Function(function), name, line, text, .. } = item else {
                continue;
            };
            let is_inline = text.split_whitespace().any(|word| word == "inline");
            found.insert(name, Declared { file: file.clone(), line, function, is_inline });
        }
    }
    Ok(found)
}

/// Prototypes are those of headers; each inline function is a call, or it is said what it is; published groups are as they
/// were.
pub(crate) fn check(tree: &Tree, _: &Rules) -> Result<Vec<Violation>, CheckError> {
    if !tree.path(interface::PATH).exists() {
        return Ok(Vec::new());
    }
    let interface = Interface::read(tree)?;
    let declared = declared(tree)?;
    let mut found = published::check(tree, &interface)?;
    found.extend(prototypes(&interface, &declared));
    found.extend(inlines(&interface, &declared));
    Ok(found)
}

fn violation(file: &Path, line: u32, message: String, remedy: &str) -> Violation {
    Violation { place: Place::line(file, line), message, remedy: remedy.to_string() }
}

/// Calls that are declared in another way than the interface has them.
fn prototypes(interface: &Interface, declared: &BTreeMap<String, Declared>) -> Vec<Violation> {
    let mut found = Vec::new();
    let file = Path::new(interface::PATH);
    for group in &interface.groups {
        for call in group.calls.iter().filter(|call| !group.made.contains(&call.name)) {
            let message = match declared.get(&call.name) {
                None => format!("no public header declares `{}`", call.name),
                Some(it) if it.function.signature != call.prototype => {
                    format!("{} has `{}`", it.file.display(), it.function.signature)
                }
                Some(it)
                    if !group
                        .headers
                        .iter()
                        .any(|header| it.file.ends_with(format!("{header}.h"))) =>
                {
                    format!(
                        "it is in {}, which is not one of the group's headers",
                        it.file.display()
                    )
                }
                Some(_) => continue,
            };
            let remedy =
                "a published call stays as it is; give another one another name and number";
            found.push(violation(file, call.line, message, remedy));
        }
    }
    found
}

/// Inline functions that are neither calls nor listed, and what is listed and not inline.
fn inlines(interface: &Interface, declared: &BTreeMap<String, Declared>) -> Vec<Violation> {
    let listed: Vec<&String> = interface.refused.iter().chain(&interface.kept).collect();
    let is_call = |name: &String| {
        interface.groups.iter().flat_map(|group| &group.calls).any(|call| call.name == *name)
    };
    let unlisted = declared
        .iter()
        .filter(|(name, it)| it.is_inline && !is_call(name) && !listed.contains(name));
    let remedy =
        "add it to a new group, or to `refused` or `kept` of [inline] in os/load/interface.toml";
    let unlisted = unlisted.map(|(name, it)| {
        violation(
            &it.file,
            it.line,
            format!("what is the inline `{name}` in a program that is loaded?"),
            remedy,
        )
    });
    let gone = listed.iter().filter(|name| !declared.get(**name).is_some_and(|it| it.is_inline));
    let gone = gone.map(|name| {
        let message = format!("`{name}` is not inline in a public header");
        violation(Path::new(interface::PATH), 1, message, "remove it from [inline]")
    });
    unlisted.chain(gone).collect()
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    const NAME: &str = "calls of programs";
    const TABLE: &str = "[inline]\nheaders = [\"led\"]\nrefused = [\"led_poke\"]\nkept = []\n\
                         [[group]]\nname = \"led\"\nnumber = 3\nheaders = [\"led\"]\n\
                         calls = [\"59 void led_on(unsigned index)\"]\n";
    const HEADER: &str = "void led_on(unsigned index);\n\
                          static inline void led_poke(void)\n{\n}\n";
    const PUBLISHED: &str = "[avr8]\nled = \"03 7448\"\n[armv6m]\nled = \"03 7448\"\n";

    fn found(table: &str, header: &str, published: &str) -> Vec<String> {
        let files = [
            ("os/load/interface.toml", table),
            ("os/include/lichen/led.h", header),
            ("os/load/published.toml", published),
        ];
        violations(NAME, &files)
    }

    #[test]
    fn an_interface_that_agrees_is_good() {
        assert_eq!(found(TABLE, HEADER, PUBLISHED), [""; 0]);
    }

    #[test]
    fn a_prototype_is_that_of_the_header() {
        let other = found(TABLE, &HEADER.replace("unsigned", "uint8_t"), PUBLISHED);
        assert_eq!(
            other,
            ["os/load/interface.toml:9: os/include/lichen/led.h has `void led_on(uint8_t index)`"]
        );
        let none = found(TABLE, &HEADER.replace("led_on", "led_off"), PUBLISHED);
        assert_eq!(none, ["os/load/interface.toml:9: no public header declares `led_on`"]);
        let elsewhere = found(
            &TABLE.replace("headers = [\"led\"]\ncalls", "headers = []\ncalls"),
            HEADER,
            PUBLISHED,
        );
        assert_eq!(elsewhere.len(), 1, "{elsewhere:?}");
    }

    #[test]
    fn an_inline_function_is_listed() {
        let more = format!(
            "{HEADER}MUST_CHECK static inline int led_is_on(void)\n{{\n    return 0;\n}}\n"
        );
        let unlisted = found(TABLE, &more, PUBLISHED);
        assert!(
            unlisted[0].starts_with("os/include/lichen/led.h:5: what is the inline `led_is_on`"),
            "{unlisted:?}"
        );
        let gone = found(TABLE, &HEADER.replace("static inline ", ""), PUBLISHED);
        assert!(gone[0].contains("`led_poke` is not inline"), "{gone:?}");
    }

    #[test]
    fn a_published_group_stays_as_it_is() {
        let changed = TABLE.replace("unsigned", "uint8_t");
        let changed = found(&changed, &HEADER.replace("unsigned", "uint8_t"), PUBLISHED);
        assert_eq!(changed.len(), 2, "{changed:?}");
        assert!(changed[0].contains("`led` was published for avr8 as 03 7448"), "{changed:?}");
        let gone = found(TABLE, HEADER, &format!("{PUBLISHED}gone = \"04 1234\"\n"));
        assert!(
            gone[0].contains("`gone` was published for armv6m as 04 1234, and there is none"),
            "{gone:?}"
        );
        let new = found(TABLE, HEADER, "[avr8]\n[armv6m]\n");
        assert!(new[0].contains("`led` is not published for avr8"), "{new:?}");
    }
}
