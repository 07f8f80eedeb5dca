// SPDX-License-Identifier: MIT OR Apache-2.0
//! Containers that are read, linked, and refused.

mod kinds;
mod refused;
mod sample;
mod total;
