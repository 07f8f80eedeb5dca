// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `debug`: GDB on a simulated mote, following scripts, and the editor's configuration in
//! the guide.

mod conversations;

use super::{Context, Listener, Report, Verdict, read};
use conversations::{CONVERSATIONS, Conversation, Debugged, PROGRAM};
use lichen_image::Image;
use lichen_project::{Place, tool};
use lichen_test::Code;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The line of the program where a philosopher has both forks.
const EATING: &str = "seat->meals++;";
const SOURCE: &str = "app/philosophers/philosophers.c";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    for conversation in CONVERSATIONS.iter().filter(|one| context.wants(one.name)) {
        listener.working(context.group, conversation.name);
        let paths = [read::SYSTEM.as_slice(), &["app", "test", "bench", "host/dev/src"]].concat();
        let inputs = read::with_tools(context, conversation.name, &paths, Code::of_command());
        context.remembering(&inputs, listener, |listener| {
            context.tell(listener, conversation.name, verdict(converse(context, conversation)));
        });
    }
    if context.wants("editor") {
        context.tell(listener, "editor", verdict(editor(context)));
    }
}

fn verdict(result: Result<(), Report>) -> Verdict {
    result.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

/// Has a conversation and compares the answers.
fn converse(context: &Context<'_>, conversation: &Conversation) -> Result<(), Report> {
    if tool::GDB.path().is_none() {
        let report = Report::saying("gdb-multiarch is not on this machine");
        return Err(Report { remedy: Some(tool::GDB.remedy()), ..report });
    }
    let folder = context.tree().path("build/debug");
    let words = Words::of(context)?;
    let program = match conversation.program {
        Debugged::Program | Debugged::Debug => PROGRAM.to_string(),
        Debugged::Other(name) => name.to_string(),
        Debugged::Stripped => stripped(context, &folder)?,
    };
    let log = folder.join(format!("{}.txt", conversation.name));
    let failed = |what: String| Report::saying(format!("{what} ({})", log.display()));
    let output = std::fs::create_dir_all(&folder)
        .and_then(|()| File::create(&log))
        .map_err(|error| failed(format!("cannot write the log: {error}")))?;
    let errors = output.try_clone().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new(super::command());
    command.args(["debug", &program, "--board", conversation.board, "--for", "20s", "--no-noise"]);
    if conversation.program == Debugged::Debug {
        command.arg("--debug");
    }
    command.args(["--", "-nx", "-batch"]);
    for said in conversation.commands {
        command.arg("-ex").arg(words.put_into(said));
    }
    // It ends by itself: the mote runs for a given time, and GDB has no input.
    command
        .env("LICHEN_ROOT", context.tree().path(""))
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .status()
        .map_err(|error| failed(format!("cannot start lichen debug: {error}")))?;
    let said = std::fs::read(&log).map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&said).into_owned();
    let answers: Vec<String> =
        conversation.answers.iter().map(|answer| words.put_into(answer)).collect();
    let missing = missing_answer(&said, &answers);
    let unwanted = conversation.never.iter().find(|text| said.contains(**text));
    let message = match (missing, unwanted) {
        (Some(answer), _) => format!("GDB does not answer `{answer}` in its place"),
        (None, Some(text)) => format!("GDB answers `{text}`, which it must not"),
        (None, None) => return Ok(()),
    };
    Err(Report { output: Some(said), ..Report::saying(message) })
}

/// The first of `answers` that does not come after those before it.
fn missing_answer(said: &str, answers: &[String]) -> Option<String> {
    let mut rest = said;
    for answer in answers {
        let Some(at) = rest.find(answer.as_str()) else { return Some(answer.clone()) };
        rest = &rest[at + answer.len()..];
    }
    None
}

/// The values of placeholders in a conversation, which depend on the build.
struct Words {
    /// `LINE`: where a philosopher has both forks.
    line: String,
    /// `SLEEP`: address of the function that lets a thread sleep.
    sleep: String,
    /// `SEATS`: address of the philosophers' seats.
    seats: String,
}

impl Words {
    /// Builds the program and looks them up.
    fn of(context: &Context<'_>) -> Result<Words, Report> {
        let elf = built(context)?;
        let image = Image::load(&elf).map_err(|error| Report::saying(error.to_string()))?;
        let address = |name: &str| {
            let symbol = image.symbols().find(name);
            let missing = || Report::saying(format!("there is no `{name}` in {PROGRAM}"));
            symbol.map(|symbol| format!("0x{:x}", symbol.address & !1)).ok_or_else(missing)
        };
        let line = line_of(context)?.to_string();
        Ok(Words { line, sleep: address("sleep_converted_ms")?, seats: address("seats")? })
    }

    fn put_into(&self, text: &str) -> String {
        text.replace("LINE", &self.line).replace("SLEEP", &self.sleep).replace("SEATS", &self.seats)
    }
}

/// Builds the program: its image.
fn built(context: &Context<'_>) -> Result<PathBuf, Report> {
    let mut command = Command::new(super::command());
    command.args(["build", PROGRAM]).env("LICHEN_ROOT", context.tree().path(""));
    succeeds(&mut command)?;
    Ok(context.tree().path(format!("build/hamilton/{PROGRAM}/{PROGRAM}.elf")))
}

/// The program's image without symbols.
fn stripped(context: &Context<'_>, folder: &Path) -> Result<String, Report> {
    let file = folder.join("stripped.elf");
    let missing = || {
        let report = Report::saying(format!("{} is not on this machine", tool::ARM_OBJCOPY.name));
        Report { remedy: Some(tool::ARM_OBJCOPY.remedy()), ..report }
    };
    let objcopy = tool::ARM_OBJCOPY.path().ok_or_else(missing)?;
    let failed = |error: std::io::Error| Report::saying(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    succeeds(Command::new(objcopy).arg("--strip-all").arg(built(context)?).arg(&file))?;
    Ok(file.display().to_string())
}

fn succeeds(command: &mut Command) -> Result<(), Report> {
    let output = command.stdin(Stdio::null()).output();
    let failed = |what: String| Report::saying(format!("{command:?}: {what}"));
    let output = output.map_err(|error| failed(error.to_string()))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Report {
            output: Some(String::from_utf8_lossy(&output.stderr).into_owned()),
            ..failed(output.status.to_string())
        }),
    }
}

fn line_of(context: &Context<'_>) -> Result<usize, Report> {
    let source = read(context, SOURCE)?;
    let found = source.lines().position(|line| line.trim() == EATING);
    found.map(|index| index + 1).ok_or_else(|| {
        let report = Report::saying(format!("there is no line `{EATING}` to halt at"));
        Report { place: Some(Place::file(SOURCE)), ..report }
    })
}

fn read(context: &Context<'_>, name: &str) -> Result<String, Report> {
    lichen_check::read(context.tree(), &context.tree().path(name))
        .map_err(|error| Report::of(&error))
}

const PAGE: &str = "doc/guide/5-debugging.md";
const CONFIGURATION: &str = "<!-- file: .vscode/launch.json -->\n```json\n";

/// The editor's configuration on the guide's page: it must have the form that editors read, and fit
/// the command that the page shows.
fn editor(context: &Context<'_>) -> Result<(), Report> {
    let wrong = |what: String| {
        let remedy = Some("correct the page".to_string());
        Report { place: Some(Place::file(PAGE)), remedy, ..Report::saying(what) }
    };
    let page = read(context, PAGE)?;
    let block = page.split_once(CONFIGURATION).and_then(|(_, rest)| rest.split_once("\n```"));
    let (text, _) = block.ok_or_else(|| wrong("there is no launch configuration".to_string()))?;
    let json: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| wrong(format!("the launch configuration is not JSON: {error}")))?;
    let configurations = json["configurations"].as_array().filter(|all| !all.is_empty());
    let all = configurations.ok_or_else(|| wrong("there is no configuration".to_string()))?;
    for configuration in all {
        let text = |key: &str| configuration[key].as_str().unwrap_or_default().to_string();
        let port = text("miDebuggerServerAddress").replace("localhost:", "");
        let program = text("program").replace("${workspaceFolder}/", "");
        let name = Path::new(&program).file_stem().unwrap_or_default().to_string_lossy();
        let board = program.split('/').nth(1).unwrap_or_default();
        if !page.contains(&format!("./lichen run {name} --board {board} --gdb {port}\n")) {
            let what = format!("no command on the page waits on port {port} with {program}");
            return Err(wrong(what));
        }
        if program != format!("build/{board}/{name}/{name}.elf") {
            return Err(wrong(format!("{program} is not where images are built")));
        }
        if text("miDebuggerPath") != tool::GDB.name {
            return Err(wrong(format!("the debugger is {}", tool::GDB.name)));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_must_come_in_their_order() {
        let said = "one\ntwo at 12\n";
        let missing = |answers: [&str; 2]| missing_answer(said, &answers.map(str::to_string));
        assert_eq!(missing(["one", "two at 12"]), None);
        assert_eq!(missing(["two", "one"]).as_deref(), Some("one"));
    }
}
