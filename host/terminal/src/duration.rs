// SPDX-License-Identifier: MIT OR Apache-2.0
//! Lengths of simulated time on the command line.

use lichen_chip::Time;

/// Reads a time that is longer than 0.
pub fn parse(text: &str) -> Result<Time, String> {
    match text.parse() {
        Ok(Time::ZERO) => Err("the time must be longer than 0".to_string()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_a_length() {
        assert_eq!(parse("200ms"), Ok(Time::from_ms(200)));
        assert!(parse("0ms").is_err_and(|error| error.contains("longer than 0")));
        assert!(parse("soon").is_err_and(|error| error.contains("is not a time")));
    }
}
