// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream of the components' states. Nothing is computed unless somebody watches.

use super::fuses::Meaning;
use super::map::{ALL, BLOCKS, Block};
use super::sleep::Mode;
use super::soc::Soc;
use crate::activity::{Activity, ComponentStates, OFF};
use crate::{Output, Time};

/// Component that stands for the processor.
const CPU: &str = "CPU";
const CPU_STATES: &[&str] = &[
    "active",
    "idle",
    "adc noise reduction",
    "power-down",
    "power-save",
    "standby",
    "extended standby",
];

/// The brown-out detector.
const DETECTOR: &str = "BOD";
/// Place of the first block among the reports, after processor and detector.
const FIRST_BLOCK: usize = 2;

/// State of a timer that its own crystal clocks.
pub(super) const ASYNCHRONOUS: &str = "asynchronous";

/// The last report to the observer.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// Whether there is power.
    powered: bool,
    /// Last report of processor, detector and of each block.
    reported: Vec<Option<Activity>>,
}

impl Soc {
    /// Reports the state of every component that is not off, and changes from now on; or nothing any
    /// more.
    pub(super) fn watch_activity(&mut self, now: Time, on: bool, powered: bool) {
        let reported = vec![None; FIRST_BLOCK + BLOCKS];
        self.watch = on.then(|| Box::new(Watch { powered, reported }));
        self.note_all(now);
    }

    /// Power has come, or gone.
    pub(super) fn note_power(&mut self, now: Time, powered: bool) {
        if let Some(watch) = &mut self.watch {
            watch.powered = powered;
        }
        self.note_all(now);
    }

    /// The whole chip may be in another state.
    pub(super) fn note_all(&mut self, now: Time) {
        if self.watch.is_some() {
            self.note_processor(now);
            self.note_detector(now);
            ALL.into_iter().for_each(|block| self.note(now, block));
        }
    }

    /// The processor's mode or clock may have changed.
    pub(super) fn note_processor(&mut self, now: Time) {
        if self.watch.is_some() {
            let mode = self.clocks.mode;
            let (state, hz) = match mode {
                // After a reset the oscillator starts, and nothing has a clock.
                Mode::Active if !self.clocks.io_runs() => (Mode::Standby.name(), 0),
                _ if mode.oscillates() => (mode.name(), self.clocks.processor().hz()),
                _ => (mode.name(), 0),
            };
            self.report(now, 0, Activity { component: CPU, state, hz, bus_hz: 0 });
        }
    }

    /// The brown-out detector is on in every mode, if its fuse says so.
    fn note_detector(&mut self, now: Time) {
        let state = if self.fuses().brown_out() { "on" } else { OFF };
        self.report(now, 1, Activity { component: DETECTOR, state, hz: 0, bus_hz: 0 });
    }

    /// A block was served.
    pub(super) fn note(&mut self, now: Time, block: Block) {
        let known = states(block);
        if self.watch.is_none() || known.is_empty() {
            return;
        }
        let state = self.blocks.get(block).activity();
        debug_assert!(state == OFF || known.contains(&state), "{} {state}", block.name());
        let hz = match state {
            OFF => 0,
            ASYNCHRONOUS if self.clocks.mode.timer_oscillates() => {
                self.clocks.watch.map_or(0, |watch| watch.hz())
            }
            ASYNCHRONOUS => 0,
            _ if self.clocks.io_runs() => self.clocks.processor().hz(),
            _ => 0,
        };
        let activity = Activity { component: block.name(), state, hz, bus_hz: 0 };
        self.report(now, FIRST_BLOCK + block as usize, activity);
    }

    fn report(&mut self, now: Time, place: usize, activity: Activity) {
        let Some(watch) = &mut self.watch else { return };
        let activity =
            if watch.powered { activity } else { Activity { state: OFF, hz: 0, ..activity } };
        let reported = watch.reported[place].replace(activity);
        let is_news = match reported {
            Some(reported) => reported != activity,
            None => activity.state != OFF,
        };
        if is_news {
            self.output(now, Output::Activity(activity));
        }
    }
}

/// States that a block can report, apart from [`OFF`].
fn states(block: Block) -> &'static [&'static str] {
    match block {
        Block::Timer0 => &["counting", ASYNCHRONOUS],
        Block::Timer1 | Block::Timer2 | Block::Timer3 => &["counting"],
        Block::Eeprom | Block::Boot => &["writing"],
        Block::Wdt | Block::Usart0 | Block::Usart1 => &["on"],
        Block::Spi | Block::Twi | Block::Adc | Block::Ac => &["on"],
        Block::Mcu | Block::Exint | Block::Port => &[],
    }
}

/// What the chip can report.
pub(crate) fn component_states() -> Vec<ComponentStates> {
    let blocks = ALL.into_iter().map(|block| (block.name(), states(block)));
    let others: [ComponentStates; 2] = [(CPU, CPU_STATES), (DETECTOR, &["on"])];
    let all = others.into_iter().chain(blocks);
    all.filter(|(_, states)| !states.is_empty()).collect()
}
