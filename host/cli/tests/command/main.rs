// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command as its users call it: one program, so that its tests share both processors to the end.

mod common;

mod account;
mod air;
mod avr;
mod back;
mod bad_input;
mod boot_fuses;
mod branches;
mod build;
mod completion;
mod console;
mod counter_cuts;
mod debugger;
mod energy;
mod flash;
mod hostile;
mod kinds;
mod list;
mod load;
mod mica;
mod mistakes;
mod new;
mod noise;
mod own;
mod own_pins;
mod pack;
mod power_cuts;
mod profile;
mod read_only;
mod real_console;
mod record;
mod run;
mod scenario;
mod sense_store_forward;
mod settings;
mod slices;
mod snapshot;
mod sniff;
mod tally;
mod trace;
mod view;
mod wave;
mod waveform;
mod year;
