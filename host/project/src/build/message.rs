// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds progress and errors in the output of Ninja, CMake, the compiler and the linker.

use super::{Progress, names, plain, postable, shown};
use crate::Place;
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
    compiler(lines).or_else(|| linker(lines, source)).or_else(|| cmake(lines, source))
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

const NO_VECTOR: &str = "the chip has no interrupt";

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

const OVERFLOWED: &str = "overflowed by";
const RAM: &str = "region `ram'";
const FLASH: &str = "region `flash'";
const DOES_NOT_FIT: &str = "will not fit";

/// What the chips' linker scripts say.
const STORAGE: &str = "logs and volumes do not fit";

/// What older linkers say of a section that does not fit a region of their own script.
const NOT_WITHIN: &str = "is not within region";

/// The linker's messages about missing or duplicate names, and about memories and tables that are
/// full.
fn linker(lines: &[&str], source: &Path) -> Option<Message> {
    let tells = [
        "undefined reference to",
        "multiple definition of",
        OVERFLOWED,
        DOES_NOT_FIT,
        NOT_WITHIN,
        "more than 127 woven pairs",
        STORAGE,
    ];
    let line = lines.first()?;
    if !tells.iter().any(|tell| line.contains(tell)) {
        return None;
    }
    // "…/ld: file:line: text", "file:(.text.f+0x4): text" or "…/ld: text"
    let line = line.split_once("/ld: ").map_or(*line, |(_, rest)| rest);
    let line = line.strip_prefix("ld: ").unwrap_or(line);
    match line.split_once(": ") {
        Some((at, text)) => {
            let said =
                twice(at, text, lines.get(1)).or_else(|| defined(at, text, lines.get(1), source));
            Some(said.unwrap_or_else(|| Message::new(place(at), text)))
        }
        None => Some(Message::new(None, line)),
    }
}

const TWO_HANDLERS: &str = "has two handlers";

/// How the names of objects begin that say which vectors are used.
const MARK_OF_VECTOR: &str = "`vector_used_";

/// How avr-libc writes handlers, which Lichen's vectors do not know.
const AVR_LIBC: &str = "a handler that is written with ISR()";

/// An interrupt handler of the program, and one of the system at `at`: the place is the program's,
/// which the linker met first. Where that is stands on the same line, or on the next one if the linker is
/// old.
fn twice(at: &str, text: &str, next: Option<&&str>) -> Option<Message> {
    let what = text.strip_prefix("multiple definition of `")?;
    let (symbol, first) = match what.split_once("'; ") {
        Some((symbol, first)) => (symbol, first),
        None => (what.strip_suffix('\'')?, *next?),
    };
    let vector = vector(symbol)?;
    let first = first.strip_suffix(": first defined here")?;
    let first = without_object(first);
    let other = other_handler(at)?;
    // avr-libc numbers them.
    let text = match vector.parse::<u8>() {
        Ok(_) => format!("{AVR_LIBC} is never called"),
        Err(_) => format!("the interrupt {vector} {TWO_HANDLERS}, here and in {other}"),
    };
    Some(Message::new(place(first), text))
}

/// How names begin that parts of the system define to be used once.
const OF_PARTS: [&str; 3] = ["pin_of_", "timers_of_", "vector_used_"];

/// "main.c.obj:/folder/main.c:7" as "/folder/main.c:7".
fn without_object(at: &str) -> &str {
    at.split_once(".obj:").map_or(at, |(_, at)| at)
}

/// A name that is defined twice, at `at` and where the linker met it first: the place is the program's, or the second
/// one if both are; the other is noted.
fn defined(at: &str, text: &str, next: Option<&&str>, source: &Path) -> Option<Message> {
    let what = text.strip_prefix("multiple definition of `")?;
    let (symbol, first) = match what.split_once("'; ") {
        Some((symbol, first)) => (symbol, first),
        None => (what.strip_suffix('\'')?, *next?),
    };
    if OF_PARTS.iter().any(|begin| symbol.starts_with(begin)) {
        return None;
    }
    let first = in_source(first.strip_suffix(": first defined here")?, source);
    let at = in_source(at, source);
    let is_systems = at.starts_with("os/") || at.contains("liblichen.a(");
    let (here, other) = if is_systems { (first, at) } else { (at, first) };
    Some(Message {
        notes: vec![format!("{other}{}", names::FIRST)],
        ..Message::new(place(&here), format!("multiple definition of `{symbol}'"))
    })
}

/// A place that the linker names: of what is no function, older linkers know no line, "main.c.obj:(.data.go+0x0)".
fn in_source(at: &str, source: &Path) -> String {
    match at.split_once(".obj:(") {
        Some((object, _)) => {
            let file = object.split_once(".dir/").map_or(object, |(_, file)| file);
            format!("{}:1", source.join(file).display())
        }
        None => without_object(at).to_string(),
    }
}

/// Where the second handler is if it is the system's, or if it is one that older linkers know no line of:
/// "counter.c:(.text.entries.TIMER3_COMPA+0x0)".
fn other_handler(at: &str) -> Option<&str> {
    match at.split_once(":(") {
        Some((file, _)) => Some(file),
        None => at.starts_with("os/").then_some(at),
    }
}

/// The interrupt that a symbol is the handler of, as the architectures' ports name them.
fn vector(symbol: &str) -> Option<&str> {
    let name = symbol.strip_suffix("_handler");
    name.or_else(|| symbol.strip_prefix("__vector_")).or_else(|| symbol.strip_prefix("entry_"))
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

/// What to do about `messages`.
pub(super) fn remedy(messages: &[Message]) -> String {
    let Some(first) = messages.first() else {
        return "the output above says what is wrong".to_string();
    };
    if let Some(help) = &first.help {
        return help.clone();
    }
    let text = &first.text;
    if postable::is_about(text) {
        return postable::REMEDY.to_string();
    }
    if text.contains("woven pairs") {
        return "weave fewer pairs: events that are not woven run as themselves".to_string();
    }
    if text.contains(STORAGE) {
        return "declare logs and volumes of fewer bytes: LOG, LOG_CIRCULAR, VOLUME".to_string();
    }
    let is_about = |words: &str| messages.iter().any(|message| message.text.contains(words));
    if is_about("region `ram'") || is_about("region `data'") || is_about(plain::FULL_RAM) {
        return "give threads smaller stacks, or queues and buffers fewer bytes; the .map file in the build \
                folder lists what is in RAM"
            .to_string();
    }
    if [OVERFLOWED, DOES_NOT_FIT, NOT_WITHIN].iter().any(|words| text.contains(words)) {
        return "the program does not fit the chip's memory: make it smaller; the .map file in \
                the build folder lists what is in it"
            .to_string();
    }
    if text.contains(TWO_HANDLERS) {
        return two_handlers(text).to_string();
    }
    if text.contains(NO_VECTOR) {
        return "interrupts have the names of the data sheet, such as USART1_RX; if the program includes \
                <avr/io.h>, which defines INT0 to INT7 and ADC, remove those with #undef"
            .to_string();
    }
    if text.contains(AVR_LIBC) {
        return "write INTERRUPT(USART1_RX), with the vector's name in the data sheet: lichen/interrupt.h"
            .to_string();
    }
    if text.contains("multiple definition of `pin_of_") {
        return "the program uses two things that share a pin of this board, as the name says: leave out one \
                of them"
            .to_string();
    }
    if text.contains("multiple definition of `timers_of_") {
        return "the program uses two things that share timers of this chip, as the name says: leave out one \
                of them"
            .to_string();
    }
    if text.contains("undefined reference to `shell_command_") {
        return "SHELL_USE names a command of the system: energy, log, panic, ps, reboot, sensors or uptime \
                (lichen/shell.h); a SHELL_COMMAND of the program needs none"
            .to_string();
    }
    if text.contains("undefined reference to `sensor_") {
        return "this board has no such sensor: doc/spec/sensor.md has a table of boards and sensors"
            .to_string();
    }
    if ["`interrupt_vector_", "`vector_"]
        .iter()
        .any(|symbol| text.contains(&format!("undefined reference to {symbol}")))
    {
        return "the chip has no interrupt of that name: vectors have the names of the data sheet, such as TC3 \
                on the SAM R21 and USART1_RX on the ATmega128; a timer for a real-time task is RT_TIMER_A or RT_TIMER_B"
            .to_string();
    }
    if text.contains("undefined reference to `rt_timer_") {
        return "that is no timer of this chip that a real-time task can have: RT_TIMER_A, or TC3 to TC5 on the \
                SAM R21 (lichen/rt.h)"
            .to_string();
    }
    if text.contains("undefined reference to `board_uart") {
        return "this board has no such serial port: lichen/uart.h says which boards have one"
            .to_string();
    }
    if text.contains("undefined reference") {
        return "define that name, or list its file in lichen_app(NAME SOURCES …)".to_string();
    }
    if text.contains("os/lichen.cmake") || text.contains("\"lichen_app\"") {
        return "before project(), include os/lichen.cmake of Lichen's folder, as ${LICHEN_ROOT}/os/lichen.cmake \
                or relative to this file; `lichen new` writes the line; plain CMake needs -DLICHEN_ROOT=FOLDER"
            .to_string();
    }
    match messages.len() {
        1 => "correct this line and build again".to_string(),
        n => format!("correct this line and build again ({n} errors in all, shown above)"),
    }
}

/// What to do about two handlers of one interrupt.
fn two_handlers(text: &str) -> &'static str {
    let is_in =
        |file: &str| text.contains(&format!("/{file}")) || text.contains(&format!(" {file}"));
    if is_in("cycles.c") {
        "the CPU time of threads is counted by this timer and its neighbour: choose another one, or take \
         `cpu_time = true` out of lichen.toml"
    } else if is_in("counter.c") {
        "alarms in microseconds and sleep_exact_us count this timer: choose another one, RT_TIMER_A for a \
         real-time task, or a timer of lichen/timer.h instead of the alarms"
    } else {
        "choose another vector, or remove what links that file into the program"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(output: &str) -> Vec<Message> {
        messages(output, Path::new("/t/a"))
    }

    fn one(output: &str) -> (String, String) {
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
        let found = all("/usr/lib/ld: region `flash' overflowed by 1200 bytes\n");
        assert_eq!(found[0].text, "region `flash' overflowed by 1200 bytes");
        assert!(remedy(&found).contains("smaller"));
    }

    #[test]
    fn finds_logs_that_do_not_fit_and_says_what_to_do() {
        let found = all("/usr/bin/ld: logs and volumes do not fit into the board's storage\n\
                         collect2: error: ld returned 1 exit status\n");
        assert_eq!(found[0].text, "logs and volumes do not fit into the board's storage");
        assert!(remedy(&found).contains("fewer bytes"));
    }

    #[test]
    fn says_by_how_much_the_ram_overflows() {
        let (_, text) = one("/usr/bin/ld: a.elf section `.bss' will not fit in region `ram'\n\
                             /usr/bin/ld: region `ram' overflowed by 10256 bytes\n");
        assert_eq!(text, "region `ram' overflowed by 10256 bytes");
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
    fn names_the_programs_own_one_of_two_handlers_and_says_what_to_do() {
        let twice = |file: &str, vector: &str| {
            let output = format!(
                "{file}: multiple definition of `{vector}_handler'; CMakeFiles/a.dir/main.c.obj:\
                 /t/app/a/main.c:7: first defined here\n"
            );
            (one(&output), remedy(&all(&output)))
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
    fn an_older_linker_tells_of_two_handlers_on_two_lines() {
        let output = "libl.a(usart.c.obj): In function `__vector_USART0_RX':\n\
                      os/chip/atmega128/usart.c:9: multiple definition of `__vector_USART0_RX'\n\
                      CMakeFiles/a.dir/main.c.obj:/t/app/a/main.c:7: first defined here\n";
        let (place, text) = one(output);
        assert_eq!(place, "/t/app/a/main.c:7");
        assert_eq!(
            text,
            "the interrupt USART0_RX has two handlers, here and in os/chip/atmega128/usart.c:9"
        );
    }

    #[test]
    fn an_older_linker_knows_no_line_of_a_handler_in_assembly() {
        let output = "/l/liblichen.a(counter.c.obj): In function `entry_TIMER3_COMPA':\n\
                      counter.c:(.text.entries.TIMER3_COMPA+0x0): multiple definition of \
                      `entry_TIMER3_COMPA'\n\
                      CMakeFiles/a.dir/main.c.obj:/t/app/a/main.c:10: first defined here\n\
                      /usr/avr/bin/ld: Disabling relaxation: it will not work with multiple \
                      definitions\n\
                      /l/liblichen.a(counter.c.obj):(.rodata.vector_used_TIMER3_COMPA+0x0): multiple \
                      definition of `vector_used_TIMER3_COMPA'\n\
                      CMakeFiles/a.dir/main.c.obj:/t/app/a/main.c:6: first defined here\n";
        let (place, text) = one(output);
        assert_eq!(place, "/t/app/a/main.c:10");
        assert_eq!(text, "the interrupt TIMER3_COMPA has two handlers, here and in counter.c");
        let remedy = remedy(&all(output));
        assert!(remedy.contains("alarms in microseconds"), "{remedy}");
    }

    #[test]
    fn an_older_linker_says_that_ram_is_full_in_its_way() {
        let found = all("/usr/avr/bin/ld: address 0x801488 of x.elf section `.bss' is not within \
                         region `data'\n");
        assert_eq!(found.len(), 1);
        assert!(remedy(&found).contains("smaller stacks"), "{}", remedy(&found));
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
