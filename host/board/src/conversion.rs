// SPDX-License-Identifier: MIT OR Apache-2.0
//! What parts put out, and what it means: tables of `data/conversion/*.toml`, from which the firmware's are
//! generated. The arithmetic is that of the firmware (`os/driver/sensor`), to the last digit.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The files.
const FILES: &[&str] = &[
    include_str!("../../../data/conversion/hdc1080.toml"),
    include_str!("../../../data/conversion/fxos8700cq.toml"),
    include_str!("../../../data/conversion/tmp006.toml"),
    include_str!("../../../data/conversion/apds9007.toml"),
    include_str!("../../../data/conversion/mts300.toml"),
    include_str!("../../../data/conversion/mts310.toml"),
    include_str!("../../../data/conversion/supply.toml"),
];

/// The conversions of a part.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conversion {
    /// Its number.
    pub part: String,
    #[serde(default, rename = "line")]
    lines: Vec<Line>,
    #[serde(default, rename = "curve")]
    curves: Vec<Curve>,
    /// Numbers of a formula of its own.
    #[serde(default)]
    constants: BTreeMap<String, i64>,
}

/// raw * scale / 2^16 + offset, rounded down.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    reading: String,
    scale: i32,
    #[serde(default)]
    offset: i32,
    /// The raw value is in two's complement.
    #[serde(default)]
    signed: bool,
}

/// Straight lines between points.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Curve {
    reading: String,
    points: Vec<(u16, i32)>,
}

/// Why a value cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConversionError {
    /// There is no table.
    #[error("no table converts the part `{part}`; there are {known}")]
    Part {
        /// What was asked for.
        part: String,
        /// The parts that have one.
        known: String,
    },
    /// The part has no such reading.
    #[error("the {part} has no reading `{reading}`; it has {known}")]
    Reading {
        /// The part.
        part: String,
        /// What was asked for.
        reading: String,
        /// Those that it has.
        known: String,
    },
    /// Too few words, or too many.
    #[error("`{reading}` of the {part} is made of {needed} raw value(s), and {given} are given")]
    Words {
        /// The part.
        part: String,
        /// The reading.
        reading: String,
        /// How many it has.
        needed: usize,
        /// How many there are.
        given: usize,
    },
}

/// The reading that only the TMP006 has.
const RADIANT: &str = "radiant_temperature";

impl Conversion {
    /// Reads a file's text.
    pub fn parse(text: &str) -> Result<Conversion, toml::de::Error> {
        toml::from_str(text)
    }

    /// Every conversion.
    pub fn all() -> Vec<Conversion> {
        // A test reads the files, so none is left out.
        FILES.iter().filter_map(|text| Conversion::parse(text).ok()).collect()
    }

    /// That of a part, in letters of either case.
    pub fn find(part: &str) -> Result<Conversion, ConversionError> {
        let all = Conversion::all();
        let known: Vec<String> = all.iter().map(|table| table.part.clone()).collect();
        let found = all.into_iter().find(|table| table.part.eq_ignore_ascii_case(part));
        found.ok_or_else(|| ConversionError::Part { part: part.into(), known: known.join(", ") })
    }

    /// What the part can tell.
    pub fn readings(&self) -> Vec<&str> {
        let radiant = (!self.constants.is_empty()).then_some(RADIANT);
        let lines = self.lines.iter().map(|line| line.reading.as_str());
        let curves = self.curves.iter().map(|curve| curve.reading.as_str());
        radiant.into_iter().chain(lines).chain(curves).collect()
    }

    /// How many raw values a reading is made of.
    pub fn words(&self, reading: &str) -> usize {
        if reading == RADIANT { 2 } else { 1 }
    }

    /// The value, in the unit that the firmware has for it (`lichen/sensor.h`).
    pub fn value(&self, reading: &str, raw: &[u16]) -> Result<i32, ConversionError> {
        let unknown = || ConversionError::Reading {
            part: self.part.clone(),
            reading: reading.into(),
            known: self.readings().join(", "),
        };
        if !self.readings().contains(&reading) {
            return Err(unknown());
        }
        let needed = self.words(reading);
        if raw.len() != needed {
            let (part, reading) = (self.part.clone(), reading.into());
            return Err(ConversionError::Words { part, reading, needed, given: raw.len() });
        }
        if reading == RADIANT {
            return Ok(self.radiant(raw[0] as i16, raw[1] as i16));
        }
        let line = self.lines.iter().find(|line| line.reading == reading);
        let curve = self.curves.iter().find(|curve| curve.reading == reading);
        let value = line.map(|line| line.value(raw[0]));
        value.or_else(|| Some(curve?.value(raw[0]))).ok_or_else(unknown)
    }

    fn constant(&self, name: &str) -> i64 {
        self.constants.get(name).copied().unwrap_or(0)
    }

    /// As `os/driver/sensor/tmp006.c`.
    fn radiant(&self, voltage: i16, own: i16) -> i32 {
        let own = own.clamp(-64 * 128, 150 * 128);
        let above = i64::from(own / 2 - 25 * 64);
        let square = above * above;
        let sensitivity = (1 << 20)
            + above * self.constant("a1") / 1_000
            + square * self.constant("a2") / 100_000_000;
        let offset = self.constant("b0")
            + above * self.constant("b1") / 64
            + square * self.constant("b2") / 409_600;
        let over = i64::from(voltage) * 625 / 4 - offset;
        let seebeck = over + over * over * self.constant("c2") / 10_000_000_000;
        let radiated = seebeck * self.constant("per_nanovolt") / sensitivity * (1 << 20);
        let kelvin = i64::from(own / 2) + self.constant("kelvin");
        let power = (kelvin.pow(4) + radiated).max(0) as u64;
        power.isqrt().isqrt() as i32 * 125 / 8 - 273_150
    }

    /// Name of the part in names of files and of objects.
    fn stem(&self) -> String {
        self.part.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "")
    }

    /// The path of its file.
    pub fn facts_path(&self) -> String {
        format!("data/conversion/{}.toml", self.stem())
    }

    /// The path of its header.
    pub fn header_path(&self) -> String {
        format!("os/driver/sensor/{}_conversion.h", self.stem())
    }

    /// The firmware's header.
    pub fn header(&self) -> String {
        let stem = self.stem();
        let guard = format!("DRIVER_SENSOR_{}_CONVERSION_H", stem.to_uppercase());
        let mut text = format!(
            "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
             /* Generated from {} by `./lichen generate`. Do not edit. */\n\
             #ifndef {guard}\n#define {guard}\n",
            self.facts_path()
        );
        let lines = (!self.lines.is_empty()).then_some("linear");
        let curves = (!self.curves.is_empty()).then_some("curve");
        if lines.is_some() || curves.is_some() {
            text += "\n";
        }
        // Writing to a string cannot fail.
        for name in curves.into_iter().chain(lines) {
            let _ = writeln!(text, "#include \"driver/sensor/{name}.h\"");
        }
        text += "\n/* clang-format off */\n";
        for (name, value) in &self.constants {
            let suffix = if i32::try_from(*value).is_ok() { "" } else { "LL" };
            let name = name.to_uppercase();
            let _ = writeln!(text, "#define {}_{name} ({value}{suffix})", stem.to_uppercase());
        }
        text += &self.tables(&stem);
        text + "/* clang-format on */\n\n#endif\n"
    }

    fn tables(&self, stem: &str) -> String {
        let mut text = String::new();
        if !self.lines.is_empty() {
            let _ =
                writeln!(text, "static const ARCH_FLASH struct sensor_linear {stem}_lines[] = {{");
            for line in &self.lines {
                let Line { reading, scale, offset, signed } = line;
                let _ = writeln!(text, "    {{{scale}, {offset}, {signed}}}, /* {reading} */");
            }
            text += "};\n";
        }
        for curve in &self.curves {
            let name = format!("{stem}_{}", curve.reading);
            let _ = writeln!(text, "static const ARCH_FLASH struct sensor_point {name}[] = {{");
            for (raw, value) in &curve.points {
                let _ = writeln!(text, "    {{{raw}, {value}}},");
            }
            text += "};\n";
        }
        text
    }
}

/// The path of the header with which the firmware's conversions are compared.
pub const EXPECTED_PATH: &str = "test/mote/conversion/expected.h";

/// That header: a sum over the values of each reading (`test/mote/conversion`).
pub fn expected() -> String {
    let mut text = "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n\
                    /* Generated from data/conversion by `./lichen generate`. Do not edit. */\n\
                    #ifndef CONVERSION_EXPECTED_H\n#define CONVERSION_EXPECTED_H\n\n\
                    /* clang-format off */\n"
        .to_string();
    for table in Conversion::all() {
        for reading in table.readings() {
            let name = format!("{}_{reading}", table.stem()).to_uppercase();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "#define EXPECTED_{name} {:#010x}u", table.sum(reading));
        }
    }
    text + "/* clang-format on */\n\n#endif\n"
}

impl Conversion {
    /// One raw value in seven; where it has two words, the second one takes a sample of its values.
    fn sum(&self, reading: &str) -> u32 {
        let step = |sum: u32, raw: u16| {
            let words = [raw, raw.wrapping_mul(40_503) & 0xFFFC];
            let value = self.value(reading, &words[..self.words(reading)]).unwrap_or(0);
            sum.wrapping_mul(31).wrapping_add(value as u32)
        };
        (0..=u16::MAX).step_by(7).fold(0, step)
    }
}

impl Line {
    fn value(&self, raw: u16) -> i32 {
        let scale = self.scale as u32;
        let mut value = (scale >> 16)
            .wrapping_mul(raw.into())
            .wrapping_add(((scale & 0xFFFF) * u32::from(raw)) >> 16);
        if self.signed && raw >= 0x8000 {
            value = value.wrapping_sub(scale);
        }
        value.wrapping_add(self.offset as u32) as i32
    }
}

impl Curve {
    /// Before the first point and after the last one, the curve is level.
    fn value(&self, raw: u16) -> i32 {
        let next = self.points.partition_point(|(x, _)| *x <= raw);
        match (next.checked_sub(1).and_then(|last| self.points.get(last)), self.points.get(next)) {
            (Some((x, y)), Some((to_x, to_y))) => {
                let (wide, passed) = (i64::from(to_x - x), i64::from(raw - x));
                let step = i64::from(to_y - y) * passed / wide;
                y + step as i32
            }
            (Some((_, y)), None) | (None, Some((_, y))) => *y,
            (None, None) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(part: &str, reading: &str, raw: &[u16]) -> i32 {
        Conversion::find(part).expect("a table").value(reading, raw).expect("a value")
    }

    #[test]
    fn every_file_is_read_and_none_is_forgotten() {
        for text in FILES {
            Conversion::parse(text).expect("a table");
        }
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/conversion");
        assert_eq!(std::fs::read_dir(folder).expect("a folder").count(), FILES.len());
    }

    #[test]
    fn lines_are_those_of_the_data_sheets() {
        assert_eq!(value("HDC1080", "temperature", &[0x5D14]), 19_991);
        assert_eq!(value("hdc1080", "temperature", &[0]), -40_000);
        assert_eq!(value("hdc1080", "humidity", &[0x8000]), 50_000);
        assert_eq!(value("FXOS8700CQ", "acceleration_x", &[0x4000]), 1_000_000);
        assert_eq!(value("FXOS8700CQ", "acceleration_z", &[0x8000]), -2_000_000);
        assert_eq!(value("FXOS8700CQ", "magnetic_y", &[0xFFFF]), -100);
        assert_eq!(value("FXOS8700CQ", "magnetic_y", &[440]), 44_000);
        assert_eq!(value("FXOS8700CQ", "temperature", &[0xFF00]), -960);
        assert_eq!(value("TMP006", "temperature", &[0x0C80]), 25_000);
    }

    /// The user guide's formula, in floating point.
    fn object(voltage: i16, own: i16) -> f64 {
        let kelvin = f64::from(own) / 128.0 + 273.15;
        let above = kelvin - 298.15;
        let sensitivity = 6.4e-14 * (1.0 + 1.75e-3 * above - 1.678e-5 * above * above);
        let offset = -2.94e-5 - 5.7e-7 * above + 4.63e-9 * above * above;
        let over = f64::from(voltage) * 156.25e-9 - offset;
        let power = kelvin * kelvin * kelvin * kelvin + (over + 13.4 * over * over) / sensitivity;
        power.max(0.0).sqrt().sqrt() - 273.15
    }

    #[test]
    fn the_radiant_temperature_is_that_of_the_formula() {
        let mut compared = 0;
        for own in (-40..=125).map(|degrees| degrees * 128) {
            for voltage in (i16::MIN..=i16::MAX).step_by(997) {
                let wanted = object(voltage, own);
                if (-40.0..300.0).contains(&wanted) {
                    let got = value("TMP006", RADIANT, &[voltage as u16, own as u16]);
                    assert!((f64::from(got) / 1e3 - wanted).abs() < 0.035, "{voltage} {own} {got}");
                    compared += 1;
                }
            }
        }
        assert!(compared > 1_000);
    }

    /// Compares a curve with a formula, within a part of its value and a length besides.
    fn compare(
        part: &str,
        reading: &str,
        raw: std::ops::Range<u16>,
        is_near: impl Fn(u16, f64) -> bool,
    ) {
        for raw in raw {
            let got = f64::from(value(part, reading, &[raw])) / 1e3;
            assert!(is_near(raw, got), "{part} {reading} {raw}: {got}");
        }
    }

    #[test]
    fn the_curves_are_near_the_formulas() {
        compare("apds-9007", "light", 0..785, |raw, lux| {
            let right = libm::pow(10.0, f64::from(raw) / 150.0);
            (lux / right - 1.0).abs() < 0.011
        });
        let ohms = |raw: u16| 1e4 * (1_023.0 - f64::from(raw)) / f64::from(raw);
        compare("mts300", "temperature", 20..1_001, |raw, celsius| {
            let log = libm::log(ohms(raw));
            let kelvin =
                1.0 / (0.001_010_024 + 0.000_242_127 * log + 0.000_000_146 * log * log * log);
            (celsius + 273.15 - kelvin).abs() < 0.11
        });
        compare("mts300", "light", 29..1_016, |raw, lux| {
            let right = 21.5 * libm::pow(3_600.0 / ohms(raw), 1.0 / 0.7);
            (lux / right - 1.0).abs() < 0.031
        });
        assert_eq!(value("mts310", "acceleration_x", &[511]), -8767);
        assert_eq!(value("mts310", "acceleration_y", &[568]), 991_187);
        assert_eq!(value("supply", "supply", &[3_300]), 3_300);
    }

    #[test]
    fn a_curve_is_level_beyond_its_ends() {
        let curve = Curve { reading: "r".into(), points: vec![(10, 100), (20, 0), (30, 1_000)] };
        let values = [0, 10, 15, 19, 20, 29, 30, 40].map(|raw| curve.value(raw));
        assert_eq!(values, [100, 100, 50, 10, 0, 900, 1_000, 1_000]);
    }

    #[test]
    fn what_is_not_there_is_named() {
        let error = Conversion::find("tmp007").expect_err("none").to_string();
        assert!(error.contains("`tmp007`; there are HDC1080"), "{error}");
        let table = Conversion::find("tmp006").expect("a table");
        let error = table.value("humidity", &[1]).expect_err("none").to_string();
        assert!(error.contains("it has radiant_temperature, temperature"), "{error}");
        let error = table.value(RADIANT, &[1]).expect_err("one").to_string();
        assert!(error.contains("is made of 2 raw value(s), and 1 are given"), "{error}");
    }
}
