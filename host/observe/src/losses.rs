// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the firmware counts as lost: packets by the link and the radio's driver, bytes of the console, messages.

use crate::record::Bytes;
use lichen_image::Image;
use std::collections::BTreeMap;
use std::iter::repeat;

/// Counters of single numbers: the symbol, and what it counts.
const NUMBERS: [(&str, &str); 3] = [
    ("console_lost_sending", "console: bytes sent"),
    ("console_lost_receiving", "console: bytes received"),
    ("syslog_lost", "syslog: messages"),
];
/// A row of counters, one for each reason, and the types that name them: the link's own, then those of each part behind it.
struct Row {
    counters: &'static str,
    reasons: &'static str,
    behind: &'static [(&'static str, &'static str, &'static str)],
    /// It begins with the reasons of what is behind the link.
    begins_behind: bool,
}

const OF_FRAMES: &[(&str, &str, &str)] =
    &[("frame_refusal", "FRAME_", "frame"), ("link_refusal", "LINK_", "security")];
/// Programs that read all headers count the reasons of these apart. The link of a radio of bytes has a row of its own.
const ROWS: [Row; 3] = [
    Row { counters: "link_losses", reasons: "link_lost", behind: OF_FRAMES, begins_behind: false },
    Row {
        counters: "link_headers_losses",
        reasons: "link_lost",
        behind: OF_FRAMES,
        begins_behind: true,
    },
    Row {
        counters: "byte_link_losses",
        reasons: "byte_link_lost",
        behind: &[("cc1000_loss", "CC1000_", "radio")],
        begins_behind: false,
    },
];
const LINK_PREFIX: &str = "LOST_";
/// The first reason that is not the link's own.
const BY_LINK: &str = "LOST_BY_LINK";
/// Reasons for which nothing is lost that this mote should have had.
const NO_LOSSES: [&str; 4] = ["LOST_NOT_MINE", "LOST_DUPLICATE", "LOST_EMPTY", "CC1000_RESTARTS"];
/// Values that are not counted: no refusal, and how many there are.
const NO_REASONS: [&str; 3] = ["_GOOD", "_REFUSALS", "_LOSSES"];
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
    ROWS.iter().flat_map(|row| of_row(image, row).unwrap_or_default()).collect()
}

/// The counters of a row; none if the image does not have it.
fn of_row(image: &Image, row: &Row) -> Option<Vec<Counter>> {
    const BYTES: u32 = 2;
    let symbol = image.symbols().find(row.counters)?;
    let reasons = reasons(image, row)?;
    let reasons =
        reasons.into_iter().chain(repeat(Some("link: refused by its format".to_string())));
    let places = (0..symbol.size / BYTES).map(|index| symbol.address + BYTES * index);
    let counters = places
        .zip(reasons)
        .filter_map(|(address, what)| Some(Counter { what: what?, address, bytes: BYTES }));
    Some(counters.collect())
}

/// What a row counts, in the order of its counters, as far as it is a loss.
fn reasons(image: &Image, row: &Row) -> Option<Vec<Option<String>>> {
    let named = |name: &str, prefix, part| {
        (!NO_LOSSES.contains(&name)).then(|| format!("{part}: {}", words(name, prefix)))
    };
    let link = image.enumeration(row.reasons)?;
    let own = link.values.iter().find(|(name, _)| name == BY_LINK)?.1;
    let mut all = Vec::new();
    if !row.begins_behind {
        all.extend((0..own).map(|index| named(link.name(index)?, LINK_PREFIX, "link")));
    }
    for (kind, prefix, part) in row.behind {
        let Some(kind) = image.enumeration(kind) else { continue };
        let names = kind.values.iter().map(|(name, _)| name);
        let names = names.filter(|name| !NO_REASONS.iter().any(|end| name.ends_with(end)));
        all.extend(names.map(|name| named(name, prefix, part)));
    }
    Some(all)
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
