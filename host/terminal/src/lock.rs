// SPDX-License-Identifier: MIT OR Apache-2.0
//! Locks that several threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a lock guards, also if a thread has panicked with it.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
