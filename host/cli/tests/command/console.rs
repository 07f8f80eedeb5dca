// SPDX-License-Identifier: MIT OR Apache-2.0
//! Messages and the shell, as a person sees them: what is in an image, and what a mote answers.

use crate::common::{call, root};
use std::path::Path;

const BOARDS: [&str; 2] = ["hamilton", "micaz"];

/// A program that says something at two levels, and may leave one out.
const SOURCE: &str = r#"
#include <lichen/interrupt.h>
#include <lichen/syslog.h>
#include <lichen/thread.h>
#include <lichen/time.h>

SYSLOG_MODULE(tested, MODULE_LEVEL);
SYSLOG_RT(posted, LOG_DEBUG, "posted-text");

static volatile unsigned calls;

static unsigned argument(void)
{
    return calls++;
}

void from_interrupt(void);
void from_interrupt(void)
{
    (void)argument;
    MESSAGES
}

THREAD(speaks, 512, PRIORITY_APP)
{
    for (;;) {
        from_interrupt();
        syslog(LOG_ERR, "kept-text %u", calls);
        sleep_ms(1000);
    }
}
"#;

const BOTH: &str = "syslog(LOG_DEBUG, \"debug-text %u\", argument()); \
                    syslog_post_from(posted, 1, LEVEL_DRIVER);";

/// Builds the program and returns its image.
fn build(board: &str, module: &str, program: &str, messages: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("says");
    std::fs::create_dir(&own).expect("made");
    let write = |name: &str, text: &str| std::fs::write(own.join(name), text).expect("written");
    write("says.c", &SOURCE.replace("MODULE_LEVEL", module).replace("MESSAGES", messages));
    write(
        "lichen.toml",
        &format!(
            "name = \"says\"\nsummary = \"Says.\"\nboards = [\"{board}\"]\n\
             [build]\nsyslog = \"{program}\"\n[budget]\nrom = 40000\nram = 3500\n"
        ),
    );
    let os = root().join("os/lichen.cmake");
    write(
        "CMakeLists.txt",
        &format!(
            "cmake_minimum_required(VERSION 3.25)\ninclude({})\nproject(says C ASM)\n\
             lichen_app(says)\n",
            os.display()
        ),
    );
    let called = call(&["build", own.to_str().expect("a plain path"), "--board", board, "--json"]);
    assert_eq!(called.code, 0, "out: {}\nerr: {}", called.out, called.err);
    let elf = called.out.split('"').find(|word| word.ends_with(".elf")).expect("an image");
    let binary = Path::new(elf).with_extension("bin");
    std::fs::read(root().join(binary)).expect("it is there")
}

fn has(image: &[u8], text: &str) -> bool {
    image.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn a_message_that_is_left_out_leaves_nothing() {
    let board = BOARDS[0];
    let without = build(board, "LOG_DEBUG", "debug", "");
    let with = build(board, "LOG_DEBUG", "debug", BOTH);
    assert!(has(&with, "debug-text") && has(&with, "posted-text"), "{board}");
    assert!(with.len() > without.len(), "{board}");
    for (module, program) in [("LOG_INFO", "debug"), ("LOG_DEBUG", "info"), ("LOG_ERR", "err")] {
        let left_out = build(board, module, program, BOTH);
        assert!(has(&left_out, "kept-text"), "{board} {module} {program}");
        assert!(!has(&left_out, "debug-text"), "{board} {module} {program}");
        assert!(!has(&left_out, "posted-text"), "{board} {module} {program}");
        assert_eq!(left_out.len(), without.len(), "{board} {module} {program}");
    }
    for (module, program) in [("LOG_NONE", "debug"), ("LOG_DEBUG", "none")] {
        let silent = build(board, module, program, BOTH);
        assert!(!has(&silent, "-text"), "{board} {module} {program}");
        assert!(!has(&silent, "tested"), "{board} {module} {program}");
        assert!(silent.len() + 1000 < without.len(), "{board} {module} {program}");
    }
}

/// What a mote that runs `program` prints, line by line without times, while this is typed.
fn answers(program: &str, board: &str, input: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("input.txt");
    std::fs::write(&file, input).expect("written");
    let file = file.to_str().expect("a plain path");
    let called = call(&["run", program, "--board", board, "--for", "12s", "--input", file]);
    assert_eq!(called.code, 0, "out: {}\nerr: {}", called.out, called.err);
    let lines = called.out.lines().take_while(|line| !line.starts_with("build/"));
    lines.filter_map(|line| line.get(13..)).map(str::to_string).collect()
}

#[test]
fn the_shell_says_what_it_refuses() {
    let lines = [
        ("led 0 on", None),
        ("led 9 on", Some("led: LIGHT must be 0 to ")),
        ("led x on", Some(", not 'x'")),
        ("led 0 maybe", Some("led: STATE must be off|on, not 'maybe'")),
        ("led", Some("led: LIGHT is missing: led LIGHT STATE")),
        ("led 0", Some("led: STATE is missing: led LIGHT STATE")),
        ("led 0 on now", Some("led: 'now' is too much: led LIGHT STATE")),
        ("led '0 on", Some("'0 on' lacks the quote ' at its end")),
        ("unknown", Some("there is no command 'unknown'; `help` lists all")),
        ("help unknown", Some("there is no command 'unknown'; `help` lists all")),
        ("help led", Some("led      LIGHT STATE        Switches a light: off or on.")),
        ("log", Some("lights           notice, at most debug")),
        ("log nobody", Some("log: MODULE must be one that `log` lists, not 'nobody'")),
        ("log nobody err", Some("log: MODULE must be one that `log` lists, not 'nobody'")),
        ("log lights much", Some("log: LEVEL must be none|emerg|alert|crit|err|warning|notice|")),
        ("log lights info", None),
        ("led 0 off", Some("lights: info: light 0: off")),
        ("panic", Some("no panic since power came, or the last was forgotten")),
        ("panic forgotten", Some("panic: forget must be forget, not 'forgotten'")),
        ("ps", Some("shell            running  ")),
        ("uptime", Some("0 d 00:00:04, started by power")),
        ("1 2 3 4 5 6 7 8 9", Some("'9' is too much: a line has 8 words at most")),
    ];
    let mut input = String::new();
    for ((line, _), tenths) in lines.iter().zip(5..) {
        input += &format!("{}ms {line}\n", 200 * tenths);
    }
    for board in BOARDS {
        let mut answers = answers("shell", board, &input).into_iter();
        for wanted in lines.iter().filter_map(|(_, wanted)| *wanted) {
            assert!(answers.any(|answer| answer.contains(wanted)), "{board}: {wanted}");
        }
    }
}

/// All messages of two floods are printed or reported as dropped, and so are the five posts of a message in the second one.
#[test]
fn what_is_dropped_is_reported() {
    let program = "test/mote/syslog";
    for board in BOARDS {
        let lines = answers(program, board, "");
        let floods = lines.iter().filter(|line| line.contains("notice: flood ")).count();
        let reports = lines.iter().filter_map(|line| {
            let (number, _) = line.split_once(" messages dropped")?;
            number.rsplit(' ').next()?.parse::<usize>().ok()
        });
        assert_eq!(floods + reports.sum::<usize>(), 2 * 20 + 5, "{board}: {lines:?}");
        let most = if board == "micaz" {
            "354, the last of 255 or more"
        } else {
            "1099, the last of 1000"
        };
        for posted in ["100", "102, the last of 3", most] {
            let line = format!("notice: noticed: {posted}");
            assert!(lines.iter().any(|printed| printed.ends_with(&line)), "{board}: {line}");
        }
    }
}
