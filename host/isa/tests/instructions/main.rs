// SPDX-License-Identifier: MIT OR Apache-2.0
//! Every instruction against the data files in `test/isa`: one instruction, the state before and after
//! it, how long it takes.

mod armv6m;
mod avr8;
mod case;
mod encoding;
