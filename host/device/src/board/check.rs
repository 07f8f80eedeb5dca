// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors in a board file whose values are valid one by one.

use super::{Board, Pad, Pin, Programmer, Sensor, SensorBus};
use std::collections::BTreeMap;

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
    if let Some(programmer) = &board.programmer {
        check_programmer(programmer)?;
    }
    board.sensors.iter().try_for_each(|sensor| check_sensor(board, sensor))
}

fn check_names(board: &Board) -> Result<(), Fault> {
    let mut seen = Vec::new();
    let leds = board.leds.iter().map(|led| &led.name);
    for name in leds.chain(board.buttons.iter().map(|button| &button.name)) {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) {
            return fault(
                name,
                format!(
                    "`{name}` is not a valid name: use lower-case letters, digits and `_`, as in `led0`"
                ),
            );
        }
        if seen.contains(&name) {
            return fault(
                name,
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
    for sensor in board.sensors.iter().filter(|sensor| !sensor.optional) {
        let pins = [sensor.pin, sensor.irq, sensor.shutdown];
        wires.extend(pins.into_iter().flatten().map(|pin| (pin, sensor.part.as_str())));
    }
    wires
}

fn check_function(user: &str, function: char) -> Result<(), Fault> {
    match function {
        'A'..='I' => Ok(()),
        other => {
            fault(other, format!("function = \"{other}\" of the {user}: functions are `A` to `I`"))
        }
    }
}

fn check_sensor(board: &Board, sensor: &Sensor) -> Result<(), Fault> {
    let part = &sensor.part;
    let missing = match sensor.bus {
        SensorBus::I2c if board.i2c.is_none() => Some("a section [i2c] in the file"),
        SensorBus::I2c if sensor.address.is_none() => Some("an `address`"),
        SensorBus::Analog | SensorBus::Digital if sensor.pin.is_none() => Some("a `pin`"),
        _ => None,
    };
    if let Some(missing) = missing {
        return fault(part, format!("the sensor {part} needs {missing}"));
    }
    match sensor.address {
        Some(address) if address > 0x7f => {
            fault(part, format!("address 0x{address:02x} of {part}: I2C addresses have 7 bits"))
        }
        _ => Ok(()),
    }
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
