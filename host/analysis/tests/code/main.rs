// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of code, held against what it does when it is executed.

mod accesses;
mod cycles;
mod edges;
mod graph;
mod listing;
mod liveness;
mod machine;
mod rounds;
