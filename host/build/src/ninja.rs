// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Ninja's rules of a build folder say of object files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Object files, in the build folder, and what each is compiled from.
pub(super) type Objects = Vec<(PathBuf, PathBuf)>;

/// Ninja's rules of a build folder.
pub(super) struct Rules {
    /// By the first output of each.
    statements: HashMap<String, Statement>,
}

/// A rule.
struct Statement {
    /// All that the output is made from.
    inputs: Vec<String>,
    /// What the linker is told, with Ninja's `$`.
    flags: String,
}

impl Rules {
    /// `None` if there are none.
    pub(super) fn read(folder: &Path) -> Option<Rules> {
        let text = std::fs::read_to_string(folder.join("build.ninja")).ok()?;
        let mut statements = HashMap::new();
        let mut output = String::new();
        for line in text.lines() {
            if let Some(rule) = line.strip_prefix("build ") {
                let words = words(rule);
                let Some(rule) = words.iter().position(|word| word.ends_with(':')) else {
                    continue;
                };
                output = words[0].trim_end_matches(':').to_string();
                let inputs = words.into_iter().skip(rule + 2).filter(|word| !word.starts_with('|'));
                let statement = Statement { inputs: inputs.collect(), flags: String::new() };
                statements.insert(output.clone(), statement);
            } else if let Some(flags) = line.strip_prefix("  LINK_FLAGS = ")
                && let Some(statement) = statements.get_mut(&output)
            {
                statement.flags = flags.to_string();
            }
        }
        Some(Rules { statements })
    }

    /// The files that are made whose names end with `end`.
    pub(super) fn made(&self, end: &str) -> Vec<&str> {
        let outputs = self.statements.keys().filter(|output| output.ends_with(end));
        let mut made: Vec<&str> = outputs.map(String::as_str).collect();
        made.sort();
        made
    }

    /// Whether there is a rule for `output`.
    pub(super) fn has(&self, output: &str) -> bool {
        self.statements.contains_key(output)
    }

    /// What `output` is linked from, with the objects of archives that the same rules make. Objects of another build folder
    /// have absolute paths: its rules say what they are compiled from. Objects and archives that no rules make are their own
    /// sources.
    pub(super) fn linked(&self, output: &str) -> Objects {
        let mut objects = Objects::new();
        let mut others = HashMap::new();
        self.add_objects(output, &mut others, &mut objects);
        objects
    }

    fn add_objects(
        &self,
        output: &str,
        others: &mut HashMap<PathBuf, Option<Rules>>,
        found: &mut Objects,
    ) {
        let inputs = self.statements.get(output).map_or(&[][..], |it| &it.inputs);
        for input in inputs {
            let is_object = input.ends_with(".obj") || input.ends_with(".o");
            if is_object && let Some(source) = self.source(input) {
                found.push((PathBuf::from(input), source));
            } else if is_object && let Some((folder, object)) = of_other_folder(input) {
                let rules =
                    others.entry(folder.to_path_buf()).or_insert_with(|| Rules::read(folder));
                if let Some(source) = rules.as_ref().and_then(|rules| rules.source(object)) {
                    found.push((PathBuf::from(input), source));
                }
            } else if self.statements.contains_key(input) && input.ends_with(".a") {
                self.add_objects(input, others, found);
            } else if is_object || input.ends_with(".a") && !input.ends_with("liblichen.a") {
                found.push((PathBuf::from(input), PathBuf::from(input)));
            }
        }
    }

    /// What `object` is compiled from.
    fn source(&self, object: &str) -> Option<PathBuf> {
        let statement = self.statements.get(object)?;
        Some(statement.inputs.first().map(PathBuf::from).unwrap_or_default())
    }

    /// What the linker is told for `output`, as separate words.
    pub(super) fn flags(&self, output: &str) -> Vec<String> {
        self.statements.get(output).map(|statement| words(&statement.flags)).unwrap_or_default()
    }
}

/// The build folder of an object, and the object's path below it.
fn of_other_folder(object: &str) -> Option<(&Path, &str)> {
    let at = object.find("/CMakeFiles/").filter(|_| object.starts_with('/'))?;
    Some((Path::new(&object[..at]), &object[at + 1..]))
}

/// The words of a line, in which `$` precedes what is part of a word.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match character {
            '$' => words.last_mut().into_iter().for_each(|word| word.extend(characters.next())),
            ' ' => words.push(String::new()),
            _ => words.last_mut().into_iter().for_each(|word| word.push(character)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_linked_from_its_objects_and_those_of_its_libraries() {
        let folder = tempfile::tempdir().expect("a folder");
        let rules = "build a.elf a.bin | a.map: LINK d/main.c.obj d/more.c.obj | libown.a /s/liblichen.a\n  \
                     LINK_FLAGS = -T/s/chip.ld -L/s/my$ folder\n\
                     build d/main.c.obj: C /p/main$ 1.c || order\nbuild d/more.c.obj: C /p/more.c\n\
                     build libown.a: AR d/own.c.obj\nbuild d/own.c.obj: C /p/own.c\n";
        std::fs::write(folder.path().join("build.ninja"), rules).expect("written");
        let rules = Rules::read(folder.path()).expect("rules");
        let object = |object: &str, source: &str| (PathBuf::from(object), PathBuf::from(source));
        let expected = vec![
            object("d/main.c.obj", "/p/main 1.c"),
            object("d/more.c.obj", "/p/more.c"),
            object("d/own.c.obj", "/p/own.c"),
        ];
        assert_eq!(rules.made(".elf"), ["a.elf"]);
        assert_eq!(rules.linked("a.elf"), expected);
        assert_eq!(rules.flags("a.elf"), ["-T/s/chip.ld", "-L/s/my folder"]);
        assert!(rules.flags("b.elf").is_empty() && rules.linked("b.elf").is_empty());
    }

    #[test]
    fn an_archive_has_objects_of_another_build_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        let usual = at("usual/CMakeFiles/lichen.dir/a.c.obj").display().to_string();
        let write = |name: &str, rules: &str| {
            std::fs::create_dir(at(name)).expect("a folder");
            std::fs::write(at(name).join("build.ninja"), rules).expect("written");
        };
        write("usual", "build CMakeFiles/lichen.dir/a.c.obj: C /os/a.c || order\n");
        write(
            "other",
            &format!(
                "build liblichen.a: AR CMakeFiles/changed.dir/b.c.obj {usual} /none/CMakeFiles/c.c.obj\n\
                 build CMakeFiles/changed.dir/b.c.obj: C /os/b.c\n"
            ),
        );
        let rules = Rules::read(&at("other")).expect("rules");
        let object = |object: &str, source: &str| (PathBuf::from(object), PathBuf::from(source));
        let expected =
            [object("CMakeFiles/changed.dir/b.c.obj", "/os/b.c"), object(&usual, "/os/a.c")];
        assert_eq!(rules.linked("liblichen.a"), expected);
    }
}
