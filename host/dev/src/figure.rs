// SPDX-License-Identifier: MIT OR Apache-2.0
//! Published figures, peers and goals, `bench/figures.toml`; and the values measured here.

use lichen_image::Machine;
use lichen_isa::Architecture;
use lichen_project::read_toml;
use lichen_project::{FileError, Tree};
use serde::{Deserialize, Serialize};

/// Which values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Better {
    /// Small ones.
    Lower,
    /// Large ones.
    Higher,
}

/// A figure: what is measured, and what others have achieved. The file explains each field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Stable name, such as `kernel.thread_ram`.
    pub id: String,
    /// What is measured, and how.
    pub what: String,
    /// Unit of all its values.
    pub unit: String,
    /// The paper's value.
    pub paper: Option<f64>,
    /// The paper's hardware.
    pub on: Option<String>,
    /// Where in the paper.
    #[serde(rename = "source")]
    pub _source: Option<String>,
    /// What other systems achieve.
    pub peers: Option<String>,
    /// The goal on Cortex-M0+.
    pub goal: Option<f64>,
    /// The goal on ATmega128.
    pub goal_avr: Option<f64>,
    /// Which values are better.
    pub better: Better,
    /// A note.
    #[serde(rename = "note")]
    pub _note: Option<String>,
}

impl Figure {
    /// The goal on boards with this architecture.
    fn goal_on(&self, architecture: &Architecture) -> Option<f64> {
        let is_avr = architecture.elf_machine == Machine::Avr.number();
        if is_avr { self.goal_avr } else { self.goal }
    }

    /// Whether `value` reaches `goal`.
    fn met(&self, value: f64, goal: f64) -> bool {
        match self.better {
            Better::Lower => value <= goal,
            Better::Higher => value >= goal,
        }
    }
}

/// A measured value, as `bench --json` writes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Value {
    /// The figure.
    pub id: String,
    /// What was measured.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// The board it was measured on.
    pub board: String,
    /// The paper's value.
    pub paper: Option<f64>,
    /// The goal.
    pub goal: Option<f64>,
    /// Which values are better.
    pub better: Better,
    /// Whether the goal is reached.
    pub met: Option<bool>,
}

impl Value {
    /// `value` of `figure`, measured on `board`, whose chip has this `architecture`.
    pub fn new(figure: &Figure, board: &str, architecture: &Architecture, value: f64) -> Value {
        let goal = figure.goal_on(architecture);
        Value {
            id: figure.id.clone(),
            value,
            unit: figure.unit.clone(),
            board: board.to_string(),
            paper: figure.paper,
            goal,
            better: figure.better,
            met: goal.map(|goal| figure.met(value, goal)),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    figure: Vec<Figure>,
}

/// All figures of `tree`.
pub fn figures(tree: &Tree) -> Result<Vec<Figure>, FileError> {
    let (file, _) = read_toml::<File>(&tree.path("bench/figures.toml"))?;
    Ok(file.figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_isa::armv6m::ARCHITECTURE as ARMV6M;
    use lichen_isa::avr8::ARCHITECTURE as AVR8;
    use std::path::Path;

    fn all() -> Vec<Figure> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        figures(&Tree::at(root).expect("this tree")).expect("a good file")
    }

    #[test]
    fn the_figures_of_the_tree_are_readable_and_unique() {
        let mut ids: Vec<String> = all().into_iter().map(|figure| figure.id).collect();
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert!(ids.contains(&"sim.mips_m0plus".to_string()));
    }

    #[test]
    fn a_goal_is_met_from_the_better_side() {
        let figure = |better| Figure { better, ..all().remove(0) };
        assert!(figure(Better::Lower).met(10.0, 10.0));
        assert!(!figure(Better::Lower).met(10.5, 10.0));
        assert!(figure(Better::Higher).met(10.0, 10.0));
        assert!(!figure(Better::Higher).met(9.0, 10.0));
    }

    #[test]
    fn each_machine_has_its_own_goal() {
        let figure = Figure { goal: Some(10.0), goal_avr: Some(20.0), ..all().remove(0) };
        let met = |architecture, figure: &Figure| {
            let value = Value::new(figure, "board", architecture, 15.0);
            (value.goal, value.met)
        };
        assert_eq!(met(&ARMV6M, &figure), (Some(10.0), Some(false)));
        assert_eq!(met(&AVR8, &figure), (Some(20.0), Some(true)));
        let without = Figure { goal_avr: None, ..figure };
        assert_eq!(met(&AVR8, &without), (None, None));
    }
}
