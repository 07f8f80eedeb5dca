// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `debug`: GDB at a simulated mote, following scripts, and the editor's configuration that
//! the guide shows.

use super::{Bench, Listener, Report, Verdict};
use crate::{Place, tool};
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A conversation with GDB.
struct Conversation {
    name: &'static str,
    /// What GDB is told. `LINE` stands for the line of [`EATING`].
    commands: &'static [&'static str],
    /// What it must answer, in this order.
    answers: &'static [&'static str],
}

/// The program that is debugged, its source, and the line in it where a philosopher has both forks.
const PROGRAM: &str = "philosophers";
const SOURCE: &str = "app/philosophers/philosophers.c";
const EATING: &str = "seat->meals++;";

const CONVERSATIONS: &[Conversation] = &[
    Conversation {
        name: "breakpoint",
        commands: &[
            "info threads",
            "break philosophers.c:LINE",
            "continue",
            "backtrace",
            "stepi",
            "next",
            "finish",
        ],
        answers: &[
            "(core)",
            "Breakpoint 1 at",
            "hit Breakpoint 1, dine (",
            "philosophers.c:LINE",
            "#0  dine (",
            "_thread (argument=",
            "LINE\t        seat->meals++;",
            "now_does",
        ],
    },
    Conversation {
        name: "threads",
        commands: &["break philosophers.c:LINE", "continue", "info threads", "thread apply all bt"],
        answers: &[
            "usnea: running, priority 4",
            "cladonia: waiting, priority 4",
            "idle: ready, priority 0",
            "message_call_tick (",
            "sleep_ms (",
            "dine (number=",
        ],
    },
    Conversation {
        name: "watchpoint",
        commands: &[
            "watch seats[1].meals",
            "continue",
            "backtrace 2",
            "delete",
            "rwatch seats[4].meals",
            "continue",
        ],
        answers: &[
            "Hardware watchpoint 1: seats[1].meals",
            "Old value = 0",
            "New value = 1",
            "dine (number=number@entry=1)",
            "Hardware read watchpoint 2: seats[4].meals",
            "Value = ",
            "print_row ()",
        ],
    },
    Conversation {
        name: "monitor",
        commands: &[
            "break philosophers.c:LINE",
            "continue",
            "monitor time",
            "monitor state",
            "monitor threads",
            "monitor nonsense",
            "monitor reset",
            "maintenance flush register-cache",
            "print $pc",
        ],
        answers: &[
            " cycles, ",
            "ATSAMR21E18A: 8000000 Hz, no interrupt, executing;",
            "usnea: running",
            "stack usnea: ",
            "there is no `monitor nonsense`",
            "reset; the processor stands at",
            "<reset_handler>",
        ],
    },
    Conversation {
        name: "registers",
        commands: &[
            "break philosophers.c:LINE",
            "continue",
            "set $r7 = 0x1234",
            "print/x $r7",
            "set var seats[3].meals = 77",
            "print seats[3].meals",
            "print $sp == $psp",
            "print/x $control",
        ],
        answers: &["$1 = 0x1234", "$2 = 77", "$3 = 1", "$4 = 0x2"],
    },
    Conversation {
        name: "nothing",
        commands: &["break *0x60000000", "continue"],
        answers: &["Cannot insert hardware breakpoint 1."],
    },
    Conversation { name: "end", commands: &["continue"], answers: &["exited normally"] },
];

pub(super) fn run(bench: &Bench<'_>, listener: &mut dyn Listener) {
    for conversation in CONVERSATIONS.iter().filter(|one| bench.wants(one.name)) {
        listener.working(bench.group, conversation.name);
        bench.tell(listener, conversation.name, verdict(converse(bench, conversation)));
    }
    if bench.wants("editor") {
        bench.tell(listener, "editor", verdict(editor(bench)));
    }
}

fn verdict(result: Result<(), Report>) -> Verdict {
    result.map_or_else(Verdict::Failed, |()| Verdict::Passed)
}

/// Has a conversation and compares the answers.
fn converse(bench: &Bench<'_>, conversation: &Conversation) -> Result<(), Report> {
    if tool::GDB.path().is_none() {
        let report = Report::saying("gdb-multiarch is not on this machine");
        return Err(Report { remedy: Some(tool::GDB.remedy()), ..report });
    }
    let line = line_of(bench)?.to_string();
    let folder = bench.tree().path("build/debug");
    let log = folder.join(format!("{}.txt", conversation.name));
    let failed = |what: String| Report::saying(format!("{what} ({})", log.display()));
    let output = std::fs::create_dir_all(&folder)
        .and_then(|()| File::create(&log))
        .map_err(|error| failed(format!("cannot write the log: {error}")))?;
    let errors = output.try_clone().map_err(|error| failed(error.to_string()))?;
    let mut command = Command::new(&bench.suite.command);
    command.args(["debug", PROGRAM, "--for", "20s", "--", "-nx", "-batch"]);
    for said in conversation.commands {
        command.arg("-ex").arg(said.replace("LINE", &line));
    }
    let child = command
        .env("LICHEN_ROOT", bench.tree().path(""))
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(|error| failed(format!("cannot start lichen debug: {error}")))?;
    let in_time = wait(child).map_err(|error| failed(error.to_string()))?;
    let said = std::fs::read(&log).map_err(|error| failed(error.to_string()))?;
    let said = String::from_utf8_lossy(&said).into_owned();
    let missing = missing_answer(&said, conversation.answers, &line);
    let message = match (in_time, missing) {
        (false, _) => format!("GDB was not done after {} s", PATIENCE.as_secs()),
        (true, Some(answer)) => format!("GDB does not answer `{answer}` where it should"),
        (true, None) => return Ok(()),
    };
    Err(Report { output: Some(said), ..Report::saying(message) })
}

/// How long a conversation may take, and how often its end is looked for.
const PATIENCE: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(20);

/// Waits for the end of `child`; false if it had to be ended.
fn wait(mut child: Child) -> std::io::Result<bool> {
    for _ in 0..PATIENCE.as_millis() / LOOK.as_millis() {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        std::thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    Ok(false)
}

/// The first of `answers` that does not come after those before it.
fn missing_answer(said: &str, answers: &[&str], line: &str) -> Option<String> {
    let mut rest = said;
    for answer in answers {
        let answer = answer.replace("LINE", line);
        let Some(at) = rest.find(&answer) else { return Some(answer) };
        rest = &rest[at + answer.len()..];
    }
    None
}

fn line_of(bench: &Bench<'_>) -> Result<usize, Report> {
    let source = read(bench, SOURCE)?;
    let found = source.lines().position(|line| line.trim() == EATING);
    found.map(|index| index + 1).ok_or_else(|| {
        let report = Report::saying(format!("there is no line `{EATING}` to halt at"));
        Report { place: Some(Place::file(SOURCE)), ..report }
    })
}

fn read(bench: &Bench<'_>, name: &str) -> Result<String, Report> {
    crate::check::read(bench.tree(), &bench.tree().path(name)).map_err(|error| Report::of(&error))
}

const PAGE: &str = "doc/guide/5-debugging.md";
const CONFIGURATION: &str = "<!-- file: .vscode/launch.json -->\n```json\n";

/// The editor's configuration on the guide's page: it is what editors read, and fits the command
/// that the page shows.
fn editor(bench: &Bench<'_>) -> Result<(), Report> {
    let wrong = |what: String| {
        let remedy = Some("correct the page".to_string());
        Report { place: Some(Place::file(PAGE)), remedy, ..Report::saying(what) }
    };
    let page = read(bench, PAGE)?;
    let block = page.split_once(CONFIGURATION).and_then(|(_, rest)| rest.split_once("\n```"));
    let (text, _) = block.ok_or_else(|| wrong("there is no launch configuration".to_string()))?;
    let json: serde_json::Value = serde_json::from_str(text)
        .map_err(|error| wrong(format!("the launch configuration is no JSON: {error}")))?;
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
        assert_eq!(missing_answer(said, &["one", "two at LINE"], "12"), None);
        let missing = missing_answer(said, &["two", "one"], "12");
        assert_eq!(missing.as_deref(), Some("one"));
    }
}
