// SPDX-License-Identifier: MIT OR Apache-2.0
//! Keys under which motes take programs: 16 bytes that an image and those who pack for it share.
//!
//! A key's file is one line of 32 hexadecimal digits, which nobody but its owner can read.

use cmac::{Cmac, KeyInit, Mac};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bytes of a key, and of a tag.
pub const BYTES: usize = 16;

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file cannot be read.
    #[error("cannot read the key {}: {cause}", file.display())]
    Unread {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file cannot be made.
    #[error("cannot write the key {}: {cause}", file.display())]
    Unwritten {
        /// The file.
        file: PathBuf,
        /// What the system says.
        cause: std::io::Error,
    },
    /// There is a file already.
    #[error("{} is there already; what was packed under a key that is overwritten would be refused", .0.display())]
    Exists(PathBuf),
    /// The file holds something else.
    #[error("{} is no key: a key is one line of 32 hexadecimal digits", .0.display())]
    NoKey(PathBuf),
    /// The system has no random numbers.
    #[error("the system gives no random numbers: {0}")]
    NoNoise(getrandom::Error),
}

/// A key.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; BYTES]);

impl std::fmt::Debug for Key {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Key(..)")
    }
}

impl Key {
    /// A key of these bytes.
    pub fn of(bytes: [u8; BYTES]) -> Key {
        Key(bytes)
    }

    /// A key that nobody else has.
    pub fn random() -> Result<Key, KeyError> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(KeyError::NoNoise)?;
        Ok(Key(bytes))
    }

    /// The key in a file.
    pub fn read(file: &Path) -> Result<Key, KeyError> {
        let text = std::fs::read_to_string(file)
            .map_err(|cause| KeyError::Unread { file: file.to_path_buf(), cause })?;
        parse(text.trim()).map(Key).ok_or_else(|| KeyError::NoKey(file.to_path_buf()))
    }

    /// Writes a file, which must not be there yet, for its owner alone.
    pub fn write(&self, file: &Path) -> Result<(), KeyError> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        let written = options.open(file).and_then(|mut file| writeln!(file, "{digits}"));
        written.map_err(|cause| match cause.kind() {
            std::io::ErrorKind::AlreadyExists => KeyError::Exists(file.to_path_buf()),
            _ => KeyError::Unwritten { file: file.to_path_buf(), cause },
        })
    }

    /// The tag of a message: AES-CMAC (RFC 4493).
    pub fn tag(&self, message: &[u8]) -> [u8; BYTES] {
        let mut mac = Cmac::<aes::Aes128>::new(&self.0.into());
        mac.update(message);
        mac.finalize().into_bytes().into()
    }

    /// The tag by which people tell keys apart without seeing them.
    pub fn fingerprint(&self) -> String {
        self.tag(b"lichen key")[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn parse(digits: &str) -> Option<[u8; BYTES]> {
    let is_key = digits.len() == 2 * BYTES && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u128::from_str_radix(is_key.then_some(digits)?, 16).ok()?;
    Some(number.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4493, section 4.
    #[test]
    fn tags_are_those_of_the_rfc() {
        let key = Key(parse("2b7e151628aed2a6abf7158809cf4f3c").expect("a key"));
        let message = parse("6bc1bee22e409f96e93d7e117393172a").expect("a block");
        assert_eq!(key.tag(b""), parse("bb1d6929e95937287fa37d129b756746").expect("a tag"));
        assert_eq!(key.tag(&message), parse("070a16b46b4d4144f79bdd9dd04a287c").expect("a tag"));
    }

    #[test]
    fn a_key_comes_back_and_is_not_overwritten() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mote.key");
        let key = Key::random().expect("a key");
        assert_ne!(key, Key::random().expect("another one"));
        key.write(&file).expect("written");
        assert_eq!(Key::read(&file).expect("read"), key);
        assert!(matches!(key.write(&file), Err(KeyError::Exists(_))));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).expect("a file").permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mote.key");
        assert!(matches!(Key::read(&file), Err(KeyError::Unread { .. })));
        for text in
            ["", "2b7e", "2b7e151628aed2a6abf7158809cf4f3c00", "+b7e151628aed2a6abf7158809cf4f3c"]
        {
            std::fs::write(&file, text).expect("written");
            assert!(matches!(Key::read(&file), Err(KeyError::NoKey(_))), "{text}");
        }
    }
}
