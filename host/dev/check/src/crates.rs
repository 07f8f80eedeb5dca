// SPDX-License-Identifier: MIT OR Apache-2.0
//! The crate graph of the host against the plan, and what libraries must not do.

use super::rules::Rules;
use super::{CheckError, Violation, files, read};
use lichen_project::read_toml;
use lichen_project::{Place, Tree};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;

#[derive(Deserialize)]
struct CargoToml {
    package: Option<Package>,
    #[serde(default)]
    dependencies: BTreeMap<Spanned<String>, toml::Value>,
}

#[derive(Deserialize)]
struct Package {
    name: Spanned<String>,
}

/// A crate of the workspace: its manifest relative to the tree, and its content.
struct Crate {
    file: PathBuf,
    text: String,
    name: Spanned<String>,
    dependencies: Vec<Spanned<String>>,
}

impl Crate {
    fn place(&self, offset: usize) -> Place {
        Place::offset(&self.file, &self.text, offset)
    }
}

/// Finds dependencies between crates that the plan does not allow.
pub fn check_graph(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let mut found = Vec::new();
    for member in crates(tree)? {
        let name = member.name.as_ref();
        let Some(allowed) = rules.crates.get(name) else {
            found.push(Violation {
                place: member.place(member.name.span().start),
                message: format!("the plan does not know the crate {name}"),
                remedy: format!("add it, with what it may use, to [crates] in {}", super::RULES),
            });
            continue;
        };
        let forbidden = member.dependencies.iter().filter(|dependency| {
            let dependency = dependency.as_ref();
            rules.crates.contains_key(dependency) && !allowed.contains(dependency)
        });
        found.extend(forbidden.map(|dependency| Violation {
            place: member.place(dependency.span().start),
            message: format!("{name} may not use {}", dependency.as_ref()),
            remedy: match &allowed[..] {
                [] => format!("{name} uses no crate of the workspace"),
                _ => format!("{name} may use {}", allowed.join(", ")),
            },
        }));
    }
    Ok(found)
}

/// The crates of the workspace, by folder.
fn crates(tree: &Tree) -> Result<Vec<Crate>, CheckError> {
    let mut crates = Vec::new();
    let mut folders = lichen_project::tree::list(&tree.path("host"))?;
    let tool = tree.path("host/dev");
    if tool.is_dir() {
        folders.extend(lichen_project::tree::list(&tool)?);
    }
    for folder in folders {
        let path = folder.join("Cargo.toml");
        if !path.is_file() {
            continue;
        }
        let (manifest, text) = read_toml::<CargoToml>(&path)?;
        let Some(package) = manifest.package else { continue };
        crates.push(Crate {
            file: tree.shown(&path).to_path_buf(),
            text,
            name: package.name,
            dependencies: manifest.dependencies.into_keys().collect(),
        });
    }
    Ok(crates)
}

/// Finds libraries that print, exit or read the clock.
pub fn check_libraries(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let mut found = Vec::new();
    let libraries = crates(tree)?;
    let libraries =
        libraries.iter().filter(|c| !rules.libraries.commands.contains(c.name.as_ref()));
    for library in libraries {
        let sources = library.file.parent().unwrap_or(Path::new("")).join("src");
        for file in files(tree, &sources.to_string_lossy(), &["rs"])? {
            let text = read(tree, &file)?;
            found.extend(forbidden(&text, rules).into_iter().map(|(line, what)| Violation {
                place: Place::line(&file, line),
                message: format!("a library does not use {what}"),
                remedy: format!("return a value; {} print", rules.libraries.commands.join(", ")),
            }));
        }
    }
    Ok(found)
}

/// Lines of `text`, except tests and comments, that use something forbidden.
fn forbidden<'a>(text: &str, rules: &'a Rules) -> Vec<(u32, &'a str)> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    (1..)
        .zip(code.lines())
        .map(|(number, line)| (number, line.split("//").next().unwrap_or(line)))
        .filter_map(|(number, line)| {
            let what = rules.libraries.forbidden.iter().find(|what| uses(line, what))?;
            Some((number, what.as_str()))
        })
        .collect()
}

/// Whether `line` names `what` as a whole word and outside a string.
fn uses(line: &str, what: &str) -> bool {
    line.match_indices(what).any(|(at, _)| {
        let before = &line[..at];
        let in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        !in_word && before.matches('"').count() % 2 == 0
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    fn manifest(name: &str, dependencies: &str) -> String {
        format!("[package]\nname = \"{name}\"\n[dependencies]\n{dependencies}\n")
    }

    #[test]
    fn an_arrow_that_points_up_is_found() {
        let chip = manifest("lichen-chip", "serde = \"1\"\nlichen-device.workspace = true");
        let found = violations("crate graph", &[("host/chip/Cargo.toml", &chip)]);
        assert_eq!(found, ["host/chip/Cargo.toml:5:1: lichen-chip may not use lichen-device"]);
    }

    #[test]
    fn arrows_that_point_down_are_silent() {
        let device = manifest("lichen-device", "lichen-chip.workspace = true");
        assert!(violations("crate graph", &[("host/device/Cargo.toml", &device)]).is_empty());
    }

    #[test]
    fn a_crate_that_the_plan_does_not_know_is_found() {
        let file = manifest("lichen-attic", "");
        let found = violations("crate graph", &[("host/attic/Cargo.toml", &file)]);
        assert!(found[0].contains("does not know the crate lichen-attic"), "{found:?}");
    }

    fn printing(name: &str, source: &str) -> Vec<String> {
        let check = "libraries neither print, exit nor read the clock";
        let files =
            [("host/x/Cargo.toml", manifest(name, "")), ("host/x/src/lib.rs", source.to_string())];
        let files: Vec<(&str, &str)> = files.iter().map(|(n, t)| (*n, t.as_str())).collect();
        violations(check, &files)
    }

    #[test]
    fn crates_of_the_maintainers_tool_are_crates_too() {
        let model = manifest("lichen-model", "lichen-force.workspace = true");
        let found = violations("crate graph", &[("host/dev/model/Cargo.toml", &model)]);
        assert_eq!(found, ["host/dev/model/Cargo.toml:4:1: lichen-model may not use lichen-force"]);
    }

    #[test]
    fn a_library_that_prints_is_found() {
        let found = printing("lichen-chip", "fn f() {\n    println!(\"x\");\n}\n");
        assert_eq!(found, ["host/x/src/lib.rs:2: a library does not use println!"]);
    }

    #[test]
    fn the_command_and_tests_may_print() {
        assert!(printing("lichen-cli", "fn f() { println!(); }\n").is_empty());
        assert!(printing("lichen-chip", "#[cfg(test)]\nfn f() { println!(); }\n").is_empty());
        assert!(printing("lichen-chip", "// println!\nconst A: &str = \"println!\";\n").is_empty());
    }
}
