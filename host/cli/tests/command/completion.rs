// SPDX-License-Identifier: MIT OR Apache-2.0
//! Completion scripts complete what the call can have.

use crate::common::{call, finish, root};

#[test]
fn completion_names_the_verbs_for_each_shell() {
    for shell in ["bash", "zsh", "fish"] {
        let called = call(&["completion", shell]);
        assert_eq!(called.code, 0, "{}", called.err);
        for word in ["lichen", "profile", "realtime", "flash", "dry-run"] {
            assert!(called.out.contains(word), "{shell}: no `{word}`");
        }
    }
    let called = call(&["completion", "tcsh"]);
    assert_eq!(called.code, 2, "{}", called.out);
    assert!(called.err.contains("tcsh") && called.err.contains("bash"), "{}", called.err);
}

#[test]
fn the_completion_for_bash_completes() {
    let script = call(&["completion", "bash"]).out;
    let ask = "COMP_WORDS=(./lichen pro); COMP_CWORD=1; _lichen ./lichen pro ./lichen; \
               echo \"${COMPREPLY[@]}\"";
    let mut bash = std::process::Command::new("bash");
    let called = finish(bash.args(["--norc", "-c", &format!("{script}\n{ask}")]));
    assert_eq!(called.out.trim(), "profile", "{}", called.err);
}

#[test]
fn the_completion_for_bash_knows_programs_and_boards() {
    let script = call(&["completion", "bash"]).out;
    let command = env!("CARGO_BIN_EXE_lichen");
    let completed = |words: &str, word: &str, previous: &str| {
        let count = words.split(' ').count();
        let ask = format!(
            "COMP_WORDS=({command} {words}); COMP_CWORD={count}; \
             _lichen_with_names {command} '{word}' '{previous}'; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = std::process::Command::new("bash");
        bash.current_dir(root()).env("LICHEN_ROOT", root()).args([
            "--norc",
            "-c",
            &format!("{script}\n{ask}"),
        ]);
        finish(&mut bash).out.trim().to_string()
    };
    assert_eq!(completed("run bli", "bli", "run"), "blink");
    assert_eq!(completed("run blink --board mi", "mi", "--board"), "mica2 micaz");
    assert_eq!(completed("pack bli", "bli", "pack"), "blink");
    assert_eq!(completed("siz", "siz", "lichen"), "size");
    assert_eq!(completed("console bli", "bli", "console"), "blink");
    assert_eq!(completed("bench s", "s", "bench"), "sim storage");
    assert_eq!(
        completed("run blink --topology ", "", "--topology"),
        "full line grid random office"
    );
    assert_eq!(completed("run blink --motes ", "", "--motes"), "", "a number is no file");
    assert_eq!(completed("run blink --json READ", "READ", "--json"), "README.md");
}

#[test]
fn other_shells_know_topologies_and_benches() {
    for shell in ["zsh", "fish"] {
        let script = call(&["completion", shell]).out;
        for words in ["office", "--names benches"] {
            assert!(script.contains(words), "{shell}: no `{words}`");
        }
    }
    let called = call(&["completion", "--names", "benches"]);
    assert!(called.out.lines().any(|name| name == "sim"), "{}", called.out);
    assert!(!called.out.contains("figures"), "{}", called.out);
}
