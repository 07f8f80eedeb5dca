// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reading accounts back from the files that a run has written: those of accounts alone, and those of all events.

use crate::{Error, KIND, Record};
use lichen_board::facts::Wrong;
use serde_json::Value;

const NO_EVENT: &str = "no event of a run, as lichen run --energy-json or --json writes them";

/// The accounts in `text`, by mote; `file` is its name in messages.
pub fn read(file: &str, text: &str) -> Result<Vec<Record>, Error> {
    let wrong =
        |line: usize, what: String| Wrong { file: file.to_string(), line: Some(line + 1), what };
    let mut records = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let value: Value = serde_json::from_str(line)
            .map_err(|error| wrong(number, format!("{NO_EVENT}: {error}")))?;
        if value.get("kind").and_then(Value::as_str) == Some(KIND) {
            let record = serde_json::from_value(value);
            records.push(record.map_err(|error| wrong(number, format!("no account: {error}")))?);
        }
    }
    match records.is_empty() {
        true => Err(Error::NoAccount { file: file.to_string() }),
        false => Ok(records),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoteReport;

    fn line() -> String {
        serde_json::to_string(&Record::new(&MoteReport::default(), None)).expect("JSON")
    }

    #[test]
    fn accounts_are_found_among_events() {
        let text = format!("{{\"kind\":\"wake\",\"cause\":\"RTC\"}}\n{}\n\n", line());
        let records = read("a", &text).expect("accounts");
        assert_eq!(records, [Record::new(&MoteReport::default(), None)]);
    }

    #[test]
    fn what_is_no_account_is_named_with_its_line() {
        let message = |text: &str| read("a.json", text).expect_err("wrong").to_string();
        assert!(message("{\"kind\":\"wake\"}\n").starts_with("a.json has no account"));
        assert!(message("").starts_with("a.json has no account"));
        assert!(message("{}\nmote,table\n").starts_with("a.json:2: no event of a run"));
        let cut = line().replace("\"charge_pc\":0,", "");
        assert!(message(&cut).starts_with("a.json:1: no account: missing field `charge_pc`"));
    }
}
