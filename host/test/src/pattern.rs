// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lines of output with places that may hold any text.

/// Whether `line` is `pattern`, in which `[...]` stands for any text.
pub fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[...]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.trim_end().strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    rest.is_empty() || last.is_some_and(|last| last.is_empty() || rest.ends_with(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_in_brackets_stand_for_any_text() {
        assert!(matches("[...] beat 1", "   0.05 beat 1"));
        assert!(!matches("[...] beat 1", "   0.05 beat 12"));
        assert!(matches("a [...] c", "a b c"));
        assert!(matches("a[...]", "a b c"));
        assert!(!matches("a", "a b"));
    }
}
