// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the firmware counts as lost: packets by the link and the radio's driver, bytes of the console, messages.

use crate::record::Bytes;
use lichen_image::Image;
use std::collections::BTreeMap;

/// Counters of single numbers: the symbol, and what it counts.
const NUMBERS: [(&str, &str); 3] = [
    ("console_lost_sending", "console: bytes sent"),
    ("console_lost_receiving", "console: bytes received"),
    ("syslog_lost", "syslog: messages"),
];
/// The reasons of the link, one counter each, and the types that name them: those of all formats, then of one. Programs that
/// read all headers count the latter apart.
const LINK: &str = "link_losses";
const HEADERS: &str = "link_headers_losses";
const REASONS: (&str, &str) = ("link_lost", "LOST_");
const OF_FORMAT: [(&str, &str, &str); 2] =
    [("frame_refusal", "FRAME_", "frame"), ("link_refusal", "LINK_", "security")];
/// The first reason that is the format's.
const BY_LINK: &str = "LOST_BY_LINK";
/// Reasons for which nothing is lost that this mote should have had.
const NO_LOSSES: [&str; 3] = ["LOST_NOT_MINE", "LOST_DUPLICATE", "LOST_EMPTY"];
/// The state of the radio's driver, its type, and its counters of losses.
const RADIO: (&str, &str, &str) = ("radio_state", "radio", "counters");
const OF_RADIO: [&str; 5] = ["corrupted", "overflowed", "no_packet", "not_taken", "underrun"];

/// A counter in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counter {
    what: String,
    address: u32,
    bytes: u32,
}

/// Where an image counts losses.
#[derive(Clone, Debug, Default)]
pub struct Losses(Vec<Counter>);

impl Losses {
    /// Finds them in an image of Lichen.
    pub fn find(image: &Image) -> Losses {
        let numbers = NUMBERS.iter().filter_map(|(name, what)| {
            let symbol = image.symbols().find(name)?;
            let (address, bytes) = (symbol.address, symbol.size);
            Some(Counter { what: what.to_string(), address, bytes })
        });
        Losses(numbers.chain(of_link(image)).chain(of_radio(image)).collect())
    }

    /// What has been lost, by what counts it.
    pub fn read(&self, memory: &(impl Bytes + ?Sized)) -> BTreeMap<String, u64> {
        let counted = self.0.iter().filter_map(|counter| {
            let mut bytes = [0; 8];
            memory.fill(counter.address, bytes.get_mut(..counter.bytes as usize)?)?;
            Some((counter.what.clone(), u64::from_le_bytes(bytes)))
        });
        let mut losses = BTreeMap::new();
        for (what, count) in counted.filter(|(_, count)| *count > 0) {
            *losses.entry(what).or_default() += count;
        }
        losses
    }
}

fn of_link(image: &Image) -> Vec<Counter> {
    const BYTES: u32 = 2;
    let rows = [(LINK, 0), (HEADERS, first_of_format(image).unwrap_or(0))];
    let rows =
        rows.into_iter().filter_map(|(row, first)| Some((image.symbols().find(row)?, first)));
    let counters = rows.flat_map(|(symbol, first)| {
        (0..symbol.size / BYTES).filter_map(move |index| {
            let what = reason(image, first + i64::from(index))?;
            Some(Counter { what, address: symbol.address + BYTES * index, bytes: BYTES })
        })
    });
    counters.collect()
}

fn first_of_format(image: &Image) -> Option<i64> {
    let reasons = image.enumeration(REASONS.0)?;
    Some(reasons.values.iter().find(|(name, _)| name == BY_LINK)?.1)
}

/// What the link counts at an index, unless it is no loss.
fn reason(image: &Image, index: i64) -> Option<String> {
    let (reasons, prefix) = REASONS;
    let reasons = image.enumeration(reasons)?;
    if index < first_of_format(image)? {
        let name = reasons.name(index).filter(|name| !NO_LOSSES.contains(name))?;
        return Some(format!("link: {}", words(name, prefix)));
    }
    // The good one of each type has no counter.
    let mut index = index - first_of_format(image)?;
    for (kind, prefix, part) in OF_FORMAT {
        let Some(kind) = image.enumeration(kind) else { continue };
        let refusals =
            kind.values.iter().filter(|(name, value)| *value > 0 && !name.ends_with("_REFUSALS"));
        let refusals: Vec<&String> = refusals.map(|(name, _)| name).collect();
        match usize::try_from(index).ok().and_then(|index| refusals.get(index)) {
            Some(name) => return Some(format!("{part}: {}", words(name, prefix))),
            None => index -= refusals.len() as i64,
        }
    }
    Some("link: refused by its format".to_string())
}

fn of_radio(image: &Image) -> Vec<Counter> {
    let (state, kind, counters) = RADIO;
    let found = || {
        let at = image.symbols().find(state)?.address;
        let member = image.structure(kind)?.member(counters)?.clone();
        let layout = image.structure(member.structure.as_deref()?)?;
        Some((at + member.offset, layout))
    };
    let Some((at, layout)) = found() else { return Vec::new() };
    let counters = OF_RADIO.iter().filter_map(|name| {
        let member = layout.member(name)?;
        let (address, bytes) = (at + member.offset, member.size);
        Some(Counter { what: format!("radio: {}", name.replace('_', " ")), address, bytes })
    });
    counters.collect()
}

/// The name of a value as words: `LOST_RECEIVER_FULL` is `receiver full`.
fn words(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap_or(name).to_lowercase().replace('_', " ")
}
