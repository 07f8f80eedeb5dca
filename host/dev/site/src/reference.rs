// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pages of the reference, in reStructuredText: one for each header, one for each topic.

use super::enumeration;
use super::inline::Names;
use super::plan::Topic;
use lichen_build::is_inner;
use lichen_check::header::{self, Block, Comment, FIXED, Header, Item, Kind};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A header with its name, without `lichen/` and `.h`.
pub(super) struct Named {
    pub(super) name: String,
    pub(super) header: Header,
}

impl Named {
    pub(super) fn read(name: &str, text: &str) -> Named {
        let mut header = header::read(text);
        let functions: BTreeSet<String> =
            header.items.iter().filter(|i| is_function(i)).map(|item| item.name.clone()).collect();
        // A macro that wraps a function is called as the function is.
        let wraps =
            |item: &Item| matches!(item.kind, Kind::Macro(_)) && functions.contains(&item.name);
        header.items.retain(|item| !wraps(item) && is_documented(item));
        Named { name: name.to_string(), header }
    }

    /// Adds what has an entry here.
    pub(super) fn name_all(&self, names: &mut Names) {
        names.headers.push(self.name.clone());
        for item in &self.header.items {
            // A structure may have the name of the function that returns it.
            let (name, role) = (item.name.clone(), role(&item.kind));
            if is_function(item) {
                names.roles.insert(name, role);
            } else {
                names.roles.entry(name).or_insert(role);
            }
            if item.kind == Kind::Enum {
                let constants = enumeration::constants(&item.text).into_iter();
                names.roles.extend(constants.map(|c| (c.name, "c:enumerator")));
            }
        }
    }

    /// The first sentence about it.
    fn summary(&self) -> String {
        match Comment::read(&self.header.about).prose.first() {
            Some(Block::Paragraph(text)) => match text.split_once(". ") {
                Some((first, _)) => format!("{first}."),
                None => text.clone(),
            },
            _ => String::new(),
        }
    }

    /// Its page.
    pub(super) fn page(&self, names: &Names) -> String {
        let mut page = title(&format!("lichen/{}.h", self.name), '=');
        let about = Comment::read(&self.header.about);
        page += &blocks(&about.prose, names, "");
        page += &listing("c", &[format!("#include <lichen/{}.h>", self.name)], "");
        for (heading, wanted) in SECTIONS {
            let mut entries = groups(&self.header.items, wanted).peekable();
            if entries.peek().is_some() {
                page += &title(heading, '-');
            }
            for group in entries {
                page += &entry(&group, names);
            }
        }
        page
    }
}

/// The page of `topic`, with the headers among `all` that it has.
pub(super) fn topic_page(topic: &Topic, all: &[Named], names: &Names) -> String {
    let mut page = title(&topic.title, '=') + &names.inline(&topic.about) + "\n\n";
    for name in topic.headers() {
        let Some(named) = all.iter().find(|named| named.name == name) else { continue };
        let _ = writeln!(page, ":doc:`lichen/{name}.h <{name}>`");
        let _ = writeln!(page, "   {}\n", names.inline(&named.summary()));
        let links: Vec<String> = named
            .header
            .items
            .iter()
            .filter(|item| is_outer(item) && (is_call(item) || is_declaring(item)))
            .map(|item| format!(":{}:`{}`", role(&item.kind), item.name))
            .collect();
        if !links.is_empty() {
            let _ = writeln!(page, "   {}\n", links.join(" "));
        }
    }
    page + &tree(topic.headers())
}

/// The page with all topics.
pub(super) fn index(topics: &[Topic], names: &Names) -> String {
    let mut page = title("Reference", '=');
    page += "One page for each header, by topic. Every entry says what a caller must know:\n\n";
    for (slot, meaning) in SLOTS {
        let _ = writeln!(page, "**{slot}**\n   {}\n", names.inline(meaning));
    }
    page += &title("Topics", '-');
    for topic in topics {
        let _ = writeln!(page, ":doc:`{}`\n   {}\n", topic.page(), names.inline(&topic.about));
    }
    page + &tree(topics.iter().map(Topic::page))
}

/// What the slots of an entry mean.
const SLOTS: [(&str, &str); 6] = [
    ("Parameters", "units, limits, and what is special; what the name says is not repeated."),
    ("Returns", "what comes back, errors included: lichen/error.h."),
    (
        "Context",
        "from where it may be called: rt is a real-time task, event the handler of an event or of a \
         timer, thread the body of a thread, coop that of a cooperative thread, init work before \
         the first thread runs, any all of them.",
    ),
    ("Blocks", "whether the caller may have to wait."),
    ("Cost", "cycles or order; in brackets the benchmark or the test that proves the number."),
    ("Owns", "who may use what was passed, and until when."),
];

fn tree<S: AsRef<str>>(pages: impl Iterator<Item = S>) -> String {
    let mut text = ".. toctree::\n   :hidden:\n\n".to_string();
    for page in pages {
        let _ = writeln!(text, "   {}", page.as_ref());
    }
    text
}

type Wanted = fn(&Item) -> bool;

/// Sections of a page, and what belongs there; what applications do not call is the last.
const SECTIONS: [(&str, Wanted); 5] = [
    ("Declarations", |item| is_outer(item) && is_declaring(item)),
    ("Functions", |item| is_outer(item) && is_call(item)),
    ("Types", |item| {
        is_outer(item) && matches!(item.kind, Kind::Struct | Kind::Enum | Kind::Type(_))
    }),
    ("Constants and variables", |item| is_outer(item) && is_value(item)),
    ("Behind these", |item| !is_outer(item)),
];

fn is_function(item: &Item) -> bool {
    matches!(item.kind, Kind::Function(_))
}

/// Whether it is called: functions, and macros that are named as functions are.
fn is_call(item: &Item) -> bool {
    match &item.kind {
        Kind::Function(_) => true,
        Kind::Macro(_) => has_parameters(item) && item.name.starts_with(|c: char| c.is_lowercase()),
        _ => false,
    }
}

/// Whether it is a macro that declares or opens something: `EVENT(name)`.
fn is_declaring(item: &Item) -> bool {
    has_parameters(item) && !is_call(item)
}

fn has_parameters(item: &Item) -> bool {
    matches!(&item.kind, Kind::Macro(written) if written.contains('('))
}

fn is_value(item: &Item) -> bool {
    match &item.kind {
        Kind::Macro(_) => !has_parameters(item),
        Kind::Variable(_) => true,
        _ => false,
    }
}

/// How macros end that other macros of their header are made of.
const PARTS: [&str; 6] = ["_DECLARE", "_PLACED", "_CHECK", "_COUNT_ONE", "_VALID_LENGTH", "_OF"];

/// Whether a program is meant to use it.
fn is_outer(item: &Item) -> bool {
    let is_part = PARTS.iter().any(|end| item.name.ends_with(end));
    !is_inner(&item.name) && !is_part && !item.comment.starts_with("The part of")
}

/// Functions always have an entry; other items if they have a comment, or are types.
fn is_documented(item: &Item) -> bool {
    if item.name.ends_with('_') {
        return false;
    }
    match item.kind {
        Kind::Function(_) | Kind::Struct | Kind::Enum => true,
        _ => !item.comment.is_empty(),
    }
}

fn role(kind: &Kind) -> &'static str {
    match kind {
        Kind::Function(_) => "c:func",
        Kind::Macro(_) => "c:macro",
        Kind::Struct => "c:struct",
        Kind::Enum => "c:enum",
        Kind::Type(_) => "c:type",
        Kind::Variable(_) => "c:var",
    }
}

/// The wanted items, those that share a comment together.
fn groups(items: &[Item], wanted: Wanted) -> impl Iterator<Item = Vec<&Item>> {
    let mut groups: Vec<Vec<&Item>> = Vec::new();
    for item in items.iter().filter(|item| wanted(item)) {
        let shares = |group: &&mut Vec<&Item>| {
            let last = group[group.len() - 1];
            let is_macro = |item: &Item| matches!(item.kind, Kind::Macro(_));
            is_macro(last) && is_macro(item) && last.comment == item.comment
        };
        match groups.last_mut().filter(shares) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups.into_iter()
}

/// The entry of items that share a comment.
fn entry(group: &[&Item], names: &Names) -> String {
    let (directive, indent) = (directive(&group[0].kind), "   ");
    let mut text = String::new();
    for (at, line) in group.iter().flat_map(|item| signatures(item)).enumerate() {
        let before =
            if at == 0 { format!(".. {directive}:: ") } else { " ".repeat(directive.len() + 6) };
        let _ = writeln!(text, "{before}{line}");
    }
    text.push('\n');
    let comment = Comment::read(&group[0].comment);
    text += &blocks(&comment.prose, names, indent);
    text += &definitions(group, indent);
    text += &fields(&comment, group[0], names);
    if group[0].kind == Kind::Enum {
        text += &enumeration::entries(&group[0].text, names, indent);
    }
    text
}

fn directive(kind: &Kind) -> &'static str {
    match role(kind) {
        "c:func" => "c:function",
        other => other,
    }
}

/// How an item is written; several variables of one declaration each have a line.
fn signatures(item: &Item) -> Vec<String> {
    match &item.kind {
        Kind::Function(function) => vec![function.signature.clone()],
        Kind::Macro(written) => vec![written.clone()],
        Kind::Struct | Kind::Enum => vec![item.name.clone()],
        Kind::Type(declared) => vec![declared.clone()],
        Kind::Variable(declared) => {
            let kind = declared.split(&item.name).next().unwrap_or_default();
            let names = declared[kind.len()..].split(',');
            names.map(|name| format!("{kind}{}", name.trim())).collect()
        }
    }
}

/// What is best shown as it is written: structures, and values of macros.
fn definitions(group: &[&Item], indent: &str) -> String {
    let shown = |item: &&&Item| item.kind == Kind::Struct || is_value(item) && is_short_macro(item);
    let lines: Vec<String> =
        group.iter().filter(shown).flat_map(|item| item.text.lines().map(str::to_string)).collect();
    if lines.is_empty() { String::new() } else { listing("c", &lines, indent) }
}

fn is_short_macro(item: &Item) -> bool {
    matches!(item.kind, Kind::Macro(_)) && item.text.lines().count() == 1
}

/// The slots of a comment.
fn fields(comment: &Comment, item: &Item, names: &Names) -> String {
    let mut text = String::new();
    let parameters: Vec<_> = comment.parameters().collect();
    if !parameters.is_empty() {
        text += "   :Parameters:\n";
        for slot in parameters {
            let list: Vec<String> = slot.names.iter().map(|name| format!("``{name}``")).collect();
            let _ =
                writeln!(text, "      {}\n         {}", list.join(", "), names.inline(&slot.text));
        }
    }
    let must_check = matches!(&item.kind, Kind::Function(function) if function.must_check);
    for name in FIXED {
        let Some(said) = comment.slot(name) else { continue };
        let title = name[..1].to_uppercase() + &name[1..];
        let more = match must_check && name == "returns" {
            true => " *(the compiler warns if it is ignored)*",
            false => "",
        };
        let _ = writeln!(text, "   :{title}: {}{more}", names.inline(said));
    }
    text.push('\n');
    text
}

/// The prose of a comment, each line after `indent`.
pub(super) fn blocks(prose: &[Block], names: &Names, indent: &str) -> String {
    let mut text = String::new();
    for block in prose {
        match block {
            Block::Paragraph(said) => {
                let _ = writeln!(text, "{indent}{}\n", names.inline(said));
            }
            Block::List(entries) => {
                for entry in entries {
                    let _ = writeln!(text, "{indent}- {}", names.inline(entry));
                }
                text.push('\n');
            }
            Block::Listing(lines) => {
                let language = if lines[0].starts_with("    ") { "c" } else { "none" };
                text += &listing(language, lines, indent);
            }
        }
    }
    text
}

/// `lines` as a block of code, without the blanks with which all of them begin.
fn listing(language: &str, lines: &[String], indent: &str) -> String {
    let blanks = |line: &&String| line.len() - line.trim_start().len();
    let common =
        lines.iter().filter(|line| !line.is_empty()).map(|l| blanks(&l)).min().unwrap_or(0);
    let mut text = format!("{indent}.. code-block:: {language}\n\n");
    for line in lines {
        let _ = writeln!(text, "{indent}   {}", line.get(common..).unwrap_or_default());
    }
    text + "\n"
}

fn title(text: &str, underline: char) -> String {
    format!("{text}\n{}\n\n", underline.to_string().repeat(text.chars().count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "\
/* Timers: events. And more.
 *
 *     TIMER(t, e);
 */
#ifndef T
#define T
/* Least and most. */
#define LEAST 1
#define MOST  2
/* Declares one.
 * name      its name
 */
#define TIMER(name) struct timer name
/* Arms it.
 * deadline  microseconds
 * returns   0, or ERR_BUSY
 * context   event, thread
 * blocks    no       cost  4 cycles
 */
MUST_CHECK static inline int timer_arm(struct timer *timer, int deadline)
{
    return 0;
}
/* The part of timer_arm in the kernel.
 * returns   0
 */
int timer_arm_service(void);
/* A timer. */
struct timer {
    int at; /* when */
};
#endif
";

    fn page() -> String {
        let named = Named::read("timer", HEADER);
        let mut names = Names::default();
        named.name_all(&mut names);
        named.page(&names)
    }

    #[test]
    fn an_entry_has_its_slots_as_fields() {
        let entry = "\
.. c:function:: int timer_arm(struct timer *timer, int deadline)

   Arms it.

   :Parameters:
      ``deadline``
         microseconds
   :Returns: 0, or ``ERR_BUSY`` *(the compiler warns if it is ignored)*
   :Context: event, thread
   :Blocks: no
   :Cost: 4 cycles
";
        assert!(page().contains(entry), "{}", page());
    }

    #[test]
    fn macros_with_one_comment_are_one_entry() {
        let entry = "\
.. c:macro:: LEAST
             MOST

   Least and most.

   .. code-block:: c

      #define LEAST 1
      #define MOST  2
";
        assert!(page().contains(entry), "{}", page());
    }

    #[test]
    fn what_programs_do_not_call_comes_last() {
        let page = page();
        let at = |text: &str| page.find(text).expect(text);
        assert!(at("Declarations\n") < at("c:macro:: TIMER(name)"));
        assert!(at("c:macro:: TIMER(name)") < at("Functions\n"));
        assert!(at("Behind these\n") < at("c:function:: int timer_arm_service(void)"));
        assert!(page.contains("      struct timer {\n          int at; /* when */\n      };"));
    }

    #[test]
    fn a_summary_is_one_sentence() {
        assert_eq!(Named::read("timer", HEADER).summary(), "Timers: events.");
    }
}
