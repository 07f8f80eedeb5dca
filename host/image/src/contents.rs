// SPDX-License-Identifier: MIT OR Apache-2.0
//! What an image writes into memories, as one hash: the same wherever it was built, with or without symbols and lines, and
//! in whichever format.

use crate::{Image, Segment};
use sha2::{Digest, Sha256};

impl Image {
    /// SHA-256 of what is written, in hexadecimal digits: of each run of addresses, in ascending order, the first address
    /// and the number of bytes, each in four bytes with the lowest first, and the bytes.
    pub fn contents(&self) -> String {
        let mut hash = Sha256::new();
        for (address, bytes) in runs(self.segments()) {
            hash.update(address.to_le_bytes());
            hash.update((bytes.len() as u32).to_le_bytes());
            hash.update(&bytes);
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The bytes of segments, in the order of their addresses, adjoining ones together: formats cut them differently.
fn runs(segments: &[Segment]) -> Vec<(u32, Vec<u8>)> {
    let mut segments: Vec<&Segment> =
        segments.iter().filter(|segment| !segment.bytes.is_empty()).collect();
    segments.sort_by_key(|segment| segment.address);
    let mut runs: Vec<(u32, Vec<u8>)> = Vec::new();
    for Segment { address, bytes, .. } in segments {
        match runs.last_mut() {
            Some((start, before)) if *start + before.len() as u32 == *address => {
                before.extend(bytes);
            }
            _ => runs.push((*address, bytes.clone())),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(address: u32, bytes: &[u8]) -> Segment {
        Segment { address, runs_at: address, bytes: bytes.to_vec() }
    }

    #[test]
    fn adjoining_segments_are_one_run_in_whatever_order() {
        let cut = [segment(8, &[3]), segment(4, &[]), segment(0, &[1, 2]), segment(2, &[9, 9])];
        assert_eq!(runs(&cut), [(0, vec![1, 2, 9, 9]), (8, vec![3])]);
        assert_eq!(runs(&[segment(0, &[1, 2, 9, 9]), segment(8, &[3])]), runs(&cut));
    }
}
