// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in a board file whose values are valid one by one.

use super::I2C;
use super::interface::Port;
use super::{
    Avrdude, Board, Button, Console, Fitting, I2c, Interface, Pin, Programmer, Radio, Spi, Uart,
    Wire,
};
use lichen_device::CONSOLE;
use lichen_device::part::{Bus, Part};
use std::collections::BTreeMap;

/// The last pad of a SAM's serial interfaces.
const LAST_PAD: u8 = 3;

/// The chip of all boards that have the 51-pin connector here.
const MICA_CHIP: &str = "ATmega128";

/// An error, with the value in the file that it concerns.
pub(super) struct Fault {
    /// The value, as written.
    pub near: String,
    /// The key of the part or the button that it concerns, if it is one of those.
    pub key: Option<&'static str>,
    /// What is wrong, and what would be correct.
    pub what: String,
}

fn fault<T>(near: impl ToString, what: String) -> Result<T, Fault> {
    Err(Fault { near: near.to_string(), key: None, what })
}

/// The same of a key of a part or a button.
fn fault_of<T>(key: &'static str, near: impl ToString, what: String) -> Result<T, Fault> {
    Err(Fault { near: near.to_string(), key: Some(key), what })
}

pub(super) fn check(board: &Board) -> Result<(), Fault> {
    check_names(board)?;
    check_pins(board)?;
    check_analog(board)?;
    check_interfaces(board)?;
    if let Some(console) = &board.console {
        if console.baud == 0 || console.baud > 3_000_000 {
            let what = format!("baud = {}: use a rate from 1 to 3000000", console.baud);
            return fault("baud", what);
        }
    }
    if let Some(misfit) = board.radio.as_ref().and_then(Radio::misfit) {
        return fault("[radio]", misfit);
    }
    if board.battery.as_ref().is_some_and(|battery| battery.count == 0) {
        return fault("count", "count = 0: a battery has at least one cell".to_string());
    }
    if let Some(programmer) = &board.programmer {
        check_programmer(programmer)?;
    }
    board.fittings.iter().try_for_each(|fitting| check_fitting(board, fitting))?;
    check_plugs(board)?;
    check_addresses(board)
}

fn check_names(board: &Board) -> Result<(), Fault> {
    // Those that are no device of the file, and that input and events name all the same.
    let console = board.console.as_ref().map(|_| CONSOLE.to_string());
    let bus = board.i2c.as_ref().map(|_| I2C.to_string());
    let radio = board.radio.as_ref().map(|radio| radio.part.to_lowercase());
    let mut seen: Vec<String> = [console, bus, radio].into_iter().flatten().collect();
    let leds = board.leds.iter().map(|led| led.name.clone());
    let buttons = board.buttons.iter().map(|button| button.name.clone());
    let fittings = board.fittings.iter().map(Fitting::name);
    for name in leds.chain(buttons).chain(fittings) {
        let plain =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) {
            return fault_of(
                "name",
                &name,
                format!(
                    "`{name}` is not a valid name: use lower-case letters, digits, `_` and `-`, as in `led0`"
                ),
            );
        }
        if seen.contains(&name) {
            let what = format!(
                "the name `{name}` is given twice; names tell devices apart, so give this one a `name` of its own"
            );
            return fault_of("name", &name, what);
        }
        seen.push(name);
    }
    Ok(())
}

/// The chip has all pins. Two devices on one would conflict; optional sensors are not fitted where another device is.
fn check_pins(board: &Board) -> Result<(), Fault> {
    let mut used: BTreeMap<Pin, End> = BTreeMap::new();
    for end in ends(board) {
        let (pin, user) = (end.pin.0, end.user.clone());
        let wrong = |what| Err(Fault { near: pin.to_string(), key: end.key, what });
        if lichen_chip::has_pin(&board.chip, pin) == Some(false) {
            return wrong(format!("the {} has no pin {pin}, which is that of {user}", board.chip));
        }
        let other = used.get(&end.pin).filter(|other| !(other.is_port && end.shares));
        if let Some(other) = other {
            return wrong(format!(
                "{pin} is the pin of both {} and {user}; give one of them another, or leave it out",
                other.user
            ));
        }
        used.insert(end.pin, end);
    }
    Ok(())
}

/// Analog pins may have other uses, but each is listed once.
fn check_analog(board: &Board) -> Result<(), Fault> {
    let pins = board.analog.as_ref().map_or(&[][..], |analog| &analog.pins);
    for (index, pin) in pins.iter().enumerate() {
        if lichen_chip::has_pin(&board.chip, pin.0) == Some(false) {
            let what = format!("the {} has no pin {}, which is an analog pin", board.chip, pin.0);
            return fault(pin.0, what);
        }
        if pins[..index].contains(pin) {
            return fault(pin.0, format!("the analog pin {} is given twice", pin.0));
        }
        if let Some(what) = unreached(board, *pin) {
            return fault(pin.0, what);
        }
    }
    Ok(())
}

/// Why a pin cannot be analog, if it cannot.
fn unreached(board: &Board, pin: Pin) -> Option<String> {
    let reached = lichen_chip::analog_pins(&board.chip)?;
    if reached.contains(&pin.0) {
        return None;
    }
    let reached: Vec<String> = reached.iter().map(|pin| pin.to_string()).collect();
    let (chip, pin) = (&board.chip, pin.0);
    Some(format!("{pin} is no analog pin of the {chip}; there are {}", reached.join(", ")))
}

/// Where a wire ends at the chip.
struct End {
    pin: Pin,
    /// Who has it, in messages.
    user: String,
    /// The key that says so, of a part or a button.
    key: Option<&'static str>,
    /// Whether it is that of a port or a bus.
    is_port: bool,
    /// Whether it may be that of a port as well.
    shares: bool,
}

/// The pins that something on the board is at.
pub(super) fn used_pins(board: &Board) -> impl Iterator<Item = Pin> {
    ends(board).into_iter().map(|end| end.pin)
}

fn ends(board: &Board) -> Vec<End> {
    let mut ends = Vec::new();
    let end = |pin, user: &str| End {
        pin,
        user: user.to_string(),
        key: None,
        is_port: false,
        shares: false,
    };
    ends.extend(board.leds.iter().map(|led| end(led.pin, &led.name)));
    let of_button = |button: &Button| End { key: Some("pin"), ..end(button.pin, &button.name) };
    ends.extend(board.buttons.iter().map(of_button));
    let has_own =
        |port: &Port| port.name != "uart" || !board.uart.as_ref().is_some_and(|it| it.shared);
    for port in ports(board).filter(has_own) {
        let of_port = |wire: &Wire| End { is_port: true, ..end(wire.pin, port.name) };
        ends.extend(port.wires.iter().map(of_port));
    }
    let controls = board.radio.iter().flat_map(Radio::controls);
    ends.extend(controls.filter_map(|control| Some(end(control.pin?, "radio"))));
    for fitting in board.fittings.iter().filter(|fitting| !fitting.optional) {
        let of_part = |(key, pin): (&'static str, Pin)| End {
            key: Some(key),
            shares: fitting.shares,
            ..end(pin, &fitting.name())
        };
        ends.extend(fitting.pins().map(of_part));
    }
    ends
}

/// The ports and buses that an interface of the chip serves.
fn ports(board: &Board) -> impl Iterator<Item = Port> {
    let Board { console, uart, radio, i2c, spi, .. } = board;
    let ports = [
        console.as_ref().map(Console::port),
        uart.as_ref().map(Uart::port),
        radio.as_ref().map(Radio::port),
        i2c.as_ref().map(I2c::port),
        spi.as_ref().map(Spi::port),
    ];
    ports.into_iter().flatten()
}

/// Each interface of the chip has one use.
fn check_interfaces(board: &Board) -> Result<(), Fault> {
    let mut used = BTreeMap::new();
    for port in ports(board) {
        let user = port.name;
        let interface = match port.interface() {
            Ok(interface) => interface,
            Err(what) => return fault(format!("[{user}]"), format!("{user}: {what}")),
        };
        let near = interface.key();
        if let Some((_, last)) = interface.numbered().filter(|(number, last)| number > last) {
            let what = format!("{near} of the {user}: interfaces are 0 to {last}");
            return fault(near, what);
        }
        let before = interface.identity().and_then(|identity| used.insert(identity, user));
        if let Some(other) = before {
            return fault(&near, format!("{near} is that of both {other} and {user}"));
        }
        match interface {
            Interface::Sercom { function, .. } => check_routing(user, function, &port.wires)?,
            _ => check_pins_alone(user, &port.wires)?,
        }
    }
    Ok(())
}

/// A SAM's serial interface has four pads, and a function for each pin.
fn check_routing(user: &str, function: char, wires: &[Wire]) -> Result<(), Fault> {
    for (index, Wire { pin, pad }) in wires.iter().enumerate() {
        let Some(pad) = pad else {
            let what =
                format!("{} of the {user} needs a pad: {{ pin = \"{}\", pad = 0 }}", pin.0, pin.0);
            return fault(pin.0, what);
        };
        let near = format!("pad = {pad}");
        if *pad > LAST_PAD {
            return fault(&near, format!("{near} of the {user}: pads are 0 to {LAST_PAD}"));
        }
        if wires[..index].iter().any(|other| other.pad == Some(*pad)) {
            return fault(pin.0, format!("{near} of the {user} is given twice"));
        }
    }
    match function {
        'A'..='I' => Ok(()),
        other => {
            fault(other, format!("function = \"{other}\" of the {user}: functions are `A` to `I`"))
        }
    }
}

/// The pins of other interfaces have no pads.
fn check_pins_alone(user: &str, wires: &[Wire]) -> Result<(), Fault> {
    match wires.iter().find(|wire| wire.pad.is_some()) {
        Some(Wire { pin, .. }) => {
            fault(pin.0, format!("{} of the {user} has no pad: write \"{}\"", pin.0, pin.0))
        }
        None => Ok(()),
    }
}

fn check_fitting(board: &Board, fitting: &Fitting) -> Result<(), Fault> {
    let part = &fitting.part;
    if let Some(known) = Part::find(part).filter(|known| known.bus != fitting.bus) {
        let bus = known.bus.name();
        let what = format!("the {part} is connected by {bus}: write bus = \"{bus}\"");
        return fault_of("bus", part, what);
    }
    let missing = match fitting.bus {
        Bus::I2c if board.i2c.is_none() => Some("a section [i2c] of the board"),
        Bus::I2c if fitting.address.is_none() => Some("an `address`"),
        Bus::Serial if board.uart.is_none() => Some("a section [uart] of the board"),
        Bus::Spi if board.spi.is_none() => Some("a section [spi] of the board"),
        Bus::Spi if fitting.select.is_none() => Some("a `select`"),
        Bus::Analog | Bus::Digital | Bus::OneWire if fitting.pin.is_none() => Some("a `pin`"),
        Bus::Connector if !board.chip.eq_ignore_ascii_case(MICA_CHIP) => {
            Some("the 51-pin connector of a MICA")
        }
        _ => None,
    };
    if let Some(missing) = missing {
        return fault_of("part", part, format!("the part {part} needs {missing}"));
    }
    if let Some(key) = unused_key(fitting) {
        let bus = fitting.bus.name();
        let what = format!("the {part} has no `{key}`, as it is connected by {bus}; leave it out");
        return fault_of(key, part, what);
    }
    let unreached = fitting.pin.filter(|_| fitting.bus == Bus::Analog);
    if let Some(what) = unreached.and_then(|pin| unreached_by(board, fitting, pin)) {
        return fault_of("pin", part, what);
    }
    match fitting.address.and_then(|address| wrong_address(part, address)) {
        Some(what) => fault_of("address", part, what),
        None => Ok(()),
    }
}

fn unreached_by(board: &Board, fitting: &Fitting, pin: Pin) -> Option<String> {
    unreached(board, pin).map(|what| format!("the {} is analog: {what}", fitting.part))
}

/// Why a part cannot have this address, if it cannot.
fn wrong_address(part: &str, address: u8) -> Option<String> {
    if address > 0x7f {
        return Some(format!("address 0x{address:02x} of {part}: I2C addresses have 7 bits"));
    }
    let known = Part::find(part).filter(|known| !known.addresses.contains(&address))?;
    let can = known.addresses.iter().map(|address| format!("0x{address:02x}"));
    let can = can.collect::<Vec<_>>().join(", ");
    Some(format!("the {part} cannot have the address 0x{address:02x}; it can have {can}"))
}

/// A key of the part that its bus has no use for.
fn unused_key(fitting: &Fitting) -> Option<&'static str> {
    let has_line = matches!(fitting.bus, Bus::Analog | Bus::Digital | Bus::OneWire);
    let keys = [
        ("address", fitting.address.is_some(), fitting.bus == Bus::I2c),
        ("select", fitting.select.is_some(), fitting.bus == Bus::Spi),
        ("pin", fitting.pin.is_some(), has_line),
    ];
    keys.into_iter().find(|(_, given, used)| *given && !used).map(|(key, ..)| key)
}

/// A plug at the connector, or at the serial port, leaves no room for another.
fn check_plugs(board: &Board) -> Result<(), Fault> {
    for (bus, place) in [(Bus::Connector, "51-pin connector"), (Bus::Serial, "serial port")] {
        let fitted = board.fittings.iter().filter(|fitting| !fitting.optional);
        let mut plugs = fitted.filter(|fitting| fitting.bus == bus);
        if let (Some(one), Some(other)) = (plugs.next(), plugs.next()) {
            let what = format!(
                "`{}` and `{}` are both at the {place}, which takes one part; leave one out",
                one.name(),
                other.name()
            );
            return fault_of("bus", &other.part, what);
        }
    }
    Ok(())
}

/// Two parts at one address would answer at once.
fn check_addresses(board: &Board) -> Result<(), Fault> {
    let mut used: BTreeMap<u8, String> = BTreeMap::new();
    let fitted = board.fittings.iter().filter(|fitting| !fitting.optional);
    for fitting in fitted.filter(|fitting| fitting.bus == Bus::I2c) {
        let Some(address) = fitting.address else { continue };
        let name = fitting.name();
        if let Some(other) = used.get(&address) {
            let what = format!(
                "`{other}` and `{name}` both have the address 0x{address:02x}; give one of them another, or leave it out"
            );
            return fault_of("address", &fitting.part, what);
        }
        used.insert(address, name);
    }
    Ok(())
}

/// Its words become arguments and file names.
fn check_programmer(programmer: &Programmer) -> Result<(), Fault> {
    let Programmer { place, probes, openocd, edbg, avrdude } = programmer;
    if openocd.is_empty() && edbg.is_none() && avrdude.is_none() {
        return fault(place, "[programmer] needs `openocd`, `edbg` or `avrdude`".to_string());
    }
    if let Some(avrdude) = avrdude {
        check_avrdude(avrdude)?;
    }
    let of_avrdude = avrdude.iter().flat_map(|it| it.programmers.iter().chain([&it.part]));
    if let Some(word) = probes.iter().chain(edbg).chain(of_avrdude).find(|word| !is_word(word)) {
        let what = format!("`{word}`: use letters, digits, `-` and `_`, as in `cmsis-dap`");
        return fault(word, what);
    }
    let is_script =
        |path: &str| path.strip_suffix(".cfg").is_some_and(|stem| stem.split('/').all(is_word));
    match openocd.iter().find(|script| !is_script(script)) {
        Some(script) => {
            let what =
                format!("`{script}` is not a script of OpenOCD, as `board/atmel_samr21.cfg`");
            fault(script, what)
        }
        None => Ok(()),
    }
}

fn check_avrdude(avrdude: &Avrdude) -> Result<(), Fault> {
    let Avrdude { programmers, port, .. } = avrdude;
    if programmers.is_empty() {
        return fault(port, "`avrdude` names no programmers".to_string());
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._:-".contains(c);
    if !port.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/')
        || !port.chars().all(plain)
    {
        return fault(port, format!("`{port}` is not a port, as `/dev/ttyUSB0` or `usb`"));
    }
    Ok(())
}

fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(plain)
}
