// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that a run cannot write, or should not.

use super::{Refuses, folder, text, write};
use crate::common::{call, finish, lichen};

#[test]
fn an_output_that_cannot_be_written() {
    let run = call(&["run", "blink", "--for", "1s", "--json", "/nowhere/events.jsonl"]);
    run.refuses(2, &["/nowhere/events.jsonl", "cannot create", "folder"]);
    assert!(run.out.is_empty(), "told before the run: {}", run.out);
}

#[test]
fn a_name_that_ends_like_those_of_another_format() {
    for (option, name, better) in [
        ("--wave", "x.png", "x.svg"),
        ("--vcd", "a.json", "a.vcd"),
        ("--json", "a.vcd", "a.jsonl"),
        ("--energy-csv", "a.SVG", "a.csv"),
        ("--perfetto", "a.json", "a.pftrace"),
    ] {
        let called = call(&["run", "blink", "--for", "1s", option, name]);
        called.refuses(
            2,
            &[&format!("{name}: `{}` writes ", &option[2..]), &format!("name it {better}")],
        );
    }
}

#[test]
fn two_outputs_in_one_place() {
    let folder = folder();
    let [json, vcd] = ["a.gtkw", "a.vcd"].map(|name| text(&folder.path().join(name)));
    call(&["run", "blink", "--for", "1s", "--json", &json, "--vcd", &vcd])
        .refuses(2, &["`vcd` would overwrite another output", "beside its own", "a.gtkw"]);
    // A link that leads to nothing yet names a file beside it.
    let [file, link] = ["new", "link"].map(|name| text(&folder.path().join(name)));
    std::os::unix::fs::symlink("new", &link).expect("a link");
    call(&["run", "blink", "--for", "1s", "--json", &file, "--wave", &link])
        .refuses(2, &["would overwrite another output"]);
    call(&["run", "blink", "--for", "1s", "--json", "-", "--energy-json", "-"])
        .refuses(2, &["--json and --energy-json both write to the standard output"]);
}

#[test]
fn a_disk_that_is_full() {
    for option in ["--json", "--vcd", "--wave", "--perfetto"] {
        call(&["run", "hello", "--for", "2s", option, "/dev/full"])
            .refuses(2, &["cannot write /dev/full", "No space left", "is the disk full?"]);
    }
    // More than any buffer holds.
    let marks = ["--from", "hello_thread", "--to", "panic", "--limit", "1000000"];
    let trace = [&["trace", "hello", "--for", "9s", "--output", "/dev/full"], &marks[..]].concat();
    call(&trace).refuses(2, &["/dev/full: the trace is incomplete: No space left", "help: "]);
    let profile = ["profile", "hello", "--for", "2s", "--collapsed", "/dev/full"];
    call(&profile).refuses(2, &["/dev/full", "No space left", "help: "]);
}

#[test]
fn one_file_on_a_full_disk_does_not_cost_the_others() {
    let folder = folder();
    let [full, good] = ["full.vcd", "good.vcd"].map(|name| text(&folder.path().join(name)));
    let run = ["run", "philosophers", "--for", "20s", "--vcd"];
    call(&[&run[..], &[&full, "--json", "/dev/full"]].concat())
        .refuses(2, &["cannot write /dev/full"]);
    let whole = call(&[&run[..], &[good.as_str()]].concat());
    assert_eq!(whole.code, 0, "{}", whole.err);
    let [full, good] = [full, good].map(|file| std::fs::read_to_string(file).expect("written"));
    let reported = full.lines().count();
    assert!(reported > 1000, "what was before the disk was full is there: {reported} lines");
    // The last line is the time of the end.
    assert!(
        full.lines().take(reported - 1).eq(good.lines().take(reported - 1)),
        "all of it, as it was"
    );
    assert!(full.ends_with('\n') && full.lines().last().is_some_and(|end| end.starts_with('#')));
}

#[test]
fn an_input_is_not_overwritten() {
    let folder = folder();
    let recorded = write(folder.path(), "rec.bin", "what a mote has sent");
    let (text_of, kept) = (text(&recorded), || std::fs::read(&recorded).expect("kept"));
    call(&["sniff", &text_of, "--json", &text_of])
        .refuses(2, &["rec.bin: `json` would overwrite an input of this run"]);
    let image = ["--from", "main", "--to", "main", "--output", &text_of];
    call(&[&["trace", &text_of][..], &image].concat()).refuses(2, &["`output` would overwrite an"]);
    call(&["profile", &text_of, "--collapsed", &text_of]).refuses(2, &["would overwrite an input"]);
    let typed = std::fs::File::open(&recorded).expect("there");
    let call = ["run", "echo", "--for", "1s", "--json", &text_of];
    finish(lichen().args(call).stdin(typed)).refuses(2, &["would overwrite an input"]);
    assert_eq!(kept(), b"what a mote has sent");
}

#[test]
fn what_a_scenario_reads_or_builds_is_not_overwritten() {
    let folder = folder();
    let lamp = text(&folder.path().join("lamp"));
    assert_eq!(call(&["new", &lamp]).code, 0);
    let scenario = |output: &str| {
        let motes = "[[mote]]\nboard = \"hamilton\"\nprogram = \"lamp\"\ninput = \"typed\"\n";
        write(folder.path(), "net.toml", format!("{motes}[output]\njson = \"{output}\"\n"))
    };
    write(folder.path(), "typed", "1 hello\n");
    for (output, what) in [("lamp/main.c", "a source of the program"), ("typed", "an input")] {
        let place = "net.toml:6: `json` would overwrite ";
        call(&["run", &text(&scenario(output))]).refuses(2, &[&format!("{place}{what}")]);
    }
    let run = ["run", &text(&scenario("events")), "--vcd"];
    call(&[&run[..], &[&text(&folder.path().join("lamp/test/blinks.toml"))]].concat())
        .refuses(2, &["`vcd` would overwrite a source of the program"]);
}

#[test]
fn no_file_is_written_that_is_called_as_the_standard_output() {
    let folder = folder();
    let profile = ["profile", "blink", "--for", "1s", "--collapsed", "-"];
    finish(lichen().args(profile).current_dir(folder.path()))
        .refuses(2, &["--collapsed cannot write to the standard output"]);
    let trace =
        ["trace", "blink", "--from", "led_toggle", "--to", "sleep_until_us", "--output", "-"];
    let traced = finish(lichen().args(trace).current_dir(folder.path()));
    assert!(traced.code == 0 && traced.out.contains("led_toggle"), "{}", traced.err);
    assert!(!folder.path().join("-").exists());
}

#[test]
fn what_is_built_of_a_program_is_not_overwritten() {
    assert_eq!(call(&["build", "blink"]).code, 0);
    for built in ["build.ninja", "blink.bin", "CMakeCache.txt"] {
        let built = text(&crate::common::root().join("build/hamilton/blink").join(built));
        call(&["run", "blink", "--for", "10ms", "--json", &built])
            .refuses(2, &[&built, " would overwrite "]);
    }
}
