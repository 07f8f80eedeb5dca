// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names by which an object file is linked with others.

use crate::elf::File;
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

/// The global names of an object file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalNames {
    /// Those that it defines, weakly or not.
    pub defined: BTreeSet<String>,
    /// Those that it defines weakly.
    pub weak: BTreeSet<String>,
    /// Those that another file must define.
    pub needed: BTreeSet<String>,
    /// Those that another file may define.
    pub optional: BTreeSet<String>,
}

impl GlobalNames {
    /// Those of the object file, or of all of the archive, with this content; `None` if it is none of a mote.
    pub fn parse(bytes: &[u8]) -> Option<GlobalNames> {
        let mut names = GlobalNames::default();
        match ArchiveFile::parse(bytes) {
            Ok(archive) => {
                for member in archive.members() {
                    // A copy is aligned, as a file is: members of archives are not.
                    let aligned = Vec::from(member.ok()?.data(bytes).ok()?);
                    names.add(&aligned)?;
                }
            }
            Err(_) => names.add(bytes)?,
        }
        Some(names)
    }

    fn add(&mut self, object: &[u8]) -> Option<()> {
        let names = self;
        let file = File::parse(object).ok()?;
        for symbol in file.symbols().filter(|symbol| symbol.is_global()) {
            let Ok(name) = symbol.name() else { continue };
            if symbol.is_weak() && !symbol.is_undefined() {
                names.weak.insert(name.to_string());
            }
            let kind = match (symbol.is_undefined(), symbol.is_weak()) {
                (false, _) => &mut names.defined,
                (true, false) => &mut names.needed,
                (true, true) => &mut names.optional,
            };
            kind.insert(name.to_string());
        }
        names.defined.remove("");
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of GNU's with one member.
    fn archive(member: &[u8]) -> Vec<u8> {
        let header =
            format!("{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", "a.o/", 0, 0, 0, 644, member.len());
        [b"!<arch>\n", header.as_bytes(), member].concat()
    }

    #[test]
    fn an_archive_has_the_names_of_its_members() {
        let file = format!("{}/../stack/tests/data/direct.elf", env!("CARGO_MANIFEST_DIR"));
        let member = std::fs::read(file).expect("an image");
        let names = GlobalNames::parse(&member).expect("names");
        assert!(names.defined.contains("reset_handler"));
        assert_eq!(GlobalNames::parse(&archive(&member)), Some(names));
    }

    #[test]
    fn what_is_no_object_file_has_no_names() {
        assert_eq!(GlobalNames::parse(b"int main;"), None);
        assert_eq!(GlobalNames::parse(b""), None);
    }
}
