// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that are generated from the interface.

use super::published::{self, Record};
use super::{Declared, declared};
use crate::CheckError;
use lichen_project::Tree;
use lichen_project::interface::{Architecture, Call, Group, Interface, Layout};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// A file that is generated from the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its path in the tree.
    pub path: String,
    /// What it contains.
    pub text: String,
}

const BEGIN: &str = "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
                     /* Generated from os/load/interface.toml by `./lichen generate`. Do not edit. */\n";
const UNFORMATTED: &str = "/* clang-format off */\n";

/// All files that are generated from the interface of `tree`. The record has what it had, and what is new.
pub fn made(tree: &Tree) -> Result<Vec<Made>, CheckError> {
    let interface = Interface::read(tree)?;
    let declared = declared(tree)?;
    let mut files: Vec<Made> = interface
        .groups
        .iter()
        .map(|group| Made { path: group.path(), text: table(group, &declared) })
        .collect();
    let mut add = |path: &str, text| files.push(Made { path: path.to_string(), text });
    add("os/load/stubs.inc", stubs(&interface));
    add("os/load/program_calls.h", program_calls(&interface, &declared));
    add(published::PATH, record(published::record(tree)?, &interface));
    Ok(files)
}

/// The image's table of a group.
fn table(group: &Group, declared: &BTreeMap<String, Declared>) -> String {
    let mut text = format!("{BEGIN}{UNFORMATTED}#include \"load/calls.h\"\n\n");
    for header in &group.headers {
        let _ = writeln!(text, "#include <lichen/{header}.h>");
    }
    if !group.headers.is_empty() {
        text.push('\n');
    }
    for need in &group.needs {
        let _ = writeln!(text, "DECLARATION_NEEDS({need});");
    }
    for layout in &group.layouts {
        let _ =
            writeln!(text, "CALLS_LAYOUT({}, {}, {});", value(layout), layout.avr8, layout.armv6m);
    }
    for call in group.calls.iter().filter(|call| group.made.contains(&call.name)) {
        let _ = writeln!(text, "{};", call.prototype);
    }
    for name in &group.instead {
        let _ = writeln!(text, "extern __typeof__({name}) {name}_of_programs;");
    }
    if !text.ends_with("\n\n") {
        text.push('\n');
    }
    let is_inline = |call: &Call| declared.get(&call.name).is_some_and(|it| it.is_inline);
    for call in group.calls.iter().filter(|call| is_inline(call)) {
        text.push_str(&wrapper(call));
    }
    let first = group.calls.first().map_or(0, |call| call.id);
    text.push_str("CALLS_FUNCTIONS = {\n");
    for call in &group.calls {
        let name = if is_inline(call) {
            format!("call_{}", call.name)
        } else if group.instead.contains(&call.name) {
            format!("{}_of_programs", call.name)
        } else {
            format!("({})", call.name)
        };
        let _ = writeln!(text, "    [{}] = (call_fn *){name},", call.id - first);
    }
    let [avr8, armv6m] = Architecture::ALL.map(|architecture| group.fingerprint(architecture));
    let _ = writeln!(
        text,
        "}};\n\nCALLS({}, {}, {first:#04x}, {avr8:#06x}, {armv6m:#06x});",
        group.name, group.number
    );
    text
}

fn value(layout: &Layout) -> String {
    if layout.of.starts_with("struct ") {
        format!("sizeof({})", layout.of)
    } else {
        layout.of.clone()
    }
}

/// The function behind an inline one.
fn wrapper(call: &Call) -> String {
    let Call { name, prototype, .. } = call;
    let called = format!("{name}(");
    let (result, parameters) = prototype.split_once(&called).unwrap_or_default();
    let arguments: Vec<&str> = parameters
        .trim_end_matches(')')
        .split(',')
        .filter_map(|parameter| parameter.rsplit([' ', '*']).next())
        .filter(|argument| *argument != "void")
        .collect();
    let hand_back = if result == "void " { "" } else { "return " };
    format!(
        "static {result}call_{name}({parameters}\n{{\n    {hand_back}{name}({});\n}}\n\n",
        arguments.join(", ")
    )
}

/// What programs are linked with.
fn stubs(interface: &Interface) -> String {
    let mut text = format!(
        "{BEGIN}/* The names of calls, for the link of a program: each in a section of its own, at no address of it. */\n"
    );
    let mut of = |only: Option<Architecture>| {
        let groups = interface.groups.iter().filter(|group| group.only == only);
        let calls: BTreeMap<u8, &str> = groups
            .flat_map(|group| &group.calls)
            .map(|call| (call.id, call.name.as_str()))
            .collect();
        let Some(_) = calls.first_key_value() else { return };
        text.push('\n');
        let condition = only.map(|only| format!("STUBS_OF_{}", only.name().to_uppercase()));
        if let Some(condition) = &condition {
            let _ = writeln!(text, "    .ifdef {condition}");
        }
        for (id, name) in calls {
            let _ = writeln!(text, "    stub {id:02x}, {name}");
        }
        if condition.is_some() {
            text.push_str("    .endif\n");
        }
    };
    of(None);
    Architecture::ALL.into_iter().for_each(|architecture| of(Some(architecture)));
    text
}

/// What is included first in each file of a program.
fn program_calls(interface: &Interface, declared: &BTreeMap<String, Declared>) -> String {
    let is_inline = |call: &&Call| declared.get(&call.name).is_some_and(|it| it.is_inline);
    let groups =
        || interface.groups.iter().filter(|group| group.calls.iter().any(|call| is_inline(&call)));
    let calls: Vec<&Call> = groups().flat_map(|group| &group.calls).filter(is_inline).collect();
    let names: BTreeSet<&String> =
        calls.iter().map(|call| &call.name).chain(&interface.refused).collect();
    let headers: BTreeSet<&String> =
        groups().flat_map(|group| &group.headers).chain(&interface.refused_headers).collect();

    let mut text = format!(
        "{BEGIN}\
         /* Included first in each file of a program that is loaded: functions that are inline in headers\n \
          * and reach into the kernel are calls there, or errors. Their definitions have other names here,\n \
          * and nothing uses them. */\n\
         {UNFORMATTED}#ifndef LOAD_PROGRAM_CALLS_H\n#define LOAD_PROGRAM_CALLS_H\n\n"
    );
    for name in &names {
        let _ = writeln!(text, "#define {name} {name}_in_image");
    }
    text.push('\n');
    for header in headers {
        let _ = writeln!(text, "#include <lichen/{header}.h>");
    }
    text.push('\n');
    for name in &names {
        let _ = writeln!(text, "#undef {name}");
    }
    text.push('\n');
    for call in calls {
        let must_check = declared.get(&call.name).is_some_and(|it| it.function.must_check);
        let _ =
            writeln!(text, "{}{};", if must_check { "MUST_CHECK " } else { "" }, call.prototype);
    }
    for name in &interface.refused {
        let _ = write!(
            text,
            "\n__attribute__((error(\"a loaded program has no {name}\"))) int {name}_refused(void);\n\
             #define {name}(...) {name}_refused()\n"
        );
    }
    text.push_str("\n#endif\n");
    text
}

/// The record with what is not in it yet.
fn record(record: Record, interface: &Interface) -> String {
    let mut text = String::from(
        "# SPDX-License-Identifier: MIT OR Apache-2.0\n\
         #\n\
         # Groups of calls (interface.toml) that were published: number and fingerprint on each architecture. `./lichen generate`\n\
         # adds new ones. No row is ever changed or removed, since programs that are in use have it.\n",
    );
    for (architecture, mut rows) in record {
        for group in interface.groups.iter().filter(|group| group.is_on(architecture)) {
            rows.entry(group.name.clone()).or_insert_with(|| published::row(group, architecture));
        }
        let _ = writeln!(text, "\n[{}]", architecture.name());
        let mut rows: Vec<_> = rows.into_iter().collect();
        rows.sort_by(|a, b| a.1.cmp(&b.1));
        for (name, row) in rows {
            let _ = writeln!(text, "{name} = \"{row}\"");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::made;
    use crate::tests::tree;

    const TABLE: &str = "[inline]\nheaders = [\"event\"]\nrefused = [\"event_poke\"]\nkept = []\n\
                         [[group]]\nname = \"mutex\"\nnumber = 6\nheaders = [\"mutex\"]\n\
                         layouts = [\"struct mutex 4 8\", \"MUTEX_MOST 3 5\"]\nneeds = [\"kernel_level\"]\n\
                         calls = [\n    \"24 int mutex_lock(struct mutex *mutex, uint64_t deadline)\",\n    \"26 void mutex_try(void)\",\n]\n\
                         [[group]]\nname = \"math\"\nnumber = 7\narch = \"avr8\"\nheaders = []\nmade = [\"__mul\"]\n\
                         calls = [\"c8 void __mul(void)\"]\n";
    const HEADER: &str = "MUST_CHECK static inline int mutex_lock(struct mutex *mutex,\n\
                          \x20                               uint64_t deadline)\n{\n    return 0;\n}\n\
                          void mutex_try(void);\n";

    fn text(path: &str, published: &str) -> String {
        let (_folder, tree) = tree(&[
            ("os/load/interface.toml", TABLE),
            ("os/include/lichen/mutex.h", HEADER),
            ("os/load/published.toml", published),
        ]);
        let made = made(&tree).expect("made");
        made.into_iter().find(|it| it.path == path).expect("one").text
    }

    const NONE: &str = "[avr8]\n[armv6m]\n";

    #[test]
    fn an_inline_call_has_a_function() {
        let table = text("os/load/calls/mutex.c", NONE);
        for part in [
            "#include <lichen/mutex.h>\n\nDECLARATION_NEEDS(kernel_level);\n",
            "CALLS_LAYOUT(sizeof(struct mutex), 4, 8);\nCALLS_LAYOUT(MUTEX_MOST, 3, 5);\n",
            "static int call_mutex_lock(struct mutex *mutex, uint64_t deadline)\n{\n    return mutex_lock(mutex, deadline);\n}\n",
            "    [0] = (call_fn *)call_mutex_lock,\n    [2] = (call_fn *)(mutex_try),\n};\n\nCALLS(mutex, 6, 0x24, ",
        ] {
            assert!(table.contains(part), "{table}");
        }
    }

    #[test]
    fn a_group_of_one_architecture_has_a_place_of_its_own() {
        assert!(text("os/load/calls/avr8/math.c", NONE).contains("\nvoid __mul(void);\n"));
        let stubs = text("os/load/stubs.inc", NONE);
        assert!(stubs.contains("\n    stub 24, mutex_lock\n    stub 26, mutex_try\n"), "{stubs}");
        assert!(
            stubs.ends_with("\n    .ifdef STUBS_OF_AVR8\n    stub c8, __mul\n    .endif\n"),
            "{stubs}"
        );
    }

    #[test]
    fn an_inline_function_has_another_name_in_a_program() {
        let calls = text("os/load/program_calls.h", NONE);
        for part in [
            "#define event_poke event_poke_in_image\n#define mutex_lock mutex_lock_in_image\n\n",
            "#include <lichen/event.h>\n#include <lichen/mutex.h>\n\n#undef event_poke\n",
            "\nMUST_CHECK int mutex_lock(struct mutex *mutex, uint64_t deadline);\n",
            "#define event_poke(...) event_poke_refused()\n",
        ] {
            assert!(calls.contains(part), "{calls}");
        }
        assert!(!calls.contains("mutex_try"), "{calls}");
    }

    #[test]
    fn the_record_grows_and_does_not_change() {
        let record = text("os/load/published.toml", "[avr8]\nmutex = \"06 1234\"\n[armv6m]\n");
        assert!(record.contains("[avr8]\nmutex = \"06 1234\"\nmath = \"07 "), "{record}");
        assert!(record.contains("[armv6m]\nmutex = \"06 "), "{record}");
    }
}
