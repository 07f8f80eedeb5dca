// SPDX-License-Identifier: MIT OR Apache-2.0
use super::*;
use lichen_chip::{I2cStep, PinId, Transfer};
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
    assert_eq!(console.interface(), Some(Interface::Sercom { number: 0, function: 'D' }));
    assert_eq!(console.rx.pad, Some(1));
    assert_eq!(board.crystal.xosc32k_hz, None);
}

#[test]
fn a_misspelt_key_gets_its_line_and_the_right_one() {
    assert_eq!(
        wrong("baud = 115200", "buad = 115200"),
        "mote.toml:16: unknown key `buad`; did you mean `baud`?"
    );
    assert!(
        wrong("[[led]]", "[[lamp]]").starts_with("mote.toml:6: unknown key `lamp`; there are name")
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
    assert_eq!(
        wrong("PA05", "PA19"),
        "mote.toml:15: PA19 is the pin of both led0 and console; give one of them another, or leave it out"
    );
    let twice = "[[led]]\nname = \"led0\"\npin = \"PA20\"\nactive = \"low\"\n\n[console]";
    assert!(wrong("[console]", twice).starts_with("mote.toml:12: the name `led0` is given twice"));
}

/// The console of a board with an AVR.
const USART: &str = "usart = 0\ntx = \"PE1\"\nrx = \"PE0\"";
const SERCOM: &str = "sercom = 0\nfunction = \"D\"\ntx = { pin = \"PA04\", pad = 0 }\n\
                      rx = { pin = \"PA05\", pad = 1 }";

/// The board with an AVR, but for its console.
fn on_avr() -> String {
    GOOD.replace("ATSAMR21G18A", "ATmega128").replace("PA19", "PA1")
}

#[test]
fn the_chip_has_the_pins() {
    let none = wrong("PA19", "PA03");
    assert_eq!(none, "mote.toml:8: the ATSAMR21G18A has no pin PA03, which is that of led0");
    let on_avr = |pin| Board::parse("mote.toml", &on_avr().replace("PA1", pin));
    let none = on_avr("PG5").expect_err("port G has five pins").to_string();
    assert_eq!(none, "mote.toml:8: the ATmega128 has no pin PG05, which is that of led0");
    assert!(on_avr("PG4").is_ok());
}

#[test]
fn interfaces_of_avrs_have_pins_without_pads() {
    let good = on_avr().replace(SERCOM, USART);
    let board = Board::parse("mote.toml", &good).expect("good");
    let console = board.console.expect("a console");
    assert_eq!(console.interface(), Some(Interface::Usart(0)));
    assert_eq!(console.tx, Wire { pin: Pin(PinId { port: 4, bit: 1 }), pad: None });
    let other = |from: &str, to: &str| {
        let text = on_avr().replace(SERCOM, &USART.replace(from, to));
        Board::parse("mote.toml", &text).expect_err("wrong").to_string()
    };
    assert_eq!(
        other("usart = 0", "usart = 2"),
        "mote.toml:12: usart = 2 of the console: interfaces are 0 to 1"
    );
    assert_eq!(
        other("\"PE1\"", "{ pin = \"PE1\", pad = 0 }"),
        "mote.toml:13: PE01 of the console has no pad: write \"PE01\""
    );
    let both = other("usart = 0", "usart = 0\nsercom = 0\nfunction = \"D\"");
    assert_eq!(
        both,
        "mote.toml:11: console: name one interface of the chip: `sercom` and `function`, or `usart`"
    );
    assert_eq!(other("usart = 0\n", ""), both);
    assert!(
        wrong("function = \"D\"\n", "")
            .ends_with("`sercom` needs a `function`, which connects it to the pins")
    );
    assert!(
        wrong("{ pin = \"PA04\", pad = 0 }", "\"PA04\"")
            .contains("PA04 of the console needs a pad")
    );
    let shape = other("\"PE1\"", "1");
    assert!(shape.contains("write a pin, \"PE1\", or a pin with its pad"), "{shape}");
}

#[test]
fn a_radio_has_the_wires_of_its_part() {
    let radio = |wires: &str| {
        let text = format!(
            "{}\n[radio]\npart = \"CC1000\"\nspi = 0\nmosi = \"PB2\"\nsck = \"PB1\"\n\
             miso = \"PB3\"\npale = \"PD4\"\npclk = \"PD6\"\npdata = \"PD7\"\n{wires}",
            on_avr()
        );
        Board::parse("mote.toml", &text).map_err(|error| error.to_string())
    };
    let board = radio("chp_out = \"PA6\"\nrssi = \"PF0\"").expect("good");
    let names: Vec<_> = board.silent_outputs().map(|(_, name)| name).collect();
    assert_eq!(names, ["radio_pale", "radio_pclk", "radio_pdata"], "outputs only");
    let missing = radio("rssi = \"PF0\"").expect_err("incomplete");
    assert_eq!(missing, "mote.toml:18: the radio CC1000 needs a `chp_out`");
    let other = radio("chp_out = \"PA6\"\nrssi = \"PF0\"\nfifo = \"PB7\"").expect_err("another's");
    assert_eq!(other, "mote.toml:18: the radio CC1000 has no `fifo`");
}

#[test]
fn fuses_are_those_of_the_chip() {
    let text =
        GOOD.replace("[console]", "[fuses]\nlow = 0xff\nhigh = 0xd9\nextended = 0xff\n[console]");
    let fuses = Board::parse("mote.toml", &text).expect("good").config().fuses;
    assert_eq!(fuses.map(|fuses| (fuses.high, fuses.lock)), Some((0xD9, 0xFF)));
    assert_eq!(Board::parse("mote.toml", GOOD).expect("good").config().fuses, None);
}

#[test]
fn parts_need_what_their_bus_needs() {
    let part = |bus: &str| format!("{GOOD}\n[[device]]\npart = \"X1\"\nbus = \"{bus}\"\n");
    let wrong = |text: &str| Board::parse("mote.toml", text).expect_err("wrong").to_string();
    assert!(wrong(&part("i2c")).contains("mote.toml:19: the part X1 needs a section [i2c]"));
    assert!(wrong(&part("spi")).contains("the part X1 needs a section [spi]"));
    assert!(wrong(&part("analog")).contains("the part X1 needs a `pin`"));
    let hdc = part("analog").replace("X1", "hdc1080");
    assert!(wrong(&hdc).ends_with("the hdc1080 is connected by i2c: write bus = \"i2c\""));
}

#[test]
fn it_is_reported_where_parts_are_connected() {
    let board = Board::find(boards(), "mica2").expect("a board");
    let sensors = toml::from_str("part = \"MTS310\"\nbus = \"connector\"\n").expect("a part");
    let board = board.with(vec![sensors]).expect("it has the connector");
    let connections: Vec<_> = board.connections().collect();
    let expected = [
        "at45db041b: AT45DB041B at select PA03 of PD03, PD02, PD05",
        "ds2401: DS2401 at PA04",
        "mts310: MTS310 at the connector",
    ];
    assert_eq!(connections, expected);
}

#[test]
fn one_part_is_at_a_connector_and_at_a_serial_port() {
    let two = |board: &str, first: &str, second: &str, bus: &str| {
        let part = |part: &str, name: &str| {
            let text = format!("part = \"{part}\"\nname = \"{name}\"\nbus = \"{bus}\"\n");
            toml::from_str(&text).expect("a part")
        };
        let board = Board::find(boards(), board).expect("a board");
        let both = board.with(vec![part(first, "one"), part(second, "two")]);
        both.expect_err("both are there").to_string()
    };
    assert_eq!(
        two("micaz", "MTS300", "MTS310", "connector"),
        "board `micaz`: `one` and `two` are both at the 51-pin connector, which takes one part; leave one out"
    );
    assert_eq!(
        two("samr21-xpro", "LOOPBACK", "LOOPBACK", "serial"),
        "board `samr21-xpro`: `one` and `two` are both at the serial port, which takes one part; leave one out"
    );
}

#[test]
fn a_part_has_no_keys_that_its_bus_does_not_use() {
    let wrong = |text: &str| {
        let board = Board::find(boards(), "hamilton").expect("a board");
        let part = toml::from_str(text).expect("a part");
        board.with(vec![part]).expect_err("an unused key").to_string()
    };
    let tmp = "part = \"TMP006\"\nname = \"it\"\nbus = \"i2c\"\naddress = 0x41\n";
    assert_eq!(
        wrong(&format!("{tmp}select = \"PA27\"")),
        "board `hamilton`: the TMP006 has no `select`, as it is connected by i2c; leave it out"
    );
    assert!(wrong(&format!("{tmp}pin = \"PA27\"")).contains("has no `pin`"));
    assert_eq!(
        wrong(&format!("{tmp}shutdown = \"PA27\"")),
        "board `hamilton`: the TMP006 has no `shutdown`; leave it out"
    );
    let serial = "part = \"DS2401\"\nbus = \"one-wire\"\npin = \"PA09\"\n";
    assert!(wrong(&format!("{serial}address = 1")).contains("has no `address`"));
    assert!(wrong(&format!("{serial}shutdown = \"PA27\"")).contains("has no `shutdown`"));
}

#[test]
fn two_parts_cannot_share_an_address() {
    let board = Board::find(boards(), "hamilton").expect("a board");
    let fitting = |address: u8| {
        toml::from_str::<Fitting>(&format!(
            "part = \"TMP006\"\nname = \"outside\"\nbus = \"i2c\"\naddress = {address}"
        ))
        .expect("a part")
    };
    let with = |address| board.clone().with(vec![fitting(address)]);
    assert_eq!(with(0x41).expect("free").fittings.len(), board.fittings.len() + 1);
    assert_eq!(
        with(0x40).expect_err("taken").to_string(),
        "board `hamilton`: `hdc1080` and `outside` both have the address 0x40; give one of them another, or leave it \
         out"
    );
}

/// A board of the project with one more part, or why it has no room for it: the key, and the words.
fn with(board: &str, part: &str) -> Result<Board, (Option<&'static str>, String)> {
    let board = Board::find(boards(), board).expect("a board");
    let part = toml::from_str(part).expect("a part");
    board.with(vec![part]).map_err(|error| match error {
        Error::Unfit { key, what, .. } => (key, what),
        other => panic!("{other}"),
    })
}

#[test]
fn a_part_has_the_addresses_of_its_data_sheet() {
    let at = |part: &str, address: u8| {
        let text = format!("part = \"{part}\"\nbus = \"i2c\"\naddress = {address}\n");
        with("samr21-xpro", &text).map(|_| ())
    };
    for address in [0, 0x3f, 0x41, 0x55, 0x7f] {
        let (key, what) = at("HDC1080", address).expect_err("it is fixed");
        assert_eq!(key, Some("address"));
        let all = format!("the HDC1080 cannot have the address 0x{address:02x}; it can have 0x40");
        assert_eq!(what, all);
    }
    assert_eq!(at("HDC1080", 0x40), Ok(()));
    let can = |part, addresses: std::ops::RangeInclusive<u8>| {
        (0..0x80).all(|address| at(part, address).is_ok() == addresses.contains(&address))
    };
    assert!(can("TMP006", 0x40..=0x47) && can("FXOS8700CQ", 0x1c..=0x1f));
}

#[test]
fn an_analog_part_has_an_analog_pin() {
    let at = |pin: &str| {
        let text = format!("part = \"APDS-9007\"\nbus = \"analog\"\npin = \"{pin}\"\n");
        with("samr21-xpro", &text).map(|_| ())
    };
    let (key, what) = at("PA14").expect_err("it is digital");
    assert_eq!(key, Some("pin"));
    assert_eq!(
        what,
        "the APDS-9007 is analog: PA14 is no analog pin of the ATSAMR21G18A; there are PA04, PA05, PA06, PA07, PA08, \
         PA09, PA10, PA11, PB02, PB03"
    );
    assert!(at("PA27").is_err() && at("PB08").is_err(), "PB08 does not lead out of the chip");
    assert_eq!((at("PA06"), at("PB03")), (Ok(()), Ok(())));
    let listed = format!("{GOOD}\n[analog]\npins = [\"PA06\", \"PA27\"]\n");
    let wrong = Board::parse("mote.toml", &listed).expect_err("wrong").to_string();
    assert!(
        wrong.starts_with("mote.toml:19: PA27 is no analog pin of the ATSAMR21G18A"),
        "{wrong}"
    );
}

#[test]
fn nothing_has_the_name_of_radio_console_or_bus() {
    for name in ["at86rf233", "console", "i2c"] {
        let part =
            format!("part = \"HDC1080\"\nname = \"{name}\"\nbus = \"i2c\"\naddress = 0x40\n");
        let (key, what) = with("samr21-xpro", &part).expect_err("twice");
        assert_eq!(key, Some("name"));
        assert_eq!(
            what,
            format!(
                "the name `{name}` is given twice; names tell devices apart, so give this one a `name` of its own"
            )
        );
    }
}

#[test]
fn a_part_at_fault_is_named_with_its_key() {
    let key = |part: &str| with("hamilton", part).expect_err("wrong");
    let ekmb = "part = \"EKMB110\"\nname = \"door\"\nbus = \"digital\"\n";
    let (pin, what) = key(&format!("{ekmb}pin = \"PA28\"\n"));
    assert_eq!(pin, Some("pin"));
    assert_eq!(
        what,
        "PA28 is the pin of both apds-9007 and door; give one of them another, or leave it out"
    );
    assert_eq!(key(ekmb).0, Some("part"), "the pin is missing");
    assert_eq!(key(&format!("{ekmb}pin = \"PA27\"\naddress = 1")).0, Some("address"));
    assert_eq!(key(&format!("{ekmb}pin = \"PA27\"\nirq = \"PA08\"")).0, Some("irq"));
    let tmp = "part = \"TMP006\"\nbus = \"i2c\"\naddress = 0x45\n";
    assert_eq!(key(tmp).0, Some("name"));
    assert_eq!(key(&tmp.replace("i2c", "spi")).0, Some("name"), "the name comes first");
}

#[test]
fn an_optional_part_of_a_board_can_be_connected_to_it() {
    let ekmb = "part = \"EKMB110\"\nbus = \"digital\"\n";
    let at = |pin: &str| with("hamilton", &format!("{ekmb}pin = \"{pin}\"\n"));
    let own = at("PA06").expect("it is at its place, whose pin is the console's, too");
    let fitted = own.connections().filter(|it| it == "ekmb110: EKMB110 at PA06").count();
    assert_eq!(fitted, 1);
    assert!(at("PA27").expect("elsewhere").connections().any(|it| it.ends_with("at PA27")));
    assert_eq!(at("PA07").expect_err("that is the console's").0, Some("pin"));
    let twice = own.with(vec![toml::from_str(&format!("{ekmb}pin = \"PA27\"")).expect("a part")]);
    assert!(twice.expect_err("twice").to_string().contains("is given twice"));
}

#[test]
fn there_is_room_for_a_part_or_there_is_none() {
    let room = |board: &str, part: &str| {
        let board = Board::find(boards(), board).expect("a board");
        let fitting = board.room_for(lichen_device::part::Part::find(part).expect("a part"))?;
        let connection = fitting.connection();
        board.with(vec![fitting]).expect("there is room");
        Some(connection)
    };
    assert_eq!(room("hamilton", "EKMB110").as_deref(), Some("bus = \"digital\", pin = \"PA06\""));
    assert_eq!(
        room("samr21-xpro", "APDS-9007").as_deref(),
        Some("bus = \"analog\", pin = \"PA06\"")
    );
    assert_eq!(room("samr21-xpro", "TMP006").as_deref(), Some("bus = \"i2c\", address = 0x40"));
    assert_eq!(room("micaz", "MTS300").as_deref(), Some("bus = \"connector\""));
    for (board, part) in
        [("hamilton", "MTS310"), ("samr21-xpro", "MTS300"), ("hamilton", "HDC1080")]
    {
        assert_eq!(room(board, part), None, "{part} on {board}");
    }
    let mut board = Board::find(boards(), "hamilton").expect("a board");
    let own = board.fittings.iter_mut().find(|fitting| fitting.optional).expect("an EKMB110");
    own.pin = Some(Pin("PA27".parse().expect("a pin")));
    let room = board.room_for(lichen_device::part::Part::find("EKMB110").expect("a part"));
    let connection = room.map(|fitting| fitting.connection());
    assert_eq!(connection.as_deref(), Some("bus = \"digital\", pin = \"PA27\""), "its own place");
}

#[test]
fn parts_that_are_not_simulated_are_known_by_their_addresses() {
    let mut board = Board::find(boards(), "hamilton").expect("a board");
    let other = "part = \"OTHER\"\nbus = \"i2c\"\naddress = 0x45\n";
    board.fittings.push(toml::from_str(other).expect("a part"));
    let sda = board.i2c.as_ref().expect("a bus").sda.pin.0;
    let start = |address| Transfer::I2c(I2cStep::Start { address, read: false });
    assert_eq!(board.unsimulated(sda, start(0x45)), Some("OTHER"));
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
    assert_eq!(wrong(""), "mote.toml:19: [programmer] needs `openocd`, `edbg` or `avrdude`");
    assert!(wrong("edbg = \"-h\"").starts_with("mote.toml:20: `-h`: use letters"));
    assert!(
        wrong("edbg = \"samr21\"\nprobes = [\"j link\"]").starts_with("mote.toml:21: `j link`")
    );
    let avrdude =
        "avrdude = { part = \"m128\", programmers = [\"mib510\"], port = \"/dev/ttyUSB0\" }";
    assert!(programmer(avrdude).is_ok());
    let none = wrong(&avrdude.replace("\"mib510\"", ""));
    assert_eq!(none, "mote.toml:20: `avrdude` names no programmers");
    let port = wrong(&avrdude.replace("/dev/ttyUSB0", "-x"));
    assert!(port.starts_with("mote.toml:20: `-x` is not a port"), "{port}");
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
