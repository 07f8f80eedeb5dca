// SPDX-License-Identifier: MIT OR Apache-2.0
//! Slots of comments that do not begin their line. When a line of a comment is too long,
//! clang-format moves its end to the next line, and the text of that line, perhaps a slot, after
//! it.

use super::rules::Rules;
use super::{CheckError, Violation, files, read};
use lichen_project::{Place, Tree};

/// Finds slots that do not begin their line.
pub fn check(tree: &Tree, rules: &Rules) -> Result<Vec<Violation>, CheckError> {
    let slots = &rules.slots;
    let endings: Vec<&str> = slots.endings.iter().map(String::as_str).collect();
    let mut found = Vec::new();
    for folder in &slots.folders {
        for file in files(tree, folder, &endings)? {
            let text = read(tree, &file)?;
            let mut in_slot = false;
            found.extend((1..).zip(text.lines()).filter_map(|(number, line)| {
                let goes_on = in_slot;
                let Some(said) = comment(line) else {
                    in_slot &= line.trim().starts_with("*  ");
                    return None;
                };
                in_slot = begins_slot(said);
                let message = match folded(said, &slots.names) {
                    Some(slot) => format!("the slot `{slot}` does not begin its line"),
                    None if goes_on && !in_slot && said.starts_with(|c: char| c.is_lowercase()) => {
                        "the text of a slot continues without being indented".to_string()
                    }
                    None => return None,
                };
                Some(Violation {
                    place: Place::line(&file, number),
                    message,
                    remedy:
                        "begin a line with each slot, and keep the line before it short enough \
                             not to be joined with it"
                            .to_string(),
                })
            }));
        }
    }
    Ok(found)
}

/// The text of a comment line; none for code, and for indented text in a comment: examples, tables,
/// and continued slots.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let said = line.strip_prefix("/* ").or_else(|| line.strip_prefix("* "))?;
    Some(said.trim_end_matches("*/").trim_end()).filter(|said| !said.starts_with(' '))
}

/// Whether `line` begins with a name or a list of names, and a gap of two blanks or more.
fn begins_slot(line: &str) -> bool {
    line.split_once("  ").is_some_and(|(names, _)| {
        names.starts_with(|c: char| c.is_lowercase())
            && names.split(", ").all(|name| !name.contains(' '))
    })
}

/// The slot in `line` that has prose before it: the name before a gap of two blanks or more has
/// other words in front of it, which are not the list of names with which a slot may begin.
fn folded<'a>(line: &'a str, slots: &[String]) -> Option<&'a str> {
    let fields: Vec<&str> = line.split("  ").map(str::trim).filter(|f| !f.is_empty()).collect();
    fields.windows(2).enumerate().find_map(|(at, pair)| {
        // `blocks    if it is empty      cost  4 cycles`: the second slot of the line.
        if at > 0 && slots.iter().any(|slot| slot == pair[1]) {
            return None;
        }
        let (before, name) = pair[0].rsplit_once(' ')?;
        if before.contains(" [") {
            return Some(name);
        }
        let is_name =
            name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        let is_list = before.split(' ').all(|word| word.ends_with(','));
        let is_kind = before.starts_with('[');
        (is_name && !is_list && !is_kind).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::violations;

    /// The findings in a comment of `lines`, without their places.
    fn found(lines: &str) -> Vec<String> {
        let text = format!("/* Takes it.\n{lines} */\nint take(void);\n");
        violations("slots of comments", &[("os/kernel/a.h", &text)])
    }

    fn slot_in_second_line(name: &str) -> Vec<String> {
        vec![format!("os/kernel/a.h:2: the slot `{name}` does not begin its line")]
    }

    #[test]
    fn slots_at_the_head_of_their_lines_are_good() {
        let good = " * first, second  what is taken, and\n *                from where\n\
                    * [inline] enum kind   a kind\n\
                    * returns   0, or ERR_BUSY\n * context   event, thread\n\
                    * blocks    if it is empty      cost  O(n)\n *\n\
                    *     int taken = take();      here it waits\n";
        assert!(found(good).is_empty(), "{:?}", found(good));
    }

    #[test]
    fn a_slot_behind_a_sentence_is_found() {
        let bad = " * only threads call it. returns   what was taken\n";
        assert_eq!(found(bad), slot_in_second_line("returns"));
    }

    #[test]
    fn a_slot_behind_another_one_is_found() {
        let bad = " * returns   a count, never less than one before context   event\n";
        assert_eq!(found(bad), slot_in_second_line("context"));
    }

    #[test]
    fn a_slot_without_its_name_is_found() {
        let bad = " * coop, in the body blocks    yes      cost  10 cycles\n";
        assert_eq!(found(bad), slot_in_second_line("blocks"));
    }

    #[test]
    fn a_parameter_behind_a_sentence_is_found() {
        let bad = " * nobody takes it. free      value of the owner\n";
        assert_eq!(found(bad), slot_in_second_line("free"));
    }

    #[test]
    fn the_text_of_a_slot_that_is_not_indented_is_found() {
        let bad = " * blocks    no       cost  10 cycles; else, and\n * in interrupts, 20\n";
        let message = "os/kernel/a.h:3: the text of a slot continues without being indented";
        assert_eq!(found(bad), [message]);
    }

    #[test]
    fn a_sentence_may_follow_slots() {
        let good =
            " * tick      in the future\n *           or now\n * It comes late, never early.\n";
        assert!(found(good).is_empty(), "{:?}", found(good));
    }

    #[test]
    fn an_entry_of_a_list_behind_another_one_is_found() {
        let bad = " * byte [inline] STATUS(s)  the number in a status\n";
        assert_eq!(found(bad), slot_in_second_line("STATUS(s)"));
    }
}
