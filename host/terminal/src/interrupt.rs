// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ctrl-C.

use crate::failure::Failure;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The code of a shell for what Ctrl-C has ended: 128 + SIGINT.
const INTERRUPTED: i32 = 130;

/// Sets a flag at the first Ctrl-C, for work that then ends with a summary; the second one calls `leave`, and ends the
/// call at once.
pub fn catch(leave: fn()) -> Result<Arc<AtomicBool>, Failure> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            leave();
            std::process::exit(INTERRUPTED);
        }
    })
    .map_err(|error| Failure::failed(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(interrupted)
}
