// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `guide`: every program and every command of the README and of the guide, as a newcomer
//! would follow them.
//!
//! Besides its text, a page has a few marks that a reader does not see:
//!
//! - `<!-- file: PATH -->` before a code block: the block is the content of that file.
//! - `<!-- same as: PATH -->` before a code block: that file of the tree holds the block.
//! - A block of the kind `console`: lines after `$ ` are commands, the lines below are their output.
//!   `...` alone stands for any lines, `[...]` within a line for any text.
//! - `<!-- drawn: PATH is PATH -->`: both pictures show the same.
//! - `<!-- not run: WHY -->` before a block: it is not run.
//!
//! The pages are followed one after another in a copy of the tree that is made of links, so that
//! none of the user's files is touched. A command must succeed, unless the page shows its error.

mod picture;

use super::pattern::matches;
use super::{Context, Listener, Report, Verdict, read};
use lichen_project::Place;
use lichen_test::Code;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folders of the tree that the pages, or the commands in them, use.
const LINKED: [&str; 10] =
    ["app", "bench", "board", "data", "doc", "host", "os", "scenario", "test", "LICENSE-MIT"];

/// The system's archives: those of the tree are the copy's, since its sources are.
const SYSTEM: &str = "build/system";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    let mut pages = vec![context.tree().path("README.md")];
    match lichen_check::files(context.tree(), "doc/guide", &["md"]) {
        Ok(guide) => pages.extend(guide),
        Err(error) => return context.tell(listener, "pages", Verdict::Failed(Report::of(&error))),
    };
    let name_of = |page: &Path| page.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    pages.retain(|page| context.wants(&name_of(page)));
    if pages.is_empty() {
        return;
    }
    // Together, since a page may use what those before it have written.
    let names: Vec<String> = pages.iter().map(|page| name_of(page)).collect();
    let paths = [read::ROOMS.as_slice(), &["LICENSE-MIT"]].concat();
    let name = if context.suite.filter.is_none() { "pages".to_string() } else { names.join(" ") };
    let inputs =
        read::with_tools(context, &name, &paths, Code::of_command()).words(names.join(" "));
    context.remembering(&inputs, listener, |listener| {
        follow_all(context, pages.iter().zip(&names), listener);
    });
}

/// Follows pages, each with its name.
fn follow_all<'a>(
    context: &Context<'_>,
    pages: impl Iterator<Item = (&'a PathBuf, &'a String)>,
    listener: &mut dyn Listener,
) {
    let copy = match copy(context) {
        Ok(copy) => copy,
        Err(error) => {
            let message = format!("cannot prepare build/guide: {error}");
            return context.tell(listener, "pages", Verdict::Failed(Report::saying(message)));
        }
    };
    for (page, name) in pages {
        follow(context, &copy, page, name, listener);
    }
}

/// Makes the copy: a folder below `build/` with links to the rooms and a `lichen` of its own.
fn copy(context: &Context<'_>) -> std::io::Result<PathBuf> {
    let copy = context.tree().path("build/guide");
    std::fs::create_dir_all(&copy)?;
    let own = copy.join("my");
    if own.is_dir() {
        std::fs::remove_dir_all(own)?;
    }
    std::fs::create_dir_all(context.tree().path(SYSTEM))?;
    std::fs::create_dir_all(copy.join("build"))?;
    for name in LINKED.into_iter().chain([SYSTEM]) {
        let link = copy.join(name);
        if link.symlink_metadata().is_err() {
            link_to(&context.tree().path(name), &link)?;
        }
    }
    let script = format!(
        "#!/bin/sh\nLICHEN_ROOT='{}' exec '{}' \"$@\"\n",
        copy.display(),
        super::command().display()
    );
    write_program(&copy.join("lichen"), &script)?;
    Ok(copy)
}

#[cfg(unix)]
fn link_to(target: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn link_to(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::Error::other("the guide is tested where there are symbolic links"))
}

#[cfg(unix)]
fn write_program(file: &Path, text: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(file, text)?;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn write_program(file: &Path, text: &str) -> std::io::Result<()> {
    std::fs::write(file, text)
}

/// Follows `page`, step by step.
fn follow(
    context: &Context<'_>,
    copy: &Path,
    page: &Path,
    name: &str,
    listener: &mut dyn Listener,
) {
    let text = match lichen_check::read(context.tree(), page) {
        Ok(text) => text,
        Err(error) => return context.tell(listener, name, Verdict::Failed(Report::of(&error))),
    };
    for step in steps(&text) {
        match step {
            Step::File { path, content, line } => {
                if let Err(error) = write_file(&copy.join(&path), &content) {
                    let mut report = Report::saying(format!("cannot write {path}: {error}"));
                    report.place = Some(Place::line(page, line));
                    context.tell(listener, format!("{name}/{path}"), Verdict::Failed(report));
                }
            }
            Step::Same { path, content, line } => {
                let verdict =
                    compare(&context.tree().path(&path), &content, Place::line(page, line));
                context.tell(listener, format!("{name}/{path}"), verdict);
            }
            Step::Drawn { made, shown, line } => {
                let verdict = picture::compare(&copy.join(&made), &copy.join(&shown));
                let verdict = match verdict {
                    Ok(()) => Verdict::Passed,
                    Err(message) => Verdict::Failed(Report {
                        place: Some(Place::line(page, line)),
                        remedy: Some(format!(
                            "look at build/guide/{made}; if it is right, copy it"
                        )),
                        ..Report::saying(message)
                    }),
                };
                context.tell(listener, format!("{name}/{shown}"), verdict);
            }
            Step::Command { command, expected, line } => {
                let name = format!("{name}/{command}");
                listener.working(context.group, &name);
                let verdict = execute(copy, &command, &expected, Place::line(page, line));
                context.tell(listener, name, verdict);
            }
        }
    }
}

fn write_file(file: &Path, content: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, content)
}

/// Whether `file` holds `content`.
fn compare(file: &Path, content: &str, place: Place) -> Verdict {
    if std::fs::read_to_string(file).is_ok_and(|text| text.contains(content)) {
        return Verdict::Passed;
    }
    let mut report = Report::saying(format!("{} does not hold this block", file.display()));
    report.place = Some(place);
    report.remedy = Some("copy it from there".to_string());
    Verdict::Failed(report)
}

/// Runs `command` in the copy and compares its output.
fn execute(copy: &Path, command: &str, expected: &[String], place: Place) -> Verdict {
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}\n}} 2>&1")])
        .current_dir(copy)
        .stdin(Stdio::null())
        .output();
    let failed = |message: String, output: Option<String>| {
        let remedy = Some("correct the page, or the command".to_string());
        Verdict::Failed(Report { place: Some(place.clone()), message, remedy, output })
    };
    let output = match output {
        Ok(output) => output,
        Err(error) => return failed(format!("cannot start a shell: {error}"), None),
    };
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let shows_error = expected.iter().any(|line| line.starts_with("error:"));
    if output.status.success() == shows_error {
        return failed(format!("`{command}` ended with {}", output.status), Some(text));
    }
    // What is said of a first build is not on a page: it is there once.
    let printed: Vec<&str> = text.lines().filter(|line| !line.starts_with("lichen: ")).collect();
    match first_missing(expected, &printed) {
        None => Verdict::Passed,
        Some(line) => failed(format!("`{command}` does not print: {line}"), Some(text)),
    }
}

/// The first of the `expected` lines that is not in its place in `printed`.
fn first_missing(expected: &[String], printed: &[&str]) -> Option<String> {
    let Some((line, rest)) = expected.split_first() else {
        return printed.first().map(|line| format!("(nothing; instead of `{line}`)"));
    };
    if line == "..." {
        let next = rest.first()?;
        let starts = (0..printed.len()).filter(|start| matches(next, printed[*start]));
        let found = starts.map(|start| first_missing(rest, &printed[start..]));
        // One way to match the dots is enough; otherwise the last attempt says what is missing.
        return found.reduce(|a, b| a.and(b)).unwrap_or(Some(next.clone()));
    }
    match printed.split_first() {
        Some((first, others)) if matches(line, first) => first_missing(rest, others),
        _ => Some(line.clone()),
    }
}

/// A step of a page.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    /// Write a file.
    File { path: String, content: String, line: u32 },
    /// Compare with a file of the tree.
    Same { path: String, content: String, line: u32 },
    /// Compare a picture that was made with one of the tree.
    Drawn { made: String, shown: String, line: u32 },
    /// Call a command.
    Command { command: String, expected: Vec<String>, line: u32 },
}

/// The steps of the page `text`.
fn steps(text: &str) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut mark = None;
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if let Some((made, shown)) = drawn(line) {
            steps.push(Step::Drawn { made, shown, line: number });
        } else if let Some(comment) = line.strip_prefix("<!-- ") {
            mark = Some(comment.trim_end_matches(" -->").to_string());
        } else if let Some(kind) = line.strip_prefix("```") {
            let block: Vec<(u32, &str)> =
                lines.by_ref().take_while(|(_, line)| *line != "```").collect();
            steps.extend(of_block(mark.take().as_deref(), kind, number, &block));
        } else if !line.trim().is_empty() {
            mark = None;
        }
    }
    steps
}

/// The pictures in a line `<!-- drawn: MADE is SHOWN -->`.
fn drawn(line: &str) -> Option<(String, String)> {
    let pictures = line.strip_prefix("<!-- drawn: ")?.strip_suffix(" -->")?;
    let (made, shown) = pictures.split_once(" is ")?;
    Some((made.to_string(), shown.to_string()))
}

/// The steps in a code block of `kind`, with the comment before it.
fn of_block(mark: Option<&str>, kind: &str, line: u32, block: &[(u32, &str)]) -> Vec<Step> {
    if mark.is_some_and(|mark| mark.starts_with("not run:")) {
        return Vec::new();
    }
    let content = || block.iter().map(|(_, line)| format!("{line}\n")).collect();
    if let Some(path) = mark.and_then(|mark| mark.strip_prefix("file: ")) {
        return vec![Step::File { path: path.to_string(), content: content(), line }];
    }
    if let Some(path) = mark.and_then(|mark| mark.strip_prefix("same as: ")) {
        return vec![Step::Same { path: path.to_string(), content: content(), line }];
    }
    let mut steps = Vec::new();
    if kind != "console" {
        return steps;
    }
    for (line, text) in block {
        match (text.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => steps.push(Step::Command {
                command: command.to_string(),
                expected: Vec::new(),
                line: *line,
            }),
            (None, Some(Step::Command { expected, .. })) => expected.push(text.to_string()),
            (None, _) => {}
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
Write this:

<!-- file: my/a.c -->
```c
int a;
```

```console
$ ./lichen run my/a
...
[...] beat 1
$ echo x
x
```

<!-- not run: it takes an hour -->
```console
$ sleep 3600
```
";

    #[test]
    fn a_page_is_files_and_commands() {
        let found = steps(PAGE);
        assert_eq!(found.len(), 3);
        let content = "int a;\n".to_string();
        assert_eq!(found[0], Step::File { path: "my/a.c".to_string(), content, line: 4 });
        let expected = vec!["...".to_string(), "[...] beat 1".to_string()];
        let command = "./lichen run my/a".to_string();
        assert_eq!(found[1], Step::Command { command, expected, line: 9 });
    }

    #[test]
    fn a_picture_is_compared_with_one_that_was_made() {
        let found = steps("<!-- drawn: build/a.svg is doc/a.svg -->\n![A](a.svg)\n");
        let (made, shown) = ("build/a.svg".to_string(), "doc/a.svg".to_string());
        assert_eq!(found, [Step::Drawn { made, shown, line: 1 }]);
    }

    #[test]
    fn a_block_is_compared_with_the_file_it_is_from() {
        let found = steps("<!-- same as: a.c -->\n```c\nint a;\n```\n");
        let content = "int a;\n".to_string();
        assert_eq!(found, [Step::Same { path: "a.c".to_string(), content, line: 2 }]);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.c");
        std::fs::write(&file, "/* A. */\nint a;\n").expect("written");
        let place = || Place::file("page.md");
        assert_eq!(compare(&file, "int a;\n", place()), Verdict::Passed);
        assert!(matches!(compare(&file, "int b;\n", place()), Verdict::Failed(_)));
    }

    fn missing(expected: &[&str], printed: &[&str]) -> Option<String> {
        let expected: Vec<String> = expected.iter().map(|line| line.to_string()).collect();
        first_missing(&expected, printed)
    }

    #[test]
    fn dots_stand_for_any_lines() {
        assert_eq!(missing(&["...", "b", "..."], &["x", "y", "b", "z"]), None);
        assert_eq!(missing(&["..."], &[]), None);
        assert_eq!(missing(&["...", "b"], &["x", "b", "z", "b"]), None);
        assert_eq!(missing(&["...", "c"], &["x", "b"]), Some("c".to_string()));
        assert_eq!(missing(&["a"], &["a", "b"]), Some("(nothing; instead of `b`)".to_string()));
    }

    #[test]
    fn a_command_is_judged_by_its_output_and_its_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let judge = |command: &str, expected: &[&str]| {
            let expected: Vec<String> = expected.iter().map(|line| line.to_string()).collect();
            execute(folder.path(), command, &expected, Place::file("page.md"))
        };
        assert_eq!(judge("echo hello", &["hello"]), Verdict::Passed);
        assert_eq!(judge("echo error: no >&2; exit 1", &["error: no"]), Verdict::Passed);
        assert!(matches!(judge("echo other", &["hello"]), Verdict::Failed(_)));
        assert!(matches!(judge("echo hello; exit 1", &["hello"]), Verdict::Failed(_)));
        assert!(matches!(judge("echo error: no", &["error: no"]), Verdict::Failed(_)));
    }
}
