// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use lichen_chip::{I2cStep, Transfer};
use std::path::Path;

const GOOD: &str = r#"
name = "mote"
title = "A mote"
chip = "ATSAMR21G18A"

[[led]]
name = "led0"
pin = "PA19"
active = "low"

[console]
sercom = 0
function = "D"
tx = { pin = "PA04", pad = 0 }
rx = { pin = "PA05", pad = 1 }
baud = 115200
"#;

fn boards() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../board"))
}

fn wrong(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replace(from, to);
    Board::parse("mote.toml", &text).expect_err("wrong").to_string()
}

#[test]
fn every_board_of_the_project_is_sound_and_named_like_its_file() {
    let names = Board::names(boards()).expect("a folder");
    assert!(names.contains(&"hamilton".to_string()));
    for name in names {
        let board = Board::find(boards(), &name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(board.name, name);
    }
}

#[test]
fn what_is_written_is_read() {
    let board = Board::parse("mote.toml", GOOD).expect("good");
    assert_eq!(board.leds[0].active, Active::Low);
    assert_eq!(board.leds[0].pin.0.to_string(), "PA19");
    let console = board.console.expect("a console");
    assert_eq!((console.sercom, console.function, console.rx.pad), (0, 'D', 1));
    assert_eq!(board.crystal.xosc32k_hz, None);
}

#[test]
fn a_misspelt_key_gets_its_line_and_the_right_one() {
    assert_eq!(
        wrong("baud = 115200", "buad = 115200"),
        "mote.toml:16: unknown key `buad`; did you mean `baud`?"
    );
    assert!(
        wrong("[[led]]", "[[lamp]]").starts_with("mote.toml:6: unknown field `lamp`, expected")
    );
}

#[test]
fn wrong_values_get_their_line() {
    assert_eq!(wrong("PA19", "19"), "mote.toml:8: `19` is not a pin; pins are written like PA19");
    assert!(wrong("\"low\"", "\"lo\"").starts_with("mote.toml:9: "));
    assert!(wrong("baud = 115200", "baud = 0").starts_with("mote.toml:16: baud = 0"));
    assert!(wrong("\"D\"", "\"Z\"").starts_with("mote.toml:13: function = \"Z\""));
    assert!(wrong("title = \"A mote\"\n", "").contains("title"));
    assert!(
        wrong("name = \"led0\"", "name = \"LED 0\"")
            .starts_with("mote.toml:7: `LED 0` is not a valid name")
    );
    assert!(wrong("sercom = 0", "sercom = ").starts_with("mote.toml:12: "));
    let beyond = wrong("sercom = 0", "sercom = 9");
    assert_eq!(beyond, "mote.toml:12: sercom = 9 of the console: interfaces are 0 to 5");
    assert!(wrong("pad = 0", "pad = 4").contains("pad = 4 of the console: pads are 0 to 3"));
    assert!(wrong("pad = 0", "pad = 1").contains("pad = 1 of the console is given twice"));
    let bus = "[i2c]\nsercom = 0\nfunction = \"D\"\nsda = { pin = \"PA16\", pad = 0 }\n\
               scl = { pin = \"PA17\", pad = 1 }\n\n[console]";
    assert!(wrong("[console]", bus).contains("sercom = 0 is that of both console and i2c"));
}

#[test]
fn two_devices_cannot_share_a_pin_or_a_name() {
    assert_eq!(wrong("PA05", "PA19"), "mote.toml:15: PA19 is the pin of both led0 and console");
    let twice = "[[led]]\nname = \"led0\"\npin = \"PA20\"\nactive = \"low\"\n\n[console]";
    assert!(wrong("[console]", twice).starts_with("mote.toml:12: the name `led0` is given twice"));
}

#[test]
fn parts_need_what_their_bus_needs() {
    let part = |bus: &str| format!("{GOOD}\n[[device]]\npart = \"X1\"\nbus = \"{bus}\"\n");
    let wrong = |text: &str| Board::parse("mote.toml", text).expect_err("wrong").to_string();
    assert!(wrong(&part("i2c")).contains("mote.toml:19: the part X1 needs a section [i2c]"));
    assert!(wrong(&part("spi")).contains("the part X1 needs a section [spi]"));
    assert!(wrong(&part("analog")).contains("the part X1 needs a `pin`"));
    let hdc = part("analog").replace("X1", "hdc1080") + "pin = \"PA02\"\n";
    assert!(wrong(&hdc).ends_with("the hdc1080 is connected by i2c: write bus = \"i2c\""));
}

#[test]
fn two_parts_cannot_share_an_address() {
    let board = Board::find(boards(), "hamilton").expect("a board");
    let fitting = |address: u8| {
        toml::from_str::<Fitting>(&format!(
            "part = \"HDC1080\"\nname = \"outside\"\nbus = \"i2c\"\naddress = {address}"
        ))
        .expect("a part")
    };
    let with = |address| board.clone().with(vec![fitting(address)]);
    assert_eq!(with(0x41).expect("free").fittings.len(), board.fittings.len() + 1);
    assert_eq!(
        with(0x40).expect_err("taken").to_string(),
        "board `hamilton`: address 0x40 is that of both HDC1080 and HDC1080"
    );
}

#[test]
fn parts_that_are_not_simulated_are_known_by_their_addresses() {
    let board = Board::find(boards(), "hamilton").expect("a board");
    let sda = board.i2c.as_ref().expect("a bus").sda.pin.0;
    let start = |address| Transfer::I2c(I2cStep::Start { address, read: false });
    assert_eq!(board.unsimulated(sda, start(0x44)), Some("TMP006"));
    assert_eq!(board.unsimulated(sda, start(0x40)), None, "the HDC1080 is");
    assert_eq!(board.unsimulated(sda, start(0x50)), None, "nothing has this address");
}

#[test]
fn a_programmer_has_a_tool_and_plain_words() {
    let programmer = |more: &str| {
        let text = format!("{GOOD}\n[programmer]\nplace = \"a probe at J1\"\n{more}\n");
        Board::parse("mote.toml", &text).map_err(|error| error.to_string())
    };
    let board = programmer("openocd = [\"target/at91samdXX.cfg\"]").expect("good");
    assert!(board.programmer.is_some_and(|facts| facts.probes.is_empty() && facts.edbg.is_none()));
    let wrong = |more: &str| programmer(more).expect_err("wrong");
    assert_eq!(wrong(""), "mote.toml:19: [programmer] needs `openocd`, `edbg` or both");
    assert!(wrong("edbg = \"-h\"").starts_with("mote.toml:20: `-h`: use letters"));
    assert!(
        wrong("edbg = \"samr21\"\nprobes = [\"j link\"]").starts_with("mote.toml:21: `j link`")
    );
    for script in ["board/x", "../x.cfg", "/etc/x.cfg", "a b.cfg"] {
        let message = wrong(&format!("openocd = [\"{script}\"]"));
        assert!(
            message.starts_with(&format!("mote.toml:20: `{script}` is not a script")),
            "{message}"
        );
    }
}

#[test]
fn an_unknown_board_is_answered_with_the_known_ones() {
    let error = Board::find(boards(), "hamilten").expect_err("unknown").to_string();
    assert!(error.starts_with("unknown board `hamilten` (did you mean `hamilton`?)"), "{error}");
    assert!(error.contains("samr21-xpro"), "{error}");
    let error = Board::find(boards(), "zzz").expect_err("unknown").to_string();
    assert!(!error.contains("did you mean"), "{error}");
    assert!(
        Board::find(Path::new("/nowhere"), "x").expect_err("none").to_string().contains("/nowhere")
    );
}
