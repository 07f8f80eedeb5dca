// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds progress and errors in the output of Ninja, CMake, the compiler and the linker.

use super::{Progress, postable};
use crate::Place;

/// An error that a tool found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Where, if the tool says so.
    pub place: Option<Place>,
    /// What.
    pub text: String,
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

/// The errors in `output`.
pub(super) fn messages(output: &str) -> Vec<Message> {
    let lines: Vec<&str> = output.lines().collect();
    (0..lines.len()).filter_map(|i| message_at(&lines[i..])).collect()
}

fn message_at(lines: &[&str]) -> Option<Message> {
    let line = lines.first()?;
    compiler(line).or_else(|| linker(line)).or_else(|| cmake(lines))
}

/// `file:line:column: error: text`, of the compiler and the assembler.
fn compiler(line: &str) -> Option<Message> {
    let (at, text) = [": fatal error: ", ": error: ", ": Error: "]
        .iter()
        .find_map(|marker| line.split_once(marker))?;
    Some(Message { place: place(at), text: text.to_string() })
}

/// `file:line` or `file:line:column`.
fn place(at: &str) -> Option<Place> {
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

/// The linker's messages about missing or duplicate names, and about memories and tables that are
/// full.
fn linker(line: &str) -> Option<Message> {
    let tells = [
        "undefined reference to",
        "multiple definition of",
        "overflowed by",
        "will not fit",
        "more than 127 woven pairs",
    ];
    if !tells.iter().any(|tell| line.contains(tell)) {
        return None;
    }
    // "…/ld: file:line: text", "file:(.text.f+0x4): text" or "…/ld: text"
    let line = line.split_once("/ld: ").map_or(line, |(_, rest)| rest);
    let line = line.strip_prefix("ld: ").unwrap_or(line);
    match line.split_once(": ") {
        Some((at, text)) => Some(
            twice(at, text).unwrap_or_else(|| Message { place: place(at), text: text.to_string() }),
        ),
        None => Some(Message { place: None, text: line.to_string() }),
    }
}

/// An interrupt handler of the program, and one of the system at `at`: the place is the program's,
/// which the linker met first.
fn twice(at: &str, text: &str) -> Option<Message> {
    let (what, first) = text.split_once("_handler'; ")?;
    let vector = what.strip_prefix("multiple definition of `")?;
    let first = first.strip_suffix(": first defined here")?;
    // "main.c.obj:/folder/main.c:7"
    let first = first.split_once(".obj:").map_or(first, |(_, first)| first);
    at.starts_with("os/").then(|| Message {
        place: place(first),
        text: format!("the interrupt {vector} has two handlers, here and in {at}"),
    })
}

/// `CMake Error at file:line (command):` with the text on the lines below.
fn cmake(lines: &[&str]) -> Option<Message> {
    let at = lines.first()?.strip_prefix("CMake Error")?;
    let at = at.strip_prefix(" at ").map(|at| at.split(' ').next().unwrap_or(at));
    let text: Vec<&str> = lines[1..]
        .iter()
        .map(|line| line.trim())
        .take_while(|line| !line.starts_with("Call Stack") && !line.starts_with("--"))
        .take(4)
        .collect();
    Some(Message {
        place: at.and_then(|at| place(at.trim_end_matches(':'))),
        text: text.join(" ").trim().to_string(),
    })
}

/// What to do about `messages`.
pub(super) fn remedy(messages: &[Message]) -> String {
    let Some(first) = messages.first() else {
        return "the output above says what is wrong".to_string();
    };
    let text = &first.text;
    if postable::is_about(text) {
        return postable::REMEDY.to_string();
    }
    if text.contains("woven pairs") {
        return "weave fewer pairs: events that are not woven run as themselves".to_string();
    }
    let is_about = |words: &str| messages.iter().any(|message| message.text.contains(words));
    if is_about("region `ram'") {
        return "the program does not fit the chip's RAM: give its threads smaller stacks, or its queues \
                and buffers fewer bytes; the .map file in the build folder lists what is in it"
            .to_string();
    }
    if text.contains("overflowed by") || text.contains("will not fit") {
        return "the program does not fit the chip's memory: make it smaller; the .map file in \
                the build folder lists what is in it"
            .to_string();
    }
    if text.contains("has two handlers") {
        return if text.contains("/cycles.c") {
            "the CPU time of threads is counted by this timer and its neighbour: choose another one, or \
             take `cpu_time = true` out of lichen.toml"
        } else {
            "choose another vector, or remove what links that file into the program"
        }
        .to_string();
    }
    if text.contains("undefined reference") {
        return "define that name, or list its file in lichen_app(NAME SOURCES …)".to_string();
    }
    match messages.len() {
        1 => "correct this line and build again".to_string(),
        n => format!("correct this line and build again ({n} errors in all, shown above)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(output: &str) -> (String, String) {
        let messages = messages(output);
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
    fn finds_an_undefined_reference_with_and_without_line() {
        let (place, text) = one("/usr/bin/ld: app/a/main.c:7: undefined reference to `led_on'");
        assert_eq!(
            (place.as_str(), text.as_str()),
            ("app/a/main.c:7", "undefined reference to `led_on'")
        );
        let (place, _) = one("main.c:(.text.main+0x2): undefined reference to `led_on'");
        assert_eq!(place, "");
    }

    #[test]
    fn finds_a_memory_that_is_full_and_says_what_to_do() {
        let found = messages("/usr/lib/ld: region `flash' overflowed by 1200 bytes\n");
        assert_eq!(found[0].text, "region `flash' overflowed by 1200 bytes");
        assert!(remedy(&found).contains("smaller"));
    }

    #[test]
    fn names_the_programs_own_one_of_two_handlers_and_says_what_to_do() {
        let twice = |file: &str, vector: &str| {
            let output = format!(
                "{file}: multiple definition of `{vector}_handler'; CMakeFiles/a.dir/main.c.obj:\
                 /t/app/a/main.c:7: first defined here\n"
            );
            (one(&output), remedy(&messages(&output)))
        };
        let ((place, text), remedy) = twice("os/chip/samr21/cycles.c:54", "TC5");
        assert_eq!(place, "/t/app/a/main.c:7");
        assert_eq!(
            text,
            "the interrupt TC5 has two handlers, here and in os/chip/samr21/cycles.c:54"
        );
        assert!(remedy.contains("cpu_time"), "{remedy}");
        let (_, remedy) = twice("os/chip/samr21/usart.c:9", "SERCOM0");
        assert!(remedy.contains("another vector"), "{remedy}");
        let ((place, _), _) = twice("/t/app/a/other.c:3", "TC5");
        assert_eq!(place, "/t/app/a/other.c:3", "neither is the system's");
    }

    #[test]
    fn finds_cmakes_error_with_its_text() {
        let output = "CMake Error at CMakeLists.txt:3 (lichen_app):\n  no C file in\n  /t/a\n\n";
        assert_eq!(one(output), ("CMakeLists.txt:3".to_string(), "no C file in /t/a".to_string()));
    }

    #[test]
    fn drops_ninjas_repetition_of_commands() {
        let output = "FAILED: a.o \n/usr/bin/gcc -c a.c\na.c:1:1: error: x\nninja: build stopped\n";
        assert_eq!(without_commands(output), "a.c:1:1: error: x\n");
    }
}
