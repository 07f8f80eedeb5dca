// SPDX-License-Identifier: MIT OR Apache-2.0
//! What sources tell of tests before anything is compiled: a filter that matches none is answered at
//! once.

use lichen_test::entries;
use std::collections::BTreeSet;
use std::path::Path;

/// The texts of the files of `folder` with this ending.
pub(super) fn texts(folder: &Path, ending: &str) -> Vec<String> {
    let files = entries(folder).into_iter();
    let files = files.filter(|file| file.extension().is_some_and(|found| found == ending));
    files.filter_map(|file| std::fs::read_to_string(file).ok()).collect()
}

/// The tests of the workspace in `host`, as its test programs and Cargo name them:
/// `lichen_isa::cycle::tests::adds`, `command::bad_input::a_wrong_call`.
pub(super) fn host_tests(host: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let folders = entries(host).into_iter().chain(entries(&host.join("dev")));
    for folder in folders.filter(|folder| folder.join("Cargo.toml").is_file()) {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let target = if name == "cli" { "lichen".to_string() } else { format!("lichen_{name}") };
        collect(&folder.join("src"), &target, &mut names);
        for entry in entries(&folder.join("tests")) {
            let target = entry.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            collect(&entry, &target, &mut names);
        }
    }
    names
}

/// Adds the tests in the file or folder `at`, whose module is called `module`.
fn collect(at: &Path, module: &str, names: &mut BTreeSet<String>) {
    if at.extension().is_some_and(|ending| ending == "rs") {
        let text = std::fs::read_to_string(at).unwrap_or_default();
        names.extend(tests(&text).map(|name| format!("{module}::{name}")));
        return;
    }
    for entry in entries(at) {
        let stem = entry.file_stem().unwrap_or_default().to_string_lossy();
        match stem.as_ref() {
            "lib" | "main" | "mod" => collect(&entry, module, names),
            stem => collect(&entry, &format!("{module}::{stem}"), names),
        }
    }
}

/// The tests in the source `text`, with the module they are in: the last one that begins above them
/// at the beginning of a line.
fn tests(text: &str) -> impl Iterator<Item = String> {
    let mut module = None;
    let mut marked = false;
    text.lines().filter_map(move |line| {
        let named = line.split_once("mod ").filter(|(before, _)| !before.starts_with([' ', '/']));
        if let Some((_, name)) = named {
            module = name.strip_suffix(" {").map(str::to_string).or(module.take());
        }
        let code = line.trim();
        let function = code.strip_prefix("fn ").filter(|_| marked);
        marked = code == "#[test]" || (marked && code.starts_with("#["));
        let name = function?.split(['(', '<']).next()?;
        Some(module.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_sources_name_the_tests_that_the_program_has() {
        let program = std::env::current_exe().expect("this program");
        let listed = Command::new(program).arg("--list").output().expect("it lists its tests");
        let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
        let listed = listed.lines().filter_map(|line| line.strip_suffix(": test"));
        let listed: BTreeSet<String> = listed.map(|n| format!("lichen_dev::{n}")).collect();
        let host = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
        let mut found = host_tests(host);
        let within = "command::bad_input::call::an_unknown_board";
        assert!(found.contains(within), "a test in a file beside main.rs");
        found.retain(|name| name.starts_with("lichen_dev::"));
        assert_eq!(found, listed);
    }
}
