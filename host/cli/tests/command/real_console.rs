// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen console`: what a mote at a serial port prints, its panics decoded, and what is typed to it.

use crate::common::{call, finish, lichen};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

const FAILS: &str = "\
#include <lichen/assert.h>
#include <lichen/print.h>
#include <lichen/thread.h>
#include <lichen/time.h>

static volatile int limit = 3;

THREAD(counts, 512, PRIORITY_APP)
{
    for (int n = 0;; n++) {
        print(\"count %d\\n\", n);
        assert(n < limit);
        sleep_ms(10);
    }
}
";

/// A program that panics, and what its console prints.
struct Mote {
    place: TempDir,
    board: &'static str,
    printed: Vec<u8>,
}

impl Mote {
    fn new(board: &'static str) -> Mote {
        let mut mote =
            Mote { place: tempfile::tempdir().expect("a folder"), board, printed: Vec::new() };
        let program = mote.program();
        assert_eq!(call(&["new", &program]).code, 0);
        std::fs::write(Path::new(&program).join("main.c"), FAILS).expect("written");
        let ran = call(&["run", &program, "--board", board, "--for", "200ms", "--json", "-"]);
        assert_eq!(ran.code, 1, "{}", ran.err);
        mote.printed = ran.out.lines().filter_map(character).collect();
        assert!(mote.text().contains("panic: pc="), "{}", mote.text());
        mote
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn program(&self) -> String {
        self.path("counts").display().to_string()
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.printed).into_owned()
    }
}

/// The character of a line of events, if the console has printed one.
fn character(line: &str) -> Option<u8> {
    let event: serde_json::Value = serde_json::from_str(line).expect("an object");
    let is_printed = event["kind"] == "uart" && event["dir"] == "out";
    event["data"].as_u64().filter(|_| is_printed).map(|data| data as u8)
}

fn interrupt(child: &Child) {
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
}

#[test]
fn a_panic_at_a_port_has_function_file_and_line_and_lines_have_times() {
    for board in ["samr21-xpro", "micaz"] {
        let mote = Mote::new(board);
        let (mut wire, port) = serialport::TTYPort::pair().expect("a pseudo terminal");
        let name = serialport::SerialPort::name(&port).expect("its name");
        let mut command = lichen();
        command.args(["console", &mote.program(), "--board", mote.board, "--port", &name]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("lichen starts");
        // What is typed comes when the port is open, and then the mote prints.
        child.stdin.take().expect("a pipe").write_all(b"go on\n").expect("typed");
        let mut typed = Vec::new();
        while !typed.ends_with(b"\n") {
            let mut byte = [0];
            if wire.read(&mut byte).is_ok_and(|count| count == 1) {
                typed.push(byte[0]);
            }
        }
        assert_eq!(typed, b"go on\n", "{board}");
        wire.write_all(&mote.printed).expect("printed");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut shown = Vec::new();
        while !shown.iter().any(|line: &String| line.contains("! panic at")) {
            shown.push(lines.next().expect("another line").expect("text"));
        }
        interrupt(&child);
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{board}: {err}");
        let rate = if board == "micaz" { "57600" } else { "115200" };
        assert!(err.contains(&format!("at {rate} baud")), "{board}: {err}");
        let panic = shown.last().map(String::as_str).unwrap_or_default();
        assert!(panic.contains(" in counts_thread"), "{board}: {shown:?}");
        assert!(panic.ends_with("counts/main.c:12"), "{board}: {shown:?}");
        let count = shown.iter().find(|line| line.ends_with(" count 1")).expect("a line");
        let time = count.trim().split(' ').next().and_then(|time| time.parse::<f64>().ok());
        assert!(time.is_some(), "{board}: {count}");
    }
}

#[test]
fn what_a_mote_has_printed_is_decoded_from_a_file() {
    let mote = Mote::new("samr21-xpro");
    let file = mote.path("printed.txt");
    std::fs::write(&file, &mote.printed).expect("written");
    let file = file.display().to_string();
    let called = call(&["console", &mote.program(), "--board", mote.board, "--port", &file]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.starts_with("count 0\n"), "no times: {}", called.out);
    assert!(called.out.contains("counts/main.c:12\n"), "{}", called.out);
    let plain = call(&["console", "--port", &file]);
    assert_eq!(plain.code, 0, "{}", plain.err);
    assert!(plain.out.contains("panic: pc=") && !plain.out.contains("! panic"), "{}", plain.out);
    let other = "panic: pc=7fffff00 lr=00000000 sp=0\n";
    let mut command = lichen();
    command.args(["console", "blink", "--board", mote.board, "--port", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("starts");
    child.stdin.take().expect("a pipe").write_all(other.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(out.contains("no function at 0x7fffff00: does the mote run another one?"), "{out}");
}

#[test]
fn a_port_or_a_program_that_there_is_not_is_refused() {
    for (arguments, parts) in [
        (&["--port", "/dev/nowhere"][..], ["/dev/nowhere: cannot open it", "help: "]),
        (&["--port", "/dev/null"][..], ["/dev/null: this is no serial port", "help: "]),
        (&["--port", "/dev/null", "blnk"][..], ["`blnk`", "did you mean `blink`"]),
        (&["--port", "/dev/null", "--board", "micax"][..], ["`micax`", "micaz"]),
    ] {
        let called = finish(lichen().arg("console").args(arguments));
        assert_eq!(called.code, 2, "{arguments:?}: {}", called.err);
        for part in parts {
            assert!(called.err.contains(part), "`{part}` is missing in: {}", called.err);
        }
    }
}
