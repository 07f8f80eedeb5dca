// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that show a run over time, for which motes report details: waveforms and pictures.

use super::files;
use super::options::Record;
use crate::energy::TABLES;
use crate::failure::Failure;
use crate::mote::Names;
use crate::place::Here;
use lichen_chip::Time;
use lichen_device::Board;
use lichen_device::board::Active;
use lichen_energy::{Meter, Tables};
use lichen_project::Place;
use lichen_trace::{Drawn, Error, Event, Interface, On, Pcap, Perfetto, Sink, Vcd, Wave, Window};
use lichen_world::{Mote, MoteId, Output, World};
use std::collections::BTreeMap;
use std::path::Path;

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
        let window = Window {
            from: record.wave_from.or(output.wave_from),
            length: record.wave_for.or(output.wave_for),
        };
        // What is refused is refused before there is a file.
        check(&window, record, output)?;
        check_number((record, output), world, chosen)?;
        match (files::wave(record, output), window.from) {
            (Some(file), Some(begin)) if end <= begin => {
                return Err(Error::TooEarly { path: file.clone(), end, begin }.into());
            }
            _ => {}
        }
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
                thread: mote.running_thread().map(str::to_string),
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

/// Refuses what would draw nothing.
fn check(window: &Window, record: &Record, output: &Output) -> Result<(), Failure> {
    if files::wave(record, output).is_none() && *window != Window::default() {
        let keys = ["wave-from", "wave-for"];
        let key = keys.iter().find_map(|key| Some((key, files::place(record, output, key)?)));
        let what = "there is a part of a picture, and no picture";
        return Err(match key {
            Some((key, place)) => Failure::wrong(format!("`{key}`: {what}")).at(place).remedy(
                "name the file of the picture: `wave = \"FILE.svg\"` in [output], or --wave FILE",
            ),
            None => Failure::wrong(what).remedy("name the file of the picture: --wave FILE"),
        });
    }
    if window.length == Some(Time::ZERO) {
        return Err(Failure::wrong("a picture of no time shows nothing")
            .remedy("give --wave-for a time such as 5ms"));
    }
    Ok(())
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
    let image = mote.image().name();
    let program = Path::new(image).file_stem().map_or(image.into(), |name| name.to_string_lossy());
    format!("{program} on {}", mote.board().name)
}

/// What a mote is called above its curve.
fn title(names: &Names, id: MoteId, mote: &Mote, world: &World) -> String {
    let what = what(mote);
    match world.motes().len() {
        1 => what,
        _ => format!("{}: {what}", names.long(id.0)),
    }
}
