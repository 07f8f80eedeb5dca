// SPDX-License-Identifier: MIT OR Apache-2.0
//! The group `size`: every combination of kinds of work stays within its budget, and links nothing
//! that its kinds do not use.

use super::{Context, Listener, Report, Verdict, read};
use lichen_build::Progress;
use lichen_build::kinds::{self, Combination};
use lichen_test::Code;

/// The board of the budgets: sizes for others differ only by their wiring.
const BOARD: &str = "hamilton";

pub(super) fn run(context: &Context<'_>, listener: &mut dyn Listener) {
    // If the names cannot be read, the reason is told below.
    if kinds::names(context.tree()).is_ok_and(|names| !names.iter().any(|name| context.wants(name)))
    {
        return;
    }
    let paths = [read::SYSTEM.as_slice(), &read::ROWS, &[kinds::ROOM]].concat();
    let code = Code::of(&["lichen-build"]).files(&["dev/src/suite/size.rs"]);
    let inputs = read::with_tools(context, "kinds", &paths, code);
    context.remembering(&inputs, listener, |listener| measure(context, listener));
}

/// Builds all combinations and judges them.
fn measure(context: &Context<'_>, listener: &mut dyn Listener) {
    let mut tell = |Progress { done, total }| {
        listener.working(context.group, &format!("building ({done} of {total})"));
    };
    match kinds::combinations(context.tree(), BOARD, &mut tell) {
        Ok(combinations) => {
            for combination in &combinations {
                context.tell(listener, combination.name.clone(), verdict(combination));
            }
        }
        Err(error) => context.tell(listener, "kinds", Verdict::Failed(Report::of(&error))),
    }
}

fn verdict(combination: &Combination) -> Verdict {
    if let Some(name) = combination.unwanted.first() {
        return Verdict::Failed(Report {
            place: Some(combination.budget.rom_place.clone()),
            message: format!("`{name}` is linked, which this program does not use"),
            remedy: Some("the linker's map says what needed it: see the .map file".to_string()),
            output: None,
        });
    }
    match combination.sizes.check(&combination.budget) {
        Ok(()) => Verdict::Passed,
        Err(error) => Verdict::Failed(Report::of(&error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_build::size::{Row, Sizes};
    use lichen_project::{Budget, Place};

    fn combination(rom: u32, unwanted: &[&str]) -> Combination {
        let place = || Place::line("budget.toml", 4);
        Combination {
            name: "rt_coop".to_string(),
            sizes: Sizes { rows: vec![Row { section: ".text".to_string(), rom, ram: 0 }] },
            budget: Budget { rom: 100, rom_place: place(), ram: 10, ram_place: place() },
            unwanted: unwanted.iter().map(|name| name.to_string()).collect(),
        }
    }

    #[test]
    fn what_fits_and_needs_nothing_else_passes() {
        assert_eq!(verdict(&combination(100, &[])), Verdict::Passed);
    }

    #[test]
    fn a_byte_too_many_and_an_unused_part_fail() {
        assert!(matches!(verdict(&combination(101, &[])), Verdict::Failed(_)));
        let Verdict::Failed(report) = verdict(&combination(1, &["threads_init"])) else {
            panic!("must fail");
        };
        assert!(report.message.contains("`threads_init`"));
    }
}
