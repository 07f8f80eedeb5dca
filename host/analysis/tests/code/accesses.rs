// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said to be volatile is declared so.

use crate::machine::*;
use lichen_analysis::{Accessed, Graph, Text};

#[test]
fn a_volatile_variable_is_told_from_another() {
    for name in ["armv6m", "avr8"] {
        let image = image(name);
        let text = Text::of(&image);
        let graph = Graph::of(&text, text.symbol("count").expect("there")).expect("whole");
        let accessed = |variable: &str| {
            let place = text.symbol(variable).expect("there");
            let of_it = |at: &u32| graph.address(*at).is_some_and(|it| it & !1 == place);
            let at: Vec<u32> = (0..graph.blocks.len())
                .flat_map(|block| graph.instructions(block).map(|(at, _)| at))
                .filter(of_it)
                .collect();
            assert!(at.len() >= 2, "{name} {variable}: {at:x?}");
            at.into_iter().map(|at| text.accessed(&graph, at)).collect::<Vec<_>>()
        };
        assert!(accessed("counted").iter().all(|it| *it == Some(Accessed::Volatile)), "{name}");
        assert!(accessed("plain").iter().all(|it| *it == Some(Accessed::Plain)), "{name}");
    }
}
