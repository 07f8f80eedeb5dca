// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of programs that were loaded: their names, functions and lines, by the ELF files that `lichen pack` leaves in
//! the build folder; and their names alone without these.

use crate::common::{Called, call, finish, lichen, root};
use std::path::Path;

/// The image that the programs are loaded into, and its key.
const HOST: &str = "test/load/host";
const KEY: &str = "test/load/host/host.key";

const MANIFEST: &str = "\
name = \"NAME\"
summary = \"Counts, and fails.\"
boards = [\"hamilton\", \"mica2\"]

[load]
version = VERSION
";

/// Fails at the line that `fails` has.
const SOURCE: &str = "\
#include <lichen/assert.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int level;

static int __attribute__((noinline)) climb(int by)
{
    for (int i = 0; i < 500; i++) {
        level += by;
    }
    assert(level < 2000); /* fails */
    return level;
}

THREAD(climber, 512, PRIORITY_APP)
{
    for (;;) {
        level = climb(1);
        sleep_ms(100);
    }
}
";

/// The line of the source that has a text, from 1.
fn line_of(source: &str, text: &str) -> usize {
    source.lines().position(|line| line.contains(text)).expect("a line") + 1
}

/// Writes a program, and packs it. The container is `NAME-VERSION.lichen`.
fn pack(folder: &Path, name: &str, version: u8, board: &str, source: &str) {
    let program = folder.join(name);
    std::fs::create_dir_all(&program).expect("a folder");
    let manifest = MANIFEST.replace("NAME", name).replace("VERSION", &version.to_string());
    std::fs::write(program.join("lichen.toml"), manifest).expect("written");
    std::fs::write(program.join("main.c"), source).expect("written");
    let system = root().join("os/lichen.cmake");
    let rules = format!(
        "cmake_minimum_required(VERSION 3.25)\ninclude({})\nproject({name} C ASM)\nlichen_app({name})\n",
        system.display()
    );
    std::fs::write(program.join("CMakeLists.txt"), rules).expect("written");
    let file = folder.join(format!("{name}-{version}.lichen"));
    let [program, file] = [program, file].map(|path| path.display().to_string());
    let called = call(&["pack", &program, "--board", board, "--key", KEY, "--output", &file]);
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
}

/// Runs the image on a board, with these lines of input.
fn run(folder: &Path, verb: &str, board: &str, lines: &str, options: &[&str]) -> Called {
    let input = folder.join("input.txt");
    std::fs::write(&input, lines).expect("an input");
    let input = input.display().to_string();
    call(&[&[verb, HOST, "--board", board, "--input", &input, "--for", "3s"], options].concat())
}

/// The first line of the output that has a text.
fn line<'a>(called: &'a Called, with: &str) -> &'a str {
    let found = called.out.lines().find(|line| line.contains(with));
    found.unwrap_or_else(|| panic!("no `{with}`: {}{}", called.out, called.err))
}

#[test]
fn a_failure_of_a_loaded_program_has_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = format!("main.c:{}", line_of(SOURCE, "fails"));
    for board in ["mica2", "hamilton"] {
        pack(folder.path(), "ascent", 1, board, SOURCE);
        let run = run(folder.path(), "run", board, "1s !load ascent-1.lichen\n", &[]);
        assert_eq!(run.code, 0, "the mote runs on: {}{}", run.out, run.err);
        let said = line(&run, "program ascent is stopped: assertion failed in thread climber");
        assert!(said.contains("in climb+0x") && said.contains(" of ascent"), "{said}");
        assert!(said.contains(&at), "{said}");
    }
}

#[test]
fn cycles_and_charge_are_accounted_by_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = SOURCE.replace("    assert(level < 2000); /* fails */\n", "");
    for board in ["mica2", "hamilton"] {
        pack(folder.path(), "ascent", 1, board, &source);
        let lines = "1s !load ascent-1.lichen\n";
        let profile = run(folder.path(), "profile", board, lines, &[]);
        assert_eq!(profile.code, 0, "{}{}", profile.out, profile.err);
        for name in ["  ascent/climber", "  ascent/climb"] {
            line(&profile, name);
        }
        let row = line(&profile, "%  program");
        let mut rows = profile.out.lines().skip_while(|line| *line != row);
        let row: Vec<&str> = rows.nth(1).expect("a row").split_whitespace().collect();
        let [own, _, threads, _, "ascent"] = row[..] else { panic!("{row:?}") };
        let [own, threads] = [own, threads].map(|it| it.parse::<u64>().expect("cycles"));
        assert!(0 < own && own < threads, "its threads call the system, too: {row:?}");
        let energy = run(folder.path(), "run", board, lines, &["--energy"]);
        line(&energy, "program ascent");
        assert!(!energy.out.contains("thread ascent"), "{}", energy.out);
    }
}

#[test]
fn a_program_without_an_elf_has_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for board in ["mica2", "hamilton"] {
        pack(folder.path(), "descent", 1, board, SOURCE);
        // The same name and version of another source: its ELF takes the place of the first one's.
        let other = SOURCE.replace("level += by", "level += 3 * by");
        let kept = folder.path().join("kept.lichen");
        std::fs::rename(folder.path().join("descent-1.lichen"), &kept).expect("kept");
        pack(folder.path(), "descent", 1, board, &other);
        let run = run(folder.path(), "run", board, "1s !load kept.lichen\n", &[]);
        let said = line(&run, "program descent is stopped: assertion failed in thread climber");
        assert!(said.contains("in descent+0x"), "{said}");
        assert!(!said.contains("main.c"), "{said}");
    }
}

#[test]
fn lines_are_those_of_the_version_that_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let moved =
        SOURCE.replace("static volatile", "/* Three\n * lines\n * more. */\nstatic volatile");
    let moved = moved.replace("2000", "3000");
    let lines = "1s !load rise-1.lichen\n2s !load rise-2.lichen\n";
    for board in ["mica2", "hamilton"] {
        pack(folder.path(), "rise", 1, board, SOURCE);
        pack(folder.path(), "rise", 2, board, &moved);
        let run = run(folder.path(), "run", board, lines, &[]);
        let all = run.out.lines().filter(|line| line.contains("warning: program rise is stopped"));
        let all: Vec<&str> = all.collect();
        let expected =
            [SOURCE, &moved].map(|source| format!("main.c:{}", line_of(source, "fails")));
        assert_eq!(all.len(), 2, "{}{}", run.out, run.err);
        for (line, at) in all.iter().zip(&expected) {
            assert!(line.contains(at), "{at}: {line}");
        }
    }
}

#[test]
fn a_debugger_halts_at_a_line_of_a_program_that_arrives() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = format!("main.c:{}", line_of(SOURCE, "fails"));
    let input = folder.path().join("input.txt");
    std::fs::write(&input, "1s !load ascent-1.lichen\n").expect("an input");
    let input = input.display().to_string();
    for board in ["mica2", "hamilton"] {
        pack(folder.path(), "ascent", 1, board, SOURCE);
        let mut debug = lichen();
        debug.args(["debug", HOST, "--board", board, "--input", &input, "--for", "3s"]);
        debug.args(["--", "-nx", "-batch"]);
        let breakpoint = format!("break {place}");
        for command in
            [breakpoint.as_str(), "continue", "backtrace", "print level", "info threads", "kill"]
        {
            debug.args(["-ex", command]);
        }
        let called = finish(&mut debug);
        let mut rest = called.out.as_str();
        for wanted in
            ["Breakpoint 1", "climb (", place.as_str(), "#0  climb (", "#1  ", "climber", "$1 = "]
        {
            let found = rest.find(wanted);
            let at = found.unwrap_or_else(|| panic!("no `{wanted}` in {rest}\n{}", called.err));
            rest = &rest[at + wanted.len()..];
        }
        assert!(rest.contains("ascent/climber"), "{rest}");
    }
}
