// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that are given twice: in one file, in two, or to what the system or the C library calls so.

use super::message;
use super::plain::{Error, Plain, between};
use super::shown::is_of_headers;
use lichen_project::Place;

/// How the compiler begins to say that what is declared was declared before.
const PREVIOUS: [&str; 3] =
    ["previous declaration of ", "previous definition of ", "originally defined here"];
/// In a note on the linker's message, what follows the place of the other definition.
pub(super) const FIRST: &str = ": note: first defined here";

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    of_c(error)
        .or_else(|| main(error))
        .or_else(|| shadowed(error))
        .or_else(|| again(error))
        .or_else(|| kinds(error))
        .or_else(|| linked(error))
}

/// A name of the C library.
fn of_c(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "built-in function '", "' declared as non-function")
        .or_else(|| between(error.text, "declaration of '", "' shadows a built-in function"))?;
    Some(
        Plain::new(format!("`{name}' is the name of a function of the C library"))
            .help(format!("give this another name, such as my_{name}")),
    )
}

/// What is called main.
fn main(error: &Error<'_>) -> Option<Plain> {
    if error.text != "'main' is usually a function" {
        return None;
    }
    let what = error.declared_by().map_or("variable", |(macro_, _)| macro_);
    Some(
        Plain::new(format!("`main' cannot be the name of a {what}: C keeps it for a function"))
            .help("give it another name, such as main_thread"),
    )
}

/// A local name that hides another one.
fn shadowed(error: &Error<'_>) -> Option<Plain> {
    let text = error.text.strip_prefix("declaration of '")?;
    let (name, hidden) = text.split_once("' shadows ")?;
    let there = error.notes.iter().find(|note| note.contains("shadowed declaration is here"));
    let there = there.and_then(|note| message::place(note.split_once(": note: ")?.0));
    let plain = Plain::new(match declared(error, name) {
        Some(macro_) => format!("`{name}' is already the name of what {macro_} declares"),
        None => match (hidden, error.headers.find(name)) {
            ("a global declaration", Some(declared)) => {
                format!("`{name}' is a name of the system, declared in <{}>", declared.header)
            }
            _ => format!("`{name}' is declared twice, the second time inside"),
        },
    });
    let other = there.filter(|place| !is_of_headers(&place.file.to_string_lossy()));
    Some(plain.help(match other {
        Some(other) => format!("give the variable another name; the other is at {other}"),
        None => "give the variable another name".to_string(),
    }))
}

/// The macro by which the file declares `name`.
fn declared<'e>(error: &Error<'e>, name: &str) -> Option<&'e str> {
    let mut declared = error.file.lines().filter_map(|line| error.headers.declaration(line));
    declared.find(|(_, first)| *first == name).map(|(macro_, _)| macro_)
}

/// A structure, a function or a variable that is defined again.
fn again(error: &Error<'_>) -> Option<Plain> {
    let kinds = ["struct", "union", "enum"];
    let name = between(error.text, "redefinition of '", "'")?;
    if kinds.contains(&name.split(' ').next()?) {
        return Some(twice(error, name));
    }
    let other = other(error).filter(|_| error.declared_by().is_none())?;
    Some(
        Plain::new(format!("`{name}' is defined twice"))
            .help(format!("take one away, or give it another name; the other is at {other}")),
    )
}

/// Two different things of one name.
fn kinds(error: &Error<'_>) -> Option<Plain> {
    if let Some(name) = between(error.text, "'", "' redeclared as different kind of symbol") {
        return Some(twice(error, name));
    }
    let name = between(error.text, "conflicting types for '", "'")
        .or_else(|| between(error.text, "conflicting type qualifiers for '", "'"))?;
    let other = other(error)?;
    let is_own = error.declared_by().is_none() && !is_of_headers(&other.file.to_string_lossy());
    if is_own {
        return Some(
            Plain::new(format!("`{name}' is declared twice, and not in the same way")).help(
                format!("make both the same, or give one another name; the other is at {other}"),
            ),
        );
    }
    Some(twice(error, name))
}

/// The place of the declaration before, which a note names.
fn other(error: &Error<'_>) -> Option<Place> {
    let note = error.notes.iter().find_map(|note| {
        let (at, text) = note.split_once(": note: ")?;
        PREVIOUS.iter().any(|begin| text.starts_with(begin)).then_some(at)
    });
    message::place(note?)
}

fn twice(error: &Error<'_>, name: &str) -> Plain {
    let other = other(error);
    let header = error.headers.find(name).map(|declared| declared.header.clone());
    let header = header.or_else(|| {
        let file = other.as_ref()?.file.to_string_lossy().into_owned();
        let (_, header) = file.split_once("/include/lichen/")?;
        Some(format!("lichen/{header}"))
    });
    if let Some(header) = header {
        return Plain::new(format!("`{name}' is declared in <{header}>, as something else"))
            .help("give this another name");
    }
    let other = other.map(|place| format!("; the other is at {place}")).unwrap_or_default();
    Plain::new(format!("`{name}' is declared twice, as two different things"))
        .help(format!("give one of them another name{other}"))
}

/// A name that two files define, or the program and the system, in the linker's words. Older linkers know no good
/// line of what is not a function: it is the one that declares the name.
fn linked(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "multiple definition of `", "'")?;
    let other = error.notes.iter().find_map(|note| note.strip_suffix(FIRST))?;
    let place = error.place?;
    let line = declaring(error.file, error, name);
    let here = line.map_or(place.clone(), |line| Place::line(&place.file, line));
    let said = |text: String| Plain::new(text).at(Some(here.clone()));
    if is_systems(other) {
        return Some(
            said(format!("`{name}' is a name of the system, and is defined here again")).help(
                format!(
                    "give this another name, such as my_{name}; or declare it static, if only this file uses it"
                ),
            ),
        );
    }
    let (other, other_line) = match message::place(other) {
        // Older linkers name an inline function of a header instead.
        Some(place) if is_of_headers(&place.file.to_string_lossy()) => (None, None),
        Some(place) => {
            let text = std::fs::read_to_string(&place.file).unwrap_or_default();
            let line = declaring(&text, error, name);
            (Some(line.map_or(place.clone(), |line| Place::line(&place.file, line))), line)
        }
        None => (None, None),
    };
    if other.as_ref() == Some(&here) || line.is_none() && other_line.is_none() {
        return Some(
            said(format!(
                "`{name}' is defined in a header, and so once in each file that includes it"
            ))
            .help("define it in one .c file; in the header write extern, its type and its name"),
        );
    }
    let other = other.map(|place| format!("; the other is at {place}")).unwrap_or_default();
    Some(
        said(format!("`{name}' is defined in two files"))
            .help(format!("give one of them another name, or take one away{other}")),
    )
}

/// Whether a place that the linker names is in the system.
fn is_systems(at: &str) -> bool {
    at.contains("liblichen.a(")
        || at.contains("/libc")
        || at.starts_with("os/") && !is_of_headers(at)
}

/// The line of `text` that declares `name`, at the outermost level.
fn declaring(text: &str, error: &Error<'_>, name: &str) -> Option<u32> {
    let number = text.lines().position(|line| match error.headers.declaration(line) {
        Some((_, first)) => first == name,
        None => super::order::declares(line, name),
    })?;
    u32::try_from(number + 1).ok()
}

#[cfg(test)]
mod tests {
    use crate::message::messages;
    use crate::{headers::Headers, plain::plain};
    use std::path::Path;

    /// What is said of the linker's `output`, in which `/s` is a folder with a header and two files.
    fn said(output: &str) -> (String, String, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            std::fs::write(folder.path().join(file), text).expect("written");
        };
        write("a.h", "/* */\nSEMAPHORE(go, 1);\n");
        write("main.c", "#include \"a.h\"\nint count = 3;\n");
        write("other.c", "#include \"a.h\"\n\nint count;\n");
        let at = folder.path().display().to_string();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let found = messages(&output.replace("/s/", &format!("{at}/")), folder.path());
        let one = plain(found, &Headers::read(&root)).remove(0);
        let place = one.place.map(|place| place.to_string().replace(&at, "/s")).unwrap_or_default();
        (place, one.text, one.help.unwrap_or_default().replace(&at, "/s"))
    }

    #[test]
    fn a_name_that_two_files_define_has_both_lines() {
        let newer = "ld: CMakeFiles/a.dir/other.c.obj:/s/other.c:3: multiple definition of `count'; \
                     CMakeFiles/a.dir/main.c.obj:/s/main.c:2: first defined here\n";
        let older = "CMakeFiles/a.dir/other.c.obj:(.bss.count+0x0): multiple definition of `count'\n\
                     CMakeFiles/a.dir/main.c.obj:(.data.count+0x0): first defined here\n";
        for output in [newer, older] {
            let (place, text, help) = said(output);
            assert_eq!(
                (place.as_str(), text.as_str()),
                ("/s/other.c:3", "`count' is defined in two files")
            );
            assert!(help.ends_with("the other is at /s/main.c:2"), "{help}");
        }
    }

    #[test]
    fn a_definition_in_a_header_is_reported_as_one() {
        let newer = "ld: CMakeFiles/a.dir/other.c.obj:/s/a.h:2: multiple definition of `go'; \
                     CMakeFiles/a.dir/main.c.obj:/s/a.h:2: first defined here\n";
        let older = "CMakeFiles/a.dir/other.c.obj:(.data.go+0x0): multiple definition of `go'\n\
                     CMakeFiles/a.dir/main.c.obj:(.data.go+0x0): first defined here\n";
        for output in [newer, older] {
            assert!(
                said(output).1.starts_with("`go' is defined in a header"),
                "{}",
                said(output).1
            );
        }
    }

    #[test]
    fn a_name_of_the_system_has_the_programs_line() {
        let (place, text, _) = said(
            "ld: os/kernel/panic.c:7: multiple definition of `count'; \
             CMakeFiles/a.dir/main.c.obj:/s/main.c:2: first defined here\n",
        );
        assert_eq!(place, "/s/main.c:2");
        assert_eq!(text, "`count' is a name of the system, and is defined here again");
    }
}
