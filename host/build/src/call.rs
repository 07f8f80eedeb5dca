// SPDX-License-Identifier: MIT OR Apache-2.0
//! A call of a function or a macro, as it stands in the source.

use super::headers::word;

/// `before name(arguments) behind`.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call<'l> {
    pub(super) before: &'l str,
    pub(super) name: &'l str,
    pub(super) arguments: Vec<&'l str>,
    pub(super) behind: &'l str,
}

/// The first call in `text`, if it ends there.
pub(super) fn first(text: &str) -> Option<Call<'_>> {
    let (head, inside) = text.split_once('(')?;
    let before = head.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let name = word(&head[before.len()..])?;
    let (arguments, behind) = arguments(inside)?;
    Some(Call { before, name, arguments, behind })
}

/// What stands between commas up to the parenthesis that closes the call, and what is behind that.
fn arguments(inside: &str) -> Option<(Vec<&str>, &str)> {
    let (mut arguments, mut begin, mut depth) = (Vec::new(), 0, 0);
    let (mut quote, mut is_escaped) = (None, false);
    for (at, c) in inside.char_indices() {
        match (c, quote) {
            _ if is_escaped => is_escaped = false,
            ('\\', Some(_)) => is_escaped = true,
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            (')', None) if depth == 0 => {
                arguments.push(inside[begin..at].trim());
                return Some((arguments, &inside[at + 1..]));
            }
            (',', None) if depth == 0 => {
                arguments.push(inside[begin..at].trim());
                begin = at + 1;
            }
            ('(' | '[' | '{', None) => depth += 1,
            (')' | ']' | '}', None) => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_has_its_arguments_whatever_is_in_them() {
        let call = first("static THREAD(a, f(1, 2), \"x)\\\",\") led_on(0);").expect("a call");
        assert_eq!((call.before, call.name), ("static ", "THREAD"));
        assert_eq!(call.arguments, ["a", "f(1, 2)", "\"x)\\\",\""]);
        assert_eq!(call.behind, " led_on(0);");
        assert_eq!(first("f(a,"), None);
        assert_eq!(first("(a)"), None);
    }
}
