// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen generate`: the committed files that come from board files, tables of conversions and the interface of programs.

use lichen_board::conversion::{Conversion, EXPECTED_PATH};
use lichen_check::pins::{self, PinsError};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::maintenance::Generate as Options;
use lichen_terminal::place::Here;
use lichen_terminal::screen::out;

/// Writes, or with `--check` compares, the header of each board and of each conversion, and the calls of programs.
pub fn generate(options: &Options) -> Result<Code, Failure> {
    let here = Here::find()?;
    let tree = &here.tree;
    let is_new = |check: Result<(), PinsError>, write: &dyn Fn() -> Result<bool, PinsError>| {
        if options.check { check.map(|()| false) } else { write() }
    };
    for board in tree.boards()? {
        let write = || pins::write(tree, &board);
        say(
            &format!("os/board/{board}/pins.h"),
            is_new(pins::check(tree, &board), &write).map_err(|error| Failure::of(&error))?,
        );
    }
    for conversion in Conversion::all() {
        let write = || pins::write_conversion(tree, &conversion);
        let check = pins::check_conversion(tree, &conversion);
        say(&conversion.header_path(), is_new(check, &write).map_err(|error| Failure::of(&error))?);
    }
    say(
        EXPECTED_PATH,
        is_new(pins::check_sums(tree), &|| pins::write_sums(tree))
            .map_err(|error| Failure::of(&error))?,
    );
    for made in lichen_check::interface::made(tree).map_err(|error| Failure::of(&error))? {
        let check = pins::check_made(tree, &made);
        let write = || pins::write_made(tree, &made);
        say(&made.path, is_new(check, &write).map_err(|error| Failure::of(&error))?);
    }
    Ok(Code::Done)
}

fn say(header: &str, is_new: bool) {
    out!("{}  {header}", if is_new { "written" } else { "current" });
}
