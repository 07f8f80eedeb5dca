// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documentation of public functions: from which context they may be called, whether they
//! block, what they return.

use super::rules::Rules;
use super::{CheckError, Violation, files, read};
use crate::header::{self, Comment, Kind};
use lichen_project::{Place, Tree};

/// Finds public functions with slots that are missing or wrong.
pub fn check(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let mut found = Vec::new();
    for file in files(tree, &rules.documentation.headers, &["h"])? {
        for item in header::read(&read(tree, &file)?).items {
            let Kind::Function(function) = &item.kind else { continue };
            let comment = Comment::read(&item.comment);
            let faults = faults(&comment, function.returns_value, &rules.documentation.context);
            found.extend(faults.into_iter().map(|(what, remedy)| Violation {
                place: Place::line(&file, item.line),
                message: format!("{}: {what}", item.name),
                remedy,
            }));
        }
    }
    Ok(found)
}

/// What is wrong with the comment of a function, and what to write.
fn faults(comment: &Comment, returns_value: bool, contexts: &[String]) -> Vec<(String, String)> {
    let mut faults = Vec::new();
    let known = contexts.join(", ");
    match comment.slot("context") {
        None => faults.push((
            "no slot `context` in the comment above".to_string(),
            format!("say from where it may be called: {known}"),
        )),
        Some(said) => faults.extend(
            words(said.split(['.', ';', '(']).next().unwrap_or(said))
                .filter(|word| !contexts.iter().any(|context| context == word))
                .map(|word| (format!("`{word}` is not a context"), format!("contexts: {known}"))),
        ),
    }
    match comment.slot("blocks") {
        Some(said) if matches!(words(said).next(), Some("yes" | "no")) => {}
        Some(_) => faults.push(("slot `blocks` says neither yes nor no".into(), "say it".into())),
        None => faults.push((
            "no slot `blocks` in the comment above".to_string(),
            "say whether it waits: blocks    no".to_string(),
        )),
    }
    if returns_value && comment.slot("returns").is_none() {
        faults.push((
            "no slot `returns` in the comment above".to_string(),
            "say what it returns, errors included".to_string(),
        ));
    }
    faults
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c == ',' || c.is_whitespace()).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    fn found(comment: &str) -> Vec<String> {
        let header = format!("/* Arms it.\n{comment} */\nint arm(void);\n");
        violations("documented public functions", &[("os/include/lichen/a.h", &header)])
    }

    #[test]
    fn all_slots_are_enough() {
        let good = " * returns   0, or ERR_BUSY\n * context   event, thread\n\
                    * blocks    no       cost  O(n)\n";
        assert!(found(good).is_empty(), "{:?}", found(good));
    }

    #[test]
    fn a_missing_slot_is_found() {
        let found = found(" * returns   0\n * context   any\n");
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("os/include/lichen/a.h:5: arm: no slot `blocks`"),
            "{found:?}"
        );
    }

    #[test]
    fn a_context_outside_the_vocabulary_is_found() {
        let found = found(" * returns   0\n * context   any, isr\n * blocks    no\n");
        assert!(found[0].contains("`isr` is not a context"), "{found:?}");
    }

    #[test]
    fn a_restriction_may_follow_the_contexts() {
        let good = " * returns   0\n * context   any; never from two levels\n * blocks    no\n";
        assert!(found(good).is_empty(), "{:?}", found(good));
    }

    #[test]
    fn a_value_must_be_explained() {
        let found = found(" * context   any\n * blocks    yes\n");
        assert!(found[0].contains("`returns`"), "{found:?}");
    }
}
