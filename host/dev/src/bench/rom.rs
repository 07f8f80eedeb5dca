// SPDX-License-Identifier: MIT OR Apache-2.0
//! How much of a program's flash or RAM parts of the system occupy, as the linker's map lists it.

use super::{BenchError, OnWork, Reading, Rig};
use lichen_build::map::{Member, Piece, pieces};
use lichen_check::files;
use lichen_image::Image;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// Flash or RAM that parts of the system occupy in a program, including what they need from the compiler's
/// libraries.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rom {
    /// The figure that it is a value of.
    pub id: Option<String>,
    /// A text, if it is printed beside the figure before it.
    pub beside: Option<String>,
    /// The boards that it is measured on, if not all of the plan.
    pub boards: Option<Vec<String>>,
    /// Folder of the program, beside the file.
    pub program: String,
    /// Files and folders whose sources count: what their paths begin with.
    pub rooms: Vec<String>,
    /// The memory.
    #[serde(default)]
    pub memory: RomOf,
    /// Whether what the program needs from the compiler's libraries counts.
    #[serde(default = "yes")]
    pub libraries: bool,
    /// Whether the files are listed, instead of their folders.
    #[serde(default)]
    pub files: bool,
}

fn yes() -> bool {
    true
}

/// The memory that is occupied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RomOf {
    /// Flash.
    #[default]
    Rom,
    /// RAM.
    Ram,
}

impl Rig<'_> {
    /// What the rooms of an entry occupy in its program, including what they need from the compiler's
    /// libraries.
    pub(super) fn rom(&self, entry: &Rom, on_work: OnWork) -> Result<Reading, BenchError> {
        let (image, features) = self.build(&entry.program, on_work)?;
        let map = self.map(&entry.program, on_work)?;
        let known = files(self.tree, "os", &["c", "S"])
            .map_err(|_| self.wrong("the sources below os/ cannot be listed"))?;
        let known: Vec<String> = known.iter().map(|path| path.display().to_string()).collect();
        let sources = Sources::of(&image, &map, &known);
        let mut sections = BTreeMap::new();
        let mut folders = BTreeMap::new();
        for piece in pieces(&map).filter(|piece| is_in(&image, piece, entry.memory)) {
            let file = match piece.member() {
                Some(member) if member.own => sources.of_piece(member, piece.address),
                Some(_) => None,
                None => match sources.of_relinked(&piece) {
                    Some(file) => Some(file),
                    None => continue,
                },
            };
            let is_library = piece.member().is_some_and(|member| !member.own);
            let folder = match file {
                Some(file) if entry.rooms.iter().any(|room| file.starts_with(room.as_str())) => {
                    if entry.files { file } else { folder(file) }.to_string()
                }
                None if is_library && entry.libraries => "libraries".to_string(),
                _ => continue,
            };
            *sections.entry(kind(piece.section).to_string()).or_insert(0) += piece.bytes;
            *folders.entry(folder).or_insert(0) += piece.bytes;
        }
        let total: u32 = sections.values().sum();
        let detail = format!("{}; {}", listed(&sections), listed(&folders));
        self.reading(entry.title(), f64::from(total), "bytes", detail, features)
    }

    fn map(&self, program: &str, on_work: OnWork) -> Result<String, BenchError> {
        let path = self.artifacts(program, on_work)?.elf.with_extension("map");
        std::fs::read_to_string(path)
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

/// Whether a piece occupies a memory: it lies in a section whose contents the file holds, or that is written.
fn is_in(image: &Image, piece: &Piece<'_>, memory: RomOf) -> bool {
    let sections = image.sections().iter().filter(|section| section.name == piece.output);
    sections.into_iter().any(|section| match memory {
        RomOf::Rom => section.stored,
        RomOf::Ram => section.writable,
    })
}

/// The source files of the pieces of the system's archive, which names members without their folders.
struct Sources<'a> {
    image: &'a Image,
    known: &'a [String],
    /// The folders that the debug information names.
    folders: BTreeSet<&'a str>,
}

impl<'a> Sources<'a> {
    fn of(image: &'a Image, map: &str, known: &'a [String]) -> Sources<'a> {
        let mut sources = Sources { image, known, folders: BTreeSet::new() };
        let own = pieces(map).filter_map(|piece| Some((piece.member()?, piece.address)));
        let named = own.filter_map(|(member, address)| sources.named(member, address));
        sources.folders = named.map(folder).collect();
        sources
    }

    /// The file that the debug information names for code.
    fn named(&self, member: Member<'_>, address: u32) -> Option<&'a str> {
        let locations = self.image.locations(address);
        let said = locations.last()?.file.as_deref()?;
        let file = self.known.iter().find(|file| said.ends_with(file.as_str()))?;
        (name(file) == member.source).then_some(file.as_str())
    }

    /// The file of a piece of a program that was linked twice, whose code and data are all in one object.
    fn of_relinked(&self, piece: &Piece<'_>) -> Option<&'a str> {
        let code = self.image.locations(piece.address).pop().and_then(|location| location.file);
        let data = || {
            let all = self.image.variables_in(piece.address..piece.address + piece.bytes);
            all.into_iter().find_map(|variable| variable.file)
        };
        let said = code.or_else(data)?;
        self.known.iter().map(String::as_str).find(|file| said.ends_with(file))
    }

    /// Of the files with the member's name, the one beside the header that has the code's lines.
    fn beside(&self, member: Member<'_>, address: u32) -> Option<&'a str> {
        let locations = self.image.locations(address);
        let header = locations.last()?.file.as_deref()?;
        let files = self.known.iter().map(String::as_str);
        files
            .filter(|file| name(file) == member.source && header.ends_with(".h"))
            .find(|file| folder(header).ends_with(folder(file)))
    }

    /// The file of a piece. Data are attributed to the first file of its name in a folder that has code.
    fn of_piece(&self, member: Member<'_>, address: u32) -> Option<&'a str> {
        let same =
            || self.known.iter().map(String::as_str).filter(|file| name(file) == member.source);
        let with_code = || same().find(|file| self.folders.contains(folder(file)));
        self.named(member, address)
            .or_else(|| self.beside(member, address))
            .or_else(with_code)
            .or_else(|| same().next())
    }
}

fn name(file: &str) -> &str {
    file.rsplit_once('/').map_or(file, |(_, name)| name)
}

fn folder(file: &str) -> &str {
    file.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

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
