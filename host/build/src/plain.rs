// SPDX-License-Identifier: MIT OR Apache-2.0
//! The compiler's errors in the words of whoever wrote the line.

use super::headers::{Headers, word};
use super::shown::is_of_headers;
use super::{Message, configured, language, order, task};
use lichen_project::Place;

/// In the compiler's text, what precedes the words of a header on a call that it refuses.
const REFUSED: &str = "declared with attribute error: ";
/// And on a declaration that it refuses.
const ASSERTED: &str = "static assertion failed: ";
/// In the linker's text, what precedes how many bytes of RAM are missing; and what older linkers say instead.
const OVERFLOWS: &str = "region `ram' overflowed by ";
/// The same of flash.
const FLASH_OVERFLOWS: &str = "region `flash' overflowed by ";
const NOT_WITHIN: &str = "is not within region `data'";
/// What is said of it here.
pub(super) const FULL_RAM: &str = "the chip's RAM is too small";

const FULL_FLASH: &str = "the chip's flash is too small";

/// What SYSLOG_MODULE declares for the messages of its file.
const MODULE: &str = "syslog_ceiling";

/// Functions of the C library that programs use most.
const OF_STRING_H: [&str; 12] = [
    "memchr", "memcmp", "memcpy", "memmove", "memset", "strchr", "strcmp", "strcpy", "strlen",
    "strncmp", "strncpy", "strstr",
];

/// How the names of other systems' headers begin.
const OF_OTHERS: [&str; 11] = [
    "zephyr/",
    "FreeRTOS",
    "freertos/",
    "contiki",
    "Arduino.h",
    "ztimer",
    "xtimer",
    "cmsis_os",
    "task.h",
    "sys/ctimer",
    "tock",
];
/// Where one looks for the header of tests.
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
    let is_unused = |message: &Message| message.text.ends_with(language::NOT_USED);
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
            .or_else(|| order::explained(self))
            .or_else(|| self.undeclared())
            .or_else(|| self.unlinked())
            .or_else(|| self.header())
            .or_else(|| self.arguments())
            .or_else(|| self.declaration())
            .or_else(|| self.unknown_macro())
            .or_else(|| self.address())
            .or_else(|| language::explained(self.text))
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
        let compilers = between(self.text, "did you mean '", "'");
        Some(self.missing(name, compilers))
    }

    /// A name of other systems that their headers declare, and that nothing defines.
    fn unlinked(&self) -> Option<Plain> {
        let name = between(self.text, "undefined reference to `", "'")?;
        let meant = self.headers.elsewhere(name)?;
        Some(Plain::new(format!("nothing defines `{name}'")).help(meant))
    }

    fn missing(&self, name: &str, compilers: Option<&str>) -> Plain {
        if let Some(declared) = self.headers.find(name) {
            return Plain::new(format!(
                "`{name}' is declared in <{}>, which is not included",
                declared.header
            ))
            .help(format!("write #include <{}> at the top of the file", declared.header));
        }
        if OF_STRING_H.contains(&name) {
            return Plain::new(format!(
                "`{name}' is declared in <string.h>, which is not included"
            ))
            .help("write #include <string.h> at the top of the file");
        }
        let plain = Plain::new(format!("nothing declares `{name}'"));
        let meant = self.headers.meant(name);
        match meant.or_else(|| compilers.map(|compilers| format!("did you mean `{compilers}'?"))) {
            Some(meant) => plain.help(meant),
            None => plain.help("declare it before this line, or include the header that does"),
        }
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
        if OF_OTHERS.iter().any(|begin| header.starts_with(begin)) {
            return Some(plain.help(
                "it is of another system; here threads are in <lichen/thread.h>, times in <lichen/time.h>, print in \
                 <lichen/print.h>",
            ));
        }
        Some(match self.headers.nearest_file(header) {
            Some(near) => plain.help(format!("did you mean <{near}>?")),
            None => plain.help(
                "the system's headers are in os/include/lichen, such as <lichen/thread.h>; headers of \
                 your own lie beside the file that includes them",
            ),
        })
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

    /// A declaration by a macro of the system that cannot be one.
    fn declaration(&self) -> Option<Plain> {
        let (_, first) = self.declared_by()?;
        if let Some(symbol) = between(self.text, "redefinition of '", "'") {
            return self.twice(symbol, first);
        }
        if first.starts_with('"') && self.text.starts_with("pasting ") {
            let name = first.trim_matches('"');
            return Some(
                Plain::new(format!("{name} is written as a text where a name belongs"))
                    .help(format!("names have no quotes: {name}")),
            );
        }
        if self.text.starts_with("expected ") && word(first) != Some(first) {
            let could = first.replace(|c: char| !c.is_ascii_alphanumeric() && c != '_', "_");
            return Some(Plain::new(format!("`{first}' cannot be a name")).help(format!(
                "names are of letters, digits and _, and begin with a letter: {could}"
            )));
        }
        None
    }

    /// `symbol`, which the declaration of `first` defines, is there already.
    fn twice(&self, symbol: &str, first: &str) -> Option<Plain> {
        let is_other = |note: &&String| !note.contains("note: previous definition");
        let mut others = self.notes.iter().skip_while(is_other);
        let place = |note: &'_ String| Some(note.split_once(": note:")?.0.to_string());
        let other = others.find_map(|note| place(note).filter(|at| !is_of_headers(at)));
        let other = other.map(|at| format!("; the other is at {at}")).unwrap_or_default();
        let vector =
            symbol.strip_suffix("_handler").or_else(|| symbol.strip_prefix("vector_used_"));
        if let Some(vector) = vector {
            let plain = Plain::new(format!("the interrupt {vector} has two handlers"));
            let what = if self.line.contains("RT_TIMER_") { "timer" } else { "vector" };
            return Some(plain.help(format!("choose another {what} for one of them{other}")));
        }
        let defined = symbol.strip_prefix(first)?;
        if let Some(event) = defined.strip_prefix("_of_") {
            return Some(
                Plain::new(format!("`{first}' weaves `{event}' with itself"))
                    .help("WOVEN(pair, one, other) names two events"),
            );
        }
        if let Some(announced) = self.announced(first) {
            return Some(announced);
        }
        // `t_thread` is of `t`, and so is `t`, but `t_of_one` is of something else.
        (defined.matches('_').count() <= 1).then(|| {
            Plain::new(format!("`{first}' is declared twice"))
                .help(format!("give one of them another name{other}"))
        })
    }

    /// `EVENT(name);` above the event itself.
    fn announced(&self, name: &str) -> Option<Plain> {
        ["EVENT", "COOP"].iter().find_map(|macro_| {
            let announces = |line: &str| line.trim_end() == format!("{macro_}({name});");
            let number = self.file.lines().position(announces)? as u32 + 1;
            let place = Place::line(&self.place?.file, number);
            Some(
                Plain::new(format!("{macro_}({name}) has no body here"))
                    .help(format!(
                        "to announce what is declared further down, write {macro_}_EXTERN({name});"
                    ))
                    .at(Some(place)),
            )
        })
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

    /// A macro that the compiler does not know, so that the line makes no sense to it.
    fn unknown_macro(&self) -> Option<Plain> {
        let confused = [
            "expected ",
            "data definition has no type",
            "type defaults to",
            "return type defaults to",
        ];
        let is_expanded = self.notes.iter().any(|note| note.contains(" macro '"));
        if is_expanded || !confused.iter().any(|begin| self.text.starts_with(begin)) {
            return None;
        }
        let (name, _) = self.declared_by()?;
        let header = &self.headers.find(name)?.header;
        let named = format!("<{header}>");
        let mut includes =
            self.file.lines().filter(|line| line.trim_start().starts_with("#include"));
        (!includes.any(|line| line.contains(&named))).then(|| self.missing(name, None))
    }

    /// An object where its address belongs.
    fn address(&self) -> Option<Plain> {
        let text = self.text.strip_prefix("incompatible type for argument ")?;
        let (number, function) = text.split_once(" of '")?;
        let function = function.trim_end_matches('\'');
        let note = self.notes.iter().find_map(|note| note.split_once("note: expected '"))?.1;
        let (wanted, given) = note.split_once("' but argument is of type '")?;
        let given = given.trim_end_matches('\'');
        (wanted.trim_end_matches(" *").trim_start_matches("const ") == given).then(|| {
            Plain::new(format!("argument {number} of {function} is a {given}, not its address"))
                .help("write & before its name")
        })
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
    fn wrong_declarations_are_told_in_words() {
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
    fn an_object_in_place_of_its_address_is_told() {
        let note =
            "a.h:1:1: note: expected 'struct event *' but argument is of type 'struct event'";
        let (text, help) =
            explained("", "incompatible type for argument 1 of 'event_post'", &[note]);
        assert_eq!(text, "argument 1 of event_post is a struct event, not its address");
        assert_eq!(help, "write & before its name");
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
