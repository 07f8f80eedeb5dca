// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of a kind of work, as a program declares them.

use lichen_analysis::Text;
use lichen_image::Image;

/// The functions of a kind of work in the symbol table (`os/include/lichen`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Functions {
    /// Their names begin with this.
    Begin(&'static str),
    /// Their names end with this, after that of an object: others that only look alike have none.
    End(&'static str),
    /// Pointers in the linker's table between these two symbols lead to them, each an object whose name ends with
    /// the third after theirs.
    Table(&'static str, &'static str, &'static str),
    /// They are the program's handlers of interrupts, whose vectors have these in their names, before or behind.
    Vectors(&'static [(&'static str, &'static str)]),
}

impl Functions {
    /// Those of `text`: the names that the program declared, and their addresses.
    pub(super) fn of<'a>(self, text: &Text<'a>) -> Vec<(&'a str, u32)> {
        let symbols = text.image().symbols();
        match self {
            Functions::Begin(_) | Functions::End(_) | Functions::Vectors(_) => symbols
                .functions()
                .iter()
                .filter_map(|it| Some((self.declared(text, &it.name, it.address)?, it.address)))
                .collect(),
            Functions::Table(begin, end, suffix) => {
                let bound = |name| text.symbol(name).unwrap_or_default();
                let table = bound(begin)..bound(end);
                let pointers = symbols.objects().iter();
                let pointers = pointers.filter(|object| table.contains(&object.address));
                let architecture = text.architecture();
                pointers
                    .filter_map(|pointer| {
                        let to = text.number(pointer.address, architecture.pointers.code_bytes)?;
                        Some((pointer.name.strip_suffix(suffix)?, architecture.code_address(to)))
                    })
                    .collect()
            }
        }
    }

    /// The name that a program declared, if `function` at `address` is of this kind.
    fn declared<'a>(self, text: &Text<'a>, function: &'a str, address: u32) -> Option<&'a str> {
        let image: &Image = text.image();
        let objects = || image.symbols().objects().iter();
        match self {
            Functions::Begin(prefix) => function.strip_prefix(prefix),
            Functions::End(suffix) => function
                .strip_suffix(suffix)
                .filter(|name| objects().any(|object| object.name == *name)),
            Functions::Vectors(affixes) => affixes
                .iter()
                .find_map(|(prefix, suffix)| function.strip_prefix(prefix)?.strip_suffix(suffix))
                .filter(|name| {
                    objects().any(|object| object.name.strip_prefix(VECTOR) == Some(name))
                })
                .filter(|_| text.owner(address).is_some_and(|owner| !owner.is_system())),
            Functions::Table(..) => None,
        }
    }
}

/// What precedes the name of each vector in the symbol of its place in the table.
const VECTOR: &str = "vector_";
