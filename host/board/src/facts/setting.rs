// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that take the place of those in a file of facts: `KEY=VALUE`, as a call gives them. They are put into the file's
//! table before anything is read from it, so that they are read and checked like the file's own.

use super::nearest;
use std::ops::Range;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// `KEY=VALUE`: the value of a key that stands for the one in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, as given: names and numbers of items, with dots between them.
    pub key: String,
    /// The same.
    steps: Vec<String>,
    /// The value, in TOML.
    value: String,
}

impl FromStr for Setting {
    type Err = String;

    /// A value that is not TOML is text, unless it begins like a list, a table or text in quotes.
    fn from_str(given: &str) -> Result<Setting, String> {
        let (key, value) = given.split_once('=').ok_or("write KEY=VALUE, such as seed=7")?;
        let (key, value) = (key.trim(), value.trim());
        if given.contains(char::is_control) {
            return Err("KEY=VALUE is one line, without control characters".to_string());
        }
        let steps = steps(key).ok_or_else(|| {
            format!(
                "`{key}` is not a key: write names with dots between them, such as mote.0.program"
            )
        })?;
        let value = match DeValue::parse(value) {
            Ok(_) => value.to_string(),
            Err(_) if value.is_empty() => {
                return Err(format!("`{key}` has no value; \"\" is an empty text"));
            }
            Err(error) if value.starts_with(['"', '\'', '[', '{']) => {
                return Err(format!("`{value}`: {}", error.message().trim_end()));
            }
            Err(_) => toml::Value::from(value).to_string(),
        };
        Ok(Setting { key: key.to_string(), steps, value })
    }
}

impl std::fmt::Display for Setting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}={}", self.key, self.value)
    }
}

/// The names in a key, which TOML may quote.
fn steps(key: &str) -> Option<Vec<String>> {
    let text = format!("{key} = 0");
    let table = DeTable::parse(&text).ok()?;
    let mut steps = Vec::new();
    let mut table = table.get_ref();
    loop {
        let (name, value) = table.iter().next()?;
        steps.push(name.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            _ => return Some(steps),
        }
    }
}

impl Setting {
    /// Whether it is this key of the file, or within it.
    pub fn is_within(&self, key: &str) -> bool {
        self.steps.first().is_some_and(|first| first == key)
    }

    /// Puts the value into the table of a file, as if it were written at the byte `at`, as [`Setting`] is displayed.
    pub(super) fn put<'i>(&'i self, table: &mut DeTable<'i>, at: usize) -> Result<(), String> {
        let value = DeValue::parse(&self.value).map_err(|error| error.message().to_string())?;
        let value = moved(value, at + self.key.len() + 1);
        let key = at..at + self.key.len();
        into_table(table, &self.steps, &key, value, &mut Vec::new())
    }
}

/// The value, `by` bytes further on.
fn moved(value: Spanned<DeValue<'_>>, by: usize) -> Spanned<DeValue<'_>> {
    let span = |span: Range<usize>| span.start + by..span.end + by;
    let at = span(value.span());
    let value = match value.into_inner() {
        DeValue::Array(items) => {
            DeValue::Array(items.into_iter().map(|item| moved(item, by)).collect())
        }
        DeValue::Table(table) => {
            let entries = table.into_iter().map(|(key, value)| {
                let at = span(key.span());
                (Spanned::new(at, key.into_inner()), moved(value, by))
            });
            DeValue::Table(entries.collect())
        }
        plain => plain,
    };
    Spanned::new(at, value)
}

/// Puts `value` where `steps` lead from a table; `key` is where they are written, `path` how the table was reached.
fn into_table<'i>(
    table: &mut DeTable<'i>,
    steps: &'i [String],
    key: &Range<usize>,
    value: Spanned<DeValue<'i>>,
    path: &mut Vec<&'i str>,
) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else { return Ok(()) };
    let name = Spanned::new(key.clone(), step.as_str().into());
    if rest.is_empty() {
        // The key is written where its value is.
        table.remove(step.as_str());
        table.insert(name, value);
        return Ok(());
    }
    path.push(step);
    if !table.contains_key(step.as_str()) {
        if rest[0].parse::<usize>().is_ok() {
            return Err(format!("there is no [[{}]]", path.join(".")));
        }
        let nothing = DeValue::Table(DeTable::new());
        table.insert(name, Spanned::new(key.clone(), nothing));
    }
    match table.get_mut(step.as_str()) {
        Some(inner) => into(inner, rest, key, value, path),
        None => Ok(()),
    }
}

/// The same from any value.
fn into<'i>(
    around: &mut Spanned<DeValue<'i>>,
    steps: &'i [String],
    key: &Range<usize>,
    value: Spanned<DeValue<'i>>,
    path: &mut Vec<&'i str>,
) -> Result<(), String> {
    let Some((step, rest)) = steps.split_first() else {
        *around = value;
        return Ok(());
    };
    match around.get_mut() {
        DeValue::Table(table) => into_table(table, steps, key, value, path),
        DeValue::Array(items) => {
            let index = item(items, step)
                .map_err(|known| format!("`{}` has no item `{step}`; {known}", path.join(".")))?;
            path.push(step);
            items.get_mut(index).map_or(Ok(()), |item| into(item, rest, key, value, path))
        }
        _ => Err(format!("`{}` is a single value, and has no `{step}`", path.join("."))),
    }
}

/// The item of this number or name; or else which ones there are.
fn item(items: &[Spanned<DeValue<'_>>], step: &str) -> Result<usize, String> {
    let names: Vec<Option<&str>> =
        items.iter().map(|item| item.get_ref().get("name")?.get_ref().as_str()).collect();
    let named = names.iter().position(|name| *name == Some(step));
    let numbered = || step.parse::<usize>().ok().filter(|number| *number < items.len());
    if let Some(index) = named.or_else(numbered) {
        return Ok(index);
    }
    let known: Vec<&str> = names.into_iter().flatten().collect();
    if let Some(near) = nearest(step, known.iter().copied()) {
        return Err(format!("did you mean `{near}`?"));
    }
    let numbers = match items.len() {
        0 => "it is empty".to_string(),
        1 => "there is 0".to_string(),
        count => format!("there are 0 to {}", count - 1),
    };
    let names = if known.is_empty() { String::new() } else { format!(": {}", known.join(", ")) };
    Err(numbers + &names)
}
