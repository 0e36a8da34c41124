//! Why a JSON text does not have the shape it should have, in words of JSON instead of Rust.

/// What the library says of an error, without its place, in the words of JSON: objects, lists, fields, and kinds where it
/// speaks of structs, sequences, and variants. Linear.
pub fn reason(error: &serde_json::Error) -> String {
    let full = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    worded(full.strip_suffix(&place).unwrap_or(&full))
}

fn worded(reason: &str) -> String {
    let (what, expected) = reason.split_once(", expected ").unwrap_or((reason, ""));
    for wrong in ["invalid type: ", "invalid value: "] {
        if let Some(found) = what.strip_prefix(wrong) {
            return format!("expected {}, found {}", thing(expected), thing(found));
        }
    }
    if let Some(length) = what.strip_prefix("invalid length ") {
        return format!("expected {}, found {length} items", thing(expected));
    }
    if let Some(name) = what.strip_prefix("missing field ") {
        return format!("the field {name} is missing");
    }
    if let Some(name) = what.strip_prefix("duplicate field ") {
        return format!("the field {name} is there twice");
    }
    if let Some(name) = what.strip_prefix("unknown variant ") {
        return format!("unknown kind {name}, expected {expected}");
    }
    match what {
        "EOF while parsing a value" => "the text ends where a value is expected".to_owned(),
        "trailing characters" => "there is more text after it".to_owned(),
        "trailing comma" => "there is a comma after the last item".to_owned(),
        "expected value" => "a value is expected here".to_owned(),
        "key must be a string" => "names of fields are written in double quotes".to_owned(),
        _ => match what.strip_prefix("EOF while parsing ") {
            Some(inside) => format!("the text ends within {}", thing(inside)),
            None => reason.to_owned(),
        },
    }
}

/// A thing that the library found or expected.
fn thing(text: &str) -> String {
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    let object =
        ["struct ", "map", "an object", "internally tagged enum ", "enum ", "string or map", "newtype variant"];
    let number = ["u8", "u16", "u32", "u64", "usize"];
    match text {
        "a sequence" | "sequence" | "a list" => "a list".to_owned(),
        "a boolean" => "`true` or `false`".to_owned(),
        "null" | "unit value" => "`null`".to_owned(),
        "a string" => text.to_owned(),
        "unit variant" => "a string".to_owned(),
        _ if begins(&object) => "an object".to_owned(),
        _ if number.contains(&text) => "a whole number".to_owned(),
        _ => ["string ", "integer ", "floating point ", "boolean "]
            .into_iter()
            .find_map(|kind| {
                Some(format!("the {}{}", kind.replace("floating point", "number"), text.strip_prefix(kind)?))
            })
            .unwrap_or_else(|| text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::document::Document;

    #[test]
    fn shapes_are_told_in_words_of_json() {
        let cases = [
            ("", "the text ends where a value is expected"),
            ("3", "expected an object, found the integer `3`"),
            ("{}", "the field `version` is missing"),
            ("{\"version\": \"1\"}", "expected a whole number, found the string \"1\""),
            ("{\"version\": -1}", "expected a whole number, found the integer `-1`"),
            ("{\"version\": 1, \"types\": {}}", "expected a list, found an object"),
            ("{\"version\": 1, \"types\": 2.5}", "expected a list, found the number `2.5`"),
            ("{\"version\": 1, \"types\": null}", "expected a list, found `null`"),
            ("{\"version\": 1, \"version\": 1}", "the field `version` is there twice"),
            (
                "{\"version\": 1, \"types\": [{\"name\": \"A\", \"definition\": {\"sett\": []}}]}",
                "unknown kind `sett`, expected one of `name`, `set`, `arrow`",
            ),
            (
                "{\"version\": 1, \"types\": [{\"name\": \"A\", \"definition\": \"set\"}]}",
                "expected an object, found a string",
            ),
            ("{\"version\": 1, \"types\": [{\"name\": \"A\"", "the text ends within an object"),
        ];
        for (text, wanted) in cases {
            let error = serde_json::from_str::<Document>(text).unwrap_err();
            assert_eq!(reason(&error), wanted, "{text}: {error}");
        }
    }
}
