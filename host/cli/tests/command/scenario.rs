// SPDX-License-Identifier: MIT OR Apache-2.0
//! Scenarios: motes of several kinds, what they sense, and what fails.

use crate::common;
use crate::common::{call, root};
use std::path::Path;

const GREENHOUSE: &str = "scenario/greenhouse/greenhouse.toml";

fn greenhouse() -> String {
    root().join(GREENHOUSE).display().to_string()
}

/// Lines of the output that contain `text`, without their times.
fn lines(out: &str, text: &str) -> Vec<String> {
    let found = out.lines().filter(|line| line.contains(text) && line.starts_with(' '));
    found.map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn motes_sense_what_the_scenario_says_and_lose_power_when_it_says() {
    let called = call(&["run", &greenhouse()]);
    assert_eq!(called.code, 0, "{}", called.err);
    // The recording rises by 0.0375 degrees a second; a sensor with 14 bits cuts off.
    let inside = lines(&called.out, "inside 2");
    assert_eq!(inside[..3], ["inside 21.492 C", "inside 21.683 C", "inside 21.875 C"]);
    let power = lines(&called.out, "* power");
    assert_eq!(power, ["outside * power on", "outside * power off", "outside * power on"]);
    let silent = |line: &&str| {
        let time: f64 = line.split_whitespace().next().and_then(|t| t.parse().ok()).unwrap_or(0.0);
        line.contains("outside") && line.ends_with(" C") && (22.0..38.0).contains(&time)
    };
    assert!(!called.out.lines().any(|line| silent(&line)), "{}", called.out);
    assert!(called.out.contains("greenhouse.toml, 2 motes\n"), "{}", called.out);
    assert!(called.out.contains("without power    0.000000 s (inside) to 17.000000 s (outside)"));
    assert!(called.out.contains("outside          thermometer on samr21-xpro: asleep 99."));
}

#[test]
fn a_scenario_is_the_same_on_any_number_of_threads_and_in_pieces() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let run = |name: &str, more: &[&str]| {
        let called = call(&[&["run", &greenhouse(), "--json", &file(name)], more].concat());
        assert_eq!(called.code, 0, "{}", called.err);
        common::events(Path::new(&file(name)))
    };
    let one = run("one", &["--threads", "1"]);
    assert!(one.contains("\"kind\":\"power\",\"on\":false"), "{one}");
    assert_eq!(run("two", &["--threads", "2"]), one);
    assert_eq!(run("four", &["--threads", "4"]), one);
    // Cut while the sensor inside measures, and while the mote outside has no power.
    for (cut, rest) in [("20.026s", "39.974s"), ("30s", "30s")] {
        let saved = file("saved");
        let first = run("first", &["--for", cut, "--save", &saved]);
        let second = run("second", &["--load", &saved, "--for", rest]);
        assert_eq!(first + &second, one, "{cut}");
    }
}

#[test]
fn parts_fail_as_the_input_says_and_the_program_is_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = folder.path().join("input.txt");
    let script = "1s !part hdc1080 absent\n6s !part hdc1080 shorted\n11s !part hdc1080 works\n\
                  16s !part hdc1080 wrong\n21s !part hdc1080 works\n";
    std::fs::write(&input, script).expect("written");
    let input = input.display().to_string();
    let called = call(&["run", "thermometer", "--for", "30s", "--input", &input]);
    assert_eq!(called.code, 0, "{}", called.err);
    let reported: Vec<String> =
        lines(&called.out, "").into_iter().filter(|line| !line.starts_with('*')).collect();
    let [first, absent, shorted, again, wrong, healthy] = &reported[..6] else {
        panic!("{reported:?}")
    };
    assert_eq!((first.as_str(), absent.as_str()), ("19.991 C", "sensor: no answer"));
    assert_eq!((shorted.as_str(), again.as_str()), ("sensor: the bus is stuck", "19.991 C"));
    assert_ne!(wrong, "19.991 C");
    assert_eq!(healthy, "19.991 C");
    assert_eq!(lines(&called.out, "* hdc1080").len(), 5);
}

#[test]
fn a_debugger_is_for_the_mote_that_is_chosen() {
    let commands = ["break i2c_write_read", "continue", "print board_i2c.sercom"];
    let gdb: Vec<&str> = commands.iter().flat_map(|command| ["-ex", *command]).collect();
    for (mote, sercom) in [("inside", 3), ("1", 1)] {
        let options = ["debug", &greenhouse(), "--mote", mote, "--", "-batch"];
        let called = call(&[&options[..], &gdb].concat());
        assert!(called.out.contains("Breakpoint 1, i2c_write_read"), "{}", called.out);
        assert!(called.out.contains(&format!("$1 = {sercom} ")), "{}", called.out);
    }
}

#[test]
fn what_a_scenario_says_itself_is_refused_as_an_option() {
    let wrong = |more: &[&str]| {
        let called = call(&[&["run", &greenhouse()], more].concat());
        assert_eq!(called.code, 2, "{}", called.err);
        called.err
    };
    assert!(wrong(&["--motes", "2"]).contains("write `count` of its motes in the file"));
    assert!(wrong(&["--board", "hamilton"]).contains("--board does not apply to a scenario"));
    assert!(wrong(&["--mote", "2"]).contains("--mote takes: inside, outside"));
    let topology = wrong(&["--topology", "line"]);
    assert!(topology.contains("--topology does not apply to a scenario"), "{topology}");
    assert!(topology.contains("write `topology = \"line\"` below [medium]"), "{topology}");
    let spacing = wrong(&["--spacing", "2.5"]);
    assert!(spacing.contains("write `spacing = 2.5` below [medium]"), "{spacing}");
    let called = call(&["run", "nowhere.toml"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("cannot read the scenario"), "{}", called.err);
}

#[test]
fn what_a_scenario_names_wrongly_is_reported_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |text: &str| {
        let path = folder.path().join("net.toml");
        std::fs::write(&path, text).expect("written");
        let called = call(&["run", &path.display().to_string()]);
        assert_eq!(called.code, 2, "{}", called.out);
        called.err
    };
    let mote = "[[mote]]\nname = \"leaf\"\nboard = \"hamilton\"\n";
    let error = run(&format!("{mote}program = \"blinc\"\n"));
    assert!(error.contains("net.toml:4: there is no program `blinc`"), "{error}");
    let error = run(&format!("{mote}program = \"blink\"\ninput = [\"1 !press sw9\"]\n"));
    assert!(error.contains("net.toml:5: board `hamilton` has no button `sw9`"), "{error}");
    let error = run(&format!("{mote}program = \"blink\"\ninput = [\"1 !part tmp007 absent\"]\n"));
    assert!(error.contains("has no simulated part `tmp007`; it has: "), "{error}");
    assert!(Path::new(&folder.path().join("net.toml")).exists());
}

/// Writes a scenario, and calls a verb with it.
fn call_with(text: &str, verb: &str, more: &[&str]) -> common::Called {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net.toml");
    std::fs::write(&path, text).expect("written");
    let called = call(&[&[verb, &path.display().to_string()], more].concat());
    assert_eq!(std::fs::read_to_string(&path).expect("the scenario"), text, "it is unchanged");
    called
}

const LATE: &str = "for = \"3s\"\n[[mote]]\nname = \"early\"\nboard = \"hamilton\"\nprogram = \"blink\"\n\
                    [[mote]]\nname = \"late\"\nboard = \"hamilton\"\nprogram = \"blink\"\nstart = \"2s\"\n";

#[test]
fn light_above_the_range_of_a_sensor_leaves_the_temperature_alone() {
    let scenario = "noise = false\n[[mote]]\nboard = \"micaz\"\nprogram = \"sense\"\nenvironment.light = 50000\n\
                    [[mote.device]]\npart = \"MTS300\"\nbus = \"connector\"\n";
    let called = call_with(scenario, "run", &["--for", "1s"]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(
        called.out.contains("MTS300 temperature 20.110 C, light 5051.354 lx;"),
        "{}",
        called.out
    );
}

#[test]
fn other_verbs_run_for_as_long_as_the_scenario_lasts() {
    let called = call_with(LATE, "profile", &["--mote", "late"]);
    assert_eq!(called.code, 0, "{}", called.err);
    assert!(called.out.contains(" cycles in 3.000000 s"), "{}", called.out);
}

#[test]
fn a_mote_that_never_had_power_is_not_taken_for_a_silent_one() {
    let called = call_with(LATE, "profile", &["--mote", "late", "--for", "1s"]);
    assert_eq!(called.code, 1);
    assert!(called.err.contains("late had no power in 1.000000 s"), "{}", called.err);
    let dead = LATE.replace("program", "input = [\"0 !power off\"]\nprogram");
    let called = call_with(&dead, "run", &["--for", "1s"]);
    assert_eq!(called.code, 1);
    assert!(called.err.contains("no mote had power in 1.000000 s"), "{}", called.err);
    assert!(!called.out.contains("stack"), "{}", called.out);
    let called = call_with(LATE, "run", &["--for", "1s", "--until", "x", "--mote", "late"]);
    assert!(called.err.contains("late has no power"), "{}", called.err);
}

#[test]
fn a_supply_that_is_too_low_is_reported() {
    let with = |board: &str, supply: &str| {
        format!(
            "[[mote]]\nname = \"flat\"\nboard = \"{board}\"\nprogram = \"blink\"\nenvironment.supply = {supply}\n"
        )
    };
    let fails = |scenario: &str, verb: &str, rest: &[&str], message: &str| {
        let called = call_with(scenario, verb, rest);
        assert_eq!(called.code, 1, "{}", called.out);
        assert!(called.err.contains(message), "{}", called.err);
        assert!(called.err.contains("raise `environment.supply`"), "{}", called.err);
    };
    let for_1s = &["--for", "1s"];
    let off = "its supply of 0 V is below the 1.738 V the chip needs to start";
    fails(&with("hamilton", "0"), "run", for_1s, &format!("in 1.000000 s; flat: {off}"));
    fails(&with("hamilton", "0"), "profile", for_1s, &format!("in 1.000000 s: {off}"));
    let held = "its supply of 1.6 V is below the 1.738 V the chip needs to start";
    fails(&with("hamilton", "1.6"), "run", for_1s, held);
    fails(&with("hamilton", "1.6"), "profile", for_1s, held);
    let on_mica = "its supply of 1.25 V is below the 1.4 V the chip needs to start";
    fails(&with("micaz", "1.25"), "run", for_1s, on_mica);
    let until = &["--for", "1s", "--until", "x"];
    fails(&with("hamilton", "0"), "run", until, &format!("flat has no power: {off}"));
    let gdb = ["--", "-nx", "-batch", "-ex", "monitor state"];
    let called = call_with(&with("hamilton", "0"), "debug", &gdb);
    let reported = called.out + &called.err;
    assert!(reported.contains(&format!("without power, since {off}")), "{reported}");
}

#[test]
fn no_file_that_a_run_reads_or_writes_is_overwritten() {
    let called = call_with(&format!("{LATE}[output]\njson = \"net.toml\"\n"), "run", &[]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("`json` would overwrite an input of this run"), "{}", called.err);
    assert!(called.err.contains("net.toml:12: "), "{}", called.err);
    let both = "[output]\njson = \"both\"\nvcd = \"./both\"\n";
    let called = call_with(&format!("{LATE}{both}"), "run", &[]);
    assert!(
        called.err.contains("net.toml:13: `vcd` would overwrite another output"),
        "{}",
        called.err
    );
    let called = call_with(LATE, "run", &["--json", "both", "--vcd", "./both"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("`vcd` would overwrite another output"), "{}", called.err);
    let called = call_with(LATE, "run", &["--json", "/dev/null", "--vcd", "/dev/null"]);
    assert_eq!(called.code, 0, "{}", called.err);
}

#[test]
fn what_is_wrong_with_an_output_has_the_line_of_its_key() {
    let called = call_with(&format!("{LATE}[output]\n\njson = \"/nowhere/x\"\n"), "run", &[]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("net.toml:13: `json`: "), "{}", called.err);
    assert!(called.err.contains("/nowhere/x"), "{}", called.err);
    let called = call_with(&format!("{LATE}[output]\n\nwave-from = 1\n"), "run", &[]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("net.toml:13: `wave-from`: there is a part of a picture"));
    assert!(called.err.contains("`wave = \"FILE.svg\"` in [output], or --wave FILE"));
}

#[test]
fn a_folder_that_is_no_program_has_the_line_of_its_key() {
    let called = call_with(&LATE.replace("\"blink\"", "\".\""), "run", &[]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("net.toml:5: `program`: "), "{}", called.err);
    assert!(called.err.contains("is not a program: it has no lichen.toml"), "{}", called.err);
    let called = call_with(&LATE.replace("\"blink\"", "\"\""), "run", &[]);
    assert!(
        called.err.contains("net.toml:5: `program` is empty; name a program"),
        "{}",
        called.err
    );
}

#[test]
fn a_named_pipe_is_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.toml");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let pipe = pipe.display().to_string();
    for call_of in [&["run", &pipe][..], &["run", "blink", "--for", "1s", "--input", &pipe]] {
        let called = call(call_of);
        assert_eq!(called.code, 2);
        assert!(called.err.contains("pipe.toml is not a regular file"), "{}", called.err);
    }
}

#[test]
fn waveforms_have_the_names_of_the_motes() {
    let folder = tempfile::tempdir().expect("a folder");
    let vcd = folder.path().join("it.vcd");
    call_with(LATE, "run", &["--vcd", &vcd.display().to_string()]);
    let vcd = std::fs::read_to_string(vcd).expect("waveforms");
    assert!(vcd.contains("module early $end") && vcd.contains("module late $end"));
}

#[test]
fn a_snapshot_is_of_the_same_parts() {
    let folder = tempfile::tempdir().expect("a folder");
    let saved = folder.path().join("saved").display().to_string();
    let text = std::fs::read_to_string(greenhouse()).expect("the scenario");
    let csv = root().join("scenario/greenhouse/inside.csv").display().to_string();
    let other = "\n[[mote.device]]\npart = \"TMP006\"\nbus = \"i2c\"\naddress = 0x44\n";
    let text = text.replace("inside.csv", &csv) + other;
    let called = call_with(&text, "run", &["--for", "2s", "--save", &saved]);
    assert_eq!(called.code, 0, "{}", called.err);
    let moved = text.replace("0x44", "0x45");
    let called = call_with(&moved, "run", &["--for", "2s", "--load", &saved]);
    assert_eq!(called.code, 2);
    assert!(
        called.err.contains("TMP006 at address 0x44") && called.err.contains("0x45"),
        "{}",
        called.err
    );
}

#[test]
fn the_content_of_a_pipe_waits_until_the_mote_has_power() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("net.toml");
    std::fs::write(&path, LATE.replace("blink", "echo")).expect("written");
    let typed = folder.path().join("typed");
    std::fs::write(&typed, "hello\n").expect("written");
    let typed = std::fs::File::open(typed).expect("opened");
    let mut run = common::lichen();
    run.args(["run", &path.display().to_string(), "--mote", "late", "--until", "hello"]);
    let called = common::finish(run.stdin(typed));
    assert_eq!(called.code, 0, "{}{}", called.out, called.err);
}
