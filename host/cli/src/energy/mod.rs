// SPDX-License-Identifier: MIT OR Apache-2.0
//! `lichen energy`: what can be done with accounts that runs have written; and how accounts are shown.

mod diff;

pub use diff::{HELP, Options};

use clap::{Args, Subcommand};
use lichen_energy::{Cells, Charge, HOURS_A_YEAR};
use lichen_terminal::failure::{Code, Failure};
use lichen_terminal::place::Here;
use lichen_terminal::screen::Screen;

/// Where the tables of currents are, in the tree.
pub const TABLES: &str = "data/current";
/// Where the cells are.
const CELLS: &str = "data/cell";
/// Lives up to this are printed in hours, and from the other one on in years.
const FEW_HOURS: u64 = 10 * 24;
const MANY_HOURS: u64 = 1_000 * 24;

/// Options of `energy`.
#[derive(Debug, Args)]
pub struct Energy {
    /// What to do with accounts.
    #[command(subcommand)]
    pub action: Action,
}

/// What can be done with accounts.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Compare two accounts: what grew, what shrank, and how long cells last.
    #[command(after_help = HELP)]
    Diff(Options),
}

/// Does what is asked with accounts.
pub fn energy(options: &Energy, screen: &Screen) -> Result<Code, Failure> {
    match &options.action {
        Action::Diff(options) => diff::diff(options, screen),
    }
}

/// The cells that are known.
pub fn cells(here: &Here) -> Result<Cells, Failure> {
    Ok(Cells::load(&here.tree.path(CELLS))?)
}

/// How long cells last, for people.
pub fn life(hours: Option<u64>) -> String {
    let Some(hours) = hours else { return "for ever".to_string() };
    match hours {
        0..FEW_HOURS => format!("{hours} hours"),
        FEW_HOURS..MANY_HOURS => format!("{} days", (hours + 12) / 24),
        _ => {
            let tenths =
                (u128::from(hours) * 10 + u128::from(HOURS_A_YEAR / 2)) / u128::from(HOURS_A_YEAR);
            format!("{}.{} years", tenths / 10, tenths % 10)
        }
    }
}

/// A share in percent with two decimals, in a column.
pub fn percent(part: Charge, whole: Charge) -> String {
    format!("{:>11}", share_of(part, whole))
}

/// A share in percent with two decimals.
pub fn share_of(part: Charge, whole: Charge) -> String {
    let hundredths = (part.0 * 10_000 + whole.0 / 2).checked_div(whole.0).unwrap_or(0);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The width of a column with these texts: `least`, if they have room in it.
pub fn width<'a>(texts: impl Iterator<Item = &'a str>, least: usize) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lives_are_rounded_to_what_is_shown() {
        let shown = [239, 251, 252, 8_766 * 3 + 438, 8_766 * 3 + 439];
        let lives = shown.map(|hours| life(Some(hours)));
        assert_eq!(lives, ["239 hours", "10 days", "11 days", "3.0 years", "3.1 years"]);
        assert_eq!(life(None), "for ever");
        assert!(life(Some(u64::MAX)).ends_with(" years"));
    }

    #[test]
    fn a_column_is_as_wide_as_its_longest_text() {
        assert_eq!(width(["ab", "abcd"].into_iter(), 3), 4);
        assert_eq!(width(["ab"].into_iter(), 3), 3);
        assert_eq!(width([].into_iter(), 3), 3);
    }
}
