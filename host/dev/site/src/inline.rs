// SPDX-License-Identifier: MIT OR Apache-2.0
//! The words of comments as reStructuredText, with links to what they name.

use std::collections::BTreeMap;

/// What the reference has entries for, and the pages that it may link to.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The role by which Sphinx refers to each name, such as `c:func`.
    pub(super) roles: BTreeMap<String, &'static str>,
    /// Names of the headers, without `lichen/` and `.h`.
    pub(super) headers: Vec<String>,
    /// Pages of the tree, such as `doc/install.md`.
    pub(super) pages: Vec<String>,
}

impl Names {
    /// `text` of a comment as reStructuredText.
    pub(super) fn inline(&self, text: &str) -> String {
        let mut writer = Writer { names: self, out: String::new(), last: String::new() };
        let mut rest = text;
        while !rest.is_empty() {
            rest = writer.next(rest);
        }
        writer.out.trim_end().to_string()
    }
}

struct Writer<'a> {
    names: &'a Names,
    out: String,
    /// The word before.
    last: String,
}

impl Writer<'_> {
    /// Writes the beginning of `rest`; returns what is left.
    fn next<'t>(&mut self, rest: &'t str) -> &'t str {
        if let Some((span, after)) = rest.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
            self.span(span, after);
            return after;
        }
        let path = taken(rest, |c| is_word(c) || "./-".contains(c)).trim_end_matches(['.', '-']);
        if path.contains('/') && self.path(path, &rest[path.len()..]) {
            return &rest[path.len()..];
        }
        let word = taken(rest, is_word);
        if word.is_empty() {
            let c = rest.chars().next().unwrap_or(' ');
            self.plain(c);
            return &rest[c.len_utf8()..];
        }
        self.word(word, &rest[word.len()..]);
        self.last = word.to_string();
        &rest[word.len()..]
    }

    fn span(&mut self, span: &str, after: &str) {
        match self.names.roles.get(span) {
            Some(role) => self.markup(&format!(":{role}:`{span}`"), after),
            None => self.markup(&format!("``{span}``"), after),
        }
    }

    /// Writes a path; false if it is none.
    fn path(&mut self, path: &str, after: &str) -> bool {
        let header = path.strip_prefix("lichen/").and_then(|name| name.strip_suffix(".h"));
        if let Some(name) = header.filter(|name| self.names.headers.iter().any(|h| h == name)) {
            self.markup(&format!(":doc:`{path} </reference/{name}>`"), after);
        } else if self.names.pages.iter().any(|page| page == path) {
            let page = path.trim_end_matches(".md");
            self.markup(&format!(":doc:`/{page}`"), after);
        } else if path.contains(['.', '_']) || path.starts_with("os/") {
            self.markup(&format!("``{path}``"), after);
        } else {
            return false;
        }
        true
    }

    fn word(&mut self, word: &str, after: &str) {
        let is_constant = word.len() > 1
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        let is_tag = matches!(self.last.as_str(), "struct" | "enum");
        let is_name = word.contains('_') || is_constant || is_tag || after.starts_with('(');
        match self.names.roles.get(word).filter(|_| is_name) {
            Some(role) => self.markup(&format!(":{role}:`{word}`"), after),
            None if word.contains('_') => self.markup(&format!("``{word}``"), after),
            None => self.out.push_str(word),
        }
    }

    /// Writes marked text, which must stand between blanks, seen or not.
    fn markup(&mut self, text: &str, after: &str) {
        if !self.out.is_empty() && !self.out.ends_with(' ') {
            self.out.push_str("\\ ");
        }
        self.out.push_str(text);
        if !after.is_empty() && !after.starts_with(' ') {
            self.out.push_str("\\ ");
        }
    }

    fn plain(&mut self, c: char) {
        if "\\*|<>`".contains(c) {
            self.out.push('\\');
        }
        self.out.push(c);
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn taken(text: &str, is_part: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inline(text: &str) -> String {
        let roles = [("timer_arm", "c:func"), ("EVENT", "c:macro"), ("event", "c:struct")];
        let names = Names {
            roles: roles.map(|(name, role)| (name.to_string(), role)).into(),
            headers: vec!["print".to_string()],
            pages: vec!["doc/install.md".to_string()],
        };
        names.inline(text)
    }

    #[test]
    fn a_name_is_a_link() {
        assert_eq!(inline("as timer_arm."), "as :c:func:`timer_arm`\\ .");
        assert_eq!(inline("(EVENT)"), "(\\ :c:macro:`EVENT`\\ )");
        assert_eq!(inline("a struct event, an event"), "a struct :c:struct:`event`\\ , an event");
        assert_eq!(inline("`event` too"), ":c:struct:`event` too");
    }

    #[test]
    fn a_path_is_a_link_if_it_has_a_page() {
        assert_eq!(
            inline("see lichen/print.h."),
            "see :doc:`lichen/print.h </reference/print>`\\ ."
        );
        assert_eq!(inline("doc/install.md has it"), ":doc:`/doc/install` has it");
        assert_eq!(inline("os/kernel/a.c"), "``os/kernel/a.c``");
        assert_eq!(inline("[bench kernel/a_b]"), "[bench ``kernel/a_b``\\ ]");
        assert_eq!(inline("this and/or that"), "this and/or that");
    }

    #[test]
    fn other_words_mean_what_they_are() {
        assert_eq!(inline("`t` and delay_us"), "``t`` and ``delay_us``");
        assert_eq!(inline("a * b | c"), "a \\* b \\| c");
    }
}
