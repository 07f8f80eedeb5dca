//! The Atmel SAM R21.

#[cfg(test)]
mod bench;
mod eic;
mod port;
mod register;
mod sercom;
mod tc;
