#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# A wrapper of the Rust compiler: the code of tests is not optimized. Most run for seconds, where their compiler took
# minutes; those of the instruction sets try all operands. What tests call in another crate is compiled once, for the
# commands and for them. Not sh: some of its kinds drop variables with a hyphen in their names, which Cargo sets.
case "${CARGO_PKG_NAME:-}: $* " in
    lichen-isa:*" --test "*) exec "$@" -C opt-level=1 ;;
    *" --test "*) exec "$@" -C opt-level=0 ;;
    *) exec "$@" ;;
esac
