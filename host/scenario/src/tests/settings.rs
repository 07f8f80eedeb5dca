// SPDX-License-Identifier: MIT OR Apache-2.0
//! Settings of a call take the place of what a file says.

use super::{CSV, TWO, boards};
use crate::{Scenario, Setting};
use lichen_chip::Time;

/// Reads TWO, a network of two motes with a link, with these settings.
fn read(settings: &[&str]) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let link = "[[link]]\nfrom = \"office\"\nto = \"mote1\"\nquality = 0.5\n[medium]\nmodel = \"log-distance\"\n";
    std::fs::write(folder.path().join("a.csv"), CSV).expect("written");
    let path = folder.path().join("net.toml");
    let text = TWO.replace("[output]", &format!("{link}[output]"));
    std::fs::write(&path, text.replace("program", "position = [0, 1]\nprogram")).expect("written");
    let settings: Result<Vec<Setting>, String> = settings.iter().map(|it| it.parse()).collect();
    Scenario::load(&path, &boards(), &settings?).map_err(|error| error.to_string())
}

fn set(settings: &[&str]) -> Scenario {
    read(settings).expect("good")
}

/// The message, from the place on.
fn wrong(setting: &str) -> String {
    let message = read(&[setting]).expect_err("wrong");
    message[message.find("--set").or(message.find("net.toml")).unwrap_or(0)..].to_string()
}

#[test]
fn a_setting_takes_the_place_of_what_the_file_says() {
    assert_eq!(set(&["seed=9", "for=5s"]).seed, 9);
    assert_eq!(set(&["for=5s"]).duration, Some(Time::from_s(5)), "a bare word is text");
    assert_eq!(set(&["for=2.5"]).duration, Some(Time::from_ms(2_500)));
    assert!(!set(&["noise=false"]).noise, "a key that the file does not have");
    let both = set(&["mote.1.start=3s", "mote.1.input=[]", "seed=1", "seed=2"]);
    assert_eq!((both.motes[1].start, both.seed), (Time::from_s(3), 2), "the last one counts");
}

#[test]
fn items_are_found_by_number_and_by_name() {
    let by_number = set(&["mote.0.program=echo"]);
    assert_eq!(by_number.motes[0].program, "echo");
    assert_eq!(by_number.motes[0].program_origin.file, "--set mote.0.program");
    assert_eq!(by_number.motes[1].program_origin.line, Some(16), "as in the file");
    assert_eq!(set(&["mote.1.count=3"]).motes.len(), 4);
    assert_eq!(
        set(&["mote.0.environment.humidity={ mean = 5, amplitude = 1, period = \"1h\" }"])
            .motes
            .len(),
        2
    );
    let moved = set(&["mote.office.position=[3, 4.5]", "mote.1.position.0=7"]);
    assert_ne!(moved.air, set(&[]).air);
    assert_ne!(set(&["link.0.quality=0.25"]).air, set(&[]).air);
    assert_ne!(set(&["medium.sigma=1"]).air, set(&[]).air, "a key beside others");
    assert_eq!(set(&["mote.1.device.outside.address=0x40"]).motes.len(), 2);
}

#[test]
fn what_is_unknown_is_named_with_the_nearest() {
    for (setting, expected) in [
        ("sede=7", "--set sede: unknown key `sede`; did you mean `seed`?"),
        ("medum.sigma=1", "--set medum.sigma: unknown key `medum`; did you mean `medium`?"),
        ("mote.0.progam=a", "--set mote.0.progam: unknown key `progam`; did you mean `program`?"),
        (
            "mote.ofice.seed=1",
            "--set mote.ofice.seed: `mote` has no item `ofice`; did you mean `office`?",
        ),
        ("mote.7.seed=1", "--set mote.7.seed: `mote` has no item `7`; there are 0 to 1: office"),
        ("wall.0.loss=1", "--set wall.0.loss: there is no [[wall]]"),
        ("seed.x=1", "--set seed.x: `seed` is a single value, and has no `x`"),
        ("mote.0.environment.heat=1", "--set mote.0.environment.heat: there is no quantity `heat`"),
    ] {
        let message = wrong(setting);
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn wrong_values_are_named_with_the_option() {
    for (setting, expected) in [
        ("seed=many", "--set seed: `seed` is the text \"many\"; write a whole number"),
        ("seed=-1", "--set seed: `seed` is -1; write a whole number"),
        ("mote=1", "--set mote: `mote` is 1; write a list"),
        ("for=soon", "--set for: `for`: `soon` is not a time"),
        ("mote.1.count=0", "--set mote.1.count: count = 0: use 1 to"),
        ("mote.1.board=hamilten", "--set mote.1.board: "),
        ("mote.1.program=\"\"", "--set mote.1.program: `program` is empty"),
        ("mote.1.input=[\"1s !hit\"]", "--set mote.1.input: `!hit` is not a command"),
        ("mote.0.position=[1]", "--set mote.0.position: `position` has one number"),
        ("link.0={ from = \"office\" }", "--set link.0: the key `to` is missing in [[link]]"),
        ("link.0.to=nobody", "--set link.0.to: "),
        ("mote.1.name=office", "--set mote.1.name: two motes have the name `office`"),
    ] {
        let message = wrong(setting);
        assert!(message.starts_with(expected), "{setting}: {message}");
    }
    // What the file says wrongly with a good setting is the file's.
    assert!(wrong("mote.0.name=mote1").starts_with("net.toml:"), "the second name is wrong");
}

#[test]
fn what_is_no_setting_is_refused_before_any_file_is_read() {
    let no = |text: &str| text.parse::<Setting>().expect_err("no setting");
    assert_eq!(no("seed"), "write KEY=VALUE, such as seed=7");
    assert!(no("seed=").starts_with("`seed` has no value"), "{}", no("seed="));
    assert!(no("=1").starts_with("`` is not a key"));
    assert!(no("a..b=1").starts_with("`a..b` is not a key"));
    assert!(no("a b=1").starts_with("`a b` is not a key"));
    assert!(no("a=1\nseed=2").starts_with("KEY=VALUE is one line"));
    assert!(no("a=[1").starts_with("`[1`: "), "{}", no("a=[1"));
}

#[test]
fn keys_with_an_option_of_their_own_and_those_of_tests_cannot_be_set() {
    assert!(wrong("output.json=a").starts_with("--set output.json: `output` cannot be set: give"));
    assert!(wrong("expect=[]").starts_with("--set expect: `expect` cannot be set: only"));
}

#[test]
fn a_warning_of_an_input_that_is_set_names_the_option() {
    let scenario = set(&["mote.0.input=[\"1s press button0\"]"]);
    let [warning] = &scenario.motes[0].warnings[..] else { panic!("a warning") };
    assert!(
        warning.to_string().starts_with("--set mote.0.input: `press button0` is typed"),
        "{warning}"
    );
}

#[test]
fn files_are_beside_the_scenario() {
    let scenario =
        set(&["mote.0.environment.temperature={ csv = \"a.csv\", column = \"celsius\" }"]);
    assert_eq!(scenario.sources[1].file_name(), Some("a.csv".as_ref()));
    assert_eq!(scenario.sources[1].parent(), scenario.sources[0].parent());
}
