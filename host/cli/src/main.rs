//! The `lichen` command: parses, calls, prints.

fn main() {}
