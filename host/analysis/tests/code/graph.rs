// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions whose graphs are known by hand, on both architectures.

use crate::machine::*;
use lichen_analysis::{Callee, Dominators, End, Graph, Loops, Text};
use std::collections::BTreeSet;

const IMAGES: [&str; 2] = ["armv6m", "avr8"];

#[test]
fn a_switch_leads_to_all_its_cases() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("chosen").expect("there")).expect("whole");
        let switch = graph.calls.iter().find(|it| matches!(it.callee, Callee::Switch(_)));
        let block = graph.block(switch.expect("a switch").at).expect("in it");
        let cases: BTreeSet<usize> = graph.blocks[block].edges.iter().map(|it| it.to).collect();
        assert_eq!(cases.len(), 8, "{name}");
        let called: BTreeSet<String> = graph
            .calls
            .iter()
            .filter_map(|it| match it.callee {
                Callee::Function(to) => Some(text.name(to)),
                _ => None,
            })
            .collect();
        assert!(called.contains("least") && called.contains("gcd"), "{name}: {called:?}");
    }
}

#[test]
fn loops_nest() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("sort").expect("there")).expect("whole");
        let loops = Loops::of(&text, &graph).expect("reducible").0;
        assert_eq!(loops.len(), 2, "{name}");
        assert_eq!((loops[0].within, loops[1].within), (Some(1), None), "{name}");
        assert!(loops[0].blocks.is_subset(&loops[1].blocks), "{name}");
    }
}

#[test]
fn every_way_to_an_end_passes_what_postdominates() {
    for name in IMAGES {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("divided").expect("there")).expect("whole");
        let (before, behind) = (Dominators::of(&graph), Dominators::post(&graph));
        let end = graph.blocks.iter().position(|it| it.end == Some(End::Return)).expect("an end");
        for block in 0..graph.blocks.len() {
            assert!(before.passes(block, graph.entry), "{name}");
            assert!(behind.passes(block, end), "{name}: it has one end");
        }
    }
}
