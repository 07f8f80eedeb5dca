// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `paths`: every program runs the same straight, step by step and cut at arbitrary points. An ordinary run of all
//! tests has one board of each chip for each program.

use super::programs::each_program_side_by_side;
use super::{Context, Listener, Report, Verdict};
use lichen_board::Board;
use lichen_chip::Time;
use lichen_image::Image;
use lichen_project::Program;
use lichen_test::Code;
use lichen_test::mote::{inputs, prepare, saying, script, wired};
use lichen_world::compare_paths;
use std::sync::Arc;

/// How long a program is run along each path, in an ordinary run of the tests and in the long one, and at how many
/// moments states are compared.
const LENGTH: Time = Time::from_ms(100);
const LONG_LENGTH: Time = Time::from_ms(1_000);
const MOST_MOMENTS: u64 = 300;

/// Compares the paths of every program of `app/` and `test/mote/`.
pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    for room in ["app", "test/mote"] {
        each_program_side_by_side(context, room, listener, &|context, program, board, listener| {
            let name = format!("{board}/{}", program.manifest.name);
            if !context.wants(&name) || !is_due(context, program, board) {
                return;
            }
            let image = match prepare(context, program, board, &name, listener) {
                Ok(image) => image,
                Err(report) => return context.tell(listener, name, Verdict::Failed(*report)),
            };
            let code = Code::of_motes().files(&["dev/src/suite/paths.rs"]);
            let inputs = inputs(context, program, &name, &image, code);
            context.remembering(&inputs, listener, |listener| {
                let verdict = match compare(context, program, board, image) {
                    Ok(()) => Verdict::Passed,
                    Err(report) => Verdict::Failed(*report),
                };
                context.tell(listener, &name, verdict);
            });
        });
    }
}

/// What is the same along all paths is the chip's: a second board with it shows little more.
fn is_due(context: &Context<'_>, program: &Program, board: &str) -> bool {
    let chip =
        |board: &str| Board::find(&context.tree().path("board"), board).ok().map(|it| it.chip);
    let before = program.manifest.boards.iter().take_while(|other| other.as_str() != board);
    context.suite.long
        || context
            .suite
            .filter
            .as_ref()
            .is_some_and(|filter| filter.split('/').any(|it| it == board))
        || before.map(|other| chip(other)).all(|other| other != chip(board))
}

fn compare(
    context: &Context<'_>,
    program: &Program,
    board: &str,
    image: Image,
) -> Result<(), Box<Report>> {
    let board = wired(context.tree(), program, board)?;
    let script = script(program, &board)?.unwrap_or_default();
    let length = if context.suite.long { LONG_LENGTH } else { LENGTH };
    let compared = compare_paths(&board, &Arc::new(image), &script, length, MOST_MOMENTS);
    let compared = compared.map_err(|error| saying(error.to_string()))?;
    match compared.difference {
        None => Ok(()),
        Some(difference) => Err(saying(difference.to_string())),
    }
}
