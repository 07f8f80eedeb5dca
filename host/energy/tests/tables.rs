// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tables of the project: complete, and each row with its source.

use lichen_board::Board;
use lichen_chip::component_states;
use lichen_energy::{Current, Draw, Tables};
use std::path::{Path, PathBuf};

/// The tables of chips, and a chip that each is for.
const CHIPS: [(&str, &str); 2] = [("ATSAMR21", "ATSAMR21G18A"), ("ATmega128", "ATmega128L")];

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn tables() -> Tables {
    // A row without a source, or with neither a current nor a reason, is refused here.
    Tables::load(&folder("data/current")).expect("sound tables")
}

fn boards() -> Vec<Board> {
    let names = Board::names(&folder("board")).expect("boards");
    names.iter().map(|name| Board::find(&folder("board"), name).expect("a board")).collect()
}

#[test]
fn every_state_of_a_boards_chip_has_a_row() {
    let tables = tables();
    let chips = boards().into_iter().map(|board| board.chip);
    for chip in chips.chain(CHIPS.map(|(_, chip)| chip.to_string())) {
        let all = component_states(&chip);
        assert!(!all.is_empty(), "{chip}");
        for (component, states) in all {
            for state in states {
                let row = tables.row(&chip, component, state);
                assert!(row.is_some(), "{component}, {state} has no row");
            }
        }
        assert!(tables.supply_mv(&chip).is_some(), "{chip}");
    }
}

#[test]
fn every_row_of_a_chip_is_of_a_state_that_it_has() {
    let tables = tables();
    let of_chips = tables.rows().filter_map(|(part, row)| {
        let (_, chip) = CHIPS.iter().find(|(table, _)| *table == part)?;
        Some((part, row, component_states(chip)))
    });
    for (part, row, all) in of_chips {
        let name = row.component.as_deref().expect("a component");
        let is_of = |component: &str| {
            component == name || component.trim_end_matches(|c: char| c.is_ascii_digit()) == name
        };
        let states = all.iter().filter(|(component, _)| is_of(component));
        let known = states.clone().any(|(_, states)| states.contains(&row.state.as_str()));
        assert!(known, "{part} has no {name} in state {}", row.state);
    }
}

#[test]
fn a_lit_led_draws_what_the_board_says_or_nobody_knows() {
    assert!(matches!(tables().draw("led", "led0", "lit", [0, 0]), Draw::Unknown(_)));
    let dark = Draw::Known { current: Current(0), estimate: false };
    assert_eq!(tables().draw("led", "led0", "dark", [0, 0]), dark);
}

/// The sums of rows that the data sheet gives come out again.
#[test]
fn rows_add_up_to_the_sheets_sums() {
    let tables = tables();
    let na = |component, state, hz: u64, bus_hz: u64| match tables.draw(
        "ATSAMR21G18A",
        component,
        state,
        [hz, bus_hz],
    ) {
        Draw::Known { current, .. } => current.na() as i64,
        Draw::Unknown(why) => panic!("{component}, {state}: {why}"),
    };
    const MHZ: u64 = 1_000_000;
    let loops = na("DFLL48M", "closed loop", 48 * MHZ, 0);
    for (state, sum) in
        [("active", 6_320_000), ("idle0", 2_040_000), ("idle1", 1_460_000), ("idle2", 1_170_000)]
    {
        let all = na("CPU", state, 48 * MHZ, 0) + loops;
        assert!((all - sum).abs() < 50, "{state}: {all} for {sum} nA");
    }
    let alone = na("CPU", "standby", 0, 0) + na("OSCULP32K", "on", 32_768, 0);
    assert_eq!(alone, 2_700);
    let counting = alone + na("XOSC32K", "on", 32_768, 0) + na("RTC", "counting", 32_768, 0);
    assert_eq!(counting, 4_060);
    assert_eq!(na("FDPLL96M", "on", 96 * MHZ, 0), 899_968);
    let timer = na("RTC", "counting", 32_768, 8 * MHZ);
    assert!((timer - 7_400).abs() < 10, "{timer}");
}

/// Measured on Hamilton motes (Kim et al., SenSys 2018, section 4.1 and table 2). They check the table and are
/// not in it.
#[test]
#[expect(clippy::print_stdout, reason = "with --nocapture it shows both")]
fn the_papers_currents_are_met() {
    let tables = tables();
    let draw = |component, state, hz| match tables.draw("ATSAMR21E18A", component, state, [hz, 0]) {
        Draw::Known { current, .. } => current,
        Draw::Unknown(why) => panic!("{component}, {state}: {why}"),
    };
    let busy = draw("CPU", "active", 48_000_000) + draw("DFLL48M", "open loop", 48_000_000);
    let idle = draw("CPU", "standby", 0)
        + draw("OSCULP32K", "on", 32_768)
        + draw("RTC", "counting", 32_768);
    println!("busy at 48 MHz {busy}, paper 6.50 mA; idle core {idle}, paper 2.6 uA");
    let off = |current: Current, paper: f64| (current.na() as f64 / paper - 1.0).abs();
    assert!(off(busy, 6_500_000.0) < 0.05, "{busy}");
    assert!(off(idle, 2_600.0) < 0.10, "{idle}");
}
