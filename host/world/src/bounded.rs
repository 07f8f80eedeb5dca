// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that people write, read whole: no larger than what they could mean to be, so that a wrong path neither fills
//! the memory nor is read for ever.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Bytes of the largest file: a recording of 30 bytes a line has a value each minute for four years.
pub const LARGEST: u64 = 64 << 20;

/// The content of the file at `path`.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > LARGEST {
        true => {
            Err(Error::new(ErrorKind::FileTooLarge, format!("larger than {} MiB", LARGEST >> 20)))
        }
        false => Ok(bytes),
    }
}
