// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in a board file whose values are valid one by one.

use super::{Board, Bus, Fitting, Pad, Pin, Programmer};
use crate::part::Part;
use std::collections::BTreeMap;

/// The last of a chip's serial interfaces, and of their pads.
const LAST_INTERFACE: u8 = 5;
const LAST_PAD: u8 = 3;

/// An error, with the value in the file that it concerns.
pub(super) struct Fault {
    /// The value, as written.
    pub near: String,
    /// What is wrong, and what would be correct.
    pub what: String,
}

fn fault<T>(near: impl ToString, what: String) -> Result<T, Fault> {
    Err(Fault { near: near.to_string(), what })
}

pub(super) fn check(board: &Board) -> Result<(), Fault> {
    check_names(board)?;
    check_pins(board)?;
    check_interfaces(board)?;
    if let Some(console) = &board.console {
        if console.baud == 0 || console.baud > 3_000_000 {
            let what = format!("baud = {}: use a rate from 1 to 3000000", console.baud);
            return fault("baud", what);
        }
        check_function("console", console.function)?;
    }
    if let Some(radio) = &board.radio {
        check_function("radio", radio.function)?;
    }
    if let Some(i2c) = &board.i2c {
        check_function("i2c", i2c.function)?;
    }
    if let Some(spi) = &board.spi {
        check_function("spi", spi.function)?;
    }
    if let Some(programmer) = &board.programmer {
        check_programmer(programmer)?;
    }
    board.fittings.iter().try_for_each(|fitting| check_fitting(board, fitting))?;
    check_addresses(board)
}

fn check_names(board: &Board) -> Result<(), Fault> {
    let mut seen = Vec::new();
    let leds = board.leds.iter().map(|led| led.name.clone());
    let buttons = board.buttons.iter().map(|button| button.name.clone());
    let fittings = board.fittings.iter().map(Fitting::name);
    for name in leds.chain(buttons).chain(fittings) {
        let plain =
            |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) {
            return fault(
                &name,
                format!(
                    "`{name}` is not a valid name: use lower-case letters, digits, `_` and `-`, as in `led0`"
                ),
            );
        }
        if seen.contains(&name) {
            return fault(
                &name,
                format!("the name `{name}` is given twice; names tell devices apart"),
            );
        }
        seen.push(name);
    }
    Ok(())
}

/// Two devices on one pin would conflict; optional sensors are not fitted where another device is.
fn check_pins(board: &Board) -> Result<(), Fault> {
    let mut used: BTreeMap<Pin, &str> = BTreeMap::new();
    for (pin, user) in wires(board) {
        if let Some(other) = used.insert(pin, user) {
            let pin = pin.0;
            return fault(pin, format!("{pin} is the pin of both {other} and {user}"));
        }
    }
    Ok(())
}

fn wires(board: &Board) -> Vec<(Pin, &str)> {
    let mut wires = Vec::new();
    wires.extend(board.leds.iter().map(|led| (led.pin, led.name.as_str())));
    wires.extend(board.buttons.iter().map(|button| (button.pin, button.name.as_str())));
    let mut pads = |user: &'static str, list: &[Pad]| {
        wires.extend(list.iter().map(|pad| (pad.pin, user)));
    };
    if let Some(console) = &board.console {
        pads("console", &[console.tx, console.rx]);
    }
    if let Some(radio) = &board.radio {
        pads("radio", &[radio.mosi, radio.sck, radio.miso]);
        wires.extend([radio.select, radio.irq, radio.reset, radio.sleep].map(|pin| (pin, "radio")));
    }
    if let Some(i2c) = &board.i2c {
        wires.extend([(i2c.sda.pin, "i2c"), (i2c.scl.pin, "i2c")]);
    }
    if let Some(spi) = &board.spi {
        wires.extend([spi.mosi, spi.sck, spi.miso].map(|pad| (pad.pin, "spi")));
    }
    for fitting in board.fittings.iter().filter(|fitting| !fitting.optional) {
        let pins = [fitting.select, fitting.pin, fitting.irq, fitting.shutdown];
        wires.extend(pins.into_iter().flatten().map(|pin| (pin, fitting.part.as_str())));
    }
    wires
}

/// Each serial interface is of one use, and has four pads.
fn check_interfaces(board: &Board) -> Result<(), Fault> {
    let Board { console, radio, i2c, spi, .. } = board;
    let uses = [
        console.as_ref().map(|it| ("console", it.sercom, vec![it.tx, it.rx])),
        radio.as_ref().map(|it| ("radio", it.sercom, vec![it.mosi, it.sck, it.miso])),
        i2c.as_ref().map(|it| ("i2c", it.sercom, vec![it.sda, it.scl])),
        spi.as_ref().map(|it| ("spi", it.sercom, vec![it.mosi, it.sck, it.miso])),
    ];
    let mut used: BTreeMap<u8, &str> = BTreeMap::new();
    for (user, sercom, pads) in uses.into_iter().flatten() {
        let near = format!("sercom = {sercom}");
        if sercom > LAST_INTERFACE {
            let what = format!("{near} of the {user}: interfaces are 0 to {LAST_INTERFACE}");
            return fault(near, what);
        }
        if let Some(other) = used.insert(sercom, user) {
            return fault(&near, format!("{near} is that of both {other} and {user}"));
        }
        for (index, Pad { pin, pad }) in pads.iter().enumerate() {
            let near = format!("pad = {pad}");
            if *pad > LAST_PAD {
                return fault(&near, format!("{near} of the {user}: pads are 0 to {LAST_PAD}"));
            }
            if pads[..index].iter().any(|other| other.pad == *pad) {
                return fault(pin.0, format!("{near} of the {user} is given twice"));
            }
        }
    }
    Ok(())
}

fn check_function(user: &str, function: char) -> Result<(), Fault> {
    match function {
        'A'..='I' => Ok(()),
        other => {
            fault(other, format!("function = \"{other}\" of the {user}: functions are `A` to `I`"))
        }
    }
}

fn check_fitting(board: &Board, fitting: &Fitting) -> Result<(), Fault> {
    let part = &fitting.part;
    let missing = match fitting.bus {
        Bus::I2c if board.i2c.is_none() => Some("a section [i2c] of the board"),
        Bus::I2c if fitting.address.is_none() => Some("an `address`"),
        Bus::Spi if board.spi.is_none() => Some("a section [spi] of the board"),
        Bus::Spi if fitting.select.is_none() => Some("a `select`"),
        Bus::Analog | Bus::Digital if fitting.pin.is_none() => Some("a `pin`"),
        _ => None,
    };
    if let Some(missing) = missing {
        return fault(part, format!("the part {part} needs {missing}"));
    }
    if let Some(address) = fitting.address.filter(|address| *address > 0x7f) {
        let what = format!("address 0x{address:02x} of {part}: I2C addresses have 7 bits");
        return fault(part, what);
    }
    match Part::find(part).filter(|known| known.bus != fitting.bus) {
        Some(known) => {
            let bus = known.bus.name();
            fault(part, format!("the {part} is connected by {bus}: write bus = \"{bus}\""))
        }
        None => Ok(()),
    }
}

/// Two parts at one address would answer at once.
fn check_addresses(board: &Board) -> Result<(), Fault> {
    let mut used: BTreeMap<u8, &str> = BTreeMap::new();
    let fitted = board.fittings.iter().filter(|fitting| !fitting.optional);
    for fitting in fitted.filter(|fitting| fitting.bus == Bus::I2c) {
        let Some(address) = fitting.address else { continue };
        if let Some(other) = used.insert(address, &fitting.part) {
            let part = &fitting.part;
            let what = format!("address 0x{address:02x} is that of both {other} and {part}");
            return fault(part, what);
        }
    }
    Ok(())
}

/// Its words become arguments and file names.
fn check_programmer(programmer: &Programmer) -> Result<(), Fault> {
    let Programmer { place, probes, openocd, edbg } = programmer;
    if openocd.is_empty() && edbg.is_none() {
        return fault(place, "[programmer] needs `openocd`, `edbg` or both".to_string());
    }
    if let Some(word) = probes.iter().chain(edbg).find(|word| !is_word(word)) {
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

fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.starts_with(|c: char| c.is_ascii_alphanumeric()) && text.chars().all(plain)
}
