// SPDX-License-Identifier: MIT OR Apache-2.0
//! What motes draw from their supplies.
//!
//! Components say when they change their states ([`Kind::Activity`](lichen_trace::Kind::Activity)). Files
//! say what each of them draws in each state ([`Tables`]). An [`Account`] multiplies one by the other,
//! exactly and in integers, and charges the result to threads and drivers.

mod account;
mod charge;
mod ledger;
mod names;
mod report;
mod table;

pub use account::Account;
pub use charge::{Charge, Current};
pub use names::Names;
pub use report::{Entry, LeftOut, MoteReport, Share, Unknown};
pub use table::{Draw, Error, Row, Tables};
