// SPDX-License-Identifier: MIT OR Apache-2.0
//! Accounts of energy as a user gets them: printed, in files, compared; and the firmware's waste that they show.

use crate::common::{Called, call};
use std::path::PathBuf;
use tempfile::TempDir;

struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// The only account in a file.
    fn account(&self, name: &str) -> serde_json::Value {
        let text = std::fs::read_to_string(self.path(name)).expect("it was written");
        serde_json::from_str(text.trim()).expect("one line of JSON")
    }
}

#[track_caller]
fn works(line: &str) -> Called {
    let called = call(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(called.code, 0, "{line}\n{}{}", called.out, called.err);
    called
}

#[track_caller]
fn refused(line: &str, parts: &[&str]) {
    let called = call(&line.split_whitespace().collect::<Vec<_>>());
    assert_eq!(called.code, 2, "{line}\n{}{}", called.out, called.err);
    for part in parts {
        assert!(called.err.contains(part), "`{part}` is missing in: {}", called.err);
    }
}

#[test]
fn a_run_says_what_woke_it_what_kept_it_awake_and_how_long_cells_last() {
    let boards = [
        ("hamilton", "CR123A", "RTC (os/chip/samr21/tick.c)", "asleep, standby"),
        ("micaz", "2 AA", "TIMER0_OVF (os/chip/atmega128/tick.c)", "asleep, power-save"),
    ];
    for (board, cells, cause, sleep) in boards {
        let run = works(&format!("run hello --board {board} --for 10s --energy"));
        let has = |name: &str| run.out.lines().any(|line| line.trim_start().starts_with(name));
        for name in [cells, cause, sleep, "sending_limit (os/driver/console/console.c): idle"] {
            assert!(has(name), "{board}, {name}:\n{}", run.out);
        }
    }
    let other = works("run hello --for 1s --energy --cell aa");
    assert!(other.out.contains("  2 AA"), "{}", other.out);
}

#[test]
fn an_unknown_cell_is_refused_before_the_run() {
    refused("run hello --for 1s --energy --cell CR123", &["did you mean `CR123A`?", "AA, "]);
    refused("run hello --for 1s --cell AA", &["--cell says", "--energy"]);
}

#[test]
fn files_hold_the_account_and_two_runs_agree_to_the_last_digit() {
    let files = Files::new();
    let run = |name: &str| {
        let (json, csv) = (files.name(name), files.name(&format!("{name}.csv")));
        let called =
            works(&format!("run philosophers --for 2s --energy-json {json} --energy-csv {csv}"));
        assert!(!called.out.contains("for whom"), "printed with --energy only: {}", called.out);
        std::fs::read_to_string(files.path(&format!("{name}.csv"))).expect("it was written")
    };
    let csv = run("a");
    assert_eq!(csv, run("b"));
    let account = files.account("a");
    assert_eq!(account, files.account("b"));
    let sum = |of: &str| -> u64 {
        let all = account[of].as_array().expect("an array");
        all.iter().map(|line| line["charge_pc"].as_u64().expect("a charge")).sum()
    };
    let whole = account["charge_pc"].as_u64().expect("a charge");
    assert_eq!(["components", "owners", "periods"].map(sum), [whole; 3]);
    assert!(csv.starts_with("mote,table,name,state,count,duration_ns,"), "{csv}");
    assert!(csv.contains(&format!("0,total,,,,2000000000,,{whole},")), "{csv}");
    let rows = csv.lines().filter(|line| line.starts_with("0,owner,")).count();
    assert_eq!(rows, account["owners"].as_array().map_or(0, Vec::len));
}

#[test]
fn each_mote_has_its_account() {
    let files = Files::new();
    let (json, csv) = (files.name("json"), files.name("csv"));
    works(&format!("run hello --motes 3 --for 1s --energy-json {json} --energy-csv {csv}"));
    let text = std::fs::read_to_string(files.path("json")).expect("it was written");
    let motes = |line: &str| -> u64 {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
        value["mote"].as_u64().expect("a number")
    };
    assert_eq!(text.lines().map(motes).collect::<Vec<_>>(), [0, 1, 2]);
    let table = std::fs::read_to_string(files.path("csv")).expect("it was written");
    assert_eq!(table.lines().filter(|line| line.contains(",total,")).count(), 3);
}

#[test]
fn two_accounts_are_compared_by_the_second() {
    let files = Files::new();
    let [a, b] = ["a", "b"].map(|name| files.name(name));
    works(&format!("run blink --for 100s --energy-json {a}"));
    works(&format!("run hello --for 10s --json {b} --energy"));
    let diff = works(&format!("energy diff {a} {b}"));
    for part in ["100.000000 s", "10.000000 s", "thread blink", "CR123A lasts", "(-100.0 %)"] {
        assert!(diff.out.contains(part), "{part}:\n{}", diff.out);
    }
    let same = works(&format!("energy diff {a} {a}"));
    assert!(same.out.contains("no change") && !same.out.contains("thread"), "{}", same.out);
    let json = works(&format!("energy diff {a} {b} --json --cell aa"));
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(json["kind"], "energy_diff");
    assert_eq!(json["a"]["battery"]["cell"], "AA");
    let change = &json["components"][0];
    assert!(change["a_pa"].is_u64() && change["b_pa"].is_u64(), "{change}");
}

#[test]
fn cells_are_named_and_last_as_long_in_a_comparison_as_in_a_run() {
    let files = Files::new();
    let account = files.name("own");
    works(&format!("run blink --for 10s --energy-json {account}"));
    let run = works("run blink --for 10s --energy --cell aa");
    let line = run.out.lines().find_map(|line| line.trim_start().strip_prefix("2 AA "));
    let life = line.and_then(|rest| rest.trim_start().split(':').next());
    let life = life.unwrap_or_else(|| panic!("no life in\n{}", run.out));
    let diff = works(&format!("energy diff {account} {account} --cell aa"));
    assert!(diff.out.contains(&format!("2 AA last {life}\n")), "{life}:\n{}", diff.out);
}

#[test]
fn a_long_name_does_not_shift_the_columns() {
    let files = Files::new();
    let [a, b] = ["a", "b"].map(|name| files.name(name));
    works(&format!("run blink --for 10s --energy-json {a}"));
    let text = std::fs::read_to_string(files.path("a")).expect("it was written");
    let long = text.replace("\"standby\"", "\"standby with a name longer than the usual column\"");
    std::fs::write(files.path("b"), long).expect("written");
    let diff = works(&format!("energy diff {a} {b}"));
    let mut table = diff.out.lines().skip_while(|line| !line.starts_with("component"));
    let head = table.next().expect("a table");
    let end = head.find("charge A").expect("a column") + "charge A".len();
    for row in table.take_while(|line| !line.is_empty() && !line.ends_with("without change")) {
        let (upto, rest) = row.split_at(end);
        assert!(upto.ends_with('C') && rest.starts_with(' '), "{}", diff.out);
    }
}

#[test]
fn what_is_no_account_is_refused_by_name() {
    let files = Files::new();
    let events = files.name("events");
    works(&format!("run hello --for 1s --json {events}"));
    refused(
        &format!("energy diff {events} {events}"),
        &[&events, "has no account", "--energy-json"],
    );
    refused("energy diff /nowhere/a /nowhere/b", &["/nowhere/a", "cannot read"]);
    std::fs::write(files.path("text"), "not JSON\n").expect("written");
    let text = files.name("text");
    refused(&format!("energy diff {text} {text}"), &[&format!("{text}:1: no event")]);
    refused(&format!("energy diff {events} {events} --cell CR2"), &["unknown cell `CR2`"]);
    let one = format!("run hello --for 1s --energy-json {events} --energy-csv {events}");
    refused(&one, &["`energy-csv` would overwrite another output"]);
}

/// The mean current, in nanoamperes, of a program that sleeps after it has executed `waste`.
fn idle(files: &Files, name: &str, waste: &str) -> u64 {
    let folder = files.name(name);
    works(&format!("new {folder} --board hamilton"));
    let source = format!(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n/* Sleeps. */\n#include <lichen/thread.h>\n\
         #include <lichen/time.h>\n#include <stdint.h>\n\n\
         #define BYTE(address) (*(volatile uint8_t *)(address))\n\
         #define HALF(address) (*(volatile uint16_t *)(address))\n\
         #define WORD(address) (*(volatile uint32_t *)(address))\n\n\
         THREAD(idler, 256, PRIORITY_APP)\n{{\n    {waste}\n    for (;;) {{\n        \
         sleep_ms(3600000u);\n    }}\n}}\n"
    );
    std::fs::write(files.path(name).join("main.c"), source).expect("written");
    let json = format!("{name}.json");
    works(&format!("run {folder} --for 100s --energy-json {}", files.name(&json)));
    files.account(&json)["mean_na"].as_u64().expect("a current")
}

/// What `hamilton.idle_current_core` and `_board` are computed from: the state in which firmware leaves registers.
#[test]
fn what_is_left_running_raises_the_idle_current() {
    let files = Files::new();
    let floor = idle(&files, "nothing", "");
    // RUNSTDBY, and not ONDEMAND.
    let oscillator = "WORD(0x40000820u) = (WORD(0x40000820u) & ~0x80u) | 0x40u;";
    let with_oscillator = idle(&files, "oscillator", oscillator);
    assert!((60_000..70_000).contains(&(with_oscillator - floor)), "{with_oscillator} nA");
    // TC3 on generator 5, from the oscillator of 32 kHz, in standby: little, but more than nothing.
    let timer = "WORD(0x40000420u) |= 1u << 11; WORD(0x40000c04u) = 0x210305u; \
                 HALF(0x40000c02u) = 0x451bu; HALF(0x42002c00u) = 0x0802u;";
    let with_timer = idle(&files, "timer", timer);
    assert!((with_timer - floor) > 100, "{with_timer} nA");
}
