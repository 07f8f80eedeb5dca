#!/usr/bin/env bash
# SPDX-License-Identifier: MIT OR Apache-2.0
#
# A wrapper of the Rust compiler: the code of tests is not optimized. They run for seconds, their compiler for minutes.
# What they call in another crate stays as it is, compiled once for the commands and for the tests.
# Not sh: some of its kinds drop variables with a hyphen in their names, which Cargo sets.
case " $* " in
    *" --test "*) exec "$@" -C opt-level=0 ;;
    *) exec "$@" ;;
esac
