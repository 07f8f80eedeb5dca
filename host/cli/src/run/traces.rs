// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that show a run over time, for which motes report details: waveforms and pictures.

use super::options::Record;
use super::{air, files};
use crate::energy::TABLES;
use crate::mote::Names;
use lichen_board::{Active, Board};
use lichen_chip::Time;
use lichen_energy::{Meter, Tables};
use lichen_project::Place;
use lichen_scenario::Output;
use lichen_terminal::failure::Failure;
use lichen_terminal::place::Here;
use lichen_trace::{Drawn, Error, Event, Interface, On, Pcap, Perfetto, Sink, Vcd, Wave, Window};
use lichen_world::{Mote, MoteId, World};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

/// The option that says where a plot begins.
const WAVE_FROM: &str = "--wave-from";
/// More motes in a picture could not be read.
const MOST_DRAWN: usize = 8;

/// The files under way.
#[derive(Default)]
pub struct Traces {
    vcd: Option<Vcd>,
    wave: Option<Wave>,
    perfetto: Option<Perfetto>,
    pcap: Option<Pcap>,
    meter: Option<Meter>,
}

impl Traces {
    /// Creates the files that `record` and the scenario's `output` name. `chosen` is the mote that the call
    /// names, and `end` the latest end of the run.
    pub fn create(
        (record, output): (&Record, &Output),
        here: &Here,
        world: &World,
        names: &Names,
        (chosen, end): (Option<MoteId>, Time),
    ) -> Result<Traces, Failure> {
        // What is refused is refused before there is a file.
        let window = wave_window(record, output);
        check_window("wave", window, (record, output), end)?;
        check_window("air", air::window(record, output), (record, output), end)?;
        check_number((record, output), world, chosen)?;
        let mut traces = Traces::default();
        let wrong = |name: &'static str| move |error| files::uncreated(record, output, name, error);
        if let Some(file) = files::vcd(record, output) {
            let mut signals: Vec<_> = world.motes().map(|(_, mote)| mote.signals()).collect();
            for (of_mote, name) in signals.iter_mut().zip(names.given()) {
                of_mote.name.clone_from(name);
            }
            traces.vcd = Some(Vcd::create(&here.path(file), &signals).map_err(wrong("vcd"))?);
        }
        if let Some(file) = files::wave(record, output) {
            traces.wave = Some(Wave::new(&here.path(file), window));
        }
        if let Some(file) = files::perfetto(record, output) {
            traces.perfetto = Some(Perfetto::create(&here.path(file)).map_err(wrong("perfetto"))?);
        }
        if let Some(file) = files::pcap(record, output) {
            let motes = world.motes().map(|(id, mote)| interface(names, id, mote));
            let pcap = Pcap::create(&here.path(file), motes.collect());
            traces.pcap = Some(pcap.map_err(wrong("pcap"))?);
        }
        if traces.wave.is_some() || traces.vcd.is_some() || traces.perfetto.is_some() {
            traces.meter = Some(Meter::new(Tables::load(&here.tree.path(TABLES))?));
        }
        Ok(traces)
    }

    /// Whether there are any for which motes report details.
    pub fn are_wanted(&self) -> bool {
        self.meter.is_some()
    }

    /// Begins at the present time of `world`, which is to report details and activity from now on.
    pub fn begin(
        &mut self,
        world: &World,
        names: &Names,
        chosen: Option<MoteId>,
    ) -> Result<(), Failure> {
        let Some(meter) = &mut self.meter else { return Ok(()) };
        for (id, mote) in world.motes() {
            meter.add(mote.board());
            if chosen.is_some_and(|chosen| chosen != id) {
                continue;
            }
            let drawn = Drawn {
                mote: id.0,
                chip: mote.chip().part(),
                title: title(names, id, mote, world),
                thread: mote.running_thread().map(Cow::into_owned),
                on: on(mote.board()),
            };
            if let Some(wave) = &mut self.wave {
                wave.add(drawn.clone(), world.now());
            }
            if let Some(perfetto) = &mut self.perfetto {
                perfetto.add(drawn)?;
            }
        }
        Ok(())
    }

    /// Completes the files of a run that ended at `now`.
    pub fn finish(&mut self, now: Time) -> Result<(), Error> {
        let waveforms = self.vcd.take().map_or(Ok(()), |vcd| vcd.finish(now));
        let picture = self.wave.take().map_or(Ok(()), |wave| wave.finish(now));
        let trace = self.perfetto.take().map_or(Ok(()), |perfetto| perfetto.finish(now));
        let frames = self.pcap.take().map_or(Ok(()), Pcap::finish);
        waveforms.and(picture).and(trace).and(frames)
    }

    fn pass(&mut self, event: &Event) -> Result<(), Error> {
        self.vcd.as_mut().map_or(Ok(()), |vcd| vcd.event(event))?;
        self.wave.as_mut().map_or(Ok(()), |wave| wave.event(event))?;
        self.perfetto.as_mut().map_or(Ok(()), |perfetto| perfetto.event(event))
    }
}

impl Sink for Traces {
    fn event(&mut self, event: &Event) -> Result<(), Error> {
        self.pcap.as_mut().map_or(Ok(()), |pcap| pcap.event(event))?;
        self.pass(event)?;
        let current = self.meter.as_mut().and_then(|meter| meter.change(event));
        current.map_or(Ok(()), |current| self.pass(&current))
    }
}

/// What a plot shows.
fn wave_window(record: &Record, output: &Output) -> Window {
    Window {
        from: record.wave_from.or(output.wave_from),
        length: record.wave_for.or(output.wave_for),
    }
}

/// Refuses what would draw nothing: `option` names the file of the picture, and `end` is the end of the run.
fn check_window(
    option: &'static str,
    window: Window,
    (record, output): (&Record, &Output),
    end: Time,
) -> Result<(), Failure> {
    let file =
        if option == "air" { files::air(record, output) } else { files::wave(record, output) };
    let keys = [format!("{option}-from"), format!("{option}-for")];
    match (file, window.from) {
        (None, _) if window != Window::default() => {
            let what = "there is a part of a picture, and no picture";
            let place = |key: &String| Some((key.clone(), files::place(record, output, key)?));
            Err(match keys.iter().find_map(place) {
                Some((key, place)) => Failure::wrong(format!("`{key}`: {what}")).at(place).remedy(format!(
                    "name the file of the picture: `{option} = \"FILE.svg\"` in [output], or --{option} FILE"
                )),
                None => Failure::wrong(what)
                    .remedy(format!("name the file of the picture: --{option} FILE")),
            })
        }
        _ if window.length == Some(Time::ZERO) => {
            Err(Failure::wrong("a picture of no time shows nothing")
                .remedy(format!("give --{option}-for a time such as 5ms")))
        }
        (Some(file), Some(begin)) if end <= begin => {
            let option = if option == "air" { air::FROM } else { WAVE_FROM };
            Err(Error::TooEarly { path: file.to_path_buf(), end, begin, option }.into())
        }
        _ => Ok(()),
    }
}

/// Refuses a picture of too many motes.
fn check_number(
    (record, output): (&Record, &Output),
    world: &World,
    chosen: Option<MoteId>,
) -> Result<(), Failure> {
    let motes = world.motes().len();
    match files::wave(record, output) {
        Some(file) if chosen.is_none() && motes > MOST_DRAWN => {
            let what = format!("a picture of {motes} motes could not be read");
            Err(Failure::wrong(what)
                .at(Place::file(file))
                .remedy(format!("choose one with --mote; up to {MOST_DRAWN} are drawn together")))
        }
        _ => Ok(()),
    }
}

/// When the LEDs and buttons of a board are on.
fn on(board: &Board) -> BTreeMap<String, On> {
    let on = board.words().map(|(name, words)| {
        let level = u8::from(words.active == Active::High);
        (name.to_string(), On { level, word: words.on })
    });
    on.collect()
}

/// What a mote is where frames are captured.
fn interface(names: &Names, id: MoteId, mote: &Mote) -> Interface {
    let radio = mote.board().radio.as_ref();
    Interface {
        name: names.long(id.0),
        description: what(mote),
        is_802_15_4: radio.is_none_or(|radio| radio.is_802_15_4()),
    }
}

/// The program of a mote, and its board.
fn what(mote: &Mote) -> String {
    format!("{} on {}", program(mote), mote.board().name)
}

/// The program of a mote.
pub fn program(mote: &Mote) -> String {
    let image = mote.image().name();
    let stem = Path::new(image).file_stem().map(|name| name.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| image.to_string())
}

/// What a mote is called above its curve.
fn title(names: &Names, id: MoteId, mote: &Mote, world: &World) -> String {
    let what = what(mote);
    match world.motes().len() {
        1 => what,
        _ => format!("{}: {what}", names.long(id.0)),
    }
}
