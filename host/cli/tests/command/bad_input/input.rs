// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files that a run reads, and texts that it waits for.

use super::{Refuses, folder, text, write};
use crate::common::call;

#[test]
fn an_input_file_with_a_mistake() {
    let folder = folder();
    let file = write(folder.path(), "typed.txt", "1 hello\nlater hello\n");
    call(&["run", "echo", "--for", "1s", "--input", &text(&file)])
        .refuses(2, &["typed.txt:2: ", "`later` is not a time"]);
}

#[test]
fn an_input_file_that_is_not_there() {
    call(&["run", "echo", "--input", "/nowhere.txt"])
        .refuses(2, &["cannot read the input file: there is no file /nowhere.txt"]);
}

#[test]
fn an_input_file_that_presses_what_the_board_does_not_have() {
    let folder = folder();
    let file = write(folder.path(), "pressed.txt", "1 !press sw0\n");
    call(&["run", "echo", "--for", "1s", "--input", &text(&file)])
        .refuses(2, &["pressed.txt:1: board `hamilton` has no button `sw0`; it has: button0"]);
}

#[test]
fn an_input_file_whose_times_run_backwards() {
    let folder = folder();
    let file = write(folder.path(), "typed.txt", "2 later\n\n1 sooner\n");
    call(&["run", "echo", "--for", "1s", "--input", &text(&file)]).refuses(
        2,
        &["typed.txt:3: ", "1.000000 s is before 2.000000 s", "sort the lines by time"],
    );
}

#[test]
fn lines_of_an_input_file_that_were_hardly_meant() {
    let folder = folder();
    let input = write(
        folder.path(),
        "in.txt",
        "0.1s press sw0\n0.2 !press sw0\n0.3 !press sw0\n0.4 !release sw0\n0.5 !release sw0\n",
    );
    let input = text(&input);
    let run = ["run", "echo", "--board", "samr21-xpro", "--for", "1s", "--input", &input];
    let called = call(&run);
    assert_eq!(called.code, 0, "{}", called.err);
    for warning in [
        "in.txt:1: `press sw0` is typed as text; for the action write `!press sw0`",
        "in.txt:3: sw0 is pressed already, since line 2",
        "in.txt:5: sw0 is not pressed",
    ] {
        assert_eq!(
            called.out.matches(warning).count(),
            2,
            "`{warning}`, and again: {}",
            called.out
        );
    }
    let strict = call(&[&run[..], &["--strict"]].concat());
    strict.refuses(1, &["in.txt:1: `press sw0` is typed as text", "help: "]);
}

#[test]
fn a_snapshot_that_does_not_exist() {
    call(&["run", "blink", "--load", "/nowhere/hour.snapshot"])
        .refuses(2, &["/nowhere/hour.snapshot: No such file", "help: ", "lichen run --save"]);
}

#[test]
fn a_text_that_never_comes() {
    call(&["run", "hello", "--for", "1500ms", "--until", "good night"]).refuses(
        1,
        &[
            "`good night` was not printed in 1.5",
            "last line was `Hello, world! Up for 1 s.`, at 1.0",
            "help: ",
        ],
    );
    let called = call(&["run", "blink", "--for", "1500ms", "--until", "good night"]);
    called.refuses(1, &["nothing else was printed either"]);
    assert!(!called.err.contains(".S:"), "it sleeps, wherever that is: {}", called.err);
}
