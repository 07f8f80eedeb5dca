// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `refused`: programs of `test/refused` that must not build, one file each. The head of
//! a file states what is expected: a line `refused: TEXT`, a part of what is printed, or lines
//! `error: TEXT` and `help: TEXT`, the whole message to the letter. The file's name must be printed, too.
//! A line `on: BOARD` says where, if that is not the Hamilton.

use super::{Context, Listener, Report, Verdict, read};
use lichen_build::vet;
use lichen_build::{BuildError, Progress};
use lichen_check::files;
use lichen_image::Image;
use lichen_project::Explain;
use lichen_project::Source;
use lichen_test::Code;
use std::collections::BTreeSet;
use std::path::Path;

const ROOM: &str = "test/refused";
const LISTS: &str = "test/refused/CMakeLists.txt";
const BOARD: &str = "hamilton";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let programs = match files(context.tree(), ROOM, &["c"]) {
        Ok(programs) => programs,
        Err(error) => return context.tell(listener, ROOM, Verdict::Failed(Report::of(&error))),
    };
    let named = programs.iter().filter_map(|file| Some((file, file.file_stem()?.to_str()?)));
    let wanted: Vec<_> = named.filter(|(_, name)| context.wants(name)).collect();
    if wanted.is_empty() {
        return;
    }
    let texts = wanted.iter().map(|(file, _)| std::fs::read_to_string(context.tree().path(file)));
    let texts: Vec<String> = texts.map(Result::unwrap_or_default).collect();
    for board in texts.iter().map(|text| board(text)).collect::<BTreeSet<_>>() {
        if let Err(error) = build_system(context, board, listener) {
            return context.tell(listener, ROOM, Verdict::Failed(Report::of(&error)));
        }
    }
    for ((file, name), text) in wanted.into_iter().zip(&texts) {
        listener.working(context.group, name);
        let code = Code::of(&["lichen-build"]).files(&["dev/src/suite/refused.rs"]);
        let inputs = read::with_tools(context, name, &read::SYSTEM, code).path(file).path(LISTS);
        context.remembering(&inputs, listener, |listener| {
            context.tell(listener, name, judge(context, file, name, text));
        });
    }
}

fn source(context: &Context<'_>) -> Source {
    let folder = context.tree().path(ROOM);
    Source { folder, name: "refused".to_string(), label: ROOM.to_string(), debug: false }
}

/// The code common to all programs must build: otherwise they fail for another reason than theirs.
fn build_system(
    context: &Context<'_>,
    board: &str,
    listener: &mut dyn Listener,
) -> Result<(), BuildError> {
    let mut tell = |Progress { done, total }| {
        listener.working(context.group, &format!("building ({done} of {total})"));
    };
    lichen_build::build_system(context.tree(), board, &mut tell)
}

fn judge(context: &Context<'_>, file: &Path, name: &str, text: &str) -> Verdict {
    let (part, whole) = (expected(text), exact(text));
    let Some(expected) = part.or(whole.as_deref()) else {
        let what = "its head has neither a line `refused: TEXT` nor one `error: TEXT`";
        return failed(file, what.to_string(), None);
    };
    match said(context, name, board(text)) {
        None => failed(file, format!("it was not refused; expected: {expected}"), None),
        Some(said) if said.holds(part, whole.as_deref(), &format!("{name}.c")) => Verdict::Passed,
        Some(said) => {
            let output = format!("{}{}", said.printed, said.message);
            failed(file, format!("not refused as expected: {expected}"), Some(output))
        }
    }
}

/// What a build says about a program that it refuses.
struct Said {
    /// The output of the tools.
    printed: String,
    /// What `lichen build` ends with.
    message: String,
}

impl Said {
    /// Whether it contains `part` and the message is `whole`, as far as they are given, and it names `file`.
    fn holds(&self, part: Option<&str>, whole: Option<&str>, file: &str) -> bool {
        let contains = |text: &str| self.printed.contains(text) || self.message.contains(text);
        part.is_none_or(contains)
            && whole.is_none_or(|whole| self.message == whole)
            && contains(file)
    }
}

/// The whole message that the head of a file states, in lines ` * error: …` and ` * help: …`; what follows on
/// lines that are indented further belongs to the line before.
fn exact(text: &str) -> Option<String> {
    let head = text.lines().take_while(|line| !line.starts_with("#include"));
    let mut message = String::new();
    for line in head {
        let continues = line.strip_prefix(" *        ").filter(|_| !message.is_empty());
        match (line.strip_prefix(" * error: "), line.strip_prefix(" * help: "), continues) {
            (Some(error), _, _) => message.push_str(&format!("error: {error}")),
            (_, Some(help), _) => message.push_str(&format!("\n  help: {help}")),
            (_, _, Some(more)) => message.push_str(&format!(" {more}")),
            _ => {}
        }
    }
    (!message.is_empty()).then_some(message)
}

fn failed(file: &Path, message: String, output: Option<String>) -> Verdict {
    let place = Some(lichen_project::Place::file(file));
    Verdict::Failed(Report { place, message, remedy: None, output })
}

/// The text after `refused:` in the head of a file.
fn expected(text: &str) -> Option<&str> {
    in_head(text, "refused: ")
}

/// The board that the head of a file names.
fn board(text: &str) -> &str {
    in_head(text, " * on: ").unwrap_or(BOARD)
}

fn in_head<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let mut head = text.lines().take_while(|line| !line.starts_with("#include"));
    head.find_map(|line| line.split_once(key)).map(|(_, text)| text.trim())
}

/// What building the program, or checking its image, reports.
fn said(context: &Context<'_>, name: &str, board: &str) -> Option<Said> {
    let source = source(context);
    match lichen_build::build_targets(context.tree(), &source, &[name], board, &mut |_| {}) {
        Err(error) => {
            let printed = if let BuildError::Failed { output, .. } = &error { output } else { "" };
            Some(Said { printed: printed.to_string(), message: message(&error, context) })
        }
        Ok(artifacts) => {
            let refused = |message| Said { printed: String::new(), message };
            match Image::load(&artifacts.elf) {
                Err(error) => Some(refused(error.to_string())),
                Ok(image) => vet::vet(&image).err().map(|error| refused(message(&error, context))),
            }
        }
    }
}

/// The lines that report an error, with places in the tree.
fn message(error: &dyn Explain, context: &Context<'_>) -> String {
    let place = error.place().map(|place| format!("{place}: ")).unwrap_or_default();
    let help = error.remedy().map(|remedy| format!("\n  help: {remedy}")).unwrap_or_default();
    let message = format!("error: {place}{error}{help}");
    message.replace(&format!("{}/", context.tree().root().display()), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_text_stands_in_the_head() {
        let text = "/* Two.\n *\n * refused: too `many'\n */\n#include <a.h>\n/* refused: no */\n";
        assert_eq!(expected(text), Some("too `many'"));
        assert_eq!(expected("#include <a.h>\n/* refused: no */\n"), None);
        assert_eq!(board(text), BOARD);
        assert_eq!(board(" * on: micaz\n * refused: no\n"), "micaz");
    }
}
