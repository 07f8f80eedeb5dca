// SPDX-License-Identifier: MIT OR Apache-2.0
//! The AVR core around its instructions: interrupts, sleep, what has data addresses, debugging, tools.

mod access;
mod code;
mod debug;
mod describe;
mod handlers;
mod interrupt;
mod machine;
mod paths;
mod program;
mod save;
mod sleep;
mod stacks;
mod undefined;
