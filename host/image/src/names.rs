// SPDX-License-Identifier: MIT OR Apache-2.0
//! The names by which an object file is linked with others.

use crate::elf::File;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;

/// The global names of an object file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalNames {
    /// Those that it defines, weakly or not.
    pub defined: BTreeSet<String>,
    /// Those that another file must define.
    pub needed: BTreeSet<String>,
    /// Those that another file may define.
    pub optional: BTreeSet<String>,
}

impl GlobalNames {
    /// Those of the object file with this content; `None` if it is none of a mote.
    pub fn parse(bytes: &[u8]) -> Option<GlobalNames> {
        let file = File::parse(bytes).ok()?;
        let mut names = GlobalNames::default();
        for symbol in file.symbols().filter(|symbol| symbol.is_global()) {
            let Ok(name) = symbol.name() else { continue };
            let kind = match (symbol.is_undefined(), symbol.is_weak()) {
                (false, _) => &mut names.defined,
                (true, false) => &mut names.needed,
                (true, true) => &mut names.optional,
            };
            kind.insert(name.to_string());
        }
        names.defined.remove("");
        Some(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_object_file_has_no_names() {
        assert_eq!(GlobalNames::parse(b"int main;"), None);
        assert_eq!(GlobalNames::parse(b""), None);
    }
}
