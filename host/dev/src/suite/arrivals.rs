// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `arrivals`: programs arrive at a simulated mote, in damaged containers, or while its power fails, or crash it. The
//! mote runs `test/load/installs`, and its containers are those of `app/blink` and `bench/load/null`, and of programs of
//! `test/load` that crash.
//!
//! A test is `arrivals/BOARD/damaged`, `arrivals/BOARD/cuts` or `arrivals/BOARD/crashes`.

mod crashes;
mod cuts;
mod damaged;
mod mote;

use super::{Context, Listener, Report, Verdict};
use mote::Mote;

/// One of each instruction set.
const BOARDS: [&str; 2] = ["mica2", "hamilton"];

/// Plays with a mote. Returns what it has seen.
type Play = fn(&mut Mote, bool) -> Result<String, String>;

const TESTS: [(&str, Play); 3] =
    [("damaged", damaged::play), ("cuts", cuts::play), ("crashes", crashes::play)];

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    for board in BOARDS {
        for (name, play) in TESTS {
            let test = format!("{board}/{name}");
            if !context.wants(&test) {
                continue;
            }
            listener.working(context.group, &test);
            let played = Mote::new(context, board, listener)
                .and_then(|mut mote| play(&mut mote, context.suite.long).map_err(saying));
            let verdict = match played {
                Ok(seen) => {
                    listener.figure(context.group, &format!("{test}: {seen}"));
                    Verdict::Passed
                }
                Err(report) => Verdict::Failed(*report),
            };
            context.tell(listener, test, verdict);
        }
    }
}

fn saying(message: String) -> Box<Report> {
    Box::new(Report::saying(message))
}
