// SPDX-License-Identifier: MIT OR Apache-2.0
//! The core around its instructions: exceptions, sleep, time, faults, debugging. Numbers of cycles
//! are those of the Cortex-M0+ manual, or those that `timing` marks as fitted.

mod debug;
mod describe;
mod entry;
mod fault;
mod flash;
mod levels;
mod machine;
mod paths;
mod priority;
mod program;
mod sleep;
mod stacks;
mod systick;
mod timing;
mod watch;
