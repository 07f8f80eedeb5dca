// SPDX-License-Identifier: MIT OR Apache-2.0
//! Names of programs.

use crate::header::NAME_MAX;

/// What is wrong with a name, if anything is.
pub(crate) fn fault(name: &[u8]) -> Option<String> {
    if name.is_empty() || name.len() > NAME_MAX {
        return Some(format!("a name has 1 to {NAME_MAX} bytes, this one {}", name.len()));
    }
    let is_known = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    if let Some(byte) = name.iter().find(|byte| !is_known(byte)) {
        return Some(format!("a name has letters, digits and `_`, not 0x{byte:02x}"));
    }
    let first = name.first().filter(|first| !first.is_ascii_alphabetic())?;
    Some(format!("a name begins with a letter, not with `{}`", char::from(*first)))
}
