// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls that name what does not exist.

use super::{Refuses, folder, text, write};
use crate::common::{call, finish, root};

#[test]
fn an_unknown_board() {
    call(&["run", "blink", "--board", "hamiltn"])
        .refuses(2, &["no board `hamiltn`", "did you mean `hamilton`?", "samr21-xpro"]);
    call(&["build", "blink", "--board", "x"]).refuses(2, &["no board `x`", "boards: "]);
}

#[test]
fn an_unknown_program() {
    call(&["run", "blnk"]).refuses(2, &["no program `blnk`", "did you mean `blink`?", "echo"]);
    let built = call(&["build", "blnk"]);
    built.refuses(2, &["no program `blnk`", "did you mean `blink`?", "a program's folder"]);
    assert!(!built.err.contains("ELF"), "only `run` and its like take an image: {}", built.err);
    call(&["run", "x"]).refuses(2, &["a program's folder or of an ELF file"]);
}

#[test]
fn a_file_of_a_program_in_place_of_its_folder() {
    let folder = folder();
    for name in ["main.c", "lichen.toml", "CMakeLists.txt"] {
        let file = write(folder.path(), name, "int x;\n");
        let refused = call(&["run", &text(&file)]);
        let remedy = format!("give the program's folder: {}", text(folder.path()));
        refused.refuses(2, &[name, "this is a file of a program", &remedy]);
    }
}

#[test]
fn a_mistyped_verb_or_option() {
    for (arguments, near) in [
        (&["rnu", "blink"][..], "'run'"),
        (&["run", "blink", "--fro", "2s"], "'--for'"),
        (&["run", "blink", "--svg", "a.svg"], "'--wave'"),
        (&["run", "blink", "--time", "2s"], "'--for'"),
        (&["run", "blink", "-b", "micaz"], "'--board'"),
        (&["compile", "blink"], "'build'"),
    ] {
        let called = call(arguments);
        assert_eq!(called.code, 2, "{}", called.err);
        assert!(called.err.contains(&format!("exists: {near}")), "{}", called.err);
    }
}

#[test]
fn what_needs_the_maintainers_tool_says_so_without_it() {
    let folder = folder();
    let alone = folder.path().join("lichen");
    std::fs::copy(env!("CARGO_BIN_EXE_lichen"), &alone).expect("copied");
    for verb in ["test", "bench", "doc"] {
        let mut command = std::process::Command::new(&alone);
        let called = finish(command.arg(verb).env("LICHEN_ROOT", root()));
        called.refuses(2, &["lichen-dev", "is not built", "./lichen"]);
    }
}

#[test]
fn help_is_a_verb_and_an_option() {
    for verb in [None, Some("run")] {
        let as_option = call(&verb.into_iter().chain(["--help"]).collect::<Vec<_>>());
        let as_verb = call(&["help"].into_iter().chain(verb).collect::<Vec<_>>());
        assert_eq!((as_verb.code, as_verb.err.as_str()), (0, ""));
        assert_eq!(as_verb.out, as_option.out);
    }
    assert_eq!(call(&["help", "rum"]).code, 2);
}

#[test]
fn a_time_that_is_none() {
    let called = call(&["run", "blink", "--for", "soon"]);
    assert_eq!(called.code, 2);
    assert!(called.err.contains("`soon` is not a time"), "{}", called.err);
}

#[test]
fn a_time_below_0_is_told_as_other_wrong_times() {
    for verb in ["run", "debug", "profile"] {
        call(&[verb, "blink", "--for", "-5s"]).refuses(2, &["`-5s` is not a time", "5s"]);
    }
}
