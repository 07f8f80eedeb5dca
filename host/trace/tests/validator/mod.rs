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
        if let Some(others) = keywords.get("additionalProperties") {
            let known = keywords.get("properties").and_then(Value::as_object);
            let known = known.into_iter().flat_map(Map::keys).cloned().collect();
            self.others(others, value, &known)?;
        }
        Ok(evaluated)
    }

    /// Properties that are not `known` fit the schema `others`, or there are none.
    fn others(&self, others: &Value, value: &Value, known: &Names) -> Result<(), String> {
        if others == &Value::Bool(false) {
            return no_more(value, known);
        }
        let present = value.as_object().into_iter().flatten();
        let mut other = present.filter(|(name, _)| !known.contains(*name));
        other.try_for_each(|(_, value)| self.apply(others, value).map(|_| ()))
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
            // It says nothing of what is no object.
            "required" => array(argument)?.iter().all(|name| {
                !value.is_object() || name.as_str().is_some_and(|name| value.get(name).is_some())
            }),
            "const" => value == argument,
            "enum" => array(argument)?.contains(value),
            "type" => match argument {
                Value::Array(types) => types.iter().any(|one| is_of_type(value, one)),
                one => is_of_type(value, one),
            },
            "minimum" => value.as_f64().is_none_or(|number| Some(number) >= argument.as_f64()),
            "maximum" => value.as_f64().is_none_or(|number| Some(number) <= argument.as_f64()),
            "pattern" => value.as_str().is_none_or(|text| is_like(text, argument)),
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

/// The patterns in the schema, so that no regular expression engine is needed.
fn is_like(text: &str, pattern: &Value) -> bool {
    let bytes = text.as_bytes();
    match pattern.as_str() {
        Some("^P[A-Z][0-9]{2}$") => {
            bytes.len() == 4
                && bytes[0] == b'P'
                && bytes[1].is_ascii_uppercase()
                && bytes[2..].iter().all(u8::is_ascii_digit)
        }
        Some("^[0-9a-f]{64}$") => {
            let is_digit = |byte: &u8| byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase();
            bytes.len() == 64 && bytes.iter().all(is_digit)
        }
        _ => panic!("unknown pattern {pattern}"),
    }
}
