// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading C sources far enough for the checks: lines without comments, and declarations with the
//! comments in front of them.

/// `text` with comments and the contents of strings and characters replaced by blanks, so that
/// lines and columns stay.
pub fn without_comments(text: &str) -> String {
    let bytes: Vec<char> = text.chars().collect();
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while at < bytes.len() {
        let length = match (bytes[at], bytes.get(at + 1)) {
            ('/', Some('/')) => until(&bytes, at, |rest| rest[0] == '\n'),
            ('/', Some('*')) => 2 + until(&bytes, at + 2, |rest| rest.starts_with(&['*', '/'])) + 2,
            (quote @ ('"' | '\''), _) => quoted(&bytes, at, quote),
            _ => {
                plain.push(bytes[at]);
                at += 1;
                continue;
            }
        };
        let end = (at + length).min(bytes.len());
        plain.extend(bytes[at..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
        at = end;
    }
    plain
}

/// Number of characters from `start` to the first place where `found` holds, or to the end.
fn until(text: &[char], start: usize, found: impl Fn(&[char]) -> bool) -> usize {
    (start..text.len())
        .position(|at| found(&text[at..]))
        .unwrap_or(text.len().saturating_sub(start))
}

/// Length of the string or character that begins at `start`, with its quotes; it ends with the line
/// at the latest.
fn quoted(text: &[char], start: usize, quote: char) -> usize {
    let mut at = start + 1;
    while at < text.len() && text[at] != quote && text[at] != '\n' {
        at += if text[at] == '\\' { 2 } else { 1 };
    }
    at + 1 - start
}

/// A function that a header declares or defines.
#[derive(Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Line of its name, from 1.
    pub line: u32,
    /// Whether it returns a value.
    pub returns_value: bool,
    /// The comment that ends on the line above it, without its stars.
    pub comment: String,
}

/// The functions of the header `text`.
pub fn functions(text: &str) -> Vec<Function> {
    let plain = without_preprocessor(&without_comments(text));
    let mut found = Vec::new();
    let mut depth = 0u32;
    let mut start = 0;
    for (at, c) in plain.char_indices() {
        match c {
            '{' => {
                if depth == 0 {
                    found.extend(function(text, &plain, start, at));
                }
                depth += 1;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                start = at + 1;
            }
            ';' if depth == 0 => {
                found.extend(function(text, &plain, start, at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

/// `plain` with preprocessor lines, continued ones included, blanked.
fn without_preprocessor(plain: &str) -> String {
    let mut continued = false;
    let blank = |line: &str| line.chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
    plain
        .split_inclusive('\n')
        .map(|line| -> String {
            let is_directive = continued || line.trim_start().starts_with('#');
            continued = is_directive && line.trim_end().ends_with('\\');
            if is_directive { blank(line) } else { line.to_string() }
        })
        .collect()
}

/// The function declared in `plain[start..end]`, if one is: a name directly before a bracket, with a
/// type before it.
fn function(text: &str, plain: &str, start: usize, end: usize) -> Option<Function> {
    let declaration = &plain[start..end];
    if declaration.contains('=') || declaration.trim_start().starts_with("typedef") {
        return None;
    }
    let open = declaration.find('(')?;
    let before = declaration[..open].trim_end();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let name = before.rsplit(|c| !word(c)).next().filter(|name| !name.is_empty())?;
    let kind = before[..before.len() - name.len()].trim();
    // Macros that declare things, such as `EVENT(x);`, have no type; `static_assert` neither.
    if kind.is_empty() || name == "__attribute__" {
        return None;
    }
    let offset = start + before.len() - name.len();
    let first = start + declaration.len() - declaration.trim_start().len();
    Some(Function {
        name: name.to_string(),
        line: line_at(plain, offset),
        returns_value: kind.ends_with('*') || kind.split_whitespace().all(|word| word != "void"),
        comment: comment_above(text, line_at(plain, first)),
    })
}

fn line_at(text: &str, offset: usize) -> u32 {
    text[..offset].matches('\n').count() as u32 + 1
}

/// The comment whose last line is directly above `line`.
fn comment_above(text: &str, line: u32) -> String {
    let lines: Vec<&str> = text.lines().take(line.saturating_sub(1) as usize).collect();
    let mut collected: Vec<&str> = Vec::new();
    let mut in_block = false;
    for line in lines.iter().rev().map(|line| line.trim()) {
        in_block |= line.ends_with("*/");
        if !in_block && !line.starts_with("//") {
            break;
        }
        collected.push(line.trim_start_matches(['/', '*', ' ']).trim_end_matches(['/', '*', ' ']));
        if in_block && line.starts_with("/*") {
            break;
        }
    }
    collected.reverse();
    collected.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
/* SPDX */
#define TWICE(x) \\
    ((x) * 2)
struct timer {
    int (*handler)(void);
};

/* Arms `t`.
 * context   event, thread
 */
int timer_arm(struct timer *t,
              int deadline);

static inline void timer_stop(struct timer *t)
{
    t->handler();
}
EVENT(done);
extern const int table[4];
";

    #[test]
    fn finds_functions_with_the_comments_above_them() {
        let found = functions(HEADER);
        let names: Vec<&str> = found.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["timer_arm", "timer_stop"]);
        assert_eq!(found[0].line, 11);
        assert!(found[0].returns_value && !found[1].returns_value);
        assert_eq!(found[0].comment, "Arms `t`.\ncontext   event, thread\n");
        assert_eq!(found[1].comment, "");
    }

    #[test]
    fn blanks_comments_and_strings_but_keeps_lines() {
        let plain = without_comments("a /* #if\n */ b // #if\n\"#if\\\"\" c");
        assert_eq!(plain.lines().count(), 3);
        assert!(!plain.contains('#') && plain.contains('b') && plain.contains('c'));
    }

    #[test]
    fn an_unfinished_comment_ends_with_the_file() {
        assert_eq!(without_comments("a /* b").trim(), "a");
    }
}
