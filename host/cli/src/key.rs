// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen key`: the keys under which motes take programs.

use lichen_key::{Key, KeyError};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::files::InputFile;
use lichen_terminal::screen::out;
use serde_json::json;

/// What `--help` adds.
pub const HELP: &str = "\
Examples:
  lichen key my.key
  lichen key my.key --show

A mote links a program as it is only if the program was packed under the key of the mote's image. The
image's manifest names the file ([programs] key), and so does `lichen pack --key`. Who has the file can
install anything: keep it out of git, and keep a copy, for a key that is lost cannot be replaced without
flashing the motes.

Prints a fingerprint, by which keys are told apart. Exit code 2, and nothing written, if the file is
there already or, with --show, is no key.";

/// Options of `key`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The key's file, which must not be there yet.
    pub file: InputFile,
    /// Make none; print the fingerprint of the one that is there.
    #[arg(long)]
    pub show: bool,
    /// Write a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Makes or shows a key.
pub fn key(options: &Options) -> Result<Code, Failure> {
    let key = if options.show { Key::read(&options.file) } else { make(options) };
    let key = key.map_err(|error| refusal(&error))?;
    let file = options.file.display().to_string();
    if options.json {
        out!("{}", json!({ "file": file, "fingerprint": key.fingerprint() }));
    } else {
        out!("{}  {file}, fingerprint {}", verb(options.show), key.fingerprint());
    }
    Ok(Code::Done)
}

fn verb(shown: bool) -> &'static str {
    if shown { "key" } else { "written" }
}

fn make(options: &Options) -> Result<Key, KeyError> {
    let key = Key::random()?;
    key.write(&options.file)?;
    Ok(key)
}

pub fn refusal(error: &KeyError) -> Failure {
    let failure = Failure::wrong(error.to_string());
    match error {
        KeyError::Exists(_) => failure.remedy("name another file, or move that one away"),
        KeyError::NoKey(_) => failure.remedy("`lichen key FILE` makes one"),
        _ => failure,
    }
}
