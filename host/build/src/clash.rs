// SPDX-License-Identifier: MIT OR Apache-2.0
//! Global names of a program that are the system's.
//!
//! The system is an archive, so the linker takes a definition of the program's in place of the system's, and says
//! nothing. So no program is built that defines a name of the system's: one that a file of its archive defines or asks
//! for, or one of the linker scripts. Excepted are the names that programs are meant to define, which `os/features.cmake`
//! lists with their headers, and handlers of interrupts.

use super::ninja::Rules;
use super::{Message, again, macros};
use crate::headers::word;
use lichen_image::GlobalNames;
use lichen_project::{Place, without_comments};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The table of what selects code.
const TABLE: &str = "os/features.cmake";
/// The end of the names of programs that are linked for loading.
const LOADED: &str = ".loaded.elf";

/// Names of an archive that do not change while this process runs, by its folder.
static KNOWN: Mutex<BTreeMap<PathBuf, Arc<System>>> = Mutex::new(BTreeMap::new());

/// A build folder.
pub(super) struct Built<'a> {
    root: &'a Path,
    folder: &'a Path,
    rules: Rules,
    table: String,
}

impl<'a> Built<'a> {
    /// The build folder `folder` of the repository at `root`; `None` if Ninja has no rules for it.
    pub(super) fn read(root: &'a Path, folder: &'a Path) -> Option<Built<'a>> {
        let rules = Rules::read(folder)?;
        let table = std::fs::read_to_string(root.join(TABLE)).unwrap_or_default();
        Some(Built { root, folder, rules, table })
    }

    /// What is wrong with the names of its programs, which are all linked with the archive in the build folder `system`.
    pub(super) fn clashes(&self, system: &Path) -> Vec<Message> {
        // A program for loading has names of calls in place of the system (os/load/load.cmake).
        let is_image = |image: &&str| !again::is_ordinary(image) && !image.ends_with(LOADED);
        let images = self.rules.made(".elf").into_iter().filter(is_image);
        let mut messages = Vec::new();
        for message in images.flat_map(|image| self.clashes_of(without_end(image), system)) {
            if !messages.contains(&message) {
                messages.push(message);
            }
        }
        messages
    }

    /// What is wrong with the names of `program`, the path of an image without the ending, and those of the system.
    pub(super) fn clashes_of(&self, program: &str, system: &Path) -> Vec<Message> {
        let Some(system) = self.system_names(system) else { return Vec::new() };
        let mut messages: Vec<Message> = system.ambiguous.iter().map(ambiguous).collect();
        messages.extend(self.of_program(again::program(program), &system));
        messages
    }

    fn of_program(&self, program: &str, system: &System) -> Vec<Message> {
        let ordinary = format!("{}.elf", again::ordinary(program));
        let has_ordinary = self.rules.has(&ordinary);
        let image = if has_ordinary { ordinary } else { format!("{program}.elf") };
        let public = public(&self.table);
        let stand_ins = self.stand_ins(program);
        let scripts = script_names(&self.rules.flags(&image));
        let mut messages = Vec::new();
        for (object, source) in &self.rules.linked(&image) {
            let Some(names) = read(&self.folder.join(object)) else { continue };
            if stand_ins.iter().any(|file| source.ends_with(file)) {
                continue;
            }
            for name in &names.defined {
                if public.contains(name.as_str()) || handles(name, &names) {
                    continue;
                }
                let other = match system.names.get(name) {
                    Some(file) => place_in(&self.root.join(file), file, name),
                    None => match scripts.get(name) {
                        Some((file, line)) => {
                            let file = file.strip_prefix(self.root).unwrap_or(file);
                            line.map_or_else(|| Place::file(file), |line| Place::line(file, line))
                        }
                        None => continue,
                    },
                };
                messages.push(message(name, &place_in(source, source, name), &other));
            }
        }
        messages
    }

    /// Files of a test that take the place of some of the system's, as its row says by REPLACES (`test/rows.cmake`).
    fn stand_ins(&self, program: &str) -> Vec<String> {
        let file = self.folder.join("replaces").join(program);
        let text = std::fs::read_to_string(file).unwrap_or_default();
        text.lines().map(str::to_string).collect()
    }

    fn system_names(&self, folder: &Path) -> Option<Arc<System>> {
        let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(names) = known().get(folder) {
            return Some(names.clone());
        }
        let names = Arc::new(System::read(self.root, folder)?);
        known().insert(folder.to_path_buf(), names.clone());
        Some(names)
    }
}

fn without_end(image: &str) -> &str {
    image.strip_suffix(".elf").unwrap_or(image)
}

/// The names of the system, each with a file that has it, below the repository's root.
struct System {
    names: BTreeMap<String, PathBuf>,
    /// What is used and defined by two files, so that their order would decide: none, but for `lichen_instead`.
    ambiguous: Vec<(String, PathBuf, PathBuf)>,
}

impl System {
    fn read(root: &Path, folder: &Path) -> Option<System> {
        let rules = Rules::read(folder)?;
        let objects = rules.linked(rules.made("liblichen.a").first()?);
        // The archive is built of the sources themselves, where the tree has links to them.
        let os = root.join("os").canonicalize().unwrap_or_default();
        let real = os.parent().unwrap_or(root);
        let mut names: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut missing = BTreeMap::new();
        let mut twice = Vec::new();
        // What is only asked for weakly links no file.
        let mut needed = BTreeSet::new();
        for (object, source) in objects {
            let of_file = read(&folder.join(object))?;
            let below = source.strip_prefix(real).or_else(|_| source.strip_prefix(root));
            let source = below.unwrap_or(&source).to_path_buf();
            needed.extend(of_file.needed.iter().cloned());
            let asked = of_file.needed.into_iter().chain(of_file.optional);
            let asked = asked.filter(|name| !is_of_c_library(name));
            missing.extend(asked.map(|name| (name, source.clone())));
            for name in of_file.defined {
                if let Some(first) = names.insert(name.clone(), source.clone()) {
                    twice.push((name, first, source.clone()));
                }
            }
        }
        let table = std::fs::read_to_string(root.join(TABLE)).unwrap_or_default();
        let is_meant = |file: &Path| {
            let file = file.strip_prefix("os").unwrap_or(file).display().to_string();
            table.lines().any(|line| line.starts_with("lichen_instead(") && has_path(line, &file))
        };
        twice.retain(|(name, first, second)| {
            needed.contains(name) && !(is_meant(first) && is_meant(second))
        });
        // What another board has, or another setting. A definition is the better place.
        for (name, source) in missing {
            names.entry(name).or_insert(source);
        }
        Some(System { names, ambiguous: twice })
    }
}

/// Whether a row of the table has `file` among its arguments.
fn has_path(row: &str, file: &str) -> bool {
    row.split(['(', ' ', ')']).any(|word| word == file)
}

/// Whether the system asks the compiler's or the C library for `name`.
fn is_of_c_library(name: &str) -> bool {
    name.starts_with("__") || name.starts_with("mem")
}

fn read(object: &Path) -> Option<GlobalNames> {
    GlobalNames::parse(&std::fs::read(object).ok()?)
}

/// The names that programs may define: `lichen_program(HEADER NAME...)` in the table.
fn public(table: &str) -> BTreeSet<&str> {
    let rows =
        table.lines().filter_map(|line| line.strip_prefix("lichen_program(")?.split_once(')'));
    rows.flat_map(|(row, _)| row.split_whitespace().skip(1)).collect()
}

/// Whether `name` is of a handler of an interrupt: of one whose vector the file links (`lichen/interrupt.h`; if the system
/// has one, too, the linker refuses both), or of avr-libc's, which is refused for what it is (`vet`).
fn handles(name: &str, file: &GlobalNames) -> bool {
    if name.starts_with("__vector_") {
        return true;
    }
    let vector =
        ["_handler", "_over"].iter().find_map(|end| name.strip_suffix(end)).or_else(|| {
            let mut begins = ["entry_", "handler_", "vector_used_"].iter();
            begins.find_map(|begin| name.strip_prefix(begin))
        });
    vector.is_some_and(|vector| file.needed.contains(&format!("vector_{vector}")))
}

/// What is said of a name of the system's that two of its files define.
fn ambiguous((name, first, second): &(String, PathBuf, PathBuf)) -> Message {
    Message {
        help: Some(format!("call one of them otherwise, and let {TABLE} choose")),
        ..Message::new(
            Some(Place::file(first)),
            format!(
                "`{name}' is defined by this file and by {}, so that their order decides which one is linked",
                second.display()
            ),
        )
    }
}

fn message(name: &str, place: &Place, other: &Place) -> Message {
    Message {
        help: Some(format!(
            "give this another name, such as my_{name}; or declare it static, if only this file uses it; \
             the system's is at {other}"
        )),
        ..Message::new(
            Some(place.clone()),
            format!("`{name}' is a name of the system, and is defined here again"),
        )
    }
}

/// Where `file`, which is shown as `shown`, defines `name`.
fn place_in(file: &Path, shown: &Path, name: &str) -> Place {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    line_of(&text, name).map_or_else(|| Place::file(shown), |line| Place::line(shown, line))
}

/// The line of `text` that defines `name`: by a declaration, a macro, a label, or a directive. Macros make names from
/// the one that they are given: `tick_event` is of EVENT(tick).
fn line_of(text: &str, name: &str) -> Option<u32> {
    let mut name = name;
    loop {
        let lines = || text.lines().zip(1..);
        let outermost = |line: &str| line.starts_with(|c: char| c.is_ascii_alphanumeric());
        let defines = |line: &str| {
            let label = line.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'));
            let function = line.trim().strip_prefix("function ") == Some(name);
            label
                || function
                || outermost(line) && !line.ends_with(");") && macros::declares(line, name)
        };
        let by_macro = |line: &str| has_word(line, name) && outermost(line);
        let is_comment = |line: &str| line.trim_start().starts_with(['*', '/']);
        let other = |line: &str| has_word(line, name) && !is_comment(line);
        let find = |is: &dyn Fn(&str) -> bool| lines().find(|(line, _)| is(line));
        if let Some((_, line)) = find(&defines).or_else(|| find(&by_macro)).or_else(|| find(&other))
        {
            return Some(line);
        }
        name = name.rsplit_once('_')?.0;
    }
}

/// Whether `name` stands in `line`, and not only within a longer one.
fn has_word(line: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices(name).any(|(at, _)| {
        !line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part)
    })
}

/// The linker scripts that these flags name, and those that they include, as far as they are found.
fn script_files(flags: &[String]) -> Vec<PathBuf> {
    let folders = flags.iter().filter_map(|flag| flag.strip_prefix("-L")).map(PathBuf::from);
    let folders: Vec<PathBuf> = folders.collect();
    let mut files: Vec<PathBuf> =
        flags.iter().filter_map(|flag| flag.strip_prefix("-T")).map(PathBuf::from).collect();
    let mut next = 0;
    while let Some(file) = files.get(next) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let included = text.lines().filter_map(|line| line.trim().strip_prefix("INCLUDE "));
        let found: Vec<PathBuf> = included
            .filter_map(|name| {
                folders.iter().map(|folder| folder.join(name)).find(|file| file.is_file())
            })
            .collect();
        for file in found {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        next += 1;
    }
    files
}

/// The names that linker scripts assign, ask for or need, or are given by the linker's flags, each with its place.
fn script_names(flags: &[String]) -> BTreeMap<String, (PathBuf, Option<u32>)> {
    let given = given(flags);
    let mut names = BTreeMap::new();
    for file in &script_files(flags) {
        let text = without_comments(&std::fs::read_to_string(file).unwrap_or_default());
        for (line, number) in text.lines().zip(1..) {
            let used = given.iter().copied().filter(|name| has_word(line, name));
            for name in names_in(line).into_iter().chain(used) {
                names.entry(name.to_string()).or_insert_with(|| (file.clone(), Some(number)));
            }
        }
    }
    names
}

/// The names that the linker is given: `-Wl,--defsym=NAME=VALUE`.
fn given(flags: &[String]) -> Vec<&str> {
    let options = flags.iter().flat_map(|flag| flag.split(','));
    options.filter_map(|it| Some(it.strip_prefix("--defsym=")?.split_once('=')?.0)).collect()
}

/// The names in a line of a linker script: `name = …`, DEFINED(name), EXTERN(name name).
fn names_in(line: &str) -> Vec<&str> {
    let assigned = word(line.trim_start()).filter(|name| {
        let rest = line.trim_start()[name.len()..].trim_start();
        rest.starts_with('=') && !rest.starts_with("==")
    });
    let within =
        |key: &'static str| line.match_indices(key).map(move |(at, _)| &line[at + key.len()..]);
    let asked = within("DEFINED(").chain(within("EXTERN("));
    let asked = asked.flat_map(|rest| rest.split(')').next().unwrap_or("").split_whitespace());
    assigned.into_iter().chain(asked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_says_what_programs_may_define() {
        let table = "# lichen_program(no no)\nlichen_program(lichen/panic.h panic_write)\n\
                     lichen_program(lichen/coop.h a b) # both\nlichen_hook(x)\n";
        assert_eq!(public(table).into_iter().collect::<Vec<_>>(), ["a", "b", "panic_write"]);
    }

    #[test]
    fn a_handler_of_a_linked_vector_is_the_programs() {
        let mut file = GlobalNames::default();
        assert!(!handles("TC3_handler", &file));
        file.needed.insert("vector_TC3".to_string());
        for name in ["TC3_handler", "TC3_over", "entry_TC3", "handler_TC3", "vector_used_TC3"] {
            assert!(handles(name, &file), "{name}");
        }
        assert!(!handles("TC4_handler", &file));
        assert!(!handles("reset_handler", &file));
    }

    #[test]
    fn names_are_found_where_they_are_defined() {
        let text = "/* power_prepare */\nvoid power_prepare(void);\nint x = power_prepare();\n\
                    void power_prepare(void)\n{\n}\nEVENT(tick)\n{\n}\nstart:\n    .global level\n\
                    /* panic */\n    function panic\n";
        assert_eq!(line_of(text, "power_prepare"), Some(4));
        assert_eq!(line_of(text, "tick_event"), Some(7));
        assert_eq!(line_of(text, "start"), Some(10));
        assert_eq!(line_of(text, "level"), Some(11));
        assert_eq!(line_of(text, "panic"), Some(13));
        assert_eq!(line_of(text, "other"), None);
    }

    #[test]
    fn linker_scripts_have_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            std::fs::write(&file, text).expect("written");
            file
        };
        let main = write(
            "chip.ld",
            "/* a = 1\n */\nEXTERN(vectors abi)\ninit_end = .;\nINCLUDE more.ld\n\
             loop = DEFINED(start) ? start : 0;\nASSERT(x == y, \"\")\nr : LENGTH = SIZE\n",
        );
        let more = write("more.ld", "top = 1;\n");
        let flags = [
            format!("-T{}", main.display()),
            format!("-L{}", folder.path().display()),
            "-Wl,--defsym=SIZE=8K,--defsym=UNUSED=1".to_string(),
        ];
        assert_eq!(script_files(&flags), [main.clone(), more.clone()]);
        let names = script_names(&flags);
        let found: Vec<&str> = names.keys().map(String::as_str).collect();
        assert_eq!(found, ["SIZE", "abi", "init_end", "loop", "start", "top", "vectors"]);
        assert_eq!(names["start"], (main, Some(6)));
        assert_eq!(names["top"], (more, Some(1)));
    }
}
