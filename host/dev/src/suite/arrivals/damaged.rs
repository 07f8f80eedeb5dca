// SPDX-License-Identifier: MIT OR Apache-2.0
//! Damaged containers arrive one after the other at a mote on which a program runs: each is refused, all else stays as it is,
//! and at the end a whole one is installed.

use super::mote::{Mote, Request};
use lichen_container::{CRC_BYTES, Header, MAC_BYTES, crc32};
use std::collections::BTreeMap;

const RUNS: &str = "app/blink";
const ARRIVES: &str = "bench/load/null";
const CONTAINERS: u32 = 400;
const CONTAINERS_LONG: u32 = 50_000;
/// After so many, flash is looked at.
const LOOK: u32 = 50;
const SEED: u64 = 0x5eed_cafe;

pub fn play(mote: &mut Mote, is_long: bool) -> Result<String, String> {
    let runs = mote.container(RUNS, |_| {})?;
    let whole = mote.container(ARRIVES, |_| {})?;
    install(mote, &runs, "a whole container")?;
    let pages = mote.address("programs_begin")? + used(&runs)?..mote.address("programs_end")?;
    let flash = mote.flash(pages.clone())?;
    let mut random = Random(SEED);
    let mut errors: BTreeMap<u8, u32> = BTreeMap::new();
    let containers = if is_long { CONTAINERS_LONG } else { CONTAINERS };
    for number in 1..=containers {
        let damaged = damage(&whole, &mut random);
        mote.ask(&Request::install(&damaged))?;
        let failed = |error: String| format!("container {number}: {error}: {damaged:02x?}");
        match mote.turn().map_err(failed)? {
            0 => return Err(failed("it is taken".to_string())),
            error => *errors.entry(error).or_default() += 1,
        }
        if number % LOOK == 0 && mote.flash(pages.clone())? != flash {
            return Err(failed("flash has changed".to_string()));
        }
    }
    install(mote, &whole, "a whole container at the end")?;
    let seen = mote.cut()?;
    if seen.rows != 2 || seen.version.is_none() {
        return Err(format!("{seen:?} at the end"));
    }
    let kinds: Vec<String> =
        errors.iter().map(|(error, count)| format!("{error}: {count}")).collect();
    Ok(format!("{containers} containers refused, by error {}", kinds.join(", ")))
}

fn install(mote: &mut Mote, container: &[u8], what: &str) -> Result<(), String> {
    mote.ask(&Request::install(container))?;
    match mote.turn()? {
        0 => Ok(()),
        error => Err(format!("{what}: error {error}")),
    }
}

/// Bytes of the pages of a program.
fn used(container: &[u8]) -> Result<u32, String> {
    const PAGE: u32 = 256;
    let header = Header::parse(container).map_err(|error| error.to_string())?;
    let bytes = u32::from(header.header_bytes) + header.flash_bytes();
    Ok(bytes.next_multiple_of(PAGE))
}

/// Changes a container, and gives half of them the checksum that they then have to have. Its MAC is wrong.
fn damage(whole: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=random.below(3) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] ^= 1 << random.below(8),
            1 => bytes[at] = random.below(256) as u8,
            // Most of what is checked is in the header.
            2 => bytes[at % 64] = random.below(256) as u8,
            3 => bytes.truncate(at.max(1)),
            4 => bytes.insert(at, random.below(256) as u8),
            _ => drop(bytes.remove(at)),
        }
        if bytes.is_empty() {
            break;
        }
    }
    if let (Some(end), 0) = (bytes.len().checked_sub(CRC_BYTES + MAC_BYTES), random.below(2)) {
        let crc = crc32(&bytes[..end]).to_le_bytes();
        bytes[end..end + CRC_BYTES].copy_from_slice(&crc);
    }
    if bytes == whole {
        bytes[0] ^= 1;
    }
    bytes
}

/// Numbers without a pattern, the same in every run (Marsaglia's xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}
