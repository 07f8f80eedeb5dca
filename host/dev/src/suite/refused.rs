// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `refused`: programs of `test/refused` that must not build, one file each, and all are tried together. The head of
//! a file states what is expected: a line `refused: TEXT`, a part of what is printed, or lines
//! `error: TEXT` and `help: TEXT`, the whole message to the letter. The file's name must be printed, too.
//! A line `on: BOARD` says where, if that is not the Hamilton.

use super::{Context, Listener, Report, Verdict, read};
use lichen_build::vet;
use lichen_build::{Artifacts, BuildError, Progress};
use lichen_check::files;
use lichen_image::Image;
use lichen_project::Explain;
use lichen_test::{Code, Inputs};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const ROOM: &str = "test/refused";
const BOARD: &str = "hamilton";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let programs = match files(context.tree(), ROOM, &["c"]) {
        Ok(programs) => programs,
        Err(error) => return context.tell(listener, ROOM, Verdict::Failed(Report::of(&error))),
    };
    let programs: Vec<Refused> =
        programs.into_iter().map(|file| Refused::at(context, file)).collect();
    let wanted: Vec<&Refused> = programs.iter().filter(|it| context.wants(&it.name)).collect();
    for board in wanted.iter().map(|it| board(&it.text)).collect::<BTreeSet<_>>() {
        let on_board: Vec<&Refused> =
            wanted.iter().copied().filter(|it| self::board(&it.text) == board).collect();
        if let Err(error) = try_all(context, &on_board, board, listener) {
            context.tell(listener, ROOM, Verdict::Failed(Report::of(&error)));
        }
    }
}

/// Tries programs of one board: those whose verdicts are not known are built together. If what all have in common does not
/// build, they fail for another reason than theirs.
fn try_all(
    context: &Context<'_>,
    programs: &[&Refused],
    board: &str,
    listener: &mut dyn Listener,
) -> Result<(), BuildError> {
    let inputs: Vec<Inputs<'_>> = programs.iter().map(|program| program.inputs(context)).collect();
    let unknown = programs.iter().zip(&inputs).filter(|(_, inputs)| !context.knows(inputs));
    let names: Vec<String> =
        unknown.map(|(program, _)| format!("{ROOM}/{}", program.name)).collect();
    let mut built = BTreeMap::new();
    if !names.is_empty() {
        let mut tell = |Progress { done, total }| {
            listener.working(context.group, &format!("building for {board} ({done} of {total})"));
        };
        let each = lichen_build::build_each(context.tree(), &names, board, &mut tell)?;
        built.extend(names.into_iter().zip(each));
    }
    for (program, inputs) in programs.iter().zip(&inputs) {
        let built = built.remove(&format!("{ROOM}/{}", program.name));
        context.remembering(inputs, listener, |listener| {
            let verdict = match built {
                Some(built) => judge(context, program, built),
                None => failed(&program.file, "a file was changed meanwhile".to_string(), None),
            };
            context.tell(listener, &program.name, verdict);
        });
    }
    Ok(())
}

/// A program that must not build.
struct Refused {
    file: PathBuf,
    name: String,
    text: String,
}

impl Refused {
    fn at(context: &Context<'_>, file: PathBuf) -> Refused {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(context.tree().path(&file)).unwrap_or_default();
        Refused { file, name, text }
    }

    /// What its verdict depends on.
    fn inputs<'a>(&self, context: &Context<'a>) -> Inputs<'a> {
        let code = Code::of(&["lichen-build"]).files(&["dev/src/suite/refused.rs"]);
        let inputs = read::with_tools(context, &self.name, &read::SYSTEM, code).path(&self.file);
        read::ROWS.iter().fold(inputs, |inputs, file| inputs.path(file))
    }
}

fn judge(
    context: &Context<'_>,
    program: &Refused,
    built: Result<Artifacts, BuildError>,
) -> Verdict {
    let Refused { file, name, text } = program;
    let (part, whole) = (expected(text), exact(text));
    let Some(expected) = part.or(whole.as_deref()) else {
        let what = "its head has neither a line `refused: TEXT` nor one `error: TEXT`";
        return failed(file, what.to_string(), None);
    };
    match said(context, built) {
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
fn said(context: &Context<'_>, built: Result<Artifacts, BuildError>) -> Option<Said> {
    match built {
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
