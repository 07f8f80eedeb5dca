// SPDX-License-Identifier: MIT OR Apache-2.0
//! Decoded code of a flash, one entry a word.

use super::op::Op;
use std::sync::{Arc, LazyLock};

/// As many as a program counter of 16 bits reaches, so that no access needs a check.
const ENTRIES: usize = 1 << 16;

type Ops = [Op; ENTRIES];

/// What has never executed anything has these.
static UNDECODED: LazyLock<Arc<Ops>> = LazyLock::new(|| {
    // Never as an array: it would not fit on small stacks.
    let ops: Arc<[Op]> = vec![Op::Undecoded; ENTRIES].into();
    ops.try_into().unwrap_or_else(|_| unreachable!("it has as many entries"))
});

/// Decoded code; a clone shares it until one of them changes.
#[derive(Clone, Debug)]
pub(super) struct Code {
    ops: Arc<Ops>,
}

impl Default for Code {
    fn default() -> Code {
        Code { ops: Arc::clone(&UNDECODED) }
    }
}

impl Code {
    /// The entry of a word, of whose address the low 16 bits count.
    #[inline(always)]
    pub(super) fn op(&self, address: u32) -> Op {
        self.ops[address as usize % ENTRIES]
    }

    /// Enters the instruction at the address of a word.
    pub(super) fn remember(&mut self, address: u32, op: Op) {
        Arc::make_mut(&mut self.ops)[address as usize % ENTRIES] = op;
    }

    /// The words from `first` to `last` of `words` have changed. The instruction before them may have
    /// its second word there, or skip the first of them; that before word 0 is the last one.
    #[cold]
    pub(super) fn forget(&mut self, first: usize, last: usize, words: usize) {
        let before = if first == 0 { words - 1 } else { first - 1 };
        for range in [before..before + 1, first..last + 1] {
            if self.ops[range.clone()].iter().any(|op| *op != Op::Undecoded) {
                Arc::make_mut(&mut self.ops)[range].fill(Op::Undecoded);
            }
        }
    }
}
