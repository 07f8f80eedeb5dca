// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen convert`: what a sensor's raw values mean.

use lichen_board::conversion::Conversion;
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::screen::out;
use serde_json::json;

/// Examples below the options.
pub const HELP: &str = "\
Examples:
  lichen convert HDC1080 temperature 0x5d14
  lichen convert TMP006 radiant_temperature 0xff42 0x0a00
  lichen convert hdc1080 humidity 32768 --json

A mote may send raw values (sensor_read_raw) and leave the conversion to the host. The result has the
unit of lichen/sensor.h, such as thousandths of a degree, and equals that of sensor_read on the mote
to the last digit. A raw value is its words in their order, decimal or, after 0x, hexadecimal.";

/// Options of `convert`.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The part, such as HDC1080.
    part: String,
    /// The quantity that it measures, such as temperature.
    quantity: String,
    /// The words of the raw value.
    #[arg(required = true)]
    raw: Vec<String>,
    /// Write a JSON object.
    #[arg(long)]
    json: bool,
}

/// Converts and prints.
pub fn convert(options: &Options) -> Result<Code, Failure> {
    let wrong = |error: &dyn std::error::Error| Failure::wrong(error.to_string());
    let table = Conversion::find(&options.part).map_err(|error| wrong(&error))?;
    let raw = options.raw.iter().map(|text| word(text)).collect::<Result<Vec<u16>, Failure>>()?;
    let value = table.value(&options.quantity, &raw).map_err(|error| wrong(&error))?;
    if options.json {
        let quantity = &options.quantity;
        out!("{}", json!({ "part": table.part, "quantity": quantity, "raw": raw, "value": value }));
    } else {
        out!("{value}");
    }
    Ok(Code::Done)
}

fn word(text: &str) -> Result<u16, Failure> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let parsed = match hexadecimal {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| {
        Failure::wrong(format!("`{text}` is no raw value"))
            .remedy("write a number from 0 to 65535, or 0x0 to 0xffff")
    })
}
