// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stream of the components' states. Nothing is computed unless somebody watches.
//!
//! A block's state is looked at whenever the block was served, so a change is reported at the time of the
//! call that made it.

use super::clocks::Power;
use super::map::{BLOCKS, Block, ENTRIES};
use super::soc::Soc;
use crate::activity::{Activity, ComponentStates, OFF};
use crate::samr21::peripheral::Clocks;
use crate::{Output, Time};

/// Component that stands for the processor.
const CPU: &str = "CPU";
const CPU_STATES: &[&str] = &["active", "idle0", "idle1", "idle2", "standby"];
/// Its state while it executes.
pub(super) const ACTIVE: &str = CPU_STATES[0];

/// States of the components inside SYSCTRL.
pub(super) const SYSCTRL: [ComponentStates; 8] = [
    ("XOSC", &["on"]),
    ("XOSC32K", &["on"]),
    ("OSC32K", &["on"]),
    ("OSCULP32K", &["on"]),
    ("OSC8M", &["on"]),
    ("DFLL48M", &["open loop", "closed loop"]),
    ("FDPLL96M", &["on"]),
    ("BOD33", &["continuous", "sampling"]),
];

/// The last report to the observer.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    /// The processor's present mode.
    mode: &'static str,
    /// Last report of the processor, of SYSCTRL's components, and of each block.
    reported: Vec<Option<Activity>>,
}

const FIRST_BLOCK: usize = 1 + SYSCTRL.len();

impl Soc {
    /// Reports the state of every component that is not off, and changes from now on; or nothing any
    /// more.
    pub(super) fn watch_activity(&mut self, now: Time, on: bool, mode: &'static str) {
        let reported = vec![None; FIRST_BLOCK + BLOCKS];
        self.watch = on.then(|| Box::new(Watch { mode, reported }));
        self.note_all(now);
    }

    /// The processor is in another mode.
    pub(super) fn note_mode(&mut self, now: Time, mode: &'static str) {
        if let Some(watch) = &mut self.watch {
            watch.mode = mode;
            self.note_processor(now);
        }
    }

    /// The whole chip may be in another state.
    pub(super) fn note_all(&mut self, now: Time) {
        if self.watch.is_some() {
            self.note_processor(now);
            for index in 0..BLOCKS {
                self.note(now, index);
            }
        }
    }

    /// The processor's clock may have changed.
    pub(super) fn note_processor(&mut self, now: Time) {
        let Some(watch) = &self.watch else { return };
        let state = watch.mode;
        let runs = self.tree.main_runs() && state != "standby";
        let hz = if runs { self.tree.processor().hz() } else { 0 };
        self.report(now, 0, Activity { component: CPU, state, hz, bus_hz: 0 });
    }

    /// A block was served.
    pub(super) fn note(&mut self, now: Time, index: usize) {
        if self.watch.is_none() {
            return;
        }
        match ENTRIES[index].block {
            Block::Sysctrl => {
                let standby = self.power == Power::Standby;
                let activities = self.blocks.sysctrl.activities(standby);
                for (place, activity) in activities.into_iter().enumerate() {
                    self.report(now, 1 + place, activity);
                }
            }
            // Its masks stop the bus clocks of others.
            Block::Pm => {
                for other in (0..BLOCKS).filter(|other| *other != Block::Pm as usize) {
                    self.note(now, other);
                }
            }
            block if states(block).is_empty() => {}
            _ => {
                let activity = self.activity(index);
                self.report(now, FIRST_BLOCK + index, activity);
            }
        }
    }

    fn activity(&mut self, index: usize) -> Activity {
        let entry = &ENTRIES[index];
        let state = self.blocks.get(index).activity();
        debug_assert!(state == OFF || states(entry.block).contains(&state), "{}", entry.name);
        if state == OFF {
            return Activity { component: entry.name, state, hz: 0, bus_hz: 0 };
        }
        let clocked = self.blocks.pm.is_clocked(index) && self.tree.bus_runs(entry.bridge());
        let bus_hz = if clocked { self.tree.bus(entry.bridge()).hz() } else { 0 };
        let hz = match entry.channels.first() {
            Some(channel) => self.tree.generic(*channel).map_or(0, |clock| clock.hz()),
            None => bus_hz,
        };
        Activity { component: entry.name, state, hz, bus_hz }
    }

    fn report(&mut self, now: Time, place: usize, activity: Activity) {
        let Some(watch) = &mut self.watch else { return };
        // Without power, registers have their reset values, and nothing draws a current.
        let activity = match watch.mode {
            OFF => Activity { state: OFF, hz: 0, bus_hz: 0, ..activity },
            _ => activity,
        };
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
        Block::Wdt | Block::Rtc => &["counting"],
        Block::Tcc0 | Block::Tcc1 | Block::Tcc2 => &["counting"],
        Block::Tc3 | Block::Tc4 | Block::Tc5 | Block::Tc6 | Block::Tc7 => &["counting"],
        Block::Sercom0 | Block::Sercom1 | Block::Sercom2 => &["usart", "spi", "i2c"],
        Block::Sercom3 | Block::Sercom4 | Block::Sercom5 => &["usart", "spi", "i2c"],
        Block::Dmac => &["on", "transferring"],
        Block::Nvmctrl => &["erasing", "writing"],
        Block::Eic | Block::Adc | Block::Ac | Block::Dac | Block::Usb | Block::Mtb => &["on"],
        _ => &[],
    }
}

/// What the chip can report.
pub(crate) fn component_states() -> Vec<ComponentStates> {
    let blocks = ENTRIES.iter().map(|entry| (entry.name, states(entry.block)));
    let all = std::iter::once((CPU, CPU_STATES)).chain(SYSCTRL).chain(blocks);
    all.filter(|(_, states)| !states.is_empty()).collect()
}
