// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names that the system has already, or that a macro declares.

use super::message;
use super::plain::{Error, Plain, between};
use super::shown::is_of_headers;
use lichen_analysis::Owner;
use lichen_project::Place;

/// How the compiler begins to say that what is declared was declared before.
const PREVIOUS: [&str; 3] =
    ["previous declaration of ", "previous definition of ", "originally defined here"];
/// In a note on the linker's message, what follows the place of the other definition.
pub(super) const FIRST: &str = ": note: first defined here";

/// What the error means.
pub(super) fn explained(error: &Error<'_>) -> Option<Plain> {
    main(error)
        .or_else(|| shadowed(error))
        .or_else(|| again(error))
        .or_else(|| kinds(error))
        .or_else(|| linked(error))
}

/// What is called main, or as a function that the compiler knows.
fn main(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "'", "' is usually a function")
        .or_else(|| between(error.text, "built-in function '", "' declared as non-function"))?;
    let what = error.declared_by().map_or("variable", |(macro_, _)| macro_);
    let kept = format!("`{name}' cannot be the name of a {what}: C keeps it for a function");
    Some(Plain::new(kept).help(format!("give it another name, such as my_{name}")))
}

/// A local name that hides another one. In a function of Lichen's headers, the error is one of what it hides.
fn shadowed(error: &Error<'_>) -> Option<Plain> {
    let text = error.text.strip_prefix("declaration of '")?;
    let (name, hidden) = text.split_once("' shadows ")?;
    let there = error.notes.iter().find(|note| note.contains("shadowed declaration is here"));
    let there = there.and_then(|note| message::place(note.split_once(": note: ")?.0));
    if there.is_some() && there.as_ref() == error.place {
        let what = format!(
            "`{name}' is declared before Lichen's headers, which have a parameter of that name"
        );
        return Some(Plain::new(what).help("write the #include of <lichen/...> above this line"));
    }
    let plain = Plain::new(match declared(error, name) {
        Some(macro_) => format!("`{name}' is already the name of what {macro_} declares"),
        None => match (hidden, error.headers.find(name)) {
            ("a global declaration", Some(declared)) => {
                format!("`{name}' is a name of the system, declared in <{}>", declared.header)
            }
            _ => return None,
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

/// A structure of the system that is defined again.
fn again(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "redefinition of '", "'")?;
    let is_kind = ["struct", "union", "enum"].contains(&name.split(' ').next()?);
    is_kind.then(|| twice(error, name))?
}

/// Two different things of one name.
fn kinds(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "'", "' redeclared as different kind of symbol")
        .or_else(|| between(error.text, "conflicting types for '", "'"))
        .or_else(|| between(error.text, "conflicting type qualifiers for '", "'"))?;
    twice(error, name)
}

/// The place of the declaration before, which a note names.
fn other(error: &Error<'_>) -> Option<Place> {
    let note = error.notes.iter().find_map(|note| {
        let (at, text) = note.split_once(": note: ")?;
        PREVIOUS.iter().any(|begin| text.starts_with(begin)).then_some(at)
    });
    message::place(note?)
}

/// A name of the system, or one that a macro declares, that is given to something else.
fn twice(error: &Error<'_>, name: &str) -> Option<Plain> {
    let other = other(error);
    let header = error.headers.find(name).map(|declared| declared.header.clone());
    let header = header.or_else(|| {
        let file = other.as_ref()?.file.to_string_lossy().into_owned();
        let (_, header) = file.split_once("/include/lichen/")?;
        Some(format!("lichen/{header}"))
    });
    if let Some(header) = header {
        let plain = Plain::new(format!("`{name}' is declared in <{header}>, as something else"));
        return Some(plain.help("give this another name"));
    }
    error.declared_by().or_else(|| Some((declared(error, name)?, name)))?;
    let other = other.map(|place| format!("; the other is at {place}")).unwrap_or_default();
    Some(
        Plain::new(format!("`{name}' is declared twice, as two different things"))
            .help(format!("give one of them another name{other}")),
    )
}

/// A name that the program and the system define, in the linker's words. Older linkers know no good line of what is
/// not a function: it is the one that declares the name.
fn linked(error: &Error<'_>) -> Option<Plain> {
    let name = between(error.text, "multiple definition of `", "'")?;
    let other = error.notes.iter().find_map(|note| note.strip_suffix(FIRST))?;
    let place = error.place.filter(|_| is_systems(other))?;
    let line = declaring(error.file, error, name);
    let here = line.map_or(place.clone(), |line| Place::line(&place.file, line));
    let plain = Plain::new(format!("`{name}' is a name of the system, and is defined here again"))
        .at(Some(here));
    if ACCESS.contains(&name) {
        return Some(plain.help(format!(
            "a program with an access to the channel of its own defines all of {}, {} and {}: lichen/link_access.h",
            ACCESS[0], ACCESS[1], ACCESS[2]
        )));
    }
    Some(plain.help(format!(
        "give this another name, such as my_{name}; or declare it static, if only this file uses it"
    )))
}

/// What a program defines in the system's place, all of it or nothing.
const ACCESS: [&str; 3] = ["link_access", "link_access_give_up", "link_acknowledged"];

/// Whether a place that the linker names is in the system.
fn is_systems(at: &str) -> bool {
    at.contains("liblichen.a(")
        || at.contains("/libc")
        || Owner::of(at).is_system() && !is_of_headers(at)
}

/// The line of `text` that declares `name`, at the outermost level.
fn declaring(text: &str, error: &Error<'_>, name: &str) -> Option<u32> {
    let number = text.lines().position(|line| match error.headers.declaration(line) {
        Some((_, first)) => first == name,
        None => super::macros::declares(line, name),
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
    fn a_name_of_the_system_has_the_programs_line() {
        let (place, text, _) = said(
            "ld: os/kernel/panic.c:7: multiple definition of `count'; \
             CMakeFiles/a.dir/main.c.obj:/s/main.c:2: first defined here\n",
        );
        assert_eq!(place, "/s/main.c:2");
        assert_eq!(text, "`count' is a name of the system, and is defined here again");
    }
}
