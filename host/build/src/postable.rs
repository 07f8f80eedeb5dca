// SPDX-License-Identifier: MIT OR Apache-2.0
//! Too many objects to post: the linker reports only this (`os/kernel/count.ld`); its map shows how
//! many each file declares.

use super::Message;
use crate::map::{Piece, pieces};
use lichen_project::Place;
use std::collections::BTreeMap;
use std::path::Path;

/// Each file leaves a byte for every object in this section (`lichen/event.h`).
const SECTION: &str = ".lichen.postable";
/// Rings have one slot more, and are indexed by bytes.
const MOST: u32 = 255;

/// The beginning of the linker's message.
const SAID: &str = "more than 255 events";

/// What to do about it.
pub(super) const REMEDY: &str = "a program posts at most 255 events, notifications, and semaphores and \
                                 queues of interrupts: let one event serve several causes, with a \
                                 flag or a queue for each that says which";

/// Whether this is a message of this module.
pub(super) fn is_about(text: &str) -> bool {
    text.contains(WORDS)
}

const WORDS: &str = " objects to post, ";
const OF_SYSTEM: &str = " of the system";

/// The error in the linker's output, if it is this one. `folder` has the map, `source` the program.
pub(super) fn message(output: &str, folder: &Path, source: &Path) -> Option<Message> {
    if !output.contains(SAID) {
        return None;
    }
    let map = std::fs::read_to_string(folder.join(format!("{}.map", failed(output)?))).ok()?;
    let counted = counted(&map);
    let all: u32 = counted.iter().map(|(_, count)| count).sum();
    let (most, _) = counted.iter().find(|(file, _)| !file.ends_with(OF_SYSTEM))?;
    let files: Vec<String> =
        counted.iter().map(|(file, count)| format!("{file} {count}")).collect();
    let text =
        format!("{all}{WORDS}{} more than fit: {}", all.saturating_sub(MOST), files.join(", "));
    Some(Message::new(Some(Place::file(source.join(most))), text))
}

/// The program that was not linked: `FAILED: blink.elf blink.bin`.
pub(super) fn failed(output: &str) -> Option<&str> {
    let lines = output.lines().filter_map(|line| line.strip_prefix("FAILED: "));
    lines.flat_map(str::split_whitespace).find_map(|word| word.strip_suffix(".elf"))
}

/// How many objects each file declares, the most first.
fn counted(map: &str) -> Vec<(String, u32)> {
    let mut files = BTreeMap::new();
    for piece in pieces(map).filter(|piece| piece.section == SECTION) {
        *files.entry(file(&piece)).or_insert(0) += piece.bytes;
    }
    let mut counted: Vec<_> = files.into_iter().collect();
    counted.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counted
}

/// The source file of a piece: `CMakeFiles/blink.dir/main.c.obj` is `main.c` of the program's folder.
pub(super) fn file(piece: &Piece<'_>) -> String {
    if let Some(member) = piece.member() {
        return format!("{}{OF_SYSTEM}", member.source);
    }
    own_file(piece.object).to_string()
}

/// The source of an object file in the program's folder. Where many programs are built in one folder, their targets are
/// called by paths, such as `test.mote.mutex`, and objects lie as their sources do in the tree.
pub(super) fn own_file(object: &str) -> &str {
    let object = object.strip_suffix(".obj").unwrap_or(object);
    match object.split_once(".dir/") {
        Some((target, file)) if target.contains('.') => {
            file.rsplit_once('/').map_or(file, |(_, name)| name)
        }
        Some((_, file)) => file,
        None => object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "Linker script and memory map\n\n.lichen_postable\n\
                       0x00000000      0x101\n *(.lichen.postable)\n .lichen.postable\n\
                       0x00000000        0x1 CMakeFiles/a.dir/main.c.obj\n .lichen.postable\n\
                       0x00000001       0xfe CMakeFiles/a.dir/more/other.c.obj\n .lichen.postable\n\
                       0x000000ff        0x2 liblichen.a(console.c.obj)\n";
    const OUTPUT: &str = "[2/2] Linking\nFAILED: a.elf a.bin\n/usr/bin/gcc -o a.elf\n\
                          ld: more than 255 events, notifications\n";

    #[test]
    fn the_files_are_named_with_what_each_declares() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.map"), MAP).expect("written");
        let said = message(OUTPUT, folder.path(), Path::new("app/a")).expect("this mistake");
        assert_eq!(
            said.text,
            "257 objects to post, 2 more than fit: more/other.c 254, console.c of the system 2, main.c 1"
        );
        assert_eq!(said.place, Some(Place::file("app/a/more/other.c")));
        assert!(is_about(&said.text));
    }

    #[test]
    fn other_mistakes_are_none_of_this() {
        assert_eq!(message("FAILED: a.elf\nld: full", Path::new("."), Path::new("app/a")), None);
    }

    #[test]
    fn a_source_is_named_as_in_its_program() {
        assert_eq!(own_file("CMakeFiles/blink.dir/more/main.c.obj"), "more/main.c");
        assert_eq!(
            own_file("CMakeFiles/test.mote.mutex.dir/mote/mutex/service.c.obj"),
            "service.c"
        );
    }
}
