// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of the C library that need an operating system under it: files, a heap, a clock. The
//! linker tells only what they miss (`_sbrk`, or on AVR `__heap_end`); its map shows who called them.

use super::Message;
use super::postable::{failed, source_of};
use crate::map::included;
use lichen_project::Place;
use std::collections::HashMap;
use std::path::Path;

/// What the C library asks of the system below it.
const CALLS: [&str; 16] = [
    "__heap_start",
    "__heap_end",
    "_sbrk",
    "_write",
    "_read",
    "_close",
    "_lseek",
    "_fstat",
    "_isatty",
    "_exit",
    "_kill",
    "_getpid",
    "_gettimeofday",
    "_times",
    "_open",
    "_unlink",
];

/// The error in the linker's output, if it is this one. `folder` has the map, `source` the program.
pub(super) fn message(output: &str, folder: &Path, source: &Path) -> Option<Message> {
    let missing =
        CALLS.iter().find(|call| output.contains(&format!("undefined reference to `{call}'")))?;
    let map = std::fs::read_to_string(folder.join(format!("{}.map", failed(output)?))).ok()?;
    let (object, function) = caller(&map, member(output, missing)?)?;
    let file = source_of(object, source);
    let line = std::fs::read_to_string(&file).ok().and_then(|text| line_of(&text, function));
    let place = line.map_or_else(|| Place::file(&file), |line| Place::line(&file, line));
    Some(Message {
        help: Some(help(function, missing).to_string()),
        ..Message::new(
            Some(place),
            format!("`{function}' of the C library needs `{missing}', and there is none on a mote"),
        )
    })
}

/// The member of the C library that misses `missing`: `libc_nano.a(lib_a-sbrkr.o)`.
fn member<'o>(output: &'o str, missing: &str) -> Option<&'o str> {
    let tells = format!("undefined reference to `{missing}'");
    let lines: Vec<&str> = output.lines().collect();
    let at = lines.iter().position(|line| line.contains(&tells))?;
    // It stands on the same line, or on the one before, which names the function.
    [at, at.checked_sub(1)?].into_iter().find_map(|at| {
        let end = lines[at].find("):")?;
        Some(name_of_member(&lines[at][..=end]))
    })
}

/// A member of an archive without the archive's folder.
fn name_of_member(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The object of the program that needs `member`, itself or through others, and the name that it uses.
fn caller<'m>(map: &'m str, member: &str) -> Option<(&'m str, &'m str)> {
    let needed: HashMap<&str, _> =
        included(map).map(|it| (name_of_member(it.member), (it.by, it.symbol))).collect();
    let mut member = member;
    // Each is needed by one that was included before it.
    for _ in 0..needed.len() {
        let (by, name) = *needed.get(member)?;
        if by.starts_with("CMakeFiles/") {
            return Some((by, name));
        }
        member = name_of_member(by);
    }
    None
}

/// The first line that calls `function`.
fn line_of(text: &str, function: &str) -> Option<u32> {
    let is_call = |line: &str| {
        line.match_indices(function).any(|(at, _)| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            line[at + function.len()..].trim_start().starts_with('(')
                && !line[..at].ends_with(is_part)
        })
    };
    text.lines().zip(1..).find(|(line, _)| is_call(line)).map(|(_, number)| number)
}

fn help(function: &str, missing: &str) -> &'static str {
    match (function, missing) {
        ("strtok", _) => "write strtok_r, which keeps its place in a variable of yours",
        ("rand" | "srand", _) => "random numbers are <lichen/random.h>",
        (_, "_sbrk" | "__heap_start" | "__heap_end") => {
            "there is no heap: declare static variables; the console is <lichen/print.h>"
        }
        (_, "_gettimeofday" | "_times") => "the time is time_now_us (<lichen/time.h>)",
        (_, "_exit" | "_kill" | "_getpid") => {
            "a program does not end: a thread ends by returning, and reset_mote (<lichen/reset.h>) starts again"
        }
        _ => {
            "the console is <lichen/print.h>, data in flash is <lichen/log.h> and <lichen/block.h>"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "Archive member included to satisfy reference by file (symbol)\n\n\
        /l/liblichen.a(start.c.obj)\n                              (reset_handler)\n\
        /usr/lib/libc_nano.a(lib_a-atoi.o)\n                              \
        CMakeFiles/a.dir/main.c.obj (atoi)\n\
        /usr/lib/libc_nano.a(lib_a-div.o) CMakeFiles/a.dir/main.c.obj (div)\n\
        /usr/lib/libc_nano.a(lib_a-rand.o)\n                              \
        CMakeFiles/a.dir/main.c.obj (rand)\n\
        /usr/lib/libc_nano.a(lib_a-malloc.o)\n                              \
        /usr/lib/libc_nano.a(lib_a-rand.o) (malloc)\n\
        /usr/lib/libc_nano.a(lib_a-sbrkr.o)\n                              \
        /usr/lib/libc_nano.a(lib_a-malloc.o) (_sbrk_r)\n\nDiscarded input sections\n";
    const OUTPUT: &str = "[2/2] Linking\nFAILED: a.elf a.bin\n/usr/bin/gcc -o a.elf\n\
                          /usr/bin/ld: /usr/lib/libc_nano.a(lib_a-sbrkr.o): in function `_sbrk_r':\n\
                          /b/sbrkr.c:51: undefined reference to `_sbrk'\n";

    #[test]
    fn the_programs_own_call_is_named_and_none_that_needs_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.map"), MAP).expect("written");
        std::fs::write(
            folder.path().join("main.c"),
            "int x;\nint f(char *s)\n{ return atoi(s) + my_rand() +\nrand(); }\n",
        )
        .expect("written");
        let said = message(OUTPUT, folder.path(), folder.path()).expect("this mistake");
        assert_eq!(said.text, "`rand' of the C library needs `_sbrk', and there is none on a mote");
        assert_eq!(said.place, Some(Place::line(folder.path().join("main.c"), 4)));
        assert!(said.help.expect("help").contains("random"));
    }

    #[test]
    fn names_that_the_program_misses_are_none_of_this() {
        let output = "FAILED: a.elf\nld: main.c:1: undefined reference to `led_onn'\n";
        assert_eq!(message(output, Path::new("."), Path::new(".")), None);
    }
}
