// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a program cannot be packed.

use lichen_container::Disorder;
use lichen_project::{Explain, Place};

/// A program that cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The file is not what a link of a loadable program makes.
    #[error("{file}: {what}")]
    Elf {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
    },
    /// A section that a loaded program cannot have.
    #[error("{file}: section {section} has no place in a program that is loaded")]
    Section {
        /// The file.
        file: String,
        /// The section.
        section: String,
    },
    /// A declaration that a loaded program cannot have.
    #[error("a program that is loaded has no {kind}: `{name}`")]
    Refused {
        /// Where it is.
        place: Option<Place>,
        /// Such as `EVENT`.
        kind: String,
        /// Its name.
        name: String,
    },
    /// A reference that no token can say.
    #[error("no container can say {what}, in {function}")]
    Reference {
        /// Where it is.
        place: Option<Place>,
        /// The reference.
        what: String,
        /// The function or object that has it.
        function: String,
    },
    /// A length or a number that does not fit the header.
    #[error("{what}: {number}, and a container has at most {most}")]
    TooMuch {
        /// What.
        what: &'static str,
        /// How much.
        number: u64,
        /// The most.
        most: u64,
    },
    /// The program's name cannot be a container's.
    #[error(
        "`{name}` cannot be the name of a program that is loaded: letters, digits and `_`, a letter first, 15 at most"
    )]
    Name {
        /// The name.
        name: String,
    },
    /// Pages of storage that no log, volume or counter has.
    #[error("the pages of `{name}` are in use outside a log, a volume or a counter")]
    Storage {
        /// What has them.
        name: String,
    },
    /// Rows of a table that are not what the format says.
    #[error("the table of {table} has {bytes} bytes, and its rows {row}")]
    Rows {
        /// The table.
        table: &'static str,
        /// Its bytes.
        bytes: u32,
        /// Bytes of a row.
        row: u32,
    },
    /// The packer is wrong.
    #[error("the container is not the program ({what}); this is an error of lichen pack")]
    Differs {
        /// How.
        what: String,
    },
}

impl From<Disorder> for PackError {
    fn from(disorder: Disorder) -> PackError {
        PackError::Differs { what: disorder.to_string() }
    }
}

impl PackError {
    /// Whether it is in what the caller gave, and not in the tools.
    pub fn is_input(&self) -> bool {
        !matches!(self, PackError::Differs { .. })
    }
}

impl Explain for PackError {
    fn place(&self) -> Option<Place> {
        match self {
            PackError::Refused { place, .. } | PackError::Reference { place, .. } => place.clone(),
            _ => None,
        }
    }

    fn remedy(&self) -> Option<String> {
        match self {
            PackError::Refused { .. } => {
                Some("link it into an image, or write a THREAD: doc/spec/container.md".to_string())
            }
            PackError::Reference { .. } => {
                Some("write it otherwise, or link the program into an image".to_string())
            }
            PackError::Name { .. } => Some(
                "write another name below [load] in its lichen.toml: name = \"short\"".to_string(),
            ),
            _ => None,
        }
    }
}
