// SPDX-License-Identifier: MIT OR Apache-2.0
//! What was added to the latency of interrupts, as text.

use lichen_test::latency::{FIGURE, Found, KERNEL_LEVEL, Latencies, words};
use serde_json::{Value, json};

/// A heading, and up to two lines for each level with interrupts.
pub fn lines(seen: &Latencies) -> Vec<String> {
    let mut lines = vec![format!(
        "{FIGURE} on {}: cycles masked or stalled from request to handler",
        seen.architecture
    )];
    for (number, level) in seen.levels.iter().enumerate() {
        let Some(worst) = &level.worst else { continue };
        let kernel = if number == KERNEL_LEVEL { ", the kernel's own" } else { "" };
        let served = level.served;
        lines.push(format!("  level {number}{kernel}: {} of {served}; {worst}", worst.added));
        if let Some(found) = &level.queued {
            lines.push(format!("    other handlers first: {} cycles; {found}", found.queued));
        }
    }
    if let Some(found) = &seen.start_up {
        lines.push(format!("  requested during start-up: {}; {found}", found.added));
    }
    lines
}

/// The same as an object.
pub fn json(seen: &Latencies) -> Value {
    let levels: Vec<Value> = seen
        .levels
        .iter()
        .enumerate()
        .map(|(number, level)| {
            json!({
                "level": number,
                "served": level.served,
                "worst": level.worst.as_ref().map(found),
                "queued": level.queued.as_ref().map(found),
            })
        })
        .collect();
    json!({
        "id": FIGURE,
        "architecture": seen.architecture,
        "levels": levels,
        "start_up": seen.start_up.as_ref().map(found),
    })
}

fn found(found: &Found) -> Value {
    let parts: Vec<Value> = found
        .parts
        .iter()
        .map(|part| {
            let place = part.place.as_ref().map(words);
            json!({ "cycles": part.cycles, "what": part.what, "added": part.added, "place": place })
        })
        .collect();
    json!({
        "program": found.program,
        "interrupt": found.interrupt,
        "cycle": found.since,
        "added": found.added,
        "queued": found.queued,
        "parts": parts,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lichen_test::latency::{Level, Part};

    fn seen() -> Latencies {
        let parts = vec![Part { cycles: 9, what: "masked".into(), added: true, place: None }];
        let found = Found {
            program: "mote/x".into(),
            interrupt: "TC3".into(),
            since: 5,
            added: 9,
            queued: 0,
            parts,
        };
        let mut seen = Latencies::default();
        seen.levels[2] = Level { served: 3, worst: Some(found.clone()), queued: None };
        seen.start_up = Some(found);
        seen
    }

    #[test]
    fn each_level_with_interrupts_has_its_worst() {
        let lines = lines(&seen());
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert_eq!(lines[1], "  level 2: 9 of 3; TC3 in mote/x at cycle 5: 9 masked");
        assert!(lines[2].starts_with("  requested during start-up: 9;"), "{}", lines[2]);
    }

    #[test]
    fn the_object_has_every_level_and_every_cycle() {
        let object = json(&seen());
        assert_eq!(object["id"], FIGURE);
        assert_eq!(object["levels"].as_array().map(Vec::len), Some(4));
        assert_eq!(object["levels"][2]["worst"]["parts"][0]["cycles"], 9);
        assert!(object["levels"][0]["worst"].is_null());
    }
}
