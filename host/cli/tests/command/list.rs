// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who does not know the programs is shown them.

use crate::common::{call, root};

#[test]
fn list_says_what_each_program_does() {
    let listed = call(&["list"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    let blink = listed.out.lines().find(|line| line.starts_with("blink "));
    assert!(blink.is_some_and(|line| line.ends_with("An LED that changes every second.")));
    let programs = std::fs::read_dir(root().join("app")).expect("programs").count();
    assert_eq!(listed.out.lines().count(), programs);
    let of_board = call(&["list", "--board", "mica2"]).out;
    assert!(of_board.contains("byte_radio") && !of_board.contains("\nradio "), "{of_board}");
    assert_eq!(call(&["list", "--board", "mica3"]).code, 2);
}

#[test]
fn list_writes_objects() {
    let listed = call(&["list", "--json"]);
    let objects = listed
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"));
    let radio = objects.into_iter().find(|object| object["name"] == "byte_radio");
    let radio = radio.expect("a program");
    assert_eq!(radio["boards"], serde_json::json!(["mica2"]));
    assert!(radio["summary"].as_str().is_some_and(|summary| summary.contains("radio")));
}

#[test]
fn a_call_without_a_program_lists_them() {
    for verb in ["run", "build", "flash", "debug", "profile"] {
        let called = call(&[verb]);
        assert_eq!(called.code, 2, "{verb}: {}", called.out);
        for part in ["An LED that changes every second.", &format!("such as: lichen {verb} blink")]
        {
            assert!(called.err.contains(part), "{verb}: `{part}` is missing in: {}", called.err);
        }
    }
}

#[test]
fn another_mistake_is_told_as_before() {
    let called = call(&["trace", "blink"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("--from"), "{}", called.err);
    assert!(!called.err.contains("An LED that changes"), "{}", called.err);
}

#[test]
fn a_paragraph_of_the_help_ends_its_lines_where_the_terminal_does() {
    for verb in ["test", "new", "run", "build"] {
        let help = call(&[verb, "--help"]).out;
        let paragraphs = help.split("\n\n").filter(|text| !text.contains("\n "));
        for paragraph in paragraphs.filter(|text| text.lines().count() > 1) {
            let lines: Vec<&str> = paragraph.lines().collect();
            for pair in lines.windows(2) {
                let next = pair[1].split(' ').next().unwrap_or_default();
                let filled = pair[0].len() + 1 + next.len();
                assert!(filled > 100, "{verb}: `{next}` had room behind: {}", pair[0]);
            }
        }
    }
}
