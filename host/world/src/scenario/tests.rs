// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use lichen_device::TEMPERATURE;
use lichen_device::part::Condition;
use std::path::Path;

fn boards() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../board")
}

/// Reads `text` as a file in a folder of its own that also holds these files.
fn read(text: &str, files: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("written");
    }
    let path = folder.path().join("net.toml");
    std::fs::write(&path, text).expect("written");
    Scenario::load(&path, &boards())
}

/// The message, from the file's name on.
fn wrong(text: &str, files: &[(&str, &str)]) -> String {
    let message = read(text, files).expect_err("wrong").to_string();
    let at = message.find("net.toml").or_else(|| message.find("a.csv")).unwrap_or(0);
    message[at..].to_string()
}

const TWO: &str = r#"
seed = 7
for = "60s"

[[mote]]
name = "office"
board = "hamilton"
program = "thermometer"
environment.temperature = { csv = "a.csv", column = "celsius" }
environment.humidity = 45

[[mote]]
board = "samr21-xpro"
program = "thermometer"
start = "2s"
seed = 9
input = ["2s hello", "30s !power off", "40s !part outside absent"]
environment.temperature = { mean = 10, amplitude = 5.5, period = "24h" }

[[mote.device]]
part = "HDC1080"
name = "outside"
bus = "i2c"
address = 0x40

[output]
json = "events.jsonl"
perfetto = "run.pftrace"
wave = "run.svg"
wave-from = "2s"
wave-for = "5ms"
energy-json = "account.json"
energy-csv = "account.csv"
"#;

const CSV: &str = "time, celsius\n0, 20\n10s, 22.5\n";

#[test]
fn what_is_written_is_read() {
    let scenario = read(TWO, &[("a.csv", CSV)]).expect("good");
    assert_eq!((scenario.seed, scenario.duration), (7, Some(Time::from_s(60))));
    let [office, second] = &scenario.motes[..] else { panic!("two motes") };
    assert_eq!((office.name.as_str(), second.name.as_str()), ("office", "mote1"));
    assert_eq!(office.environment.value(&TEMPERATURE, Time::from_s(4)), 21_000_000);
    assert!(!office.setup().is_off);
    assert_eq!(second.environment.value(&TEMPERATURE, Time::from_s(6 * 3600)), 15_500_000);
    assert_eq!(second.board.simulated_parts().collect::<Vec<_>>(), ["at86rf233", "outside"]);
    let setup = second.setup();
    assert_eq!((setup.is_off, setup.seed), (true, Some(9)));
    let part = Action::Part { name: "outside".into(), condition: Condition::Absent };
    let expected = [
        (Time::from_s(2), Action::Power { on: true }),
        (Time::from_s(2), Action::Type(b"hello\n".to_vec())),
        (Time::from_s(30), Action::Power { on: false }),
        (Time::from_s(40), part),
    ];
    assert_eq!(second.script.actions(), expected);
    let output = scenario.output;
    assert!(output.json.is_some_and(|path| path.ends_with("events.jsonl")));
    assert!(output.perfetto.is_some_and(|path| path.ends_with("run.pftrace")));
    assert!(output.wave.is_some_and(|path| path.ends_with("run.svg")));
    assert_eq!(output.wave_from, Some(Time::from_s(2)));
    assert_eq!(output.wave_for, Some(Time::from_ms(5)));
    assert!(output.energy_json.is_some_and(|path| path.ends_with("account.json")));
    assert!(output.energy_csv.is_some_and(|path| path.ends_with("account.csv")));
}

#[test]
fn a_mote_can_be_there_several_times() {
    let text = "[[mote]]\nname = \"leaf\"\ncount = 3\nboard = \"hamilton\"\nprogram = \"blink\"\n";
    let names = |text: &str| {
        let scenario = read(text, &[]).expect("good");
        scenario.motes.into_iter().map(|mote| mote.name).collect::<Vec<_>>()
    };
    assert_eq!(names(text), ["leaf0", "leaf1", "leaf2"]);
    assert_eq!(names(&text.replace("name = \"leaf\"\n", "")), ["mote0", "mote1", "mote2"]);
}

#[test]
fn a_button_is_connected_to_a_pin() {
    let text = r#"
[[mote]]
board = "micaz"
program = "blink"
input = ["1s !press door", "2s !release door"]
[[mote.button]]
name = "door"
pin = "PE7"
active = "low"
pull = "internal"
"#;
    let scenario = read(text, &[]).expect("good");
    assert_eq!(scenario.motes[0].script.actions().len(), 2);
    let change = |from: &str, to: &str| wrong(&text.replace(from, to), &[]);
    assert!(change("\"PE7\"", "\"PA0\"").starts_with("net.toml:7: board"), "a LED is there");
    assert!(change("\"PE7\"", "\"PE9\"").contains("the ATmega128 has no pin PE09"));
    assert!(change("!press door", "!press gate").contains("door"), "what there is is said");
}

#[test]
fn mistakes_are_named_with_their_line() {
    let change = |from: &str, to: &str| {
        assert!(TWO.contains(from), "{from}");
        wrong(&TWO.replace(from, to), &[("a.csv", CSV)])
    };
    assert_eq!(
        change("seed = 7", "sead = 7"),
        "net.toml:2: unknown key `sead`; did you mean `seed`?"
    );
    assert!(change("\"60s\"", "\"60 years\"").starts_with("net.toml:3: `60 years` is not a time"));
    assert!(change("\"hamilton\"", "\"hamilten\"").starts_with("net.toml:7: unknown board"));
    assert!(
        change("environment.humidity", "environment.humidty").starts_with(
            "net.toml:10: there is no quantity `humidty`; there are temperature, humidity, radiant_temperature, light, sound, acceleration_x, acceleration_y, acceleration_z, magnetic_x, magnetic_y, magnetic_z, motion, supply"
        )
    );
    assert!(change("30s !power off", "30s !power of").starts_with("net.toml:17: `!power of`"));
    assert!(change("\"24h\"", "\"0s\"").starts_with("net.toml:18: a period is longer than 0 s"));
    assert!(change("address = 0x40", "").contains("the part HDC1080 needs an `address`"));
    assert!(change("[[mote]]\nboard", "[[mote]]\nname = \"office\"\nboard").contains("two motes"));
    assert!(change("name = \"office\"", "name = \"0\"").contains("`0` is not a valid name"));
    assert!(change("45", "\"much\"").contains("use a number, or"));
    assert!(change("45", "1e300").contains("is not a value"));
    assert!(change("30s !power off", "30s !press sw9").starts_with("net.toml:17: board"));
    assert!(
        change("30s !power off", "30s \\\"open")
            .starts_with("net.toml:17: the quoted text does not end")
    );
    let early = change("2s hello", "1s !power on");
    assert!(early.contains("before, at 1.000000 s"), "{early}");
    assert!(
        change("part = \"HDC1080\"", "part = \"TMP007\"").contains("no part `TMP007` is simulated")
    );
    assert!(
        change("address = 0x40", "address = 0x40\noptional = true")
            .contains("leave out `optional`")
    );
    assert!(wrong("seed = 1\n", &[]).contains("missing field `mote`"));
    assert!(wrong("mote = []\n", &[]).contains("at least one [[mote]]"));
}

#[test]
fn a_recording_that_makes_no_sense_is_named_with_its_line() {
    let with = |csv: &str| wrong(TWO, &[("a.csv", csv)]);
    assert!(
        with("time,kelvin\n0,1\n")
            .contains("a.csv:1: there is no column `celsius`; there are: time, kelvin")
    );
    assert!(with("celsius\n0\n").contains("a.csv:1: there is no column `time`"));
    assert!(with("time,celsius\n0,warm\n").contains("a.csv:2: `warm` is no number"));
    assert!(
        with("time,celsius\n2,1\n1,1\n").contains("a.csv:3: 1.000000 s is before the line above")
    );
    assert!(with("time,celsius\n").contains("there are no values"));
    assert!(
        with("time,celsius,celsius\n0,1,2\n").contains("a.csv:1: there are two columns `celsius`")
    );
    assert!(with("time,celsius\n0,1,2\n").contains("a.csv"));
    assert!(wrong(TWO, &[]).contains("a.csv"), "the file is missing");
}

#[test]
fn a_value_that_cannot_be_is_named_with_its_line() {
    let change = |from: &str, to: &str| {
        assert!(TWO.contains(from), "{from}");
        wrong(&TWO.replace(from, to), &[("a.csv", CSV)])
    };
    assert_eq!(
        change("humidity = 45", "humidity = 130"),
        "net.toml:10: `humidity` is 0 to 100 percent, not 130"
    );
    assert_eq!(
        change("humidity = 45", "temperature = -300").split(" duplicate").next(),
        Some("net.toml:10:"),
        "a key twice"
    );
    assert_eq!(
        change("amplitude = 5.5", "amplitude = 555"),
        "net.toml:18: `temperature` is at least -273.15 degrees Celsius, not -545"
    );
    let supply = |value: &str| change("humidity = 45", &format!("supply = {value}"));
    assert_eq!(supply("3300"), "net.toml:10: `supply` is 0 to 6 V, not 3300");
    assert!(supply("-0.1").ends_with("not -0.1"));
    let cold = wrong(TWO, &[("a.csv", "time,celsius\n0,20\n1,-280\n")]);
    assert!(
        cold.ends_with("a.csv:3: `temperature` is at least -273.15 degrees Celsius, not -280"),
        "{cold}"
    );
}

#[test]
fn what_no_part_of_a_mote_senses_is_refused() {
    let text = TWO.replace("environment.humidity = 45", "environment.sound = 45");
    assert_eq!(
        wrong(&text, &[("a.csv", CSV)]),
        "net.toml:10: no part of `office` senses `sound`; leave it out, or connect one that does with \
         [[mote.device]]: MTS300, MTS310"
    );
}

#[test]
fn parts_that_cannot_be_there_together_are_named_with_their_line() {
    let text = "[[mote]]\nboard = \"micaz\"\nprogram = \"sense\"\n";
    let part = |number: &str| {
        format!("[[mote.device]]\npart = \"{number}\"\nname = \"a\"\nbus = \"connector\"\n")
    };
    let other = part("MTS310").replace("\"a\"", "\"b\"");
    let later = format!("{text}[[mote.device]]\npart = \"mts310\"\nbus = \"connector\"\n");
    let both = format!("{text}{}{other}{later}", part("MTS310"));
    let said = wrong(&both, &[]);
    assert!(said.starts_with("net.toml:8: board `micaz`: `a` and `b` are both at"), "{said}");
}

#[test]
fn a_recording_is_a_file_of_limited_size() {
    let device = wrong(&TWO.replace("a.csv", "/dev/zero"), &[]);
    assert_eq!(
        device,
        "net.toml:9: /dev/zero: not a regular file; give the path of a recording on disk"
    );
    let folder = wrong(&TWO.replace("a.csv", "."), &[]);
    assert!(folder.ends_with("not a regular file; give the path of a recording on disk"));
    let path = |folder: &Path| folder.join("a.csv");
    let folder = tempfile::tempdir().expect("a folder");
    let file = std::fs::File::create(path(folder.path())).expect("created");
    file.set_len(65 << 20).expect("a sparse file");
    let text = TWO.replace("a.csv", &path(folder.path()).display().to_string());
    let large = wrong(&text, &[]);
    assert!(
        large.ends_with("a.csv: larger than 64 MiB; keep fewer lines, since between two the value changes linearly"),
        "{large}"
    );
    let endless = wrong(&TWO.replace("[\"2s hello", "\"/dev/zero\" #"), &[("a.csv", CSV)]);
    assert!(endless.ends_with("/dev/zero: larger than 64 MiB"), "{endless}");
}

#[test]
fn a_scenario_has_at_most_as_many_motes_as_a_run() {
    let two = |first: usize, second: usize| {
        let mote = "board = \"hamilton\"\nprogram = \"blink\"\n";
        format!("[[mote]]\ncount = {first}\n{mote}[[mote]]\ncount = {second}\n{mote}")
    };
    assert!(wrong(&two(0, 1), &[]).starts_with("net.toml:2: count = 0: use 1 to 100000"));
    assert!(wrong(&two(1, 100_000), &[]).starts_with("net.toml:6: count = 100000: use 1 to 99999"));
}

#[test]
fn the_files_that_were_read_are_known() {
    let scenario = read(TWO, &[("a.csv", CSV)]).expect("good");
    let names = scenario.sources.iter().filter_map(|path| path.file_name()?.to_str());
    assert_eq!(names.collect::<Vec<_>>(), ["net.toml", "a.csv"]);
}
