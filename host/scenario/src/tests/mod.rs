// SPDX-License-Identifier: MIT OR Apache-2.0
mod air;
mod settings;

use super::*;
use lichen_device::TEMPERATURE;
use lichen_device::part::Condition;

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
    Scenario::load(&path, &boards(), &[])
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
    assert_eq!(
        second.board.simulated_parts().collect::<Vec<_>>(),
        ["at86rf233", "edbg", "outside"]
    );
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
    assert!(change("\"PE7\"", "\"PA0\"").starts_with("net.toml:8: board"), "a LED is there");
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
    assert!(
        change("\"60s\"", "\"60 years\"")
            .starts_with("net.toml:3: `for`: `60 years` is not a time")
    );
    assert!(change("\"hamilton\"", "\"hamilten\"").starts_with("net.toml:7: unknown board"));
    assert!(
        change("environment.humidity", "environment.pressure").starts_with(
            "net.toml:10: there is no quantity `pressure`; there are temperature, humidity, radiant_temperature, light, sound, acceleration_x, acceleration_y, acceleration_z, magnetic_x, magnetic_y, magnetic_z, motion, voltage, supply"
        )
    );
    assert_eq!(
        change("environment.humidity", "environment.humidty"),
        "net.toml:10: there is no quantity `humidty`; did you mean `humidity`?"
    );
    assert!(change("30s !power off", "30s !power of").starts_with("net.toml:17: `!power of`"));
    assert!(
        change("\"24h\"", "\"0s\"")
            .starts_with("net.toml:18: `temperature.period` is longer than 0 s")
    );
    assert!(change("address = 0x40", "").contains("the part HDC1080 needs an `address`"));
    assert!(change("[[mote]]\nboard", "[[mote]]\nname = \"office\"\nboard").contains("two motes"));
    assert!(change("name = \"office\"", "name = \"0\"").contains("`0` is not a valid name"));
    assert_eq!(
        change("45", "\"much\""),
        "net.toml:10: `environment.humidity` is the text \"much\"; write a number, or `{ csv = FILE }`, or `{ mean, \
         amplitude, period }`"
    );
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
    assert!(wrong("seed = 1\n", &[]).contains("at least one [[mote]]"));
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
    assert!(with("time;kelvin\n0;1\n").contains("a.csv:1: the names are not separated by commas"));
    assert!(with("time,celsius\n0,warm\n").contains("a.csv:2: `warm` is no number"));
    assert!(
        with("time,celsius\n2,1\n1,1\n").contains("a.csv:3: 1.000000 s is before the line above")
    );
    assert!(with("time,celsius\n").contains("there are no values"));
    assert!(
        with("time,celsius,celsius\n0,1,2\n").contains("a.csv:1: there are two columns `celsius`")
    );
    let many = with("time,celsius\n0,1\n1,1,2\n");
    assert!(many.ends_with("a.csv:3: 3 fields, where the line of names has 2"), "{many}");
    let few = with("time,celsius\n0\n");
    assert!(few.ends_with("a.csv:2: one field, where the line of names has 2"), "{few}");
    let wide: String = CSV.chars().flat_map(|c| [c, '\0']).collect();
    assert!(with(&wide).ends_with("a.csv:1: not UTF-8 text"));
    assert!(with("time,celsius\n0,1e300\n").contains("a.csv:2: `celsius` is 1e300; use a number"));
    let time = wrong(&TWO.replace("\"celsius\"", "\"time\""), &[("a.csv", "time\n0\n")]);
    assert_eq!(
        time,
        "net.toml:9: `temperature.column` is `time`, which is no quantity; name another column of the file"
    );
    let missing = wrong(TWO, &[]);
    assert!(missing.starts_with("net.toml:9: `temperature.csv`: there is no file /"), "{missing}");
    assert!(missing.ends_with("/a.csv"), "{missing}");
}

#[test]
fn each_key_of_a_course_is_named() {
    let humidity = |course: &str| {
        let message = wrong(&TWO.replace("45", course), &[("a.csv", CSV)]);
        message.strip_prefix("net.toml:10: ").expect("the line").to_string()
    };
    let sine = |period: &str| humidity(&format!("{{ mean = 50, amplitude = 9, {period} }}"));
    assert_eq!(
        sine("period = \"1 day\", phase = 2"),
        "unknown key `phase` in `environment.humidity`; there are csv, column, mean, amplitude, period"
    );
    assert!(sine("period = \"1 day\"").starts_with("`humidity.period`: `1 day` is not a time"));
    assert!(sine("period = true").starts_with(
        "`environment.humidity.period` is true; write a number of seconds, or a time in quotes"
    ));
    assert_eq!(
        humidity("{ mean = 50, amplitude = 9 }"),
        "`humidity` is a sine, which needs `period` too"
    );
    assert_eq!(
        humidity("{ period = \"1h\" }"),
        "`humidity` is a sine, which needs `mean` and `amplitude` too"
    );
    assert_eq!(
        humidity("{ column = \"x\" }"),
        "`humidity` has a column and no file: it needs `csv` too"
    );
    assert_eq!(
        humidity("{ csv = \"a.csv\", mean = 1 }"),
        "`humidity` follows a file, so leave out `mean`"
    );
    assert!(humidity("{}").starts_with("`humidity` is empty; write a number, or"));
    assert!(humidity("{ csv = \"\" }").starts_with("`humidity.csv`: it is empty"));
    for (value, shown) in [("nan", "NaN"), ("inf", "inf"), ("1e300", "1e300")] {
        let all = format!("`humidity` is {shown}; use a number from -1e12 to 1e12");
        assert_eq!(humidity(value), all);
    }
    assert_eq!(
        humidity("{ mean = 1e300, amplitude = 1, period = 5 }"),
        "`humidity.mean` is 1e300; use a number from -1e12 to 1e12"
    );
    let apart = "[[mote]]\nboard = \"hamilton\"\nprogram = \"sense\"\n[mote.environment.humidity]\nmean = 50\n\
                 amplitude = 9\nperiod = \"0s\"\n";
    assert_eq!(wrong(apart, &[]), "net.toml:7: `humidity.period` is longer than 0 s");
}

#[test]
fn a_number_alone_is_seconds() {
    let text = TWO.replace("\"60s\"", "60").replace("\"2s\"", "2.0").replace("\"24h\"", "86400");
    let (seconds, text) = (read(&text, &[("a.csv", CSV)]), read(TWO, &[("a.csv", CSV)]));
    let (seconds, text) = (seconds.expect("good"), text.expect("good"));
    // Each is written in a folder of its own.
    let placeless = |motes: Vec<Planned>| {
        motes
            .into_iter()
            .map(|mote| Planned { program_origin: Origin::default(), ..mote })
            .collect::<Vec<_>>()
    };
    assert_eq!(seconds.duration, text.duration);
    assert_eq!(placeless(seconds.motes), placeless(text.motes));
    let wrong = |value: &str| wrong(&TWO.replace("\"60s\"", value), &[("a.csv", CSV)]);
    assert!(wrong("-1").starts_with("net.toml:3: `for`: `-1` is not a time"));
    assert!(wrong("1e300").starts_with("net.toml:3: `for`: `1e300` is not a time"));
    assert_eq!(
        wrong("true"),
        "net.toml:3: `for` is true; write a number of seconds, or a time in quotes such as \"5ms\""
    );
}

#[test]
fn a_value_of_the_wrong_kind_is_named_with_its_key() {
    let change = |from: &str, to: &str| {
        assert!(TWO.contains(from), "{from}");
        wrong(&TWO.replace(from, to), &[("a.csv", CSV)])
    };
    assert_eq!(
        change("seed = 9", "seed = -9"),
        "net.toml:16: `seed` is -9; write a whole number from 0 to 18446744073709551615"
    );
    assert_eq!(
        change("seed = 9", "count = \"two\""),
        "net.toml:16: `count` is the text \"two\"; write a whole number"
    );
    assert_eq!(change("\"hamilton\"", "7"), "net.toml:7: `board` is 7; write text in quotes");
    assert_eq!(
        change("0x40", "0x140"),
        "net.toml:24: `address` is 320; write a whole number from 0 to 255"
    );
    assert_eq!(
        change("\"events.jsonl\"", "[]"),
        "net.toml:27: `output.json` is a list; write a path in quotes"
    );
    assert_eq!(
        change("bus = \"i2c\"", "bus = \"i3c\""),
        "net.toml:23: `bus` is `i3c`; did you mean `i2c`?"
    );
    assert_eq!(
        change("board = \"hamilton\"\n", ""),
        "net.toml:5: the key `board` is missing in [[mote]]"
    );
    assert_eq!(
        change("bus = \"i2c\"\n", ""),
        "net.toml:20: the key `bus` is missing in [[mote.device]]"
    );
    assert_eq!(
        change("[[mote.device]]", "[mote.device]"),
        "net.toml:20: `device` is one of several: write [[mote.device]], in two pairs of brackets"
    );
    let input = "net.toml:17: `input`: use the path of an input file, or a list of its lines";
    assert_eq!(
        change("[\"2s hello\", \"30s !power off\", \"40s !part outside absent\"]", "7"),
        input
    );
}

#[test]
fn an_error_has_the_line_of_its_own_key() {
    let mote =
        |more: &str| format!("[[mote]]\nboard = \"hamilton\"\nprogram = \"blink\"\n{more}\n");
    let xpro = |more: &str| mote(more).replace("hamilton", "samr21-xpro");
    let two = |first: String, second: String| wrong(&(first + &second), &[]);
    let press = "input = [\"1ms !press sw0\"]";
    assert!(
        two(mote(press), xpro(press)).starts_with("net.toml:4: board `hamilton` has no button")
    );
    assert!(
        two(xpro(press), mote(press)).starts_with("net.toml:8: board `hamilton` has no button")
    );
    let start = "start = \"2s\"";
    let early = format!("{start}\ninput = [\"1s !power on\"]");
    assert!(two(mote(&early), mote(start)).starts_with("net.toml:4: `start` is when"));
    let years = "start = \"2 years\" # `start`, which is \"2 years\"";
    assert!(
        two(mote(years), mote(&format!("# {years}"))).starts_with("net.toml:4: `start`: `2 years`")
    );
    let button = |pin: &str| {
        format!(
            "[[mote.button]]\nname = \"door{pin}\"\npin = \"{pin}\"\nactive = \"low\"\npull = \"internal\"\n"
        )
    };
    let doors = |first: &str, second: &str| mote(&(button(first) + &button(second)));
    assert!(wrong(&doors("PA19", "PA27"), &[]).starts_with("net.toml:5: "), "a name in capitals");
    let doors = |first: &str, second: &str| doors(first, second).replace("doorPA", "door");
    assert!(wrong(&doors("PA19", "PA27"), &[]).starts_with("net.toml:6: "), "the LED's pin");
    assert!(wrong(&doors("PA27", "PA19"), &[]).starts_with("net.toml:11: "));
    assert!(wrong(&doors("PA27", "PA27"), &[]).starts_with("net.toml:10: "), "one name");
    assert!(two(mote("count=0"), mote("# count = 0")).starts_with("net.toml:4: count = 0: use"));
    assert!(wrong(&mote("count = -1"), &[]).starts_with("net.toml:4: count = -1: use 1 to "));
    let many = format!("count = 200000\n# count = 200000\n{}", mote("count = 1"));
    assert!(wrong(&mote(&many), &[]).starts_with("net.toml:4: count = 200000: use"));
    let name = "name = \"leaf\"";
    assert!(two(mote(name), mote(name) + "# leaf\n").starts_with("net.toml:8: two motes have"));
    let lines =
        mote("input = [\n  \"1 a\\n2 b\",\n  \"\",\n  \"3 !press x\",\n  \"4 !press x\",\n]");
    assert!(wrong(&lines, &[]).starts_with("net.toml:7: board `hamilton` has no button `x`"));
}

#[test]
fn a_fault_of_a_part_has_the_line_of_its_key() {
    let device = |keys: &str| {
        let text = format!(
            "[[mote]]\nboard = \"hamilton\"\nprogram = \"sense\"\n[[mote.device]]\n{keys}# PA27 0x40\n"
        );
        wrong(&text, &[])
    };
    let tmp = "bus = \"i2c\"\nname = \"it\"\npart = \"TMP006\"\naddress = ";
    assert_eq!(
        device(&format!("{tmp}0x44\n")),
        "net.toml:8: board `hamilton`: `tmp006` and `it` both have the address 0x44; give one of them another, or \
         leave it out"
    );
    assert!(
        device(&format!("{tmp}0x50\n"))
            .starts_with("net.toml:8: board `hamilton`: the TMP006 cannot")
    );
    assert!(device(&format!("{tmp}0x45\npin = \"PA27\"\n")).starts_with("net.toml:9: "));
    let unnamed = tmp.replace("name = \"it\"\n", "");
    let twice = device(&format!("{unnamed}0x45\n"));
    assert!(twice.starts_with("net.toml:6: ") && twice.ends_with("a `name` of its own"), "{twice}");
    assert!(
        device("bus = \"digital\"\npart = \"EKMB110\"\n").starts_with("net.toml:6: "),
        "no pin"
    );
    let ekmb = "bus = \"digital\"\npart = \"EKMB110\"\npin = \"PA19\"\n";
    assert_eq!(
        device(ekmb),
        "net.toml:7: board `hamilton`: PA19 is the pin of both led0 and ekmb110; give one of them another, or leave it \
         out"
    );
}

#[test]
fn a_file_that_is_not_there_is_named_with_the_key_and_the_line() {
    let input = |value: &str| {
        let lines = "[\"2s hello\", \"30s !power off\", \"40s !part outside absent\"]";
        wrong(&TWO.replace(lines, value), &[("a.csv", CSV)])
    };
    let missing = input("\"nofile.txt\"");
    assert!(missing.starts_with("net.toml:17: `input`: there is no file /"), "{missing}");
    let folder = input("\".\"");
    assert!(
        folder.starts_with("net.toml:17: `input`: /")
            && folder.ends_with("is a folder, not a file")
    );
    assert!(input("\"\"").starts_with("net.toml:17: `input` is empty; give the path"));
    let change = |from: &str, to: &str| wrong(&TWO.replace(from, to), &[("a.csv", CSV)]);
    assert!(
        change(
            "board = \"hamilton\"\nprogram = \"thermometer\"",
            "board = \"hamilton\"\nprogram = \"\""
        )
        .starts_with("net.toml:8: `program` is empty; name a program")
    );
    assert!(change("\"run.svg\"", "\"\"").starts_with("net.toml:29: `wave` is empty"));
    assert!(change("\"5ms\"", "0").starts_with("net.toml:31: `wave-for` is 0 s"));
    let output = read(TWO, &[("a.csv", CSV)]).expect("good").output;
    let (file, line) = output.place("wave-from").expect("it is given");
    assert!(file.ends_with("net.toml") && line == 30);
    assert_eq!(output.place("vcd"), None);
}

#[test]
fn a_named_pipe_is_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.toml");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo");
    assert!(made.success());
    let refused = "pipe.toml is not a regular file; give the path of one on disk";
    let scenario = Scenario::load(&pipe, &boards(), &[]).expect_err("a pipe").to_string();
    assert!(scenario.starts_with("cannot read the scenario: ") && scenario.ends_with(refused));
    let pipe = pipe.display().to_string();
    let recording = wrong(&TWO.replace("a.csv", &pipe), &[]);
    assert!(recording.starts_with("net.toml:9: ") && recording.ends_with(refused), "{recording}");
    let input = wrong(&TWO.replace("[\"2s hello", &format!("\"{pipe}\" #")), &[("a.csv", CSV)]);
    assert!(input.starts_with("net.toml:17: `input`: ") && input.ends_with(refused), "{input}");
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
        "net.toml:10: no part of `office` senses `sound`; leave it out, since no part that does can be connected to a \
         `hamilton`"
    );
}

#[test]
fn the_advice_to_connect_a_part_can_be_followed() {
    for board in ["hamilton", "samr21-xpro", "micaz", "mica2"] {
        for quantity in lichen_device::QUANTITIES {
            let name = quantity.name;
            let text = format!(
                "[[mote]]\nname = \"a\"\nboard = \"{board}\"\nprogram = \"sense\"\nenvironment.{name} = 1\n"
            );
            let Err(refused) = read(&text, &[]) else { continue };
            let refused = refused.to_string();
            let Some((_, advice)) = refused.split_once("with [[mote.device]]: ") else {
                assert!(refused.contains("since no part that does can be connected"), "{refused}");
                continue;
            };
            for part in advice.split("; or ") {
                let device = format!("[[mote.device]]\n{}\n", part.replace(", ", "\n"));
                read(&(text.clone() + &device), &[])
                    .unwrap_or_else(|error| panic!("{name} on {board}, {part}: {error}"));
            }
        }
    }
    let text = TWO.replace("environment.humidity = 45", "environment.motion = 1");
    assert_eq!(
        wrong(&text, &[("a.csv", CSV)]),
        "net.toml:10: no part of `office` senses `motion`; leave it out, or connect one that does with \
         [[mote.device]]: part = \"EKMB110\", bus = \"digital\", pin = \"PA06\""
    );
}

#[test]
fn a_part_cannot_have_the_radio_s_name() {
    let text = TWO.replace("name = \"outside\"", "name = \"at86rf233\"");
    let twice = wrong(&text, &[("a.csv", CSV)]);
    assert!(
        twice.starts_with("net.toml:22: board `samr21-xpro`: the name `at86rf233` is given twice")
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
    assert!(said.starts_with("net.toml:11: board `micaz`: `a` and `b` are both at"), "{said}");
}

#[test]
fn a_recording_is_a_file_of_limited_size() {
    let device = wrong(&TWO.replace("a.csv", "/dev/zero"), &[]);
    assert_eq!(
        device,
        "net.toml:9: `temperature.csv`: /dev/zero is not a regular file; give the path of one on disk"
    );
    let folder = wrong(&TWO.replace("a.csv", "."), &[]);
    assert!(folder.ends_with("/. is a folder, not a file"), "{folder}");
    let path = |folder: &Path| folder.join("a.csv");
    let folder = tempfile::tempdir().expect("a folder");
    let file = std::fs::File::create(path(folder.path())).expect("created");
    file.set_len(65 << 20).expect("a sparse file");
    let text = TWO.replace("a.csv", &path(folder.path()).display().to_string());
    let large = wrong(&text, &[]);
    assert!(
        large.ends_with("a.csv is larger than 64 MiB; keep fewer lines, since between two the value changes linearly"),
        "{large}"
    );
    let endless = wrong(&TWO.replace("[\"2s hello", "\"/dev/zero\" #"), &[("a.csv", CSV)]);
    assert!(
        endless.ends_with("/dev/zero is not a regular file; give the path of one on disk"),
        "{endless}"
    );
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
