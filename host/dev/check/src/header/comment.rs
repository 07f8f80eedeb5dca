// SPDX-License-Identifier: MIT OR Apache-2.0
//! A comment of a header: its prose, and its slots (`returns   0, or ERR_BUSY`).

/// A comment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comment {
    /// What it says in sentences.
    pub prose: Vec<Block>,
    /// Its slots, in their order.
    pub slots: Vec<Slot>,
}

/// A part of the prose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// A paragraph, on one line.
    Paragraph(String),
    /// The entries of a list, each on one line.
    List(Vec<String>),
    /// Lines to be shown as they are.
    Listing(Vec<String>),
}

/// A slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its names: one of `FIXED`, or parameters.
    pub names: Vec<String>,
    /// What it says, on one line.
    pub text: String,
}

/// The slots that are not named after parameters.
pub const FIXED: [&str; 5] = ["returns", "context", "blocks", "cost", "owns"];

/// A line of a comment without what makes it one.
pub(super) fn unstarred(line: &str) -> &str {
    let line = line.trim().trim_end_matches("*/");
    let line = line.strip_prefix("/*").or_else(|| line.strip_prefix('*')).unwrap_or(line);
    line.strip_prefix(' ').unwrap_or(line).trim_end()
}

impl Comment {
    /// Reads the text of a comment, without stars.
    pub fn read(text: &str) -> Comment {
        let mut reader = Reader::default();
        for line in text.lines() {
            reader.line(line);
        }
        reader.end_block();
        reader.comment
    }

    /// What the slot `name` says.
    pub fn slot(&self, name: &str) -> Option<&str> {
        let slot = self.slots.iter().find(|slot| slot.names.iter().any(|n| n == name))?;
        Some(&slot.text)
    }

    /// The slots that are named after parameters.
    pub fn parameters(&self) -> impl Iterator<Item = &Slot> {
        self.slots.iter().filter(|slot| !FIXED.contains(&slot.names[0].as_str()))
    }
}

#[derive(Default)]
struct Reader {
    comment: Comment,
    block: Option<Block>,
    in_slot: bool,
}

impl Reader {
    fn line(&mut self, line: &str) {
        if line.trim().is_empty() {
            return self.empty();
        }
        let is_indented = line.starts_with("  ");
        if !is_indented && let Some((names, text)) = begun(line) {
            self.end_block();
            return self.slot(names, text);
        }
        if is_indented && self.in_slot {
            return self.more_of_slot(line.trim());
        }
        if !is_indented {
            self.in_slot = false;
            return self.sentence(line);
        }
        match (line.trim_start().strip_prefix("- "), &mut self.block) {
            (None, Some(Block::List(entries))) => join(entries.last_mut(), line.trim()),
            (None, Some(Block::Listing(lines))) => lines.push(line.to_string()),
            (None, _) => self.begin(Block::Listing(vec![line.to_string()])),
            (Some(entry), Some(Block::List(entries))) => entries.push(entry.to_string()),
            (Some(entry), _) => self.begin(Block::List(vec![entry.to_string()])),
        }
    }

    /// A listing goes on behind an empty line if it is indented there.
    fn empty(&mut self) {
        self.in_slot = false;
        match &mut self.block {
            Some(Block::Listing(lines)) => lines.push(String::new()),
            _ => self.end_block(),
        }
    }

    fn sentence(&mut self, line: &str) {
        match &mut self.block {
            Some(Block::Paragraph(text)) => join(Some(text), line),
            _ => self.begin(Block::Paragraph(line.to_string())),
        }
    }

    fn begin(&mut self, block: Block) {
        self.end_block();
        self.block = Some(block);
    }

    fn end_block(&mut self) {
        let Some(mut block) = self.block.take() else { return };
        if let Block::Listing(lines) = &mut block {
            while lines.last().is_some_and(|line| line.is_empty()) {
                lines.pop();
            }
        }
        self.comment.prose.push(block);
    }

    /// Begins a slot; `text` may have another one behind it: `no       cost  4 cycles`.
    fn slot(&mut self, names: Vec<String>, text: &str) {
        self.in_slot = true;
        let second = text.split_once("  ").and_then(|(first, rest)| {
            let (name, said) = rest.trim_start().split_once("  ")?;
            FIXED.contains(&name).then_some((first, name, said))
        });
        let first = second.map_or(text, |(first, ..)| first);
        self.comment.slots.push(Slot { names, text: first.trim().to_string() });
        if let Some((_, name, said)) = second {
            self.slot(vec![name.to_string()], said.trim_start());
        }
    }

    /// A further line of a slot, which may begin with another one.
    fn more_of_slot(&mut self, line: &str) {
        match begun(line).filter(|(names, _)| FIXED.contains(&names[0].as_str())) {
            Some((names, text)) => self.slot(names, text),
            None => join(self.comment.slots.last_mut().map(|slot| &mut slot.text), line),
        }
    }
}

/// The names and the text of the slot with which `line` begins.
fn begun(line: &str) -> Option<(Vec<String>, &str)> {
    let (names, text) = line.split_once("  ")?;
    let is_name = |name: &str| {
        name == "..."
            || name.starts_with(|c: char| c.is_ascii_lowercase())
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let names: Vec<String> = names.split(", ").map(str::to_string).collect();
    names.iter().all(|name| is_name(name)).then(|| (names, text.trim_start()))
}

fn join(text: Option<&mut String>, line: &str) {
    if let Some(text) = text {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(text: &str) -> Vec<(String, String)> {
        let comment = Comment::read(text);
        comment.slots.into_iter().map(|slot| (slot.names.join(","), slot.text)).collect()
    }

    fn pair(name: &str, text: &str) -> (String, String) {
        (name.to_string(), text.to_string())
    }

    #[test]
    fn each_slot_has_its_text() {
        let found = slots(
            "Arms it.\nfirst, second  in the future\n               or now\nreturns   0\n\
             blocks    no       cost  4 cycles,\n          then 8\nowns      it",
        );
        let wanted = [
            pair("first,second", "in the future or now"),
            pair("returns", "0"),
            pair("blocks", "no"),
            pair("cost", "4 cycles, then 8"),
            pair("owns", "it"),
        ];
        assert_eq!(found, wanted);
    }

    #[test]
    fn a_slot_may_begin_a_further_line_of_another_one() {
        let found = slots("blocks    yes, for an\n          activation\n          cost  a reading");
        assert_eq!(found, [pair("blocks", "yes, for an activation"), pair("cost", "a reading")]);
    }

    #[test]
    fn prose_has_paragraphs_lists_and_listings() {
        let text = "One\ntwo.\n\n    x();\n\n    y();\n\n  - a\n    b\n  - c\n\nEnd.";
        let listing = ["    x();", "", "    y();"].map(str::to_string).to_vec();
        let wanted = [
            Block::Paragraph("One two.".to_string()),
            Block::Listing(listing),
            Block::List(vec!["a b".to_string(), "c".to_string()]),
            Block::Paragraph("End.".to_string()),
        ];
        assert_eq!(Comment::read(text).prose, wanted);
    }

    #[test]
    fn a_sentence_may_follow_slots() {
        let comment = Comment::read("tick      in the future\n          or now\nIt comes late.");
        assert_eq!(comment.prose, [Block::Paragraph("It comes late.".to_string())]);
        assert_eq!(comment.slot("tick"), Some("in the future or now"));
        assert_eq!(comment.parameters().count(), 1);
    }

    #[test]
    fn stars_are_not_said() {
        assert_eq!(unstarred("/* One."), "One.");
        assert_eq!(unstarred(" *     x();"), "    x();");
        assert_eq!(unstarred(" */"), "");
        assert_eq!(unstarred("/* One. */"), "One.");
    }
}
