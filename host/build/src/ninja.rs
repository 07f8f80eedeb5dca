// SPDX-License-Identifier: MIT OR Apache-2.0
//! What Ninja's rules of a build folder say of object files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Object files, in the build folder, and what each is compiled from.
pub(super) type Objects = Vec<(PathBuf, PathBuf)>;

/// Ninja's rules of a build folder.
pub(super) struct Rules {
    text: String,
}

impl Rules {
    /// `None` if there are none.
    pub(super) fn read(folder: &Path) -> Option<Rules> {
        Some(Rules { text: std::fs::read_to_string(folder.join("build.ninja")).ok()? })
    }

    /// What files whose names end with `end` are linked from, with the objects of archives that the same rules make.
    pub(super) fn linked(&self, end: &str) -> Vec<(String, Objects)> {
        let statements: HashMap<String, Vec<String>> = self.statements().collect();
        let mut linked: Vec<(String, Objects)> = Vec::new();
        for (output, inputs) in &statements {
            if output.ends_with(end) {
                linked.push((output.clone(), objects(inputs, &statements)));
            }
        }
        linked.sort();
        linked
    }

    /// What the linker is told for `output`, as separate words.
    pub(super) fn flags(&self, output: &str) -> Vec<String> {
        let mut lines = self.text.lines().skip_while(|line| {
            line.strip_prefix("build ").and_then(|rest| words(rest).into_iter().next()).as_deref()
                != Some(output)
        });
        lines.next();
        let mut variables = lines.take_while(|line| line.starts_with("  "));
        let flags = variables.find_map(|line| line.trim_start().strip_prefix("LINK_FLAGS = "));
        words(flags.unwrap_or_default())
    }

    /// The first output of each rule, and all that it is made from.
    fn statements(&self) -> impl Iterator<Item = (String, Vec<String>)> {
        self.text.lines().filter_map(|line| {
            let words = words(line.strip_prefix("build ")?);
            let rule = words.iter().position(|word| word.ends_with(':'))?;
            let output = words[0].trim_end_matches(':').to_string();
            let inputs = words.into_iter().skip(rule + 2).filter(|word| !word.starts_with('|'));
            Some((output, inputs.collect()))
        })
    }
}

fn objects(inputs: &[String], statements: &HashMap<String, Vec<String>>) -> Objects {
    let mut found = Objects::new();
    for input in inputs {
        let Some(from) = statements.get(input) else { continue };
        if input.ends_with(".obj") || input.ends_with(".o") {
            let source = from.first().map(PathBuf::from).unwrap_or_default();
            found.push((PathBuf::from(input), source));
        } else if input.ends_with(".a") && !input.ends_with("liblichen.a") {
            found.extend(objects(from, statements));
        }
    }
    found
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
        assert_eq!(rules.linked(".elf"), [("a.elf".to_string(), expected)]);
        assert_eq!(rules.flags("a.elf"), ["-T/s/chip.ld", "-L/s/my folder"]);
        assert!(rules.flags("b.elf").is_empty());
    }
}
