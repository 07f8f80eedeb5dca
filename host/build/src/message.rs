// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds progress and errors in the output of Ninja, CMake and the compiler, and those of the linker among them.

use super::linker::{self, DOES_NOT_FIT, FLASH, MARK_OF_VECTOR, OVERFLOWED, RAM, TWO_HANDLERS};
use super::{Progress, shown};
use lichen_project::Place;
use std::path::Path;

/// An error that a tool found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where, if the tool says so.
    pub place: Option<Place>,
    /// What.
    pub text: String,
    /// What to do, if it depends on more than the text.
    pub(super) help: Option<String>,
    /// What the compiler says about it besides.
    pub(super) notes: Vec<String>,
    /// Whether a header refuses what was called or declared, in its own words.
    pub(super) is_refusal: bool,
}

impl Message {
    pub(super) fn new(place: Option<Place>, text: impl Into<String>) -> Message {
        Message { place, text: text.into(), help: None, notes: Vec::new(), is_refusal: false }
    }

    /// Whether the linker says that RAM is full.
    pub(super) fn is_of_full_ram(&self) -> bool {
        self.text.contains(OVERFLOWED) && self.text.contains(RAM)
    }

    /// Whether the linker says that flash is full.
    pub(super) fn is_of_full_flash(&self) -> bool {
        self.text.contains(OVERFLOWED) && self.text.contains(FLASH)
    }
}

/// Ninja's progress, `[3/40] …`.
pub(super) fn progress(line: &str) -> Option<Progress> {
    let (done, rest) = line.strip_prefix('[')?.split_once('/')?;
    let (total, _) = rest.split_once("] ")?;
    Some(Progress { done: done.parse().ok()?, total: total.parse().ok()? })
}

/// `output` without the lines in which Ninja repeats commands.
pub(super) fn without_commands(output: &str) -> String {
    let mut kept = String::new();
    let mut after_failed = false;
    for line in output.lines() {
        let is_noise = after_failed
            || line.starts_with("FAILED: ")
            || line.starts_with("ninja: ")
            || line.trim().is_empty();
        after_failed = line.starts_with("FAILED: ");
        if !is_noise {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The errors in `output` of a build of the program in `source`.
pub(super) fn messages(output: &str, source: &Path) -> Vec<Message> {
    let lines: Vec<&str> = output.lines().collect();
    let mut messages: Vec<Message> = (0..lines.len())
        .filter_map(|i| Some((i, message_at(&lines[i..], source)?)))
        .map(|(i, message)| included(inlined(message, &lines[..i]), &lines[..i]))
        .collect();
    // The linker names a section that does not fit, and then says by how much the memory overflows.
    if messages.iter().any(|message| message.text.contains(OVERFLOWED)) {
        messages.retain(|message| !message.text.contains(DOES_NOT_FIT));
    }
    // A vector that is used twice has two marks besides two handlers.
    if messages.iter().any(|message| message.text.contains(TWO_HANDLERS)) {
        messages.retain(|message| !message.text.contains(MARK_OF_VECTOR));
    }
    // What the compiler makes of a switch that captures the wait of a cooperative thread.
    if messages.iter().any(|message| message.text.starts_with("duplicate case value")) {
        messages.retain(|message| !message.text.starts_with("function returns address of label"));
    }
    // The table of vectors has no lines, the task that uses one has.
    if messages.iter().any(|message| message.text.contains("`interrupt_vector_")) {
        messages.retain(|message| !message.text.contains("`vector_"));
    }
    messages
}

fn message_at(lines: &[&str], source: &Path) -> Option<Message> {
    compiler(lines).or_else(|| linker::message(lines, source)).or_else(|| cmake(lines, source))
}

/// How many lines before an error may say where it is inlined.
const MOST_INLINED: usize = 8;

/// An error in an inline function of the system's headers is one of the line into which it is inlined, which the
/// lines before it name: `    inlined from 'f' at file:line:column:`.
fn inlined(message: Message, before: &[&str]) -> Message {
    let is_headers = |place: &Place| shown::is_of_headers(&place.file.to_string_lossy());
    if !message.place.as_ref().is_some_and(is_headers) {
        return message;
    }
    // The innermost one stands first.
    let is_inlined = |line: &&&str| line.trim_start().starts_with("inlined from ");
    let count = before.iter().rev().take(MOST_INLINED).take_while(is_inlined).count();
    let mut from = before[before.len() - count..].iter().filter_map(|line| {
        let (_, at) = line.trim_start().strip_prefix("inlined from ")?.rsplit_once(" at ")?;
        place(at.trim_end_matches([':', ',']))
    });
    match from.find(|place| !is_headers(place)) {
        Some(place) => Message { place: Some(place), ..message },
        None => message,
    }
}

/// The header of avr-libc that asks for the frequency of the processor, which changes, and what is said of it.
const DELAY: &str = "util/delay.h";
const NO_DELAY: &str = "<util/delay.h> is of avr-libc: it counts loops, while nothing else runs";

/// An error in that header is one of the line that includes it: `In file included from file:line:0:`.
fn included(message: Message, before: &[&str]) -> Message {
    if !message.place.as_ref().is_some_and(|place| place.file.ends_with(DELAY)) {
        return message;
    }
    let from = before.iter().rev().find_map(|line| line.strip_prefix("In file included from "));
    let place = from.and_then(|from| place(from.trim_end_matches([':', ','])));
    let place = place.map(|place| Place { column: None, ..place });
    let help = "take it away, and write sleep_ms or sleep_us (<lichen/time.h>)".to_string();
    Message { help: Some(help), ..Message::new(place, NO_DELAY) }
}

pub(super) const NO_VECTOR: &str = "the chip has no interrupt";

/// `file:line:column: error: text`, of the compiler and the assembler. An error in a macro of the
/// system's headers is one of the line that uses the macro.
fn compiler(lines: &[&str]) -> Option<Message> {
    let (at, text) = split_error(lines.first()?)?;
    let about = lines[1..].iter().take_while(|line| split_error(line).is_none());
    let notes: Vec<String> =
        about.filter(|line| line.contains(": note: ")).map(ToString::to_string).collect();
    let use_of_macro = shown::is_of_headers(at)
        .then(|| expansion(&notes).or_else(|| of_program(&notes)))
        .flatten();
    let text = no_vector(text).unwrap_or_else(|| text.to_string());
    Some(Message { notes, ..Message::new(use_of_macro.or_else(|| place(at)), text) })
}

/// The chips that need to know the vectors of their handlers when these are compiled define a macro for each;
/// another name is none to the compiler.
fn no_vector(text: &str) -> Option<String> {
    let is_expected = text.starts_with("expected ')'") || text.starts_with("expected ':' or ')'");
    let (_, vector) = text.split_once(" before 'ARCH_VECTOR_").filter(|_| is_expected)?;
    let vector = vector.strip_suffix('\'')?;
    Some(format!("{NO_VECTOR} {vector}"))
}

fn split_error(line: &str) -> Option<(&str, &str)> {
    [": fatal error: ", ": error: ", ": Error: "].iter().find_map(|marker| line.split_once(marker))
}

/// Where the outermost macro is used that the notes on an error name.
fn expansion(notes: &[String]) -> Option<Place> {
    let is_of_macro = |note: &&String| note.contains(": note: in ");
    let uses = notes.iter().take_while(is_of_macro);
    let uses = uses.filter_map(|note| note.split_once(": note: in expansion of macro "));
    uses.last().and_then(|(at, _)| place(at))
}

/// The first place of the notes on an error that is not the system's.
fn of_program(notes: &[String]) -> Option<Place> {
    let places = notes.iter().filter_map(|note| place(note.split_once(": note: ")?.0));
    places.into_iter().find(|place| !shown::is_of_headers(&place.file.to_string_lossy()))
}

/// `file:line` or `file:line:column`.
pub(super) fn place(at: &str) -> Option<Place> {
    let parts: Vec<&str> = at.rsplitn(3, ':').collect();
    match parts[..] {
        [column, line, file] if line.parse::<u32>().is_ok() => {
            Some(Place { column: column.parse().ok(), ..Place::line(file, line.parse().ok()?) })
        }
        [line, file] => Some(Place::line(file, line.parse().ok()?)),
        [line, folder, drive] => Some(Place::line(format!("{drive}:{folder}"), line.parse().ok()?)),
        _ => None,
    }
}

/// `CMake Error at file:line (command):` with the text on the lines below. An error that
/// `os/lichen.cmake` reports is one of the line that calls it.
fn cmake(lines: &[&str], source: &Path) -> Option<Message> {
    let at = lines.first()?.strip_prefix("CMake Error")?;
    // "CMake Error: text" has no place.
    let (at, first) = match at.strip_prefix(" at ") {
        Some(at) => (at.split(' ').next(), None),
        None => (None, at.strip_prefix(": ")),
    };
    let below = lines[1..].iter().map(|line| line.trim());
    let filled = below.clone().filter(|line| !line.is_empty());
    let text = filled.take_while(|line| {
        let ends = ["Call Stack", "--", "CMake Error", "CMake Warning", "Specify --help"];
        !ends.iter().any(|end| line.starts_with(end))
    });
    let caller = below
        .skip_while(|line| !line.starts_with("Call Stack"))
        .skip(1)
        .take_while(|line| line.ends_with(')'))
        .last()
        .and_then(|line| line.split(' ').next());
    let is_systems = at.is_some_and(|at| at.contains("os/lichen.cmake:"));
    let at = if is_systems { caller.or(at) } else { at };
    let text = first.into_iter().chain(text.take(4)).collect::<Vec<_>>().join(" ");
    if let Some((place, text)) = of_manifest(&text) {
        return Some(Message::new(Some(place), text));
    }
    let place = at.and_then(|at| place(at.trim_end_matches(':'))).map(|place| Place {
        // CMake's paths are relative to the source folder.
        file: source.join(&place.file),
        ..place
    });
    Some(Message::new(place, text))
}

/// What `os/lichen.cmake` has to say of a line of the manifest: `/path/lichen.toml:7: text`.
fn of_manifest(text: &str) -> Option<(Place, String)> {
    let (at, text) = text.split_once(": ")?;
    let (file, _) = at.rsplit_once(':')?;
    file.ends_with("/lichen.toml").then(|| Some((place(at)?, text.to_string())))?
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::remedy::remedy;

    pub(crate) fn all(output: &str) -> Vec<Message> {
        messages(output, Path::new("/t/a"))
    }

    pub(crate) fn one(output: &str) -> (String, String) {
        let messages = all(output);
        assert_eq!(messages.len(), 1, "{messages:?}");
        let place = messages[0].place.as_ref().map(|p| p.to_string()).unwrap_or_default();
        (place, messages[0].text.clone())
    }

    #[test]
    fn reads_ninjas_progress() {
        assert_eq!(progress("[3/40] Building C"), Some(Progress { done: 3, total: 40 }));
        assert_eq!(progress("[x] no"), None);
    }

    #[test]
    fn finds_the_compilers_error() {
        let (place, text) = one("/t/app/a/main.c:3:5: error: 'x' undeclared\n   3 |  x;\n");
        assert_eq!((place.as_str(), text.as_str()), ("/t/app/a/main.c:3:5", "'x' undeclared"));
    }

    #[test]
    fn finds_the_assemblers_error() {
        let (place, _) = one("switch.S:12: Error: bad instruction `movx r0'");
        assert_eq!(place, "switch.S:12");
    }

    #[test]
    fn an_error_in_a_headers_macro_is_one_of_the_line_that_uses_it() {
        let output = "/l/os/include/lichen/thread.h:108:5: error: static assertion failed: \"x\"\n\
                      /l/os/include/lichen/thread.h:146:5: note: in expansion of macro 'DECLARE'\n\
                      /t/a/main.c:49:1: note: in expansion of macro 'THREAD'\n\
                      /t/a/main.c:60:1: error: another\n\
                      /t/a/main.c:61:1: note: in expansion of macro 'OF_ANOTHER'\n";
        let places: Vec<_> = all(output).into_iter().filter_map(|found| found.place).collect();
        let places: Vec<_> = places.iter().map(Place::to_string).collect();
        assert_eq!(places, ["/t/a/main.c:49:1", "/t/a/main.c:60:1"]);
    }

    #[test]
    fn finds_cmakes_error_with_its_text() {
        let output = "CMake Error at CMakeLists.txt:3 (project):\n  no language\n  in it\n\n";
        assert_eq!(one(output), ("/t/a/CMakeLists.txt:3".into(), "no language in it".into()));
        let (place, text) = one("CMake Error: no generator\nSpecify --help for usage\n");
        assert_eq!((place.as_str(), text.as_str()), ("", "no generator"));
    }

    #[test]
    fn an_error_that_lichen_app_reports_is_one_of_the_line_that_calls_it() {
        let output = "CMake Error at /l/os/lichen.cmake:177 (message):\n  no C file\n\
                      Call Stack (most recent call first):\n  /l/os/lichen.cmake:9 (inner)\n  \
                      CMakeLists.txt:4 (lichen_app)\n-- Configuring incomplete\n";
        assert_eq!(one(output), ("/t/a/CMakeLists.txt:4".into(), "no C file".into()));
    }

    #[test]
    fn an_error_about_a_line_of_the_manifest_is_one_of_that_line() {
        let output = "CMake Error at /l/os/lichen.cmake:168 (message):\n  \
                      /p/my app/lichen.toml:7: The ATmega128 of the board 'micaz' has no clock\n  \
                      of '48 MHz'.  Clocks are: adaptive\n\
                      Call Stack (most recent call first):\n  CMakeLists.txt:4 (lichen_app)\n";
        let text =
            "The ATmega128 of the board 'micaz' has no clock of '48 MHz'.  Clocks are: adaptive";
        assert_eq!(one(output), ("/p/my app/lichen.toml:7".into(), text.into()));
    }

    #[test]
    fn each_of_cmakes_errors_is_one_and_a_missing_include_is_explained() {
        let output = "CMake Error at CMakeLists.txt:2 (include):\n  include could not find \
                      requested file:\n    ../../os/lichen.cmake\n\
                      CMake Error at CMakeLists.txt:4 (lichen_app):\n  \
                      Unknown CMake command \"lichen_app\".\n";
        let found = all(output);
        let texts: Vec<&str> = found.iter().map(|found| found.text.as_str()).collect();
        let missing = "include could not find requested file: ../../os/lichen.cmake";
        assert_eq!(texts, [missing, "Unknown CMake command \"lichen_app\"."]);
        assert!(remedy(&found).contains("include os/lichen.cmake"), "{}", remedy(&found));
        assert!(remedy(&found[1..]).contains("include os/lichen.cmake"));
    }

    #[test]
    fn drops_ninjas_repetition_of_commands() {
        let output = "FAILED: a.o \n/usr/bin/gcc -c a.c\na.c:1:1: error: x\nninja: build stopped\n";
        assert_eq!(without_commands(output), "a.c:1:1: error: x\n");
    }
}
