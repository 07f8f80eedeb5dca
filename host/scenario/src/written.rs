// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scenario file contains, as written.

use crate::course::Course;
use lichen_board::{Button, Fitting};
use lichen_chip::{NoTime, Time};
use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// A scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    #[serde(default)]
    pub seed: u64,
    #[serde(default = "noisy")]
    pub noise: bool,
    #[serde(rename = "for")]
    pub duration: Option<Duration>,
    #[serde(default, rename = "mote")]
    pub motes: Vec<Mote>,
    #[serde(default)]
    pub medium: Medium,
    #[serde(default, rename = "wall")]
    pub walls: Vec<Wall>,
    #[serde(default, rename = "link")]
    pub links: Vec<Link>,
    #[serde(default)]
    pub interference: Vec<Interference>,
    #[serde(default)]
    pub output: Files,
    // What a test expects is read by whoever runs it as a test; here, only its place counts.
    #[serde(default, rename = "boards")]
    _boards: IgnoredAny,
    #[serde(default, rename = "expect")]
    _expect: IgnoredAny,
    #[serde(default, rename = "limit")]
    _limit: IgnoredAny,
}

fn noisy() -> bool {
    true
}

/// Keys of tests alone.
pub(crate) const KEYS_OF_TESTS: [&str; 3] = ["boards", "expect", "limit"];

/// What a test says of itself first of all.
#[derive(Deserialize)]
pub(crate) struct OfTest {
    #[serde(default)]
    pub(crate) boards: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Files {
    pub json: Option<PathBuf>,
    pub summary: Option<PathBuf>,
    pub vcd: Option<PathBuf>,
    pub perfetto: Option<PathBuf>,
    pub pcap: Option<PathBuf>,
    pub wave: Option<PathBuf>,
    pub wave_from: Option<Duration>,
    pub wave_for: Option<Duration>,
    pub air: Option<PathBuf>,
    pub air_from: Option<Duration>,
    pub air_for: Option<Duration>,
    pub energy_json: Option<PathBuf>,
    pub energy_csv: Option<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mote {
    pub name: Option<String>,
    #[serde(default = "one")]
    pub count: i64,
    /// Required, except in a test.
    pub board: Option<String>,
    pub program: Option<String>,
    pub start: Option<Duration>,
    pub seed: Option<u64>,
    pub input: Option<Input>,
    pub position: Option<Point>,
    #[serde(default)]
    pub moves: Vec<Move>,
    #[serde(default)]
    pub environment: BTreeMap<String, Course>,
    #[serde(default, rename = "device")]
    pub devices: Vec<Fitting>,
    #[serde(default, rename = "button")]
    pub buttons: Vec<Button>,
}

impl Mote {
    /// The only mote of a test that describes none.
    pub fn of_test() -> Mote {
        Mote {
            name: None,
            count: one(),
            board: None,
            program: None,
            start: None,
            seed: None,
            input: None,
            position: None,
            moves: Vec::new(),
            environment: BTreeMap::new(),
            devices: Vec::new(),
            buttons: Vec::new(),
        }
    }
}

/// What carries what radios send.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Medium {
    pub model: Option<String>,
    pub exponent: Option<f64>,
    pub sigma: Option<f64>,
    pub range: Option<f64>,
    pub topology: Option<String>,
    pub spacing: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wall {
    pub from: Point,
    pub to: Point,
    pub loss: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Link {
    pub from: String,
    pub to: String,
    pub loss: Option<f64>,
    pub quality: Option<f64>,
    #[serde(default)]
    pub one_way: bool,
    #[serde(default)]
    pub fades: Vec<Fade>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fade {
    pub from: Duration,
    pub until: Duration,
    pub loss: f64,
}

/// What is on the air and comes from no mote.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Interference {
    pub csv: PathBuf,
    pub from: Option<Duration>,
    pub repeat: Option<Duration>,
    pub position: Option<Point>,
}

/// When a mote is elsewhere, and where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    pub at: Duration,
    pub to: Point,
}

fn one() -> i64 {
    1
}

/// What happens to a mote: a file, or its lines.
#[derive(Deserialize)]
#[serde(untagged, expecting = "use the path of an input file, or a list of its lines")]
pub(crate) enum Input {
    File(PathBuf),
    Lines(Vec<String>),
}

/// A time: text such as `"24h"`, or a number of seconds.
#[derive(Clone, Debug)]
pub struct Duration(String);

impl Duration {
    /// The time, or why it is none.
    pub fn time(&self) -> Result<Time, String> {
        self.0.parse().map_err(|error: NoTime| error.to_string())
    }
}

impl<'de> Deserialize<'de> for Duration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        deserializer.deserialize_any(DurationVisitor)
    }
}

struct DurationVisitor;

impl Visitor<'_> for DurationVisitor {
    type Value = Duration;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of seconds, or a time in quotes such as \"5ms\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Duration, E> {
        Ok(Duration(text.to_string()))
    }

    fn visit_i64<E: Error>(self, seconds: i64) -> Result<Duration, E> {
        Ok(Duration(seconds.to_string()))
    }

    /// Numbers with many digits are no times.
    fn visit_f64<E: Error>(self, seconds: f64) -> Result<Duration, E> {
        let is_short = seconds.abs() < 1e12;
        Ok(Duration(if is_short { seconds.to_string() } else { format!("{seconds:e}") }))
    }
}

/// A position, in metres.
#[derive(Clone, Copy, Debug)]
pub struct Point(pub [f64; 2]);

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Point, D::Error> {
        from.deserialize_seq(Numbers)
    }
}

/// Reads the numbers of a position: there may be too many, too.
struct Numbers;

impl<'de> Visitor<'de> for Numbers {
    type Value = Point;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("`[x, y]`, in metres")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Point, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = sequence.next_element()? {
            numbers.push(number);
        }
        match numbers[..] {
            [x, y] => Ok(Point([x, y])),
            _ => Err(Error::invalid_length(numbers.len(), &self)),
        }
    }
}
