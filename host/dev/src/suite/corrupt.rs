// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `corrupt`: every word of a running kernel's memory is overwritten, one at a time. The
//! programs are in `test/corrupt`; `lichen-corrupt` runs them. A test is a program.

use super::programs::{self, name_on};
use super::{Context, Listener, Report, Verdict, mote};
use lichen_board::Board;
use lichen_corrupt::{Outcome, Rig};
use lichen_image::Image;
use lichen_parallel::in_parallel;
use lichen_project::Program;
use lichen_test::Code;

/// Where the programs are.
const ROOM: &str = "test/corrupt";

/// Moments of a round at which words are overwritten, on a program's first board and on others.
const MOMENTS: u32 = 4;
const MOMENTS_ELSEWHERE: u32 = 2;

/// Failures that are reported one by one.
const TOLD: usize = 40;

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    programs::each_program(context, ROOM, listener, &|context, program, board, listener| {
        let name = name_on(program, board);
        if !context.wants(&name) || !mote::is_due(context, program, board, &name, listener) {
            return;
        }
        let image = match mote::prepare(context, program, board, &name, listener) {
            Ok(image) => image,
            Err(report) => return context.tell(listener, name, Verdict::Failed(*report)),
        };
        let code = Code::of_motes().and(&["lichen-corrupt"]).files(&["dev/src/suite/corrupt.rs"]);
        let inputs = mote::inputs(context, program, &name, &image, code);
        context.remembering(&inputs, listener, |listener| {
            let verdict = match examine(context, program, board, image, listener) {
                Ok(verdict) => verdict,
                Err(report) => Verdict::Failed(*report),
            };
            context.tell(listener, &name, verdict);
        });
    });
}

/// One word, overwritten at one moment.
struct Poke {
    moment: usize,
    address: u32,
    value: u32,
}

fn examine(
    context: &Context<'_>,
    program: &Program,
    board: &str,
    image: Image,
    listener: &mut dyn Listener,
) -> Result<Verdict, Box<Report>> {
    let name = &name_on(program, board);
    let facts = Board::find(&context.tree().path("board"), board).map_err(saying)?;
    let described = program;
    let program = lichen_corrupt::Program::new(image, &facts).map_err(saying)?;
    let mut rig = Rig::new(&program).map_err(saying)?;
    let elsewhere = described.manifest.name != *name;
    let moments = if elsewhere { MOMENTS_ELSEWHERE } else { MOMENTS };
    let moments = rig.moments(moments).map_err(saying)?;
    let pokes = pokes(&program, moments.len());
    let mut told = |done| {
        if done % 256 == 0 {
            listener.working(context.group, &format!("{name}: {done} of {}", pokes.len()));
        }
    };
    let work = |rig: &mut Rig<'_>, index: usize| {
        let poke = &pokes[index];
        rig.overwrite(&moments[poke.moment], poke.address, poke.value)
    };
    let outcomes = in_parallel(pokes.len(), || Rig::new(&program), work, &mut told);
    let outcomes: Result<Vec<_>, _> = outcomes.map_err(saying)?.into_iter().collect();
    let outcomes = outcomes.map_err(saying)?;
    listener.figure(context.group, &figure(name, program.words().len(), &outcomes));
    let mut unfair = Vec::new();
    for (poke, outcome) in pokes.iter().zip(&outcomes).filter(|(_, outcome)| !outcome.is_fair()) {
        let at = rig.place_at(&moments[poke.moment]).map_err(saying)?;
        let Poke { address, value, .. } = poke;
        let object = program.object(*address);
        unfair.push(format!("{object} (0x{address:08x}) = 0x{value:08x} at {at}: it {outcome}"));
    }
    Ok(verdict(&unfair, mote::settings(described).silent_at_most(board)))
}

fn pokes(program: &lichen_corrupt::Program, moments: usize) -> Vec<Poke> {
    let mut pokes = Vec::new();
    for address in program.words() {
        for value in program.values(*address) {
            let at = |moment| Poke { moment, address: *address, value };
            pokes.extend((0..moments).map(at));
        }
    }
    pokes
}

fn figure(name: &str, words: usize, outcomes: &[Outcome]) -> String {
    let count = |wanted: fn(&Outcome) -> bool| outcomes.iter().filter(|o| wanted(o)).count();
    format!(
        "{name}: {words} words, overwritten {} times: {} go on, {} leave a record, {} are reset by the \
         watchdog alone, {} start again, {} fall silent",
        outcomes.len(),
        count(|outcome| *outcome == Outcome::Right),
        count(|outcome| matches!(outcome, Outcome::Record { .. })),
        count(|outcome| *outcome == Outcome::Watchdog),
        count(|outcome| *outcome == Outcome::Restarted),
        count(|outcome| matches!(outcome, Outcome::Silent { .. } | Outcome::Unexplained)),
    )
}

fn verdict(unfair: &[String], at_most: u32) -> Verdict {
    if unfair.len() <= at_most as usize {
        return Verdict::Passed;
    }
    let mut output = unfair[..unfair.len().min(TOLD)].join("\n");
    if unfair.len() > TOLD {
        output.push_str(&format!("\nand {} more", unfair.len() - TOLD));
    }
    Verdict::Failed(Report {
        message: format!(
            "{} times the mote neither works nor says why, at most {at_most} are known",
            unfair.len()
        ),
        output: Some(output),
        ..Report::default()
    })
}

fn saying(error: impl std::fmt::Display) -> Box<Report> {
    Box::new(Report::saying(error.to_string()))
}
