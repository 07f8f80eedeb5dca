// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's threads that run motes.

use super::node::Node;
use crate::Error;
use lichen_chip::Time;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// Fewer motes than this are run in place: to hand them over would take longer.
const FEW: usize = 4;

/// Threads, if there is more than one. Clones share them.
#[derive(Clone, Default)]
pub(super) struct Workers {
    pool: Option<Arc<ThreadPool>>,
}

impl Workers {
    /// `threads` of them; 0 and 1 mean the caller's own.
    pub(super) fn new(threads: usize) -> Result<Workers, Error> {
        if threads <= 1 {
            return Ok(Workers::default());
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Workers { pool: Some(Arc::new(pool.map_err(Error::Threads)?)) })
    }

    /// Calls `what` in one of the threads, where `run` hands the others a share without waiting for them to wake.
    pub(super) fn call<T: Send>(&self, what: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(what),
            None => what(),
        }
    }

    /// Runs the nodes with these ascending indexes to `until`, side by side.
    pub(super) fn run(&self, nodes: &mut [Node], indexes: &[usize], until: Time) {
        match &self.pool {
            Some(_) if indexes.len() >= FEW => {
                choose(nodes, indexes).par_iter_mut().for_each(|node| node.run(until));
            }
            _ => indexes.iter().for_each(|index| nodes[*index].run(until)),
        }
    }
}

/// The nodes with these ascending indexes.
fn choose<'a>(mut nodes: &'a mut [Node], indexes: &[usize]) -> Vec<&'a mut Node> {
    let mut chosen = Vec::with_capacity(indexes.len());
    let mut passed = 0;
    for index in indexes {
        let Some((node, rest)) = nodes[index - passed..].split_first_mut() else { break };
        chosen.push(node);
        nodes = rest;
        passed = index + 1;
    }
    chosen
}
