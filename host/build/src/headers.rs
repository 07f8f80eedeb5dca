// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the system's public headers declare. An error about a missing name says which header has it, and one about a
//! misspelt name says which is nearest.
//!
//! The headers are of one style (doc/design/style.md), so their declarations are found line by line.

use lichen_project::nearest;
use std::collections::BTreeMap;
use std::path::Path;

/// Where public headers are, below the tree.
const FOLDER: &str = "os/include/lichen";
/// Names of one family to list at most.
const FAMILY: usize = 5;

/// How functions end that macros and inline functions of the headers call.
const INNER: [&str; 9] = [
    "_service",
    "_check",
    "_collect",
    "_deliver",
    "_in_event",
    "_contended",
    "_converted",
    "_converted_us",
    "_converted_ms",
];

/// What a header declares under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declared {
    /// `lichen/led.h`.
    pub(super) header: String,
    /// The parameters of a macro that takes any: `thread_, bytes, urgency`.
    pub(super) parameters: Option<String>,
}

/// The public headers.
#[derive(Clone, Debug, Default)]
pub(super) struct Headers {
    names: BTreeMap<String, Declared>,
    /// Names of objects, such as sensors, which no declaration of a program makes.
    objects: BTreeMap<String, Declared>,
    files: Vec<String>,
}

/// Whether `name` is called only by macros and inline functions of the headers.
pub fn is_inner(name: &str) -> bool {
    INNER.iter().any(|end| name.ends_with(end))
}

impl Headers {
    /// Those of the tree at `root`; none if they cannot be read, since this only serves explanations.
    pub(super) fn read(root: &Path) -> Headers {
        let mut headers = Headers::default();
        let files = lichen_project::tree::list(&root.join(FOLDER)).unwrap_or_default();
        for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "h")) {
            let Some(name) = file.file_name() else { continue };
            let text = std::fs::read_to_string(file).unwrap_or_default();
            headers.add(&format!("lichen/{}", name.to_string_lossy()), &text);
        }
        headers
    }

    fn add(&mut self, header: &str, text: &str) {
        self.files.push(header.to_string());
        for (name, parameters) in text.lines().filter_map(declaration) {
            let declared = Declared { header: header.to_string(), parameters };
            // A macro that wraps a function has its name, and its parameters are the ones to write.
            self.names.insert(name, declared);
        }
        for name in objects(text) {
            let declared = Declared { header: header.to_string(), parameters: None };
            self.objects.insert(name.to_string(), declared);
        }
    }

    /// What declares `name`.
    pub(super) fn find(&self, name: &str) -> Option<&Declared> {
        self.names.get(name).or_else(|| self.objects.get(name))
    }

    /// The macro that the line of a program begins with, if it takes arguments, and its first one.
    pub(super) fn declaration<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str)> {
        let line = line.trim_start();
        let name = word(line)?;
        self.find(name)?.parameters.as_ref()?;
        let arguments = line[name.len()..].strip_prefix('(')?;
        let end = arguments.find([',', ')'])?;
        Some((name, arguments[..end].trim()))
    }

    /// The macro of declarations that is meant by a name in other letters, or with one letter wrong, and its header.
    pub(super) fn macro_near(&self, name: &str) -> Option<(&str, &str)> {
        let is_upper = |name: &str| !name.contains(|c: char| c.is_ascii_lowercase());
        let macros = || {
            let declared = self.names.iter().filter(|(_, declared)| declared.parameters.is_some());
            declared.map(|(name, _)| name).filter(|name| is_upper(name))
        };
        let same = macros().find(|known| known.eq_ignore_ascii_case(name)).map(String::as_str);
        let near = || nearest(name, macros()).filter(|_| is_upper(name));
        let meant = same.or_else(near)?;
        Some((meant, &self.names.get(meant)?.header))
    }

    /// Whether there is a header of this name.
    pub(super) fn has(&self, header: &str) -> bool {
        self.files.iter().any(|file| file == header)
    }

    /// What somebody who wrote `name` may have meant.
    pub(super) fn meant(&self, name: &str) -> Option<String> {
        if let Some((port, number)) = pin(name) {
            return Some(format!("write GPIO_PIN('{port}', {number}) (<lichen/gpio.h>)"));
        }
        let alike = |known: &&String| known.eq_ignore_ascii_case(name);
        let known = || self.objects.keys().chain(self.names.keys());
        let meant = known().find(alike).map(String::as_str).or_else(|| nearest(name, known()));
        if let Some((meant, declared)) = meant.and_then(|meant| Some((meant, self.find(meant)?))) {
            return Some(format!("did you mean `{meant}' (<{}>)?", declared.header));
        }
        self.family(name)
    }

    /// The names that begin as `name` does, up to its first underscore.
    fn family(&self, name: &str) -> Option<String> {
        let begin = &name[..=name.find('_').filter(|at| *at > 1)?];
        let names = self.names.keys().filter(|known| known.starts_with(begin) && !is_inner(known));
        let names: Vec<&str> = names.map(String::as_str).take(FAMILY).collect();
        let header = &self.names.get(*names.first()?)?.header;
        Some(format!("<{header}> has {}", names.join(", ")))
    }

    /// The header whose name is nearest to `name`.
    pub(super) fn nearest_file(&self, name: &str) -> Option<&str> {
        let has_name = |file: &&String| file.strip_prefix("lichen/") == Some(name);
        let same = self.files.iter().find(has_name).map(String::as_str);
        same.or_else(|| nearest(name, &self.files))
    }
}

/// The name that a line of a header declares, with the parameters of a macro.
fn declaration(line: &str) -> Option<(String, Option<String>)> {
    let (name, parameters) = match line.strip_prefix("#define ") {
        Some(macro_) => {
            let name = word(macro_)?;
            let rest = macro_[name.len()..].strip_prefix('(');
            let parameters = rest.and_then(|rest| Some(rest.split_once(')')?.0.to_string()));
            (name.to_string(), parameters)
        }
        None if line.starts_with("    ") => (constant(line.trim_start())?.to_string(), None),
        None => (function(line)?, None),
    };
    let is_public = !name.ends_with('_') && !name.starts_with("LICHEN_");
    is_public.then_some((name, parameters))
}

/// The objects that the declarations `extern ...;` of a header name.
fn objects(text: &str) -> impl Iterator<Item = &str> {
    let lists = text.split("\nextern ").skip(1).filter_map(|rest| Some(rest.split_once(';')?.0));
    let names = lists.filter(|list| !list.contains('(')).flat_map(|list| list.split(','));
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    names.filter_map(move |one| one.trim_end_matches("[]").rsplit(|c| !is_part(c)).next())
}

/// A pin as data sheets write it: `PA19`.
fn pin(name: &str) -> Option<(char, u8)> {
    let rest = name.strip_prefix('P')?;
    let port = rest.chars().next().filter(char::is_ascii_uppercase)?;
    let number = rest[1..].trim_start_matches('_');
    number.starts_with(|c: char| c.is_ascii_digit()).then_some((port, number.parse().ok()?))
}

/// The identifier at the beginning of `text`.
pub(super) fn word(text: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let word = &text[..end];
    (!word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
}

/// A constant of an enumeration: `PRIORITY_APP = 5,`.
fn constant(line: &str) -> Option<&str> {
    let name = word(line)?;
    let rest = line[name.len()..].trim_start();
    let is_upper = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    (is_upper && (rest.starts_with(',') || rest.starts_with("= "))).then_some(name)
}

/// A function that a line at the outermost level declares.
fn function(line: &str) -> Option<String> {
    if !line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        return None;
    }
    let line = without_attributes(line);
    let before = &line[..line.find('(')?];
    let begin =
        before.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1);
    let name = word(&before[begin..])?;
    let is_function = name.contains(|c: char| c.is_ascii_lowercase()) && name != "_Static_assert";
    is_function.then(|| name.to_string())
}

pub(super) fn without_attributes(line: &str) -> String {
    let mut kept = line.to_string();
    while let Some(begin) = kept.find("__attribute__((") {
        let mut depth = 0;
        let end = kept[begin..].char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (c == ')' && depth == 0).then_some(begin + at + 1)
        });
        kept.replace_range(begin..end.unwrap_or(kept.len()), "");
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers() -> Headers {
        let mut headers = Headers::default();
        headers.add(
            "lichen/led.h",
            "enum led {\n    LED_MAX = 3,\n};\nvoid led_on(unsigned led);\n\
             static inline __attribute__((always_inline)) void led_toggle(unsigned led)\n{\n",
        );
        headers.add(
            "lichen/thread.h",
            "#define THREAD(thread_, bytes, urgency)   \\\n    THREAD_DECLARE_(thread_)\n\
             __attribute__((noreturn)) void thread_exit(void);\n",
        );
        headers.add("lichen/time.h", "void sleep_ms(uint32_t ms);\n");
        headers
    }

    #[test]
    fn functions_macros_and_constants_are_known_with_their_headers() {
        let headers = headers();
        let header = |name: &str| headers.find(name).map(|declared| declared.header.clone());
        for name in ["led_on", "led_toggle", "LED_MAX"] {
            assert_eq!(header(name).as_deref(), Some("lichen/led.h"), "{name}");
        }
        for name in ["thread_exit", "THREAD"] {
            assert_eq!(header(name).as_deref(), Some("lichen/thread.h"), "{name}");
        }
        assert_eq!(header("THREAD_DECLARE_"), None);
        let parameters = headers.find("THREAD").and_then(|thread| thread.parameters.as_deref());
        assert_eq!(parameters, Some("thread_, bytes, urgency"));
    }

    #[test]
    fn what_was_meant_is_near_or_of_the_family() {
        let headers = headers();
        let meant = |name: &str| headers.meant(name).unwrap_or_default();
        assert_eq!(meant("led_togle"), "did you mean `led_toggle' (<lichen/led.h>)?");
        assert_eq!(meant("led_blink_fast"), "<lichen/led.h> has led_on, led_toggle");
        assert_eq!(meant("x_y"), "");
        assert_eq!(headers.nearest_file("lichen/leds.h"), Some("lichen/led.h"));
        assert_eq!(headers.nearest_file("led.h"), Some("lichen/led.h"));
    }

    #[test]
    fn a_pin_of_the_data_sheet_is_written_out() {
        let meant = |name: &str| headers().meant(name);
        assert_eq!(meant("PA19").as_deref(), Some("write GPIO_PIN('A', 19) (<lichen/gpio.h>)"));
        assert_eq!(pin("PA_3"), Some(('A', 3)));
        assert_eq!(pin("PAD"), None);
        assert_eq!(pin("PA+1"), None);
    }
}
