// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of JSON Schema (draft 2020-12) that the event schema uses. An unknown keyword is an
//! error, so that nothing in the schema goes unchecked.

use serde_json::{Map, Value};
use std::collections::BTreeSet;

pub struct Schema {
    root: Value,
}

type Names = BTreeSet<String>;

impl Schema {
    pub fn new(root: Value) -> Schema {
        Schema { root }
    }

    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.apply(&self.root, value).map(|_| ())
    }

    /// Checks `value`; returns the names of its properties that the schema mentions.
    fn apply(&self, schema: &Value, value: &Value) -> Result<Names, String> {
        let keywords = schema.as_object().ok_or("a schema is an object")?;
        let mut evaluated = Names::new();
        for (keyword, argument) in keywords {
            evaluated.extend(self.keyword(keyword, argument, value)?);
        }
        if keywords.get("unevaluatedProperties") == Some(&Value::Bool(false)) {
            no_more(value, &evaluated)?;
        }
        if keywords.get("additionalProperties") == Some(&Value::Bool(false)) {
            let known = keywords.get("properties").and_then(Value::as_object);
            no_more(value, &known.into_iter().flat_map(Map::keys).cloned().collect())?;
        }
        Ok(evaluated)
    }

    fn keyword(&self, keyword: &str, argument: &Value, value: &Value) -> Result<Names, String> {
        let wrong = || format!("{value} against {keyword} {argument}");
        let holds = match keyword {
            "$schema" | "$id" | "$defs" | "title" | "description" => true,
            "unevaluatedProperties" | "additionalProperties" => true,
            "$ref" => return self.apply(self.definition(argument)?, value),
            "oneOf" => return self.one_of(argument, value),
            "properties" => return self.properties(argument, value),
            "items" => {
                for item in array(value)? {
                    self.apply(argument, item)?;
                }
                true
            }
            "required" => array(argument)?
                .iter()
                .all(|name| name.as_str().is_some_and(|name| value.get(name).is_some())),
            "const" => value == argument,
            "enum" => array(argument)?.contains(value),
            "type" => match argument {
                Value::Array(types) => types.iter().any(|one| is_of_type(value, one)),
                one => is_of_type(value, one),
            },
            "minimum" => value.as_f64().is_none_or(|number| Some(number) >= argument.as_f64()),
            "maximum" => value.as_f64().is_none_or(|number| Some(number) <= argument.as_f64()),
            "pattern" => value.as_str().is_none_or(|text| is_pin(text, argument)),
            other => return Err(format!("unknown keyword {other}")),
        };
        if holds { Ok(Names::new()) } else { Err(wrong()) }
    }

    fn definition(&self, reference: &Value) -> Result<&Value, String> {
        let path = reference.as_str().and_then(|text| text.strip_prefix('#')).ok_or("a path")?;
        self.root.pointer(path).ok_or_else(|| format!("no {path}"))
    }

    fn one_of(&self, schemas: &Value, value: &Value) -> Result<Names, String> {
        let results = array(schemas)?.iter().map(|schema| self.apply(schema, value));
        let (good, bad): (Vec<_>, Vec<_>) = results.partition(Result::is_ok);
        match (good.len(), good.into_iter().next()) {
            (1, Some(names)) => names,
            (count, _) => Err(format!("{count} of {schemas} fit {value}: {bad:?}")),
        }
    }

    fn properties(&self, schemas: &Value, value: &Value) -> Result<Names, String> {
        let mut evaluated = Names::new();
        for (name, schema) in schemas.as_object().ok_or("properties are an object")? {
            if let Some(value) = value.get(name) {
                self.apply(schema, value)?;
                evaluated.insert(name.clone());
            }
        }
        Ok(evaluated)
    }
}

fn array(value: &Value) -> Result<&Vec<Value>, String> {
    value.as_array().ok_or_else(|| format!("{value} is not an array"))
}

fn no_more(value: &Value, known: &Names) -> Result<(), String> {
    let mut present = value.as_object().into_iter().flat_map(Map::keys);
    match present.find(|name| !known.contains(*name)) {
        Some(name) => Err(format!("`{name}` is not in the schema")),
        None => Ok(()),
    }
}

fn is_of_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => false,
    }
}

/// The only pattern in the schema, so that no regular expression engine is needed.
fn is_pin(text: &str, pattern: &Value) -> bool {
    assert_eq!(pattern, "^P[A-Z][0-9]{2}$");
    let bytes = text.as_bytes();
    bytes.len() == 4
        && bytes[0] == b'P'
        && bytes[1].is_ascii_uppercase()
        && bytes[2..].iter().all(u8::is_ascii_digit)
}
