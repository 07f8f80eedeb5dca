//! The plain memories that a core reaches without a bus: flash and RAM.

/// Flash and RAM.
pub struct Memory {}
