// SPDX-License-Identifier: MIT OR Apache-2.0
//! Pointers to functions in an image of Thumb code.

use crate::pointers::{Places, Pointers, Port};
use crate::text::Text;

/// The pointers of an image.
pub(crate) fn pointers(code: &Text<'_>) -> Pointers {
    let places = places(code);
    let entries = entries(code, &places);
    let calls = vec![("svc_handler", entries)];
    let calls = if code.symbol("svc_handler").is_some() { calls } else { Vec::new() };
    Pointers::new(code, places, Port { tables: Vec::new(), calls })
}

/// Each function whose address stands in the image, and where.
fn places(code: &Text<'_>) -> Places {
    let mut places = Places::new();
    // A number may look like an address.
    let known = code.image().code_addresses();
    let is_address = |to: u32| known.is_none_or(|known| known.contains(&to));
    for (at, word) in code.words() {
        if word & 1 == 1 && code.is_function(word & !1) && is_address(word & !1) {
            places.entry(word & !1).or_default().push(at);
        }
    }
    places
}

/// Where an SVC goes on.
fn entries(code: &Text<'_>, places: &Places) -> Vec<u32> {
    let is_entry = |name: &str| name.starts_with("svc_") && name != "svc_handler";
    places.keys().copied().filter(|function| is_entry(&code.name(*function))).collect()
}
