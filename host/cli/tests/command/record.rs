// SPDX-License-Identifier: MIT OR Apache-2.0
//! The first and the last line of a file of events: what ran, and what came of it, however the run ends. All lines obey
//! the schema.

#[path = "../../../trace/tests/validator/mod.rs"]
mod validator;

use crate::common::programs::DEADLOCK;
use crate::common::{Called, call, finish, lichen, root};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use validator::Schema;

const HOMESTEAD: &str = "scenario/homestead/homestead.toml";

/// The lines of a file of `--json` or `--summary`, each of which obeys the schema.
#[track_caller]
fn lines(text: &str) -> Vec<Value> {
    let file = root().join("doc/spec/events.schema.json");
    let schema = std::fs::read_to_string(file).expect("the schema");
    let schema = Schema::new(serde_json::from_str(&schema).expect("JSON"));
    let lines = text.lines().map(|line| {
        let value: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(schema.check(&value), Ok(()), "{line}");
        value
    });
    let lines: Vec<Value> = lines.collect();
    let kinds = lines.iter().map(|line| line["kind"].as_str().expect("a kind"));
    let of_run: Vec<_> =
        kinds.enumerate().filter(|(_, kind)| ["header", "summary"].contains(kind)).collect();
    assert_eq!(of_run, [(0, "header"), (lines.len() - 1, "summary")], "one of each, at the ends");
    lines
}

/// What a call of `run` that ends with `code` writes as `--json -`: the first and the last line. What `--summary` writes
/// is the same.
#[track_caller]
fn run(words: &str, code: i32) -> (Value, Value, Called) {
    let arguments: Vec<&str> = std::iter::once("run").chain(words.split_whitespace()).collect();
    let called = call(&[&arguments[..], &["--json", "-"]].concat());
    assert_eq!(called.code, code, "{words}: {}", called.err);
    let mut events = lines(&called.out);
    assert!(events.len() > 2, "something happens: {}", called.out);
    let alone = call(&[&arguments[..], &["--summary", "-"]].concat());
    assert_eq!(alone.code, code, "{words}: {}", alone.err);
    let ends = [called.out.lines().next(), called.out.lines().last()];
    assert_eq!(alone.out.lines().map(Some).collect::<Vec<_>>(), ends, "{words}");
    let last = events.pop().expect("a last line");
    assert_eq!(last["exit"], code, "{last}");
    assert_eq!(last["failure"].is_null(), code == 0, "{last}");
    (events.swap_remove(0), last, called)
}

/// A program of a test's own, in a folder.
fn program(folder: &Path, source: &str) -> String {
    let folder = folder.join("same");
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("lichen.toml", "name = \"same\"\nsummary = \"A test.\"\nboards = [\"hamilton\"]\n");
    let build = "cmake_minimum_required(VERSION 3.25)\ninclude(\"${LICHEN_ROOT}/os/lichen.cmake\")\n\
                 project(same C ASM)\nlichen_app(same)\n";
    write("CMakeLists.txt", build);
    write("same.c", source);
    folder.display().to_string()
}

#[test]
fn a_run_tells_what_the_text_tells() {
    let (header, summary, called) = run("blink --for 2s --energy --seed 5 --board samr21-xpro", 0);
    assert_eq!((&header["seed"], &header["noise"]), (&5.into(), &true.into()));
    assert_eq!(header["programs"][0]["board"], "samr21-xpro");
    assert_eq!(header["programs"][0]["program"], "blink");
    let arguments: Vec<&str> =
        header["arguments"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let given = ["blink", "--board", "samr21-xpro", "--seed", "5", "--for", "2s", "--energy"];
    assert_eq!(arguments, given);
    assert_eq!(
        (&summary["ended"], &summary["duration_ns"]),
        (&"time".into(), &2_000_000_000_u64.into())
    );
    let (all, mote) = (&summary["all"], &summary["motes"][0]);
    for name in ["cycles", "instructions", "wakes", "changes", "lost", "energy"] {
        assert_eq!(all[name], mote[name], "{name}: there is one mote");
    }
    let text = &called.err;
    assert!(
        text.contains(&format!("{} ({} instructions)", mote["cycles"], mote["instructions"])),
        "{text}"
    );
    let charge = all["energy"]["charge_pc"].as_f64().expect("a charge") / 1e6;
    assert!(text.contains(&format!("charge           {charge:.3} uC")), "{charge}: {text}");
    for stack in mote["stacks"].as_array().expect("stacks") {
        let line = format!("{} of {} bytes at most", stack["used"], stack["bytes"]);
        assert!(text.contains(&line), "{line}: {text}");
    }
}

#[test]
fn a_network_is_told_mote_by_mote_and_together() {
    let (header, summary, called) =
        run(&format!("{HOMESTEAD} --for 6s --set link.0.quality=0.2"), 0);
    assert_eq!(header["scenario"], HOMESTEAD);
    assert_eq!(header["set"], serde_json::json!(["link.0.quality=0.2"]));
    let names = header["motes"].as_array().expect("motes").iter().map(|mote| mote["name"].clone());
    assert_eq!(names.collect::<Vec<_>>(), ["house", "barn", "pump"]);
    let motes = summary["motes"].as_array().expect("motes");
    let sum =
        |path: &str| motes.iter().filter_map(|mote| mote.pointer(path)?.as_u64()).sum::<u64>();
    for path in ["/instructions", "/air/sent", "/air/received", "/air/lost/faded", "/wakes/RTC"] {
        let all = summary["all"].pointer(path).and_then(Value::as_u64).expect("a sum");
        assert!(all > 0 && all == sum(path), "{path}: {all}");
    }
    let frames = format!(
        "{} sent ({} acknowledgments)",
        summary["all"]["air"]["sent"], summary["all"]["air"]["acknowledgments"]
    );
    assert!(called.err.contains(&frames), "{}", called.err);
    let address = motes[0]["address"].as_str().expect("an address");
    assert!(called.err.contains(&format!("air house ({address})")), "{}", called.err);
    assert!(summary["all"]["energy"].is_null());
}

#[test]
fn a_mixed_network_has_each_program_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mixed.toml").display().to_string();
    let mote = |board: &str, program: &str| {
        format!("[[mote]]\nboard = \"{board}\"\nprogram = \"{program}\"\n")
    };
    let text = [
        mote("hamilton", "hello"),
        mote("micaz", "hello"),
        mote("hamilton", "hello"),
        mote("hamilton", "blink"),
    ];
    std::fs::write(&file, text.concat()).expect("written");
    let (header, _, _) = run(&format!("{file} --for 1s"), 0);
    let programs = header["programs"].as_array().expect("programs");
    let what =
        programs.iter().map(|it| format!("{} {}", it["program"], it["board"]).replace('"', ""));
    assert_eq!(what.collect::<Vec<_>>(), ["hello hamilton", "hello micaz", "blink hamilton"]);
    assert_ne!(programs[0]["image"], programs[1]["image"]);
    let of_motes =
        header["motes"].as_array().expect("motes").iter().map(|it| it["program"].clone());
    assert_eq!(of_motes.collect::<Vec<_>>(), [0, 1, 0, 2]);
}

#[test]
fn an_image_has_the_same_hash_wherever_it_is_built() {
    let source = "#include <lichen/assert.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\
                  THREAD(one, 256, PRIORITY_APP)\n{\n    led_on(0);\n    assert(led_count() > 0);\n}\n";
    let hash = |source: &str| {
        let folder = tempfile::tempdir().expect("a folder");
        let (header, _, _) = run(&format!("{} --for 1s", program(folder.path(), source)), 0);
        header["programs"][0]["image"].clone()
    };
    assert_eq!(hash(source), hash(source));
    assert_ne!(hash(source), hash(&source.replace("led_on", "led_toggle")));
}

#[test]
fn a_panic_and_a_deadlock_and_a_lockup_are_told_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <lichen/assert.h>\n#include <lichen/led.h>\n#include <lichen/thread.h>\n\
                  THREAD(one, 256, PRIORITY_APP)\n{\n    led_on(0);\n    assert(led_count() == 77);\n}\n";
    let (_, summary, called) = run(&format!("{} --for 1s", program(folder.path(), source)), 1);
    let failure = &summary["failure"];
    assert!(
        failure["message"]
            .as_str()
            .is_some_and(|it| it.starts_with("panic in one: assertion failed")),
        "{failure}"
    );
    assert!(failure["place"].as_str().is_some_and(|it| it.ends_with("same.c:7")), "{failure}");
    assert!(summary["all"]["panics"].as_u64() > Some(0), "{summary}");
    assert!(called.err.contains(failure["message"].as_str().expect("text")), "{}", called.err);
    let folder = tempfile::tempdir().expect("a folder");
    let (_, summary, _) = run(&format!("{} --for 1s", program(folder.path(), DEADLOCK)), 1);
    let waits = summary["motes"][0]["threads"][0]["waits"].as_str().expect("it waits");
    assert!(waits.contains("which bob has"), "{waits}");
    let lockup = "host/world/tests/data/lockup.elf --board samr21-xpro --motes 2 --for 20ms";
    let (_, summary, _) = run(lockup, 1);
    assert_eq!(
        (&summary["ended"], &summary["motes"][1]["locked_up"]),
        (&"locked_up".into(), &true.into())
    );
}

#[test]
fn a_text_that_comes_or_does_not_come_ends_a_run() {
    let (_, summary, _) = run("hello --until Hello --for 5s", 0);
    assert_eq!(summary["ended"], "text");
    assert!(summary["duration_ns"].as_u64() < Some(1_000_000_000), "{summary}");
    let (_, summary, _) = run("hello --until Goodbye --for 1s", 1);
    let message = summary["failure"]["message"].as_str().expect("a reason");
    assert!(message.starts_with("`Goodbye` was not printed in 1.000000 s"), "{message}");
    assert_eq!(summary["ended"], "time");
}

#[test]
fn warnings_are_told_and_may_end_a_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "#include <lichen/led.h>\n#include <lichen/thread.h>\nTHREAD_STOPPED(one, 256, PRIORITY_APP)\n{\n}\n\
                  THREAD(two, 256, PRIORITY_APP)\n{\n    led_on(0);\n}\n";
    let program = program(folder.path(), source);
    let (_, summary, _) = run(&format!("{program} --for 1s"), 0);
    let what = summary["warned"][0]["what"].as_str().expect("a warning");
    assert!(what.starts_with("one is a THREAD_STOPPED"), "{what}");
    assert_eq!(summary["warned"][0]["times"], 1);
    assert!(summary["warned"][0]["first_ns"].is_null() && summary["warned"][0]["mote"] == 0);
    let (_, summary, _) = run(&format!("{program} --for 1s --strict"), 1);
    assert!(
        summary["failure"]["message"].as_str().is_some_and(|it| it.contains(what)),
        "{summary}"
    );
}

#[test]
fn a_run_that_continues_begins_at_its_snapshot() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("state").display().to_string();
    let first = call(&[
        "run",
        "philosophers",
        "--seed",
        "7",
        "--for",
        "700ms",
        "--save",
        &state,
        "--summary",
        "-",
    ]);
    assert_eq!(first.code, 0, "{}", first.err);
    let first = lines(&first.out).pop().expect("a summary");
    let (header, summary, _) = run(&format!("philosophers --load {state} --for 300ms"), 0);
    assert_eq!((&header["t_us"], &header["seed"]), (&700_000.into(), &7.into()));
    assert_eq!(
        (&summary["t_us"], &summary["duration_ns"]),
        (&1_000_000.into(), &300_000_000.into())
    );
    assert!(
        summary["all"]["cycles"].as_u64() > first["all"]["cycles"].as_u64(),
        "both are counted"
    );
    let straight = run("philosophers --seed 7 --for 1s", 0).1;
    assert_eq!(summary["all"], straight["all"], "as in one piece");
}

#[test]
fn a_run_that_cannot_be_saved_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.json").display().to_string();
    let called = call(&["run", "blink", "--for", "1s", "--save", "/dev/full", "--summary", &file]);
    assert_eq!(called.code, 2, "{}", called.err);
    let summary = lines(&std::fs::read_to_string(&file).expect("a file")).pop().expect("a summary");
    assert_eq!((&summary["exit"], &summary["ended"]), (&2.into(), &"time".into()));
    assert!(summary["failure"]["message"].as_str().is_some_and(|it| it.contains("/dev/full")));
}

#[test]
fn a_run_that_a_person_ends_has_its_last_line() {
    let mut command = lichen();
    command.args(["run", "blink", "--for", "9000h", "--summary", "-"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("lichen starts");
    let mut text = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let blinks = text.find(|line| line.as_ref().is_ok_and(|line| line.contains("* led0")));
    assert!(blinks.is_some(), "it is under way");
    let number = child.id().to_string();
    assert_eq!(finish(std::process::Command::new("kill").args(["-INT", &number])).code, 0);
    text.for_each(drop);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    let summary = lines(&String::from_utf8_lossy(&output.stdout)).pop().expect("a summary");
    assert_eq!((&summary["ended"], &summary["exit"]), (&"interrupted".into(), &0.into()));
    assert!(summary["duration_ns"].as_u64() > Some(0), "{summary}");
}

#[test]
fn what_does_not_change_a_run_does_not_change_its_records() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let base = "run link_ping --motes 4 --topology line --seed 3 --for 2s";
    let run = |name: &str, more: &[&str]| {
        let words: Vec<&str> = base.split(' ').collect();
        let called = call(&[&words[..], more, &["--json", &file(name)]].concat());
        assert_eq!(called.code, 0, "{}", called.err);
        std::fs::read_to_string(file(name)).expect("events")
    };
    let one = run("one", &["--threads", "1"]);
    lines(&one);
    let more = ["--threads", "2", "--pace", "max", "--air", &file("air.svg"), "--air-for", "1s"];
    assert_eq!(run("two", &more), one);
}

#[test]
fn a_file_of_its_own_can_be_beside_that_of_all_events() {
    let folder = tempfile::tempdir().expect("a folder");
    let scenario = folder.path().join("net.toml");
    let text = "[[mote]]\nboard = \"hamilton\"\nprogram = \"blink\"\n[output]\nsummary = \"s.json\"\njson = \"e.jsonl\"\n";
    std::fs::write(&scenario, text).expect("written");
    let called = call(&["run", &scenario.display().to_string(), "--for", "1s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a file");
    let (events, summary) = (lines(&read("e.jsonl")), lines(&read("s.json")));
    assert_eq!((summary.len(), &summary[1]), (2, &events[events.len() - 1]));
    let both = call(&["run", "blink", "--json", "-", "--summary", "-"]);
    assert!(
        both.code == 2 && both.err.contains("both write to the standard output"),
        "{}",
        both.err
    );
}
