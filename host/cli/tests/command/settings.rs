// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--set`: a value in place of one in a scenario, for each verb that takes one.

use crate::common::{Called, call};

const HOMESTEAD: &str = "scenario/homestead/homestead.toml";

#[track_caller]
fn refused(called: &Called, parts: &[&str]) {
    assert_eq!(called.code, 2, "{}{}", called.out, called.err);
    for part in parts {
        assert!(called.err.contains(part), "`{part}` is missing in: {}", called.err);
    }
}

#[test]
fn each_verb_that_takes_a_scenario_takes_settings() {
    let set = ["--set", "mote.house.program=blink", "--for", "100ms"];
    let run = call(&[&["run", HOMESTEAD], &set[..]].concat());
    assert!(
        run.code == 0 && run.out.contains("house            blink on hamilton"),
        "{}{}",
        run.out,
        run.err
    );
    let profile = call(&[&["profile", HOMESTEAD], &set[..]].concat());
    assert!(profile.code == 0 && profile.out.contains("blink"), "{}", profile.err);
    let trace = ["trace", HOMESTEAD, "--from", "led_toggle", "--to", "sleep_until_us"];
    let traced = call(&[&trace[..], &set].concat());
    assert!(traced.code == 0 && traced.out.contains("cycles from led_toggle"), "{}", traced.err);
}

#[test]
fn a_debugger_is_for_what_the_settings_say() {
    let set = ["--set", "mote.house.program=blink", "--for", "100ms"];
    let debug =
        call(&[&["debug", HOMESTEAD], &set[..], &["--", "-batch", "-ex", "info files"]].concat());
    assert!(debug.code == 0 && debug.out.contains("blink.elf\""), "{}{}", debug.out, debug.err);
}

#[test]
fn each_verb_refuses_what_no_scenario_has() {
    for verb in [&["run"][..], &["profile"], &["debug"], &["trace", "--from", "a", "--to", "b"]] {
        let wrong = call(&[verb, &[HOMESTEAD, "--set", "mote.0.progam=blink"]].concat());
        refused(
            &wrong,
            &["error: --set mote.0.progam: unknown key `progam`; did you mean `program`?"],
        );
    }
}

#[test]
fn what_is_wrong_is_named_with_the_option() {
    let run = |setting: &str| call(&["run", HOMESTEAD, "--set", setting]);
    refused(&run("sede=7"), &["error: --set sede: unknown key `sede`; did you mean `seed`?"]);
    refused(
        &run("seed=many"),
        &["error: --set seed: `seed` is the text \"many\"; write a whole number"],
    );
    refused(&run("mote.barn.program=blonk"), &["--set mote.barn.program: ", "`blonk`", "help: "]);
    refused(&run("seed"), &["invalid value 'seed' for '--set <KEY=VALUE>': write KEY=VALUE"]);
    refused(&run("output.json=a"), &["--set output.json: `output` cannot be set", "--json FILE"]);
}

#[test]
fn what_has_an_option_is_said_once() {
    let both = |more: &[&str]| call(&[&["run", HOMESTEAD], more].concat());
    refused(
        &both(&["--seed", "1", "--set", "seed=2"]),
        &["both --seed and --set seed say what `seed` is"],
    );
    refused(&both(&["--for", "1s", "--set", "for=2s"]), &["both --for and --set for say what"]);
    refused(
        &both(&["--no-noise", "--set", "noise=true"]),
        &["both --no-noise and --set noise say"],
    );
    refused(&both(&["--load", "/nowhere", "--set", "seed=2"]), &["both --load and --set seed say"]);
    let profile = call(&["profile", HOMESTEAD, "--for", "1s", "--set", "for=2s"]);
    refused(&profile, &["both --for and --set for say what"]);
    refused(
        &both(&["--motes", "2"]),
        &["--motes does not apply to a scenario", "or give it with --set"],
    );
    let program = call(&["run", "blink", "--set", "seed=2"]);
    refused(&program, &["--set seed: blink is no scenario, and has no keys", "--seed"]);
}
