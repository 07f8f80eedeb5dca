// SPDX-License-Identifier: MIT OR Apache-2.0
//! What sources tell of tests before anything is compiled: a filter that matches none is answered at
//! once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The tests that the program of tests in `folder` may report: those of its C files, of those that its build
/// names, and of the headers beside them, in folders of a chip too.
pub(crate) fn mote_tests(folder: &Path) -> BTreeSet<String> {
    let named = named(folder).into_iter();
    let beside = entries(folder).into_iter();
    let of_chip = beside.clone().filter(|entry| entry.is_dir()).flat_map(|chip| entries(&chip));
    let is_c = |file: &PathBuf| file.extension().is_some_and(|found| found == "c" || found == "h");
    let files = named.chain(beside).chain(of_chip).filter(is_c);
    let texts = files.filter_map(|file| std::fs::read_to_string(file).ok());
    let mut names = BTreeSet::from(["panics".to_string()]);
    for text in texts {
        let declared =
            text.lines().filter_map(|line| line.strip_prefix("TEST(")?.split(')').next());
        names.extend(declared.map(str::to_string));
        // A program without the frame reports by itself.
        let reported = text.split("\"test ").skip(1).filter_map(|rest| rest.split(' ').next());
        names.extend(reported.map(str::to_string));
    }
    names
}

/// The files that the build of a program names: in its `CMakeLists.txt`, or in its row of the room (`test/rows.cmake`).
fn named(folder: &Path) -> Vec<PathBuf> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| c.is_whitespace() || "()".contains(c));
        words.filter(|word| !word.is_empty()).map(str::to_string).collect()
    };
    if let Ok(build) = std::fs::read_to_string(folder.join("CMakeLists.txt")) {
        return words(&build)
            .iter()
            .filter(|w| w.ends_with(".c"))
            .map(|w| folder.join(w))
            .collect();
    }
    let Some((room, name)) = folder.parent().zip(folder.file_name()) else { return Vec::new() };
    let rows = std::fs::read_to_string(room.join("programs.cmake")).unwrap_or_default();
    let statements = rows.split(')').map(words);
    let own = statements.filter(|words| words.iter().any(|word| name == word.as_str()));
    own.flatten().filter(|word| word.ends_with(".c")).map(|word| room.join(word)).collect()
}

/// Entries of `folder`, sorted; none if it cannot be listed.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    lichen_project::tree::list(folder).unwrap_or_default()
}
