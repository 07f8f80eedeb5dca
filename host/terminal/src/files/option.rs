// SPDX-License-Identifier: MIT OR Apache-2.0
//! Types of options that name files. An option that names a file has one of them, so that the files of a call are found
//! by the definition of its options alone.

use clap::builder::ValueParser;
use std::any::TypeId;
use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};

macro_rules! named {
    ($(#[$what:meta])* $name:ident) => {
        $(#[$what])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name(PathBuf);

        impl From<OsString> for $name {
            fn from(text: OsString) -> $name {
                $name(text.into())
            }
        }

        impl Deref for $name {
            type Target = Path;

            fn deref(&self) -> &Path {
                &self.0
            }
        }

        impl $name {
            /// Whether an option's values are of this type.
            pub fn is_of(parser: &ValueParser) -> bool {
                parser.type_id() == TypeId::of::<$name>()
            }
        }
    };
}

/// Whether an option's values name a file or a folder.
pub fn are_paths(parser: &ValueParser) -> bool {
    InputFile::is_of(parser) || OutputFile::is_of(parser) || OutputFolder::is_of(parser)
}

named!(
    /// A file that is read.
    InputFile
);
named!(
    /// A file that is written, and replaced if it is there.
    OutputFile
);
named!(
    /// A folder in which files are written.
    OutputFolder
);
