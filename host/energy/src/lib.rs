// SPDX-License-Identifier: MIT OR Apache-2.0
//! What motes draw from their supplies.
//!
//! Components say when they change their states ([`Kind::Activity`](lichen_trace::Kind::Activity)). Files
//! say what each of them draws in each state ([`Tables`]). An [`Account`] multiplies one by the other,
//! exactly and in integers, and charges the result to threads and drivers. A [`Meter`] tells the currents of the
//! moment to those who show them over time.

mod account;
mod cell;
mod charge;
mod component;

mod diff;
mod file;
mod ledger;
mod meter;
mod names;
mod periods;
mod record;
mod report;
mod sheet;
mod table;

pub use account::Account;
pub use cell::{Cell, Cells, HOURS_A_YEAR, Supply};
pub use charge::{Charge, Current};
pub use diff::{Change, Diff, Side};
pub use file::read;
pub use meter::Meter;
pub use names::Names;
pub use record::{
    Battery, ComponentRecord, KIND, LeftOutRecord, LimitRecord, OwnerRecord, PeriodRecord, Record,
    UnknownRecord,
};
pub use report::{Doing, Entry, Held, LeftOut, MoteReport, Period, Share, Unknown};
pub use sheet::Sheet;
pub use table::{Draw, Error, Row, Tables};
