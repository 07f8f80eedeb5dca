// SPDX-License-Identifier: MIT OR Apache-2.0
//! What selects code is in one table, `os/features.cmake`: its files are there, and nothing else in the firmware is weak
//! or mentions a name only to link a file.

use super::rules::Rules;
use super::{CheckError, Violation, files, read};
use lichen_project::{Place, Tree, without_comments};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The table.
pub(super) const TABLE: &str = "os/features.cmake";

/// Finds files that are not in the table, and rows without their files; references that no row has; and headers without
/// the names that programs may define.
pub fn check(tree: &Tree, _rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    if !tree.path(TABLE).is_file() {
        return Ok(Vec::new());
    }
    let table = Table::parse(&read(tree, Path::new(TABLE))?);
    let mut found = listed(tree, &table)?;
    for file in files(tree, "os", &["c", "h", "S", "inc"])? {
        let text = read(tree, &file)?;
        for (name, line, kind) in references(&text) {
            let rows = if kind == Kind::Weak { &table.optional } else { &table.linked };
            let is_chosen = kind == Kind::Weak && table.chosen.contains(&name);
            if !rows.contains(&name) && !is_chosen {
                let (what, row) = match kind {
                    Kind::Weak => ("is weak", "lichen_optional"),
                    Kind::Mentioned => ("is mentioned to link a file", "lichen_link"),
                };
                found.push(Violation {
                    place: Place::line(&file, line),
                    message: format!("`{name}' {what}, and no row says so"),
                    remedy: format!("add {row}({name} FILE) to {TABLE}, or do without"),
                });
            }
        }
    }
    for (header, name) in &table.public {
        let file = Path::new("os/include").join(header);
        let text = if tree.path(&file).is_file() { read(tree, &file)? } else { String::new() };
        if !words(&text).any(|word| word == name) {
            found.push(Violation {
                place: Place::file(&file),
                message: format!("programs may define `{name}', and the header does not say so"),
                remedy: format!("document it, or correct lichen_program in {TABLE}"),
            });
        }
    }
    Ok(found)
}

/// Sources and rows that do not fit together.
fn listed(tree: &Tree, table: &Table) -> Result<Vec<Violation>, CheckError> {
    let sources: BTreeSet<PathBuf> = files(tree, "os", &["c", "S"])?.into_iter().collect();
    let missing =
        sources.iter().filter(|file| !table.files.contains(*file)).map(|file| Violation {
            place: Place::file(file),
            message: "no row of the table has this file".to_string(),
            remedy: format!("add it to a row lichen_files of {TABLE}"),
        });
    let gone = table.files.iter().filter(|file| !sources.contains(*file)).map(|file| Violation {
        place: Place::file(TABLE),
        message: format!("there is no {}", file.display()),
        remedy: "take it out of its row".to_string(),
    });
    Ok(missing.chain(gone).collect())
}

/// The rows of the table.
#[derive(Debug, Default, PartialEq, Eq)]
struct Table {
    files: BTreeSet<PathBuf>,
    linked: BTreeSet<String>,
    optional: BTreeSet<String>,
    chosen: BTreeSet<String>,
    public: Vec<(String, String)>,
}

impl Table {
    fn parse(text: &str) -> Table {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        let text: String = lines.flat_map(|line| [line, "\n"]).collect();
        let mut table = Table::default();
        for (command, row) in text.split("\nlichen_").skip(1).filter_map(|row| row.split_once('('))
        {
            let mut row = row.split(')').next().unwrap_or("").split_whitespace();
            let Some(first) = row.next() else { continue };
            let first = first.to_string();
            match command {
                "files" => {
                    let folder = Path::new("os").join(first);
                    table.files.extend(row.map(|file| folder.join(file)));
                }
                "link" => drop(table.linked.insert(first)),
                "optional" => drop(table.optional.insert(first)),
                "choice" => drop(table.chosen.insert(first)),
                "program" => {
                    table.public.extend(row.map(|name| (first.clone(), name.to_string())));
                }
                _ => {}
            }
        }
        table
    }
}

/// How a name is referred to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Weak,
    Mentioned,
}

/// The names that `text` makes weak, or mentions without using them, with their lines.
fn references(text: &str) -> Vec<(String, u32, Kind)> {
    let text = without_comments(text);
    let defined = defined(&text);
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    for (line, number) in lines.iter().zip(1u32..) {
        let mut add = |names: &str, kind| {
            for name in names.split(',').map(str::trim).filter(|name| is_name(name)) {
                found.push((name.to_string(), number, kind));
            }
        };
        for rest in after(line, "#pragma weak ").chain(after(line, ".weak ")) {
            add(list(rest), Kind::Weak);
        }
        if let Some((_, rest)) = line.split_once("__attribute__((weak") {
            // The declaration may go on.
            let more = lines[number as usize..].join(" ");
            add(declared_name(&format!("{rest} {more}")), Kind::Weak);
        }
        for rest in after(line, "NEEDS(") {
            add(rest.split(')').next().unwrap_or(""), Kind::Mentioned);
        }
        for rest in after(line, ".global ") {
            let names = list(rest);
            for name in names.split(',').map(str::trim).filter(|name| !defined.contains(*name)) {
                add(name, Kind::Mentioned);
            }
        }
    }
    // The macros themselves.
    found.retain(|(name, _, _)| name != "symbol");
    found
}

/// What follows each `key` in `line`.
fn after<'l>(line: &'l str, key: &'static str) -> impl Iterator<Item = &'l str> {
    line.match_indices(key).map(move |(at, _)| &line[at + key.len()..])
}

/// The list of names that `text` begins with; nothing if a macro makes the last one.
fn list(text: &str) -> &str {
    let end = text.find(|c: char| !(is_part(c) || c == ',' || c == ' ')).unwrap_or(text.len());
    let behind = text[end..].chars().next();
    let is_made = matches!(behind, Some('"' | '\\')) && text[..end].ends_with('_');
    if is_made { "" } else { &text[..end] }
}

/// The name in the declaration of a function or variable, of which `text` has what follows `weak`: the assembler's, if it
/// has another one.
fn declared_name(text: &str) -> &str {
    let declaration = text.split_once("))").map_or("", |(_, declaration)| declaration);
    let declaration = &declaration[..declaration.find([';', '{']).unwrap_or(declaration.len())];
    if let Some((_, name)) = declaration.split_once("__asm__(\"") {
        return name.split('"').next().unwrap_or("");
    }
    let end = declaration.find(['(', '[', '=']).unwrap_or(declaration.len());
    declaration[..end].trim().rsplit([' ', '*']).next().unwrap_or("")
}

/// The names that the assembly in `text` defines.
fn defined(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        for key in [".set ", ".thumb_set ", "function ", ".macro function "] {
            names.extend(after(line, key).map(|rest| words(rest).next().unwrap_or("")));
        }
        // In assembly, and in a text within C.
        let begins = line.trim_start().strip_prefix('"').unwrap_or(line);
        if let Some((label, _)) = begins.split_once(':').filter(|(label, _)| is_name(label)) {
            names.insert(label);
        }
    }
    names
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty())
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_part)
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    const NAME: &str = "one table selects code";
    const TABLE: &str = "# lichen_link(no no)\nlichen_files(base a.c\n    b.c)\nlichen_link(part base/a.c)\n\
                         lichen_optional(maybe base/b.c)\nlichen_choice(which one ELSE other)\n\
                         lichen_program(lichen/a.h mine yours)\n";

    fn found(a: &str, b: &str, header: &str) -> Vec<String> {
        let files = [
            ("os/features.cmake", TABLE),
            ("os/base/a.c", a),
            ("os/base/b.c", b),
            ("os/include/lichen/a.h", header),
        ];
        violations(NAME, &files)
    }

    #[test]
    fn what_the_table_has_is_good() {
        let a = "NEEDS(part);\n#pragma weak maybe\n/* .weak that */\n";
        let b = "extern __attribute__((weak)) int maybe;\n__asm__(\".global part, own\\n.set own, 1\");\n\
                 __attribute__((weak)) void which(int a);\n    __asm__(\".global here\\n\"\n    \"here:\");\n";
        assert_eq!(found(a, b, "mine yours"), [""; 0]);
    }

    #[test]
    fn what_it_has_not_is_found() {
        let a = "NEEDS(maybe);\n#pragma weak part\n";
        let b = "__attribute__((weak)) void called(void)\n{\n}\n__asm__(\".global other\\n\");\n";
        let expected = [
            "os/base/a.c:1: `maybe' is mentioned to link a file, and no row says so",
            "os/base/a.c:2: `part' is weak, and no row says so",
            "os/base/b.c:1: `called' is weak, and no row says so",
            "os/base/b.c:4: `other' is mentioned to link a file, and no row says so",
            "os/include/lichen/a.h: programs may define `yours', and the header does not say so",
        ];
        assert_eq!(found(a, b, "mine"), expected);
    }

    #[test]
    fn files_and_rows_fit_together() {
        let files = [("os/features.cmake", "\nlichen_files(base gone.c)\n"), ("os/base/new.S", "")];
        let expected = [
            "os/base/new.S: no row of the table has this file",
            "os/features.cmake: there is no os/base/gone.c",
        ];
        assert_eq!(violations(NAME, &files), expected);
    }
}
