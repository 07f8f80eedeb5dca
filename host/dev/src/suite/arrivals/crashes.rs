// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs crash the mote as soon as they are started, at each boot: after three times they are not started any more. Another
//! one runs on, if it is known who it was. Who cuts the power is not counted.

use super::mote::{Mote, Request, Seen};

const RUNS: &str = "app/blink";
/// What crashes, its version, and whether it leaves a trace of itself.
const CRASHES: [(&str, u16, bool); 3] = [
    ("test/load/crashes", 1, true),  // spins until the watchdog ends that
    ("test/load/crashes", 2, false), // overwrites all memory
    ("test/load/stumbles", 1, true), // overflows the kernel's stack in a start function
];
/// Starts until a program is not started any more (`lichen/loader.h`), and more.
const STARTS: usize = 4;

pub fn play(mote: &mut Mote, _: bool) -> Result<String, String> {
    let runs = mote.container(RUNS, |about| about.version = 9)?;
    mote.ask(&Request::install(&runs))?;
    match mote.turn()? {
        0 => {}
        error => return Err(format!("{RUNS}: error {error}")),
    }
    for _ in 0..STARTS {
        mote.cut()?.expect("cut", Seen { rows: 1, version: Some(9) })?;
    }
    let moment = mote.chip.snapshot();
    for (folder, version, is_known) in CRASHES {
        let what = format!("{folder} {version}");
        let crashes = mote.container(folder, |about| about.version = version)?;
        mote.ask(&Request::install(&crashes))?;
        mote.begin_turn();
        let last = Seen { rows: 2, version: is_known.then_some(9) };
        mote.started().map_err(|error| format!("{what}: {error}"))?.expect(&what, last)?;
        mote.cut()?.expect(&format!("{what}, after a cut"), last)?;
        mote.chip.restore(&moment).map_err(|error| error.to_string())?;
    }
    Ok(format!("{} programs", CRASHES.len()))
}

impl Seen {
    fn expect(self, what: &str, expected: Seen) -> Result<(), String> {
        match self == expected {
            true => Ok(()),
            false => Err(format!("{what}: {self:?} instead of {expected:?}")),
        }
    }
}
