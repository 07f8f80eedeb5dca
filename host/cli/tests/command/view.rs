// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is shown of a network while it runs: a table on a terminal, lines elsewhere.

use crate::common::{call, lichen};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Stdio;

/// What `lichen` with these arguments draws on a terminal of so many columns and rows.
fn on_terminal(arguments: &str, (columns, rows): (u16, u16)) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).expect("granted");
    unlockpt(&terminal).expect("unlocked");
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("a size");
    let name = ptsname(&terminal, Vec::new()).expect("a name");
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    let side = OpenOptions::new().read(true).write(true).open(path).expect("its other side");
    let again = side.try_clone().expect("the same");
    let mut command = lichen();
    command.args(arguments.split(' ')).env("TERM", "xterm").env_remove("NO_COLOR");
    let mut child =
        command.stdin(Stdio::null()).stdout(side).stderr(again).spawn().expect("lichen starts");
    drop(command);
    let mut drawn = Vec::new();
    let mut buffer = [0; 4096];
    let mut reader = File::from(terminal);
    // Reading fails when nobody has the other side any more.
    while let Ok(length @ 1..) = reader.read(&mut buffer) {
        drawn.extend(&buffer[..length]);
    }
    let status = child.wait().expect("it ends");
    let drawn = String::from_utf8_lossy(&drawn).into_owned();
    assert!(status.success(), "{drawn}");
    drawn
}

/// The lines of the last drawing.
fn last_table(drawn: &str) -> Vec<&str> {
    let last = drawn.rfind("\x1b7").expect("the last drawing");
    let last = drawn[last..].split("\x1b8").next().expect("its end");
    let lines = last.split("H\x1b[K").skip(1);
    lines.map(|line| line.split("\x1b[").next().unwrap_or("")).collect()
}

#[test]
fn on_a_terminal_a_table_stays_above_what_motes_print() {
    let run = "run link_ping --motes 50 --topology grid --seed 1 --for 12s --pace max";
    let drawn = on_terminal(run, (80, 24));
    let lines = last_table(&drawn);
    assert!(
        lines[0].contains(" mA a mote   ") && lines[0].contains(" frames sent ("),
        "{lines:#?}"
    );
    assert!(lines[1].starts_with("lost ") && lines[1].contains("collision "), "{lines:#?}");
    assert!(lines[2].starts_with("mote     sent lost  mote"), "{lines:#?}");
    assert!(lines.len() <= 24 - 6, "{lines:#?}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{lines:#?}");
    let numbers = lines[3..].iter().flat_map(|line| line.split_whitespace());
    let numbers: Vec<&str> = numbers.collect();
    assert!((0..50).all(|mote| numbers.contains(&mote.to_string().as_str())), "{lines:#?}");
    assert!(drawn.contains(&format!("\x1b[{};24r", lines.len() + 1)), "the rest scrolls");
    let (_, after) = drawn.rsplit_once("\x1b[r").expect("it is given back");
    assert!(after.contains("link_ping.elf on 50 motes") && after.contains("lost most"), "{after}");
    assert!(!after.contains("\x1b7"));
}

#[test]
fn what_stays_of_the_table_is_that_of_the_end_however_quick_the_run() {
    for seconds in 2..8 {
        let run = format!("run link_ping --motes 2 --seed 1 --for {seconds}s --pace max");
        let drawn = on_terminal(&run, (80, 24));
        let lines = last_table(&drawn);
        assert!(lines[0].starts_with(&format!("{seconds}.000000 s, ")), "{lines:#?}");
    }
}

#[test]
fn a_table_is_for_networks_that_send_and_for_those_who_want_it() {
    for quiet in [
        "run hello --motes 2 --for 2s --pace max",
        "run link_ping --motes 2 --for 2s --pace max --view console",
        "run link_ping --motes 1 --for 2s --pace max",
    ] {
        let drawn = on_terminal(quiet, (80, 24));
        assert!(!drawn.contains("\x1b[r") && !drawn.contains("\x1b7"), "{drawn}");
    }
}

#[test]
fn the_events_are_the_same_with_a_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let [plain, shown] = ["plain", "shown"].map(|name| folder.path().join(name));
    let run = "run link_ping --motes 5 --topology grid --seed 2 --for 3s --pace max --json";
    on_terminal(&format!("{run} {}", shown.display()), (100, 40));
    let called = call(&format!("{run} {}", plain.display()).split(' ').collect::<Vec<_>>());
    assert_eq!(called.code, 0, "{}", called.err);
    let read = |path| std::fs::read(path).expect("events");
    assert!(read(&plain) == read(&shown));
}

#[test]
fn without_a_terminal_each_frame_has_a_line_where_that_is_wanted() {
    let run = "run link_ping --motes 3 --topology line --seed 4 --for 10s";
    let plain = call(&run.split(' ').collect::<Vec<_>>());
    assert!(!plain.out.contains("> frame"), "{}", plain.out);
    let called = call(&format!("{run} --view network").split(' ').collect::<Vec<_>>());
    assert_eq!(called.code, 0, "{}", called.err);
    for part in [
        " 1 > frame ",
        ", 15 bytes; heard whole: 0, 2\n",
        "; collision: 1 (with 0)\n",
        "; collision: 1 (with 2)\n",
        "> acknowledgment ",
        ", 5 bytes; heard whole: 1\n",
    ] {
        assert!(called.out.contains(part), "no {part} in {}", called.out);
    }
    let times = called.out.lines().map_while(|line| line.get(..13)?.trim().parse::<f64>().ok());
    let times: Vec<f64> = times.collect();
    assert!(times.len() > 20 && times.is_sorted(), "{}", called.out);
}
