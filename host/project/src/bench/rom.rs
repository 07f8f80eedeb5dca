// SPDX-License-Identifier: MIT OR Apache-2.0
//! What parts of the system take of a program's flash, as the linker's map lists it.

use super::plan::Rom;
use super::{BenchError, OnWork, Reading, Rig};
use crate::check::files;
use lichen_image::Image;
use std::collections::BTreeMap;

/// One piece that the linker placed: a section of an object file.
#[derive(Debug, PartialEq, Eq)]
struct Piece<'a> {
    /// Section of the image that it is a part of.
    output: &'a str,
    section: &'a str,
    address: u32,
    bytes: u32,
    /// Source file of an archive's member, without its folder.
    source: &'a str,
    /// Whether the archive is the system's own, and not a library of the compiler.
    own: bool,
}

impl Rig<'_> {
    /// Flash that the rooms of an entry take in its program, and what they need of the compiler's
    /// libraries.
    pub(super) fn rom(&self, entry: &Rom, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let map = self.map(&entry.program)?;
        let known = files(self.tree, "os", &["c", "S"])
            .map_err(|_| self.wrong("the sources below os/ cannot be listed"))?;
        let known: Vec<String> = known.iter().map(|path| path.display().to_string()).collect();
        let mut sections = BTreeMap::new();
        let mut folders = BTreeMap::new();
        for piece in pieces(&map).filter(|piece| is_stored(&image, piece)) {
            let folder = if piece.own {
                let Some(file) = source_of(&piece, &image, &known) else { continue };
                if !entry.rooms.iter().any(|room| file.starts_with(room.as_str())) {
                    continue;
                }
                file.rsplit_once('/').map_or("", |(folder, _)| folder).to_string()
            } else {
                "libraries".to_string()
            };
            *sections.entry(kind(piece.section).to_string()).or_insert(0) += piece.bytes;
            *folders.entry(folder).or_insert(0) += piece.bytes;
        }
        let total: u32 = sections.values().sum();
        let detail = format!("{}; {}", listed(&sections), listed(&folders));
        self.reading(entry.title(), f64::from(total), "bytes", detail, features)
    }

    fn map(&self, program: &str) -> Result<String, BenchError> {
        let label = format!("bench/{}/{program}", self.group);
        let folder = self.tree.build_folder(&self.board.name, &label);
        let path = folder.join(format!("{program}.map"));
        std::fs::read_to_string(&path)
            .map_err(|error| self.wrong(format!("the map of {program} cannot be read: {error}")))
    }
}

/// `.text` of `.text.timer_arm`.
fn kind(section: &str) -> &str {
    section.match_indices('.').nth(1).map_or(section, |(end, _)| &section[..end])
}

/// Numbers by name, the largest first.
fn listed(bytes: &BTreeMap<String, u32>) -> String {
    let mut sorted: Vec<_> = bytes.iter().collect();
    sorted.sort_by_key(|(_, bytes)| std::cmp::Reverse(**bytes));
    let words: Vec<String> = sorted.iter().map(|(name, bytes)| format!("{name} {bytes}")).collect();
    words.join(", ")
}

/// Whether a piece takes flash: it lies in a section that the file holds.
fn is_stored(image: &Image, piece: &Piece<'_>) -> bool {
    image.sections().iter().any(|section| section.stored && section.name == piece.output)
}

/// The source file of a piece of the system's archive, which names members without their folders:
/// where several have the name, the debug information knows whose code it is, and the first one
/// stands for data.
fn source_of<'a>(piece: &Piece<'_>, image: &Image, known: &'a [String]) -> Option<&'a str> {
    let mut same = known.iter().filter(|file| file.rsplit('/').next() == Some(piece.source));
    let first = same.next()?;
    let locations = image.locations(piece.address);
    let said = locations.last().and_then(|location| location.file.as_deref());
    let exact = said.and_then(|said| known.iter().find(|file| said.ends_with(file.as_str())));
    let exact = exact.filter(|file| file.rsplit('/').next() == Some(piece.source));
    Some(exact.unwrap_or(first))
}

/// What the map says was placed: ` .text.f  0x00000314  0x70 liblichen.a(f.c.obj)`, the name on a line
/// of its own if it is long.
fn pieces(map: &str) -> impl Iterator<Item = Piece<'_>> {
    let placed = map.split_once("Linker script and memory map").map_or("", |(_, placed)| placed);
    let mut output = "";
    let mut pending = None;
    placed.lines().filter_map(move |line| {
        let mut words = line.split_whitespace();
        let first = words.next()?;
        if line.starts_with('.') {
            output = first;
            return None;
        }
        let (section, address) = if first.starts_with('.') {
            match words.next() {
                Some(address) => (first, address),
                None => {
                    pending = Some(first);
                    return None;
                }
            }
        } else {
            (pending.take()?, first)
        };
        let (bytes, file) = (words.next()?, words.next()?);
        piece(section, address, bytes, file).map(|piece| Piece { output, ..piece })
    })
}

fn piece<'a>(section: &'a str, address: &str, bytes: &str, file: &'a str) -> Option<Piece<'a>> {
    let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let (archive, member) = file.strip_suffix(')')?.split_once(".a(")?;
    let source = member.strip_suffix(".obj").or_else(|| member.strip_suffix(".o"))?;
    let bytes = number(bytes)?;
    let own = archive.ends_with("liblichen");
    let address = number(address)?;
    (bytes > 0).then_some(Piece { output: "", section, address, bytes, source, own })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str = "Discarded input sections\n\n .text 0x0 0x4 liblichen.a(gone.c.obj)\n\n\
        Linker script and memory map\n\n.text           0x00000100      0x200\n \
        .text          0x00000100       0x10 liblichen.a(switch.S.obj)\n \
        .text.timer_arm_after\n                0x00000110       0x1c liblichen.a(timer.c.obj)\n \
                       0x00000110                timer_arm_after\n \
        .text.empty    0x0000012c        0x0 liblichen.a(timer.c.obj)\n \
        .text.main     0x0000012c        0x8 CMakeFiles/full.dir/full.c.obj\n \
        .text          0x00000134       0x5c /usr/lib/v6-m/libgcc.a(_muldi3.o)\n\
        .debug_line     0x00000000      0x300\n \
        .debug_line    0x00000000       0x20 liblichen.a(timer.c.obj)\n";

    #[test]
    fn reads_what_the_linker_placed_of_archives() {
        let placed = pieces(MAP).map(|p| (p.output, p.section, p.bytes, p.source, p.own));
        let expected = [
            (".text", ".text", 0x10, "switch.S", true),
            (".text", ".text.timer_arm_after", 0x1c, "timer.c", true),
            (".text", ".text", 0x5c, "_muldi3", false),
            (".debug_line", ".debug_line", 0x20, "timer.c", true),
        ];
        assert_eq!(placed.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn sections_are_known_by_their_first_word() {
        assert_eq!(kind(".text.timer_arm"), ".text");
        assert_eq!(kind(".lichen.start.x"), ".lichen");
        assert_eq!(kind(".data"), ".data");
    }

    #[test]
    fn the_largest_comes_first() {
        let bytes = [("a".to_string(), 1), ("b".to_string(), 30)].into_iter().collect();
        assert_eq!(listed(&bytes), "b 30, a 1");
    }
}
