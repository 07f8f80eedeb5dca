// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run reads.

use super::{Code, Verdicts};
use lichen_image::Image;
use lichen_project::Tree;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use xxhash_rust::xxh3::Xxh3;

/// What a run reads: its name, settings, files and the code that runs. A run with the same inputs has the same verdict.
#[derive(Clone)]
pub struct Inputs<'a> {
    tree: &'a Tree,
    name: String,
    parts: Vec<Part>,
    /// Whether the filter has been applied, so that all outcomes are requested.
    pub(super) is_filtered: bool,
}

#[derive(Clone)]
enum Part {
    /// Something that is said in a few words.
    Words(String),
    /// The hash of something that is read already.
    Content(u128),
    /// A file or a folder.
    Path(PathBuf),
    /// Code of the host.
    Code(Code),
}

impl<'a> Inputs<'a> {
    /// The inputs of the run `name`, unique within its group, of code in `tree`.
    pub fn new(tree: &'a Tree, name: impl Into<String>, code: Code) -> Inputs<'a> {
        Inputs { tree, name: name.into(), parts: vec![Part::Code(code)], is_filtered: false }
    }

    /// What every run of a mote reads besides: board files and tables of parts.
    pub fn of_motes(tree: &'a Tree, name: impl Into<String>, code: Code) -> Inputs<'a> {
        Inputs::new(tree, name, code).path("board").path("data")
    }

    /// The run's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same for another run.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The same of a run that does only what the filter requests, and whose name says what that is.
    pub fn filtered(mut self) -> Self {
        self.is_filtered = true;
        self
    }

    /// And a setting.
    pub fn words(mut self, words: impl ToString) -> Self {
        self.parts.push(Part::Words(words.to_string()));
        self
    }

    /// And an image.
    pub fn image(mut self, image: &Image) -> Self {
        self.parts.push(Part::Content(image.digest()));
        self
    }

    /// And a file, or a folder with all that is in it; of the tree, unless the path is absolute.
    pub fn path(mut self, path: impl AsRef<Path>) -> Self {
        self.parts.push(Part::Path(self.tree.path(path)));
        self
    }

    /// The hash of all of them as they are now; none if the code is not that which runs.
    pub(super) fn digest(&self, verdicts: &Verdicts) -> Option<String> {
        let mut hash = Hash::default();
        hash.text(&self.name);
        for part in &self.parts {
            match part {
                Part::Words(words) => hash.text(words),
                Part::Content(content) => hash.bytes(&content.to_le_bytes()),
                Part::Path(path) => hash.path(path),
                Part::Code(code) => {
                    let mut codes = verdicts.codes.lock().unwrap_or_else(PoisonError::into_inner);
                    let made = if code.is_command { verdicts.command } else { verdicts.made };
                    let of_code = || code.digest(self.tree, made);
                    let digest = *codes.entry(code.clone()).or_insert_with(of_code);
                    hash.bytes(&digest?.to_le_bytes());
                }
            }
        }
        Some(format!("{:032x}", hash.0.digest128()))
    }
}

/// A hash of parts, each with its length, so that none can be taken for another.
#[derive(Default)]
pub(super) struct Hash(pub Xxh3);

impl Hash {
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// A file, or a folder with the names of what is in it, but what Cargo and Python make there. What cannot be read has a hash of its own.
    pub fn path(&mut self, path: &Path) {
        if path.is_dir() {
            let is_made = |entry: &PathBuf| {
                entry.file_name().is_some_and(|name| name == "target" || name == "__pycache__")
            };
            let mut entries = crate::entries(path);
            entries.retain(|entry| !is_made(entry));
            self.text(&format!("folder of {}", entries.len()));
            for entry in entries {
                self.text(&entry.file_name().unwrap_or_default().to_string_lossy());
                self.path(&entry);
            }
            return;
        }
        match std::fs::read(path) {
            Ok(bytes) => {
                self.text("file");
                self.bytes(&bytes);
            }
            Err(_) => self.text("nothing"),
        }
    }
}
