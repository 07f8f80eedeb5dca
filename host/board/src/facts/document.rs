// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file of facts with settings that take the place of some of its values.

use super::{Place, Setting, Wrong, line_of, words};
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

/// Where something is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The file; or the option of the call.
    pub file: String,
    /// The line of the file, from 1.
    pub line: Option<usize>,
}

/// A file of facts, and settings. Each setting is a line below the file's text.
pub struct Document<'s> {
    file: String,
    text: String,
    /// Bytes of the file itself.
    own: usize,
    settings: &'s [Setting],
    /// The byte at which each setting begins.
    begins: Vec<usize>,
}

impl<'s> Document<'s> {
    /// The file that is called `file` in messages, with this text.
    pub fn new(file: String, mut text: String, settings: &'s [Setting]) -> Document<'s> {
        let own = text.len();
        let mut begins = Vec::new();
        for setting in settings {
            text.push('\n');
            begins.push(text.len());
            text += &setting.to_string();
        }
        Document { file, text, own, settings, begins }
    }

    /// Reads it, and where its keys are.
    pub fn read<T: DeserializeOwned>(&self) -> Result<(T, Place), Wrong> {
        let text = &self.text[..self.own];
        let unread = |places: &Place, error: &toml::de::Error| {
            let at = error.span().map_or(0, |span| span.start);
            self.wrong(at, words::describe(&self.text, places, error.span(), error.message()))
        };
        let table = DeTable::parse(text).map_err(|error| unread(&Place::default(), &error))?;
        let (span, mut table) = (table.span(), table.into_inner());
        for (setting, begin) in self.settings.iter().zip(&self.begins) {
            setting.put(&mut table, *begin).map_err(|what| self.wrong(*begin, what))?;
        }
        let places = Place::of_table(&table);
        let read = T::deserialize(Deserializer::from(Spanned::new(span, table)));
        read.map_err(|error| unread(&places, &error)).map(|read| (read, places))
    }

    /// What is wrong at a place in it.
    pub fn wrong_at(&self, place: &Place, what: String) -> Wrong {
        self.wrong(place.start(), what)
    }

    fn wrong(&self, at: usize, what: String) -> Wrong {
        let Origin { file, line } = self.origin_of(at);
        Wrong { file, line, what }
    }

    /// Where a place is written.
    pub fn origin(&self, place: &Place) -> Origin {
        self.origin_of(place.start())
    }

    fn origin_of(&self, at: usize) -> Origin {
        let index = self.begins.partition_point(|begin| *begin <= at);
        match index.checked_sub(1).and_then(|index| self.settings.get(index)) {
            Some(setting) => Origin { file: format!("--set {}", setting.key), line: None },
            None => Origin { file: self.file.clone(), line: Some(line_of(&self.text, at)) },
        }
    }

    /// Its name in messages.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The settings of a key of the file, and of what is within it.
    pub fn settings_of<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a Setting> {
        self.settings.iter().filter(move |setting| setting.is_within(key))
    }
}
