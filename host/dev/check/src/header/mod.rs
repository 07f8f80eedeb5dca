// SPDX-License-Identifier: MIT OR Apache-2.0
//! Headers, read far enough to document them: their declarations, with the comments above them.
//!
//! They are of one style (CONTRIBUTING.md), so this reads lines: a declaration begins its line, and
//! its comment ends on the line above.

mod comment;
mod declaration;

pub use comment::{Block, Comment, FIXED};

use crate::source::without_comments;

/// What a header declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// The comment at its beginning.
    pub about: String,
    /// Its declarations, in their order.
    pub items: Vec<Item>,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it declares.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Line of its name, from 1.
    pub line: u32,
    /// The comment that ends on the line above it, without its stars. Macros that follow each other
    /// share that of the first.
    pub comment: String,
    /// Its text in the header.
    pub text: String,
}

/// What an item is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A function.
    Function(Function),
    /// A macro; how it is written with its parameters.
    Macro(String),
    /// A structure or a union that is defined.
    Struct,
    /// An enumeration.
    Enum,
    /// A type's second name, without `typedef`.
    Type(String),
    /// Variables that are defined elsewhere, as they are declared.
    Variable(String),
}

/// A function's declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// How it is declared, without attributes and body.
    pub signature: String,
    /// Whether it returns a value.
    pub returns_value: bool,
    /// Whether its result must be used.
    pub must_check: bool,
}

/// Reads the header `text`.
pub fn read(text: &str) -> Header {
    let plain = without_comments(text);
    let mut reader = Reader {
        lines: text.lines().collect(),
        plain: plain.lines().collect(),
        at: 0,
        comment: None,
        header: Header::default(),
    };
    while reader.at < reader.lines.len() {
        reader.step();
    }
    reader.header
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    /// The same without comments.
    plain: Vec<&'a str>,
    at: usize,
    /// The comment that ends on the line before.
    comment: Option<String>,
    header: Header,
}

impl Reader<'_> {
    /// Reads a comment, a directive, a declaration or an empty line.
    fn step(&mut self) {
        let (line, plain) = (self.lines[self.at].trim(), self.plain[self.at].trim());
        if line.starts_with("/*") && plain.is_empty() {
            self.comment = Some(self.comment());
        } else if plain.starts_with('#') {
            self.directive();
        } else if plain.is_empty() {
            self.comment = None;
            self.at += 1;
        } else {
            self.declaration();
        }
    }

    /// The comment that begins here, without stars.
    fn comment(&mut self) -> String {
        let mut said = Vec::new();
        while let Some(&line) = self.lines.get(self.at) {
            self.at += 1;
            said.push(comment::unstarred(line));
            if line.trim_end().ends_with("*/") {
                break;
            }
        }
        said.join("\n").trim_end().to_string()
    }

    fn directive(&mut self) {
        let first = self.at;
        while self.lines.get(self.at).is_some_and(|line| line.ends_with('\\')) {
            self.at += 1;
        }
        self.at += 1;
        if self.header.about.is_empty() && self.header.items.is_empty() {
            self.header.about = self.comment.take().unwrap_or_default();
        }
        let end = self.at.min(self.lines.len());
        let Some((name, written)) = declaration::macro_of(self.lines[first]) else {
            self.comment = None;
            return;
        };
        // The comment stays for the macros that follow at once.
        self.header.items.push(Item {
            kind: Kind::Macro(written),
            name,
            line: first as u32 + 1,
            comment: self.comment.clone().unwrap_or_default(),
            text: self.lines[first..end].join("\n"),
        });
    }

    fn declaration(&mut self) {
        let first = self.at;
        let mut depth = 0usize;
        let mut is_body = false;
        let mut seen = String::new();
        while let Some(line) = self.plain.get(self.at) {
            self.at += 1;
            for c in line.chars() {
                match c {
                    '{' if depth == 0 => {
                        is_body = seen.contains('(') && !seen.contains('=');
                        depth = 1;
                    }
                    '{' => depth += 1,
                    '}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if depth == 0 {
                    seen.push(c);
                }
            }
            seen.push('\n');
            let line = line.trim_end();
            if depth == 0 && (line.ends_with(';') || is_body && line.ends_with('}')) {
                break;
            }
        }
        let comment = self.comment.take().unwrap_or_default();
        let plain = self.plain[first..self.at].join("\n");
        let Some((kind, name)) = declaration::parse(&plain) else { return };
        let named = plain.lines().position(|line| declaration::words(line).any(|w| w == name));
        self.header.items.push(Item {
            kind,
            line: (first + named.unwrap_or(0)) as u32 + 1,
            name,
            comment,
            text: self.lines[first..self.at].join("\n"),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
/* SPDX */
/* Timers.
 *
 *     TIMER(x);
 */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

/* One and two. */
#define ONE 1
#define TWICE(x) \\
    ((x) * 2)

#define ALONE 3

/* A timer. */
struct EVEN timer {
    int (*handler)(void); /* is called */
};
struct other;

/* Arms `t`.
 * context   event, thread
 */
MUST_CHECK int timer_arm(struct timer *t,
                         int deadline);

static inline __attribute__((always_inline)) void timer_stop(struct timer *t)
{
    t->handler();
}
__attribute__((format(printf, 1, 2))) void print(const char *format, ...);
long cpu(int x) PLACED;
EVENT(done);
REFUSE(name, \"text\");
/* A function. */
typedef int handler_fn(int x);
extern const int table[4];
#endif
";

    fn found() -> Vec<Item> {
        read(HEADER).items
    }

    fn item(name: &str) -> Item {
        found().into_iter().find(|item| item.name == name).expect("declared")
    }

    fn function(name: &str) -> Function {
        let Kind::Function(function) = item(name).kind else { panic!("{name} is a function") };
        function
    }

    #[test]
    fn finds_every_declaration_and_no_invocation() {
        let names: Vec<String> = found().into_iter().map(|item| item.name).collect();
        let wanted = ["TIMER_H", "ONE", "TWICE", "ALONE", "timer", "timer_arm", "timer_stop"];
        assert_eq!(names[..7], wanted);
        assert_eq!(names[7..], ["print", "cpu", "handler_fn", "table"]);
    }

    #[test]
    fn a_comment_belongs_to_what_follows_at_once() {
        assert_eq!(read(HEADER).about, "Timers.\n\n    TIMER(x);");
        assert_eq!(item("timer_arm").comment, "Arms `t`.\ncontext   event, thread");
        assert_eq!(item("TWICE").comment, "One and two.");
        assert_eq!(item("ALONE").comment, "");
        assert_eq!(item("timer_stop").comment, "");
    }

    #[test]
    fn a_signature_has_neither_attributes_nor_a_body() {
        let arm = function("timer_arm");
        assert_eq!(arm.signature, "int timer_arm(struct timer *t, int deadline)");
        assert!(arm.must_check && arm.returns_value);
        let stop = function("timer_stop");
        assert_eq!(stop.signature, "void timer_stop(struct timer *t)");
        assert!(!stop.must_check && !stop.returns_value);
        assert_eq!(function("print").signature, "void print(const char *format, ...)");
        assert_eq!(function("cpu").signature, "long cpu(int x)");
    }

    #[test]
    fn lines_are_those_of_names() {
        assert_eq!(item("timer_arm").line, 27);
        assert_eq!(item("timer_stop").line, 30);
    }

    #[test]
    fn a_macro_has_its_parameters_and_its_text() {
        assert_eq!(item("TWICE").kind, Kind::Macro("TWICE(x)".to_string()));
        assert_eq!(item("ONE").kind, Kind::Macro("ONE".to_string()));
        assert!(item("TWICE").text.ends_with("((x) * 2)"));
    }

    #[test]
    fn types_keep_their_declarations() {
        assert_eq!(item("timer").kind, Kind::Struct);
        assert!(item("timer").text.contains("/* is called */"));
        assert_eq!(item("handler_fn").kind, Kind::Type("int handler_fn(int x)".to_string()));
        assert_eq!(item("table").kind, Kind::Variable("const int table[4]".to_string()));
    }
}
