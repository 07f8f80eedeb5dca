// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the keys of a file of facts are written, so that an error in a value has the line of its own key.

use super::line_of;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A key, or an item of a list: where it is written, and what is in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The byte at which its key begins, or an item itself.
    start: usize,
    /// Bytes of its value; of a table with a header, those of the header.
    value: Range<usize>,
    within: Within,
}

/// What is in a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    Keys(BTreeMap<String, Place>),
    Items(Vec<Place>),
}

/// A key or an item, from the file downwards.
pub(super) enum Step<'a> {
    Key(&'a str, &'a Place),
    Item(&'a Place),
}

impl Place {
    /// Places in `text`; what is not TOML has none.
    pub fn of(text: &str) -> Place {
        DeTable::parse(text).map(|table| Place::of_table(table.get_ref())).unwrap_or_default()
    }

    /// Places in a file that is this table.
    pub(super) fn of_table(table: &DeTable<'_>) -> Place {
        Place { within: keys(table), ..Place::default() }
    }

    /// The byte at which it begins.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// The place of a key in it; its own if it has no such key.
    pub fn key(&self, name: &str) -> &Place {
        match &self.within {
            Within::Keys(keys) => keys.get(name).unwrap_or(self),
            _ => self,
        }
    }

    /// Whether it has a key of this name.
    pub fn has(&self, name: &str) -> bool {
        matches!(&self.within, Within::Keys(keys) if keys.contains_key(name))
    }

    /// The place of an item in it; its own if it has fewer.
    pub fn item(&self, index: usize) -> &Place {
        match &self.within {
            Within::Items(items) => items.get(index).unwrap_or(self),
            _ => self,
        }
    }

    /// Its line, from 1, in the text that it is of.
    pub fn line(&self, text: &str) -> usize {
        line_of(text, self.start)
    }

    /// Whether it is a table.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.within, Within::Keys(_))
    }

    /// Whether it is a table in braces.
    pub(super) fn is_inline(&self, text: &str) -> bool {
        self.is_table() && text.get(self.value.clone()).is_some_and(|it| it.starts_with('{'))
    }

    /// The innermost place that holds these bytes, and those around it.
    pub(super) fn path_to(&self, bytes: &Range<usize>) -> Vec<Step<'_>> {
        let mut path = Vec::new();
        self.descend(bytes, &mut path);
        path
    }

    /// Keys of a table with a header are not within the header, so all are searched.
    fn descend<'a>(&'a self, bytes: &Range<usize>, path: &mut Vec<Step<'a>>) -> bool {
        let mut enter = |step: Step<'a>, place: &'a Place| {
            path.push(step);
            let is_there = place.descend(bytes, path) || place.holds(bytes);
            if !is_there {
                path.pop();
            }
            is_there
        };
        match &self.within {
            Within::Nothing => false,
            Within::Keys(keys) => {
                keys.iter().any(|(name, place)| enter(Step::Key(name, place), place))
            }
            Within::Items(items) => items.iter().any(|place| enter(Step::Item(place), place)),
        }
    }

    fn holds(&self, bytes: &Range<usize>) -> bool {
        self.start.min(self.value.start) <= bytes.start && bytes.end <= self.value.end
    }
}

fn keys(table: &DeTable<'_>) -> Within {
    let place = |(key, value): (&toml::Spanned<_>, &toml::Spanned<_>)| {
        let key: &toml::Spanned<std::borrow::Cow<'_, str>> = key;
        let place = Place { start: key.span().start, value: value.span(), within: within(value) };
        (key.get_ref().to_string(), place)
    };
    Within::Keys(table.iter().map(place).collect())
}

fn within(value: &toml::Spanned<DeValue<'_>>) -> Within {
    match value.get_ref() {
        DeValue::Table(table) => keys(table),
        DeValue::Array(items) => Within::Items(items.iter().map(item).collect()),
        _ => Within::Nothing,
    }
}

fn item(value: &toml::Spanned<DeValue<'_>>) -> Place {
    Place { start: value.span().start, value: value.span(), within: within(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "a = 1\n[[b]]\nc.d = { e = 2 }\nf = [\n  1,\n  2,\n]\n[[b]]\nc.d = 3\n[b.g]\nh = 4\n";

    #[test]
    fn each_key_has_its_line() {
        let file = Place::of(TEXT);
        let (first, second) = (file.key("b").item(0), file.key("b").item(1));
        let lines = [
            file.key("a"),
            first,
            first.key("c").key("d").key("e"),
            first.key("f"),
            first.key("f").item(1),
            second,
            second.key("c").key("d"),
            second.key("g").key("h"),
        ]
        .map(|place| place.line(TEXT));
        assert_eq!(lines, [1, 2, 3, 4, 6, 8, 9, 11]);
    }

    #[test]
    fn what_is_not_there_has_the_line_of_what_is_around_it() {
        let file = Place::of(TEXT);
        assert_eq!(file.key("b").item(1).key("f").item(7).line(TEXT), 8);
        assert_eq!(file.key("z").line(TEXT), 1);
        assert_eq!(Place::of("a = = 1").key("a"), &Place::default());
    }
}
