// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiler's errors in the words of whoever wrote the line.

use super::headers::Headers;
use super::{Message, configured, coop, macros, names, objects, print, task};
use lichen_project::Place;

/// In the compiler's text, what precedes the words of a header on a call that it refuses.
const REFUSED: &str = "declared with attribute error: ";
/// In the compiler's text, what precedes the words of a header on a declaration that it refuses.
const ASSERTED: &str = "static assertion failed: ";
/// In the linker's text, what precedes how many bytes of RAM are missing.
const OVERFLOWS: &str = "region `ram' overflowed by ";
/// In the linker's text, what precedes how many bytes of flash are missing.
const FLASH_OVERFLOWS: &str = "region `flash' overflowed by ";
/// The text of older linkers about RAM that is full.
const NOT_WITHIN: &str = "is not within region `data'";
/// The message about full RAM.
pub(super) const FULL_RAM: &str = "the chip's RAM is too small";

/// The message about full flash.
const FULL_FLASH: &str = "the chip's flash is too small";

/// What SYSLOG_MODULE declares for the messages of its file.
const MODULE: &str = "syslog_ceiling";

/// The header of tests, where programs look for it in vain.
const OF_TESTS: &str = "lichen/test.h";

/// Columns from one tab stop to the next.
const TAB: u32 = 8;

/// What COOP declares in the body of a cooperative thread.
const COOP_THREAD: &str = "coop_self_";

/// What an error means, and what to do.
pub(super) struct Plain {
    pub(super) text: String,
    help: Option<String>,
    /// Where it is wrong, if not where the compiler noticed it.
    place: Option<Place>,
}

impl Plain {
    pub(super) fn new(text: impl Into<String>) -> Plain {
        Plain { text: text.into(), help: None, place: None }
    }

    pub(super) fn help(self, help: impl Into<String>) -> Plain {
        Plain { help: Some(help.into()), ..self }
    }

    pub(super) fn at(self, place: Option<Place>) -> Plain {
        Plain { place, ..self }
    }
}

/// An error, and the line that it is on.
pub(super) struct Error<'a> {
    /// The compiler's text, without the name of the warning that it is.
    pub(super) text: &'a str,
    pub(super) notes: &'a [String],
    pub(super) place: Option<&'a Place>,
    /// The line of the source; empty if it cannot be read.
    pub(super) line: &'a str,
    /// The file with that line.
    pub(super) file: &'a str,
    pub(super) headers: &'a Headers,
}

/// The errors, each said once, in plain words.
pub(super) fn plain(messages: Vec<Message>, headers: &Headers) -> Vec<Message> {
    let mut said: Vec<Message> = Vec::new();
    for message in messages {
        let message = rewritten(message, headers);
        let line = |of: &Message| of.place.as_ref().map(|place| (place.file.clone(), place.line));
        // What follows on the same line is a consequence, as a rule; but what a header checks says it best.
        let repeats = |other: &Message| {
            line(other) == line(&message) && (message.place.is_some() || other.text == message.text)
        };
        match said.iter_mut().find(|other| repeats(other)) {
            Some(other) if message.is_refusal && !other.is_refusal => *other = message,
            Some(_) => {}
            None => said.push(message),
        }
    }
    // What lies behind a program that does not fit does not fit either.
    if said.iter().any(|message| message.text.starts_with(FULL_FLASH)) {
        said.retain(|message| message.place.is_some() || message.text.starts_with(FULL_FLASH));
    }
    // What the headers refuse may make the compiler suspicious of other lines, and what is wrong keeps it from seeing
    // what is used.
    let is_unused = |message: &Message| {
        message.text.starts_with("unused ") || message.text.contains("' defined but not used")
    };
    said.sort_by_key(|message| (!message.is_refusal, is_unused(message)));
    said
}

fn rewritten(message: Message, headers: &Headers) -> Message {
    let file = source(message.place.as_ref());
    let number = message.place.as_ref().and_then(|place| place.line).unwrap_or(0) as usize;
    let line = number.checked_sub(1).and_then(|number| file.lines().nth(number)).unwrap_or("");
    let text = without_option(&message.text);
    let (notes, place) = (&message.notes, message.place.as_ref());
    let error = Error { text, notes, place, line, file: &file, headers };
    let plain = error.explained().unwrap_or_else(|| Plain::new(text));
    let is_refusal = message.text.contains(REFUSED) || message.text.starts_with(ASSERTED);
    let (help, place) = (message.help.or(plain.help), plain.place.or(message.place));
    Message { text: plain.text, help, place, is_refusal, notes: message.notes }
}

fn source(place: Option<&Place>) -> String {
    place.and_then(|place| std::fs::read_to_string(&place.file).ok()).unwrap_or_default()
}

/// The compiler's text without `[-Werror=…]` at its end.
fn without_option(text: &str) -> &str {
    text.rsplit_once(" [-W").map_or(text, |(text, _)| text)
}

/// What stands between the first `before` in `text` and the next `after`.
pub(super) fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

impl Error<'_> {
    fn explained(&self) -> Option<Plain> {
        self.full_ram()
            .or_else(|| self.full_flash())
            .or_else(|| configured::explained(self.text))
            .or_else(|| task::nameless(self))
            .or_else(|| self.asserted())
            .or_else(|| names::explained(self))
            .or_else(|| task::explained(self))
            .or_else(|| print::explained(self))
            .or_else(|| macros::explained(self))
            .or_else(|| coop::explained(self))
            .or_else(|| objects::explained(self))
            .or_else(|| self.undeclared())
            .or_else(|| self.header())
            .or_else(|| self.arguments())
    }

    fn full_ram(&self) -> Option<Plain> {
        match self.text.strip_prefix(OVERFLOWS) {
            Some(missing) => Some(Plain::new(format!("{FULL_RAM} by {missing}"))),
            None => self.text.contains(NOT_WITHIN).then(|| Plain::new(FULL_RAM)),
        }
    }

    fn full_flash(&self) -> Option<Plain> {
        let missing = self.text.strip_prefix(FLASH_OVERFLOWS)?;
        let plain = Plain::new(format!("{FULL_FLASH} by {missing}"));
        Some(plain.help("make that smaller; constants and what RAM begins with are in flash, too"))
    }

    /// What the system's headers check says it itself.
    fn asserted(&self) -> Option<Plain> {
        let asserted = self.text.strip_prefix(ASSERTED).map(|text| text.trim_matches('"'));
        let called = self.text.split_once(REFUSED).map(|(_, text)| text);
        let (text, help) = self.with_help(asserted.or(called)?);
        Some(Plain { text, help, place: None })
    }

    /// What to do may follow what is wrong after a semicolon.
    fn with_help(&self, text: &str) -> (String, Option<String>) {
        match text.split_once("; ") {
            Some((text, help)) => (text.to_string(), Some(help.to_string())),
            None => (text.to_string(), None),
        }
    }

    /// A name that nothing declares, or a header that is not included.
    fn undeclared(&self) -> Option<Plain> {
        let name = between(self.text, "implicit declaration of function '", "'")
            .or_else(|| between(self.text, "unknown type name '", "'"))
            .or_else(|| {
                self.text.strip_prefix('\'')?.split_once("' undeclared").map(|(name, _)| name)
            })?;
        if name == COOP_THREAD {
            return Some(Plain::new("this waits as cooperative threads do, and stands in none").help(
                "it belongs into the body of a COOP (<lichen/coop.h>); a thread waits by notify_wait and \
                 sleep_ms",
            ));
        }
        if name == MODULE {
            return Some(Plain::new("this file has no module for its messages").help(
                "write SYSLOG_MODULE(NAME, LOG_DEBUG); above the first message (<lichen/syslog.h>)",
            ));
        }
        self.missing(name)
    }

    /// A name that the program does not see, if a header declares it or a similar one.
    pub(super) fn missing(&self, name: &str) -> Option<Plain> {
        if let Some(declared) = self.headers.find(name) {
            let header = &declared.header;
            return Some(
                Plain::new(format!("`{name}' is declared in <{header}>, which is not included"))
                    .help(format!("write #include <{header}> at the top of the file")),
            );
        }
        let meant = self.headers.meant(name)?;
        Some(Plain::new(format!("nothing declares `{name}'")).help(meant))
    }

    /// A header that is not there.
    fn header(&self) -> Option<Plain> {
        let header = self.text.strip_suffix(": No such file or directory")?;
        if self.headers.has(header) {
            return Some(
                Plain::new(format!("the compiler does not find <{header}>: this is not built as a program of Lichen"))
                    .help("write lichen_app(NAME) in CMakeLists.txt, in place of add_executable"),
            );
        }
        let plain = Plain::new(format!("there is no header `{header}'"));
        if header == OF_TESTS {
            return Some(
                plain.help("a test of a program, in its folder test, writes #include \"test.h\""),
            );
        }
        let near = self.headers.nearest_file(header)?;
        Some(plain.help(format!("did you mean <{near}>?")))
    }

    /// A macro with too many or too few arguments.
    fn arguments(&self) -> Option<Plain> {
        let name = between(self.text, "macro \"", "\"")?;
        let declared = self.headers.find(name)?;
        let parameters = declared.parameters.as_deref()?;
        let parameters: Vec<&str> =
            parameters.split(',').map(|one| one.trim().trim_end_matches('_')).collect();
        let said = between(self.text, "but only ", " given")
            .or_else(|| between(self.text, "passed ", " argument"))?;
        let (count, call) = (parameters.len(), parameters.join(", "));
        let arguments = if count == 1 { "argument" } else { "arguments" };
        Some(
            Plain::new(format!(
                "{name} takes {count} {arguments}, and {said} given here",
                said = match said {
                    "1" => "1 is".to_string(),
                    said => format!("{said} are"),
                }
            ))
            .help(format!("{name}({call}), <{}>", declared.header)),
        )
    }

    /// The line from the error's column on; the compiler counts columns as a terminal shows them.
    pub(super) fn here(&self) -> Option<&str> {
        let column = self.place?.column?;
        let mut characters = self.line.char_indices().scan(1, |next, (at, c)| {
            let shown = *next;
            *next += if c == '\t' { TAB - (shown - 1) % TAB } else { 1 };
            Some((at, shown))
        });
        let (at, _) = characters.find(|(_, shown)| *shown == column)?;
        Some(&self.line[at..])
    }

    /// The macro of the system with which the line begins, and its first argument.
    pub(super) fn declared_by(&self) -> Option<(&str, &str)> {
        self.headers.declaration(self.line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(line: &str, text: &str, notes: &[&str]) -> (String, String) {
        explained_at(None, line, text, notes)
    }

    fn explained_at(
        place: Option<&Place>,
        line: &str,
        text: &str,
        notes: &[&str],
    ) -> (String, String) {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let headers = Headers::read(&root);
        let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
        let text = without_option(text);
        let (notes, file) = (notes.as_slice(), line);
        let error = Error { text, notes, place, line, file, headers: &headers };
        let plain = error.explained().unwrap_or_else(|| Plain::new(text));
        (plain.text, plain.help.unwrap_or_default())
    }

    #[test]
    fn a_name_whose_header_is_missing_names_the_header() {
        let said = explained(
            "    sleep_ms(3);",
            "implicit declaration of function 'sleep_ms' [-Werror=implicit-function-declaration]",
            &[],
        );
        assert_eq!(said.0, "`sleep_ms' is declared in <lichen/time.h>, which is not included");
        assert_eq!(said.1, "write #include <lichen/time.h> at the top of the file");
    }

    #[test]
    fn a_macro_whose_header_is_missing_names_the_header() {
        let (text, _) = explained("THREAD(t, 512, 3)", "expected ')' before numeric constant", &[]);
        assert_eq!(text, "`THREAD' is declared in <lichen/thread.h>, which is not included");
    }

    #[test]
    fn a_misspelt_name_has_a_suggestion() {
        let (text, help) = explained("", "implicit declaration of function 'led_togle'", &[]);
        assert_eq!(text, "nothing declares `led_togle'");
        assert_eq!(help, "did you mean `led_toggle' (<lichen/led.h>)?");
        let (text, help) = explained("", "lichen/leds.h: No such file or directory", &[]);
        assert_eq!(
            (text.as_str(), help.as_str()),
            ("there is no header `lichen/leds.h'", "did you mean <lichen/led.h>?")
        );
    }

    #[test]
    fn wrong_declarations_are_reported_in_words() {
        let said = |line: &str, text: &str| {
            explained(line, text, &["x: note: in definition of macro 'THREAD'"]).0
        };
        assert_eq!(
            said("THREAD(my-t, 1, 2)", "expected '=' before '-' token"),
            "`my-t' cannot be a name"
        );
        assert_eq!(said("THREAD(t, 1, 2)", "redefinition of 't_thread'"), "`t' is declared twice");
        assert_eq!(
            said("    THREAD(t, 1, 2)", "invalid storage class for function 't_body'"),
            "THREAD stands inside a function"
        );
        assert_eq!(
            said("THREAD(t, 1)", "macro \"THREAD\" requires 3 arguments, but only 2 given"),
            "THREAD takes 3 arguments, and 2 are given here"
        );
    }

    #[test]
    fn what_headers_check_is_said_as_they_say_it() {
        let (text, help) = explained("", "static assertion failed: \"too many; take fewer\"", &[]);
        assert_eq!((text.as_str(), help.as_str()), ("too many", "take fewer"));
        let (text, _) = explained("", "call to 'x' declared with attribute error: no period", &[]);
        assert_eq!(text, "no period");
    }

    #[test]
    fn an_object_in_place_of_its_address_is_reported() {
        let note =
            "a.h:1:1: note: expected 'struct event *' but argument is of type 'struct event'";
        let (text, help) =
            explained("", "incompatible type for argument 1 of 'event_post'", &[note]);
        assert_eq!(text, "argument 1 of event_post is a struct event, not its address");
        assert_eq!(help, "write & before its name");
    }

    #[test]
    fn a_number_of_another_size_is_declared_as_the_call_wants_it() {
        let text = "passing argument 3 of 'sensor_read' from incompatible pointer type \
                    [-Werror=incompatible-pointer-types]";
        for note in [
            "s.h:1:2: note: expected 'int32_t *' {aka 'long int *'} but argument is of type 'int *'",
            "s.h:1:2: note: expected 'int32_t * {aka long int *}' but argument is of type 'int *'",
        ] {
            let (text, help) = explained("", text, &[note]);
            assert_eq!(text, "argument 3 of sensor_read is int *, and not int32_t *");
            assert_eq!(help, "declare the variable as int32_t");
        }
    }

    #[test]
    fn names_of_the_c_library_and_of_objects_are_known() {
        let built_in = "built-in function 'log' declared as non-function";
        let (text, help) = explained("LOG(log, 1000);", built_in, &[]);
        assert_eq!(text, "`log' cannot be the name of a LOG: C keeps it for a function");
        assert_eq!(help, "give it another name, such as my_log");
        let (_, help) = explained("", "'sensor_temperatur' undeclared (first use)", &[]);
        assert_eq!(help, "did you mean `sensor_temperature' (<lichen/sensor.h>)?");
        let (text, _) = explained("", "'spi_board' undeclared (first use)", &[]);
        assert_eq!(text, "`spi_board' is declared in <lichen/spi.h>, which is not included");
    }

    #[test]
    fn a_result_that_is_ignored_is_that_of_the_call_in_its_column() {
        let said = |line: &str, column, function: &str| {
            let place = Place { column: Some(column), ..Place::line("main.c", 1) };
            let text = format!(
                "ignoring return value of '{function}' declared with attribute 'warn_unused_result'"
            );
            explained_at(Some(&place), line, &text, &[])
        };
        let (text, help) = said("    sleep_ms(5); link_open(0);", 18, "link_open");
        assert_eq!(text, "link_open returns whether it worked, and nothing looks at that");
        let expected = "write if (link_open(...) != 0) { ... }; (void) before it is not enough, \
                        (void)!link_open(...) is";
        assert_eq!(help, expected);
        for (line, column, function, named) in [
            ("THREAD(t, 512, 3) { link_open(0); }", 21, "link_open", "link_open"),
            ("\t(void)link_open(0);", 15, "link_open", "link_open"),
            ("\tled_on(0); queue_send(&q, &m);", 20, "queue_put", "queue_send"),
            ("    mine(3);", 5, "mine", "mine"),
            ("", 9, "mine", "mine"),
        ] {
            let (text, _) = said(line, column, function);
            assert!(text.starts_with(&format!("{named} returns ")), "{line}: {text}");
        }
    }
}
