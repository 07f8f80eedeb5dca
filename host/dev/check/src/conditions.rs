// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conditional compilation: only where machines differ, and in configuration.

use super::rules::Rules;
use super::source::without_comments;
use super::{CheckError, Violation, files, read};
use lichen_project::{Place, Tree};
use std::path::Path;

/// Finds conditional compilation in files that should have none.
pub fn check(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let mut found = Vec::new();
    for top in ["os", "app", "bench", "test/mote"] {
        for file in files(tree, top, &["c", "h", "S"])? {
            if allowed(rules, &file) {
                continue;
            }
            let text = read(tree, &file)?;
            found.extend(conditions(&text).into_iter().map(|(line, condition)| Violation {
                place: Place::line(&file, line),
                message: format!("conditional compilation: {condition}"),
                remedy: format!(
                    "use `if` with a constant, or a file of its own; `#if` is for {} and {}",
                    rules.conditions.folders.join(", "),
                    rules.conditions.files.join(", ")
                ),
            }));
        }
    }
    Ok(found)
}

fn allowed(rules: &Rules, file: &Path) -> bool {
    rules.conditions.folders.iter().any(|folder| file.starts_with(folder))
        || rules.conditions.files.iter().any(|name| file.file_name().is_some_and(|f| f == &**name))
}

/// Lines and texts of the conditions in `text`, except an include guard.
fn conditions(text: &str) -> Vec<(u32, String)> {
    let plain = without_comments(text);
    let directives: Vec<(u32, String)> = (1..)
        .zip(plain.lines())
        .filter_map(|(number, line)| Some((number, line.trim().strip_prefix('#')?.to_string())))
        .map(|(number, line)| (number, line.split_whitespace().collect::<Vec<_>>().join(" ")))
        .collect();
    let guard = match &directives[..] {
        [(line, first), (_, second), ..] if is_guard(first, second) => Some(*line),
        _ => None,
    };
    directives
        .into_iter()
        .filter(|(line, text)| text.starts_with("if") && Some(*line) != guard)
        .map(|(line, text)| (line, format!("#{text}")))
        .collect()
}

fn is_guard(first: &str, second: &str) -> bool {
    match (first.strip_prefix("ifndef "), second.strip_prefix("define ")) {
        (Some(name), Some(defined)) => name == defined,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    fn found(file: &str, text: &str) -> Vec<String> {
        violations("conditional compilation", &[(file, text)])
    }

    #[test]
    fn include_guards_are_free() {
        let header = "/* what */\n#ifndef A_H\n#define A_H\nint a;\n#endif\n";
        assert!(found("os/kernel/a.h", header).is_empty());
    }

    #[test]
    fn a_condition_in_the_kernel_is_found() {
        let text = "#include <stdint.h>\n# ifdef FAST\nint a;\n#endif\n";
        assert_eq!(
            found("os/kernel/a.c", text),
            ["os/kernel/a.c:2: conditional compilation: #ifdef FAST"]
        );
    }

    #[test]
    fn a_second_condition_behind_a_guard_is_found() {
        let text = "#ifndef A_H\n#define A_H\n#if X\n#endif\n#endif\n";
        assert_eq!(found("os/base/a.h", text).len(), 1);
    }

    #[test]
    fn machines_and_configuration_may_differ() {
        assert!(found("os/chip/samr21/a.c", "#if X\n#endif\n").is_empty());
        assert!(found("os/kernel/config.h", "#if X\n#endif\n").is_empty());
    }
}
