// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in the output of the linker.

use super::message::{Message, place};
use super::names;
use lichen_analysis::Owner;
use lichen_project::Place;
use std::path::Path;

pub(super) const OVERFLOWED: &str = "overflowed by";
pub(super) const RAM: &str = "region `ram'";
pub(super) const FLASH: &str = "region `flash'";
pub(super) const DOES_NOT_FIT: &str = "will not fit";

/// What the chips' linker scripts say.
pub(super) const STORAGE: &str = "logs and volumes do not fit";
pub(super) const NO_SHELL: &str = "a SHELL_COMMAND, and no SHELL";
pub(super) const NO_CHANNEL: &str = "a WATCHDOG_LIMIT_MS, and no WATCHDOG_CHANNEL";
pub(super) const CONSTRUCTOR: &str = "a constructor, which nothing calls";
pub(super) const TIMER_OF_WAVES: &str = "waves beside the radio or a calibrated tick";

/// What older linkers say of a section that does not fit a region of their own script.
pub(super) const NOT_WITHIN: &str = "is not within region";

/// The linker's messages about missing or duplicate names, and about memories and tables that are
/// full.
pub(super) fn message(lines: &[&str], source: &Path) -> Option<Message> {
    let tells = [
        "undefined reference to",
        "multiple definition of",
        OVERFLOWED,
        DOES_NOT_FIT,
        NOT_WITHIN,
        "more than 127 woven pairs",
        STORAGE,
        NO_SHELL,
        NO_CHANNEL,
        CONSTRUCTOR,
        TIMER_OF_WAVES,
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
            let definition = Definition::read(at, text, lines.get(1));
            let said = definition.and_then(|it| it.of_handler().or_else(|| it.of_name(source)));
            Some(said.unwrap_or_else(|| Message::new(place(at), text)))
        }
        None => Some(Message::new(declared(line, source), line)),
    }
}

/// Where the program declares what `line` is about; none if several files do.
fn declared(line: &str, source: &Path) -> Option<Place> {
    let macros = [
        (NO_SHELL, "SHELL_COMMAND(", ""),
        (NO_CHANNEL, "WATCHDOG_LIMIT_MS(", ""),
        (CONSTRUCTOR, "", "__attribute__((constructor"),
        (TIMER_OF_WAVES, "RT_TASK", "RT_TIMER_A"),
    ];
    let (_, macro_, argument) = macros.iter().find(|(text, ..)| line.contains(text))?;
    let declares = |line: &str| line.starts_with(macro_) && line.contains(argument);
    let files = lichen_project::tree::list(source).ok()?.into_iter();
    let mut places =
        files.filter(|file| file.extension().is_some_and(|it| it == "c")).filter_map(|file| {
            let text = std::fs::read_to_string(&file).ok()?;
            let at = text.lines().position(declares)?;
            Some(Place::line(file, at as u32 + 1))
        });
    places.next().filter(|_| places.next().is_none())
}

pub(super) const TWO_HANDLERS: &str = "has two handlers";

/// How the names of objects begin that say which vectors are used.
pub(super) const MARK_OF_VECTOR: &str = "`vector_used_";

/// How avr-libc writes handlers, which Lichen's vectors do not know.
pub(super) const AVR_LIBC: &str = "a handler that is written with ISR()";

/// A name that is defined a second time.
struct Definition<'l> {
    symbol: &'l str,
    /// Where.
    at: &'l str,
    /// Where the linker met it first.
    first: &'l str,
}

impl<'l> Definition<'l> {
    /// `text` about `at`. Where it was first stands on the same line, or on the `next` one if the linker is old.
    fn read(at: &'l str, text: &'l str, next: Option<&&'l str>) -> Option<Definition<'l>> {
        let what = text.strip_prefix("multiple definition of `")?;
        let (symbol, first) = match what.split_once("'; ") {
            Some((symbol, first)) => (symbol, first),
            None => (what.strip_suffix('\'')?, *next?),
        };
        let first = first.strip_suffix(": first defined here")?;
        Some(Definition { symbol, at, first })
    }

    /// That of an interrupt handler, beside one of the system: the place is the program's.
    fn of_handler(&self) -> Option<Message> {
        let vector = vector(self.symbol)?;
        let other = other_handler(self.at)?;
        // avr-libc numbers them.
        let text = match vector.parse::<u8>() {
            Ok(_) => format!("{AVR_LIBC} is never called"),
            Err(_) => format!("the interrupt {vector} {TWO_HANDLERS}, here and in {other}"),
        };
        Some(Message::new(place(without_object(self.first)), text))
    }

    /// That of another name: the place is the program's, or the second one if both are; the other is noted.
    fn of_name(&self, source: &Path) -> Option<Message> {
        if OF_PARTS.iter().any(|begin| self.symbol.starts_with(begin)) {
            return None;
        }
        let [at, first] = [self.at, self.first].map(|at| in_source(at, source));
        let is_systems = Owner::of(&at).is_system() || at.contains("liblichen.a(");
        let (here, other) = if is_systems { (first, at) } else { (at, first) };
        Some(Message {
            notes: vec![format!("{other}{}", names::FIRST)],
            ..Message::new(place(&here), format!("multiple definition of `{}'", self.symbol))
        })
    }
}

/// How names begin that parts of the system define to be used once.
const OF_PARTS: [&str; 2] = ["pin_of_", "vector_used_"];

/// "main.c.obj:/folder/main.c:7" as "/folder/main.c:7".
fn without_object(at: &str) -> &str {
    at.split_once(".obj:").map_or(at, |(_, at)| at)
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
        None => Owner::of(at).is_system().then_some(at),
    }
}

/// The interrupt that a symbol is the handler of, as the architectures' ports name them.
fn vector(symbol: &str) -> Option<&str> {
    let name = symbol.strip_suffix("_handler");
    name.or_else(|| symbol.strip_prefix("__vector_")).or_else(|| symbol.strip_prefix("entry_"))
}

#[cfg(test)]
mod tests {
    use crate::message::tests::{all, one};
    use crate::remedy::remedy;

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
    fn says_how_packets_take_less_ram() {
        let mut found = all("/usr/bin/ld: region `ram' overflowed by 120 bytes\n");
        assert!(!remedy(&found).contains("PACKET_POOL"), "{}", remedy(&found));
        found[0]
            .text
            .push_str("; most of it is `packet_blocks' of pool.c of the system with 864 bytes");
        assert!(remedy(&found).contains("PACKET_POOL(4);"), "{}", remedy(&found));
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
        let full = "/usr/avr/bin/ld: address 0x801488 of x.elf section `.kernel_stack' is not within region `data'\n";
        for output in [output.to_string(), format!("{output}{full}")] {
            let remedy = remedy(&all(&output));
            assert!(remedy.contains("alarms in microseconds"), "{remedy}");
        }
    }

    #[test]
    fn an_older_linker_says_that_ram_is_full_in_its_way() {
        let found = all("/usr/avr/bin/ld: address 0x801488 of x.elf section `.bss' is not within \
                         region `data'\n");
        assert_eq!(found.len(), 1);
        assert!(remedy(&found).contains("smaller stacks"), "{}", remedy(&found));
    }
}
