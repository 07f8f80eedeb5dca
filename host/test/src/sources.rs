// SPDX-License-Identifier: MIT OR Apache-2.0
//! What sources tell of tests before anything is compiled: a filter that matches none is answered at
//! once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The tests that the program of tests in `folder` may report: those of its C files, of those that its build
/// names, and of the headers beside them, in folders of a chip too.
pub(crate) fn mote_tests(folder: &Path) -> BTreeSet<String> {
    let build = std::fs::read_to_string(folder.join("CMakeLists.txt")).unwrap_or_default();
    let named = build.split(|c: char| c.is_whitespace() || "()".contains(c));
    let named = named.filter(|word| word.ends_with(".c")).map(|word| folder.join(word));
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

/// Entries of `folder`, sorted; none if it cannot be listed.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    lichen_project::tree::list(folder).unwrap_or_default()
}
