//! The Atmel SAM R21.

#[cfg(test)]
mod bench;
mod port;
mod register;
mod sercom;
mod tc;
