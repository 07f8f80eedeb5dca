// SPDX-License-Identifier: MIT OR Apache-2.0
//! Which parts of the kernel a program contains: the linked members of the system's archive, as the
//! linker's map lists them.

use lichen_check::files;
use lichen_project::Tree;
use std::path::Path;

/// Kernel sources that are linked into the program with this map, as `folder/file` below
/// `os/kernel`, sorted; empty if there is no map.
pub fn of(tree: &Tree, map: &Path) -> Vec<String> {
    let Ok(map) = std::fs::read_to_string(map) else { return Vec::new() };
    let Ok(sources) = files(tree, "os/kernel", &["c"]) else { return Vec::new() };
    sources
        .iter()
        .filter(|source| {
            let name = source.file_name().map(|name| name.to_string_lossy().into_owned());
            name.is_some_and(|name| members(&map).any(|member| member == name))
        })
        .filter_map(|source| source.strip_prefix("os/kernel").ok())
        .map(|source| source.with_extension("").display().to_string())
        .collect()
}

/// Sources of the archive members that were linked according to `map`: `liblichen.a(post.c.obj)`.
fn members(map: &str) -> impl Iterator<Item = &str> {
    let taken = map.split("\n\n").nth(1).unwrap_or_default();
    taken.lines().filter_map(|line| {
        let member = line.split_once("liblichen.a(")?.1.split_once(')')?.0;
        member.strip_suffix(".obj").or_else(|| member.strip_suffix(".o"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "Archive member included to satisfy reference by file (symbol)\n\n\
        liblichen.a(post.c.obj)\n                              main.c.obj (event_post)\n\
        liblichen.a(gpio.c.obj)\n\nDiscarded input sections\n\n liblichen.a(timer.c.obj)\n";

    #[test]
    fn lists_what_the_linker_took_of_the_kernel() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = [("os/kernel/event/post.c", ""), ("os/kernel/time/timer.c", "")];
        let tree = Tree::of_files(folder.path(), &files).expect("a tree");
        let map = folder.path().join("a.map");
        std::fs::write(&map, MAP).expect("written");
        assert_eq!(of(&tree, &map), ["event/post"]);
    }
}
