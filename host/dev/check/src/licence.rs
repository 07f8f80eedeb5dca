// SPDX-License-Identifier: MIT OR Apache-2.0
//! The licence line at the head of each source file.

use super::rules::Rules;
use super::{CheckError, Violation, files, read};
use lichen_project::{Place, Tree};
use std::path::{Path, PathBuf};

/// Finds files without the line.
pub fn check(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let licence = &rules.licence;
    let endings: Vec<&str> = licence.endings.iter().map(String::as_str).collect();
    let mut all: Vec<PathBuf> = licence.files.iter().map(PathBuf::from).collect();
    all.retain(|file| tree.path(file).is_file());
    for folder in &licence.folders {
        all.extend(files(tree, folder, &endings)?);
    }
    all.retain(|file| !licence.skip.iter().any(|folder| file.starts_with(folder)));
    let mut found = Vec::new();
    for file in all {
        if !has_line(&read(tree, &file)?, &licence.line) {
            found.push(Violation {
                place: Place::line(&file, 1),
                message: "no licence line".to_string(),
                remedy: format!("begin the file with: {}", comment(&file, &licence.line)),
            });
        }
    }
    Ok(found)
}

/// Whether the first line, or the one after `#!`, has the licence.
fn has_line(text: &str, line: &str) -> bool {
    text.lines().take(2).any(|first| first.contains(line))
}

fn comment(file: &Path, line: &str) -> String {
    let ending = file.extension().unwrap_or_default().to_string_lossy().into_owned();
    match ending.as_str() {
        "rs" | "c" | "h" => format!("// {line}"),
        "S" | "ld" => format!("/* {line} */"),
        _ => format!("# {line}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    #[test]
    fn a_file_without_the_line_is_found() {
        let good = "// SPDX-License-Identifier: MIT OR Apache-2.0\nint a;\n";
        let script = "#!/bin/sh\n# SPDX-License-Identifier: MIT OR Apache-2.0\n";
        let files = [
            ("os/base/good.c", good),
            ("os/base/bad.c", "int a;\n"),
            ("lichen", script),
            ("host/target/x.rs", ""),
        ];
        assert_eq!(violations("licence lines", &files), ["os/base/bad.c:1: no licence line"]);
    }
}
