// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the colours of a picture mean: only of those that are in it.

use super::panel::Group;
use crate::drawing::legend::{Entries, Measures};
use crate::drawing::words::escaped;
use std::collections::BTreeSet;
use std::fmt::Write;

const MEASURES: Measures = Measures { sample: 12.0, after_sample: 5.0, between: 16.0, row: 18.0 };

/// What is in a picture.
#[derive(Clone, Debug, Default)]
pub struct Legend {
    /// The lanes.
    pub groups: BTreeSet<Group>,
    /// The states of components that have several, in the order of their colours, with the components.
    states: Vec<(String, BTreeSet<String>)>,
    /// Whether the curve shows ranges.
    pub has_ranges: bool,
    /// Whether a lane has something pale.
    pub has_pale: bool,
}

impl Group {
    /// Name of its colour in the style of a picture.
    pub fn class(self) -> &'static str {
        match self {
            Group::Processor => "processor",
            Group::Thread => "thread",
            Group::Interrupt => "interrupt",
            Group::Clock => "clock",
            Group::Peripheral => "peripheral",
            Group::Part => "part",
            Group::Pin => "pin",
            Group::Serial => "serial",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Group::Processor => "processor",
            Group::Thread => "threads",
            Group::Interrupt => "interrupts",
            Group::Clock => "oscillators",
            Group::Peripheral => "peripherals",
            Group::Part => "parts of the board",
            Group::Pin => "pins",
            Group::Serial => "serial ports",
        }
    }
}

/// Colours of states; further ones share them.
const COLOURS_OF_STATES: usize = 12;

impl Legend {
    /// Name of a state's colour, which is the same for all components.
    pub fn state(&mut self, component: &str, state: &str) -> String {
        let known = self.states.iter().position(|(known, _)| known == state);
        let number = known.unwrap_or_else(|| {
            self.states.push((state.to_string(), BTreeSet::new()));
            self.states.len() - 1
        });
        self.states[number].1.insert(component.to_string());
        class_of_state(number)
    }

    /// Draws it below `top` between two edges; returns where it ends.
    pub fn draw(&self, svg: &mut String, top: f64, edges: (f64, f64)) -> f64 {
        let mut entries = Entries::new(svg, MEASURES, top, edges);
        for (colour, name) in self.entries() {
            entries.entry(&name, |svg, (x, y)| {
                let (y, side) = (y + 4.0, MEASURES.sample);
                let _ = write!(svg, "<path {colour} d=\"M{x:.1} {y:.1}h{side}v8h-{side}z\"/>");
            });
        }
        entries.bottom()
    }

    /// Attributes of the colours, and their names.
    fn entries(&self) -> Vec<(String, String)> {
        let class = |class: &str| format!("class=\"{class}\"");
        let mut entries = vec![(class("mean"), "mean current".to_string())];
        if self.has_ranges {
            entries.push((class("range"), "least to greatest current".to_string()));
        }
        let groups = self.groups.iter();
        entries.extend(groups.map(|group| (class(group.class()), group.title().to_string())));
        let states = self.states.iter().enumerate();
        entries.extend(states.map(|(number, (state, components))| {
            let components: Vec<&str> = components.iter().map(String::as_str).collect();
            let name = format!("{state} ({})", components.join(", "));
            (class(&class_of_state(number)), escaped(&name))
        }));
        if self.has_pale {
            let pale = format!("{} opacity=\".4\"", class("processor"));
            entries.push((pale, "pale: for a part of the time".to_string()));
        }
        entries
    }
}

fn class_of_state(number: usize) -> String {
    format!("s{}", number % COLOURS_OF_STATES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_names_what_is_there_and_stays_within_the_picture() {
        let groups = [Group::Processor, Group::Thread, Group::Pin].into_iter().collect();
        let legend = Legend { groups, has_pale: true, ..Legend::default() };
        let mut svg = String::new();
        assert_eq!(legend.draw(&mut svg, 100.0, (20.0, 900.0)), 100.0 + MEASURES.row, "one row");
        for name in [">mean current<", ">threads<", ">pins<", ">pale: for a part of the time<"] {
            assert!(svg.contains(name), "no {name} in {svg}");
        }
        assert!(!svg.contains("interrupts") && !svg.contains("greatest"), "{svg}");
        assert!(
            legend.draw(&mut String::new(), 100.0, (20.0, 300.0)) > 100.0 + MEASURES.row,
            "more rows"
        );
    }
}
