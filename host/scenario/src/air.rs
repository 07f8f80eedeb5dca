// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a scenario says of the air: where motes are, what is between them, and how signals become weaker.

use crate::file::Reader;
use crate::written::{Fade, Interference, Link, Medium, Mote, Point, Wall};
use crate::{Planned, ScenarioError, bursts};
use lichen_board::facts::Place;
use lichen_chip::Time;
use lichen_world::{self as medium, Layout, Position, Propagation, Topology};

/// The air of a scenario, before a seed is chosen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Air {
    model: Option<Propagation>,
    topology: Option<Topology>,
    spacing: Option<f64>,
    /// Where motes are that say so themselves.
    places: Vec<Option<medium::Place>>,
    walls: Vec<medium::Wall>,
    links: Vec<medium::Link>,
    pub(crate) interference: Vec<medium::Interference>,
}

/// What is taken where the file does not say it.
const EXPONENT: f64 = 3.0;
const SIGMA: f64 = 3.0;

/// Names of the models.
const MODELS: &str = "everywhere, unit-disk, log-distance, links";

impl Air {
    /// Where the motes are that do not say it themselves.
    fn topology(&self) -> Topology {
        let own_places = self.places.iter().any(Option::is_some);
        let usual = if own_places { Topology::Random } else { Topology::Full };
        self.topology.unwrap_or(usual)
    }

    /// What is known of the space, with this seed.
    pub fn layout(&self, seed: u64) -> Layout {
        let mut layout = self.topology().layout(self.places.len(), self.spacing, seed);
        if let Some(model) = self.model {
            layout.propagation = model;
        }
        let places = layout.places.iter_mut().zip(&self.places);
        places.for_each(|(place, own)| place.clone_from(own.as_ref().unwrap_or(&place.clone())));
        layout.walls.extend(&self.walls);
        layout.links.clone_from(&self.links);
        layout.interference.clone_from(&self.interference);
        layout
    }
}

impl Reader<'_> {
    /// The air, as the file describes it; `planned` are the motes that come of `motes`.
    pub(crate) fn air(
        &self,
        medium: &Medium,
        (walls, links): (&[Wall], &[Link]),
        motes: &[Mote],
        planned: &[Planned],
    ) -> Result<Air, ScenarioError> {
        let at = self.places.key("medium");
        let topology = medium.topology.as_deref().map(str::parse::<Topology>).transpose();
        let topology =
            topology.map_err(|unknown| self.wrong(at.key("topology"), unknown.to_string()))?;
        self.above_zero("spacing", medium.spacing, at)?;
        let mut air = Air {
            model: self.model(medium, at)?,
            topology,
            spacing: medium.spacing,
            places: self.own_places(motes)?,
            ..Air::default()
        };
        if let (Some(_), Some(why)) = (air.spacing, air.topology().without_spacing()) {
            let what = format!("`spacing` has no effect with `{}`: {why}", air.topology().name());
            return Err(self.wrong(at.key("spacing"), what));
        }
        let weakens = matches!(air.layout(0).propagation, Propagation::LogDistance { .. });
        for (index, wall) in walls.iter().enumerate() {
            let at = self.places.key("wall").item(index);
            if !weakens {
                let what = "a wall weakens signals only with the model `log-distance`: write `model = \"log-distance\"` in \
                            [medium], or leave it out";
                return Err(self.wrong(at, what.to_string()));
            }
            air.walls.push(self.wall(wall, at)?);
        }
        for (index, link) in links.iter().enumerate() {
            let at = self.places.key("link").item(index);
            let directions = self.link(link, planned, at)?;
            let is_known = |direction: &&medium::Link| {
                air.links
                    .iter()
                    .any(|known| (known.from, known.to) == (direction.from, direction.to))
            };
            if let Some(direction) = directions.iter().find(is_known) {
                let name = |mote: u32| &planned[mote as usize].name;
                let what = format!(
                    "a link above says already how `{}` reaches `{}`; write one for both ways, or one with `one-way = true` \
                     for each",
                    name(direction.from),
                    name(direction.to)
                );
                return Err(self.wrong(at, what));
            }
            air.links.extend(directions);
        }
        Ok(air)
    }

    fn model(&self, medium: &Medium, at: &Place) -> Result<Option<Propagation>, ScenarioError> {
        self.above_zero("exponent", medium.exponent, at)?;
        self.not_negative("sigma", medium.sigma, at)?;
        self.above_zero("range", medium.range, at)?;
        let given = [
            ("exponent", medium.exponent.is_some(), "log-distance"),
            ("sigma", medium.sigma.is_some(), "log-distance"),
            ("range", medium.range.is_some(), "unit-disk"),
        ];
        let model = medium.model.as_deref();
        if let Some((key, _, of)) =
            given.iter().find(|(_, is_given, of)| *is_given && model != Some(*of))
        {
            let what = format!("`{key}` belongs to the model `{of}`: write `model = \"{of}\"`");
            return Err(self.wrong(at.key(key), what));
        }
        Ok(Some(match model {
            None => return Ok(None),
            Some("everywhere") => Propagation::Everywhere,
            Some("links") => Propagation::Links,
            Some("unit-disk") => match medium.range {
                Some(range) => Propagation::UnitDisk { range },
                None => {
                    let what = "the model `unit-disk` needs a `range`, in metres".to_string();
                    return Err(self.wrong(at.key("model"), what));
                }
            },
            Some("log-distance") => Propagation::LogDistance {
                exponent: medium.exponent.unwrap_or(EXPONENT),
                sigma: medium.sigma.unwrap_or(SIGMA),
            },
            Some(other) => {
                let what = format!("there is no model `{other}`; there are {MODELS}");
                return Err(self.wrong(at.key("model"), what));
            }
        }))
    }

    /// The places of motes that say where they are.
    fn own_places(&self, motes: &[Mote]) -> Result<Vec<Option<medium::Place>>, ScenarioError> {
        let mut places = Vec::new();
        for (index, mote) in motes.iter().enumerate() {
            let at = self.places.key("mote").item(index);
            let place = self.own_place(mote, at)?;
            places.extend(std::iter::repeat_n(place, mote.count as usize));
        }
        Ok(places)
    }

    fn own_place(&self, mote: &Mote, at: &Place) -> Result<Option<medium::Place>, ScenarioError> {
        let Some(position) = mote.position else {
            return match mote.moves.first() {
                None => Ok(None),
                Some(_) => {
                    let what = "`moves` need a `position` from which the mote moves".to_string();
                    Err(self.wrong(at.key("moves"), what))
                }
            };
        };
        let mut place = medium::Place::fixed(self.position(position, at.key("position"))?);
        let mut last = Time::ZERO;
        for (index, step) in mote.moves.iter().enumerate() {
            let at = at.key("moves").item(index);
            let time = self.time("at", Some(&step.at), at)?.unwrap_or(Time::ZERO);
            if time <= last {
                let what =
                    format!("`at`: {time} s is not after {last} s; moves are in order of time");
                return Err(self.wrong(at.key("at"), what));
            }
            last = time;
            place = place.then(time, self.position(step.to, at.key("to"))?);
        }
        Ok(Some(place))
    }

    /// What else is on the air.
    pub(crate) fn interference(
        &self,
        written: &[Interference],
        air: &Air,
    ) -> Result<Vec<medium::Interference>, ScenarioError> {
        let places = self.places.key("interference");
        let of = |(index, it): (usize, &Interference)| self.recorded(it, air, places.item(index));
        written.iter().enumerate().map(of).collect()
    }

    fn recorded(
        &self,
        it: &Interference,
        air: &Air,
        at: &Place,
    ) -> Result<medium::Interference, ScenarioError> {
        if it.position.is_some() && air.model == Some(Propagation::Links) {
            let what = "with the model `links` nothing arrives from a place: leave out `position`, and the \
                        interference is everywhere";
            return Err(self.wrong(at.key("position"), what.to_string()));
        }
        let position = it.position.map(|it| self.position(it, at.key("position"))).transpose()?;
        let bursts = match it.csv.as_os_str().is_empty() {
            true => Err("it is empty; give the path of a recording".to_string()),
            false => bursts::read(&self.folder.join(&it.csv)),
        };
        let bursts = bursts.map_err(|what| self.wrong(at.key("csv"), format!("`csv`: {what}")))?;
        let repeat = self.time("repeat", it.repeat.as_ref(), at)?;
        let last = bursts.last().map_or(Time::ZERO, |burst| burst.time);
        if let Some(repeat) = repeat.filter(|repeat| *repeat <= last) {
            let what = format!(
                "`repeat`: the recording cannot begin anew after {repeat} s, since its last line is at {last} s"
            );
            return Err(self.wrong(at.key("repeat"), what));
        }
        if let Some(what) = bursts::too_many(&bursts, repeat) {
            let key = if repeat.is_some() { "repeat" } else { "csv" };
            return Err(self.wrong(at.key(key), format!("`{key}`: {what}")));
        }
        let from = self.time("from", it.from.as_ref(), at)?.unwrap_or(Time::ZERO);
        Ok(medium::Interference { bursts: bursts.into(), from, repeat, position })
    }

    fn position(&self, Point([x, y]): Point, at: &Place) -> Result<Position, ScenarioError> {
        if x.is_finite() && y.is_finite() {
            return Ok(Position { x, y });
        }
        Err(self.wrong(at, "a position is two numbers, in metres".to_string()))
    }

    fn wall(&self, wall: &Wall, at: &Place) -> Result<medium::Wall, ScenarioError> {
        self.not_negative("loss", Some(wall.loss), at)?;
        Ok(medium::Wall {
            from: self.position(wall.from, at.key("from"))?,
            to: self.position(wall.to, at.key("to"))?,
            loss: hundredths(wall.loss),
        })
    }

    /// A link, and the one back.
    fn link(
        &self,
        link: &Link,
        motes: &[Planned],
        at: &Place,
    ) -> Result<Vec<medium::Link>, ScenarioError> {
        self.not_negative("loss", link.loss, at)?;
        if let Some(quality) = link.quality.filter(|quality| !(0.0..=1.0).contains(quality)) {
            let what =
                format!("`quality` is {quality}: use the part of frames that arrive, 0 to 1");
            return Err(self.wrong(at.key("quality"), what));
        }
        let from = self.mote_of_link("from", &link.from, motes, at)?;
        let to = self.mote_of_link("to", &link.to, motes, at)?;
        if from == to {
            let what = format!("a link leads from `{}` to itself: name two motes", link.from);
            return Err(self.wrong(at.key("to"), what));
        }
        let fades = link.fades.iter().enumerate();
        let fades = fades.map(|(index, fade)| self.fade(fade, at.key("fades").item(index)));
        let there = medium::Link {
            from,
            to,
            loss: link.loss.map(hundredths),
            quality: link.quality.unwrap_or(1.0),
            fades: fades.collect::<Result<_, _>>()?,
        };
        let back = medium::Link { from: to, to: from, ..there.clone() };
        Ok(if link.one_way { vec![there] } else { vec![there, back] })
    }

    fn fade(&self, fade: &Fade, at: &Place) -> Result<medium::Fade, ScenarioError> {
        self.not_negative("loss", Some(fade.loss), at)?;
        let from = self.time("from", Some(&fade.from), at)?.unwrap_or(Time::ZERO);
        let until = self.time("until", Some(&fade.until), at)?.unwrap_or(Time::NEVER);
        if until <= from {
            let what = format!("`until`: {until} s is not after {from} s");
            return Err(self.wrong(at.key("until"), what));
        }
        Ok(medium::Fade { from, until, loss: hundredths(fade.loss) })
    }

    fn mote_of_link(
        &self,
        key: &str,
        name: &str,
        motes: &[Planned],
        at: &Place,
    ) -> Result<u32, ScenarioError> {
        let found = motes.iter().position(|mote| mote.name == name);
        found.map(|index| index as u32).ok_or_else(|| {
            let known: Vec<&str> = motes.iter().take(20).map(|mote| mote.name.as_str()).collect();
            let what = format!("there is no mote `{name}`; there are {}", known.join(", "));
            self.wrong(at.key(key), what)
        })
    }

    fn above_zero(&self, key: &str, value: Option<f64>, at: &Place) -> Result<(), ScenarioError> {
        match value.filter(|value| !(value.is_finite() && *value > 0.0)) {
            None => Ok(()),
            Some(value) => {
                Err(self.wrong(at.key(key), format!("`{key}` is {value}: use a number above 0")))
            }
        }
    }

    fn not_negative(&self, key: &str, value: Option<f64>, at: &Place) -> Result<(), ScenarioError> {
        match value.filter(|value| !(value.is_finite() && *value >= 0.0)) {
            None => Ok(()),
            Some(value) => {
                Err(self.wrong(at.key(key), format!("`{key}` is {value}: use 0 or more")))
            }
        }
    }
}

/// Decibels, in hundredths.
fn hundredths(db: f64) -> i32 {
    libm::round(db.min(1e6) * 100.0) as i32
}
