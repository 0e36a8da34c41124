//! Positions as data, in the terms of the unoptimised game: written by `rgc moves --json`, read by `--position`.

use crate::finding;
use crate::input;
use crate::runner::Runner;
use backend::State;
use rg_ir::{Diagnostic, Game, SourceId, SourceMap, Span, StateView, Symbol, TypeId};
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// All that a state of a game consists of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The name of the node of the automaton where the next move begins, or `end`.
    pub node: String,
    /// The values of all variables, in the order of their declarations.
    pub variables: Entries,
}

/// Names and what belongs to them, in their order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Entries(pub Vec<(String, Content)>);

/// The value of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A symbol.
    Symbol(String),
    /// A map, with a value for every key.
    Map(Entries),
}

/// What about a position does not fit a game.
#[derive(Clone, Debug)]
pub struct Misfit {
    /// The names of the fields that lead to it, from the position on.
    pub path: Vec<String>,
    /// `IO371`, without a place.
    pub finding: Box<Diagnostic>,
}

impl Serialize for Entries {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, content)| (name, content)))
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Content::Symbol(symbol) => serializer.serialize_str(symbol),
            Content::Map(entries) => entries.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entries, A::Error> {
                entries(map)
            }
        }
        deserializer.deserialize_map(Read)
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string or an object")
            }

            fn visit_str<E: serde::de::Error>(self, symbol: &str) -> Result<Content, E> {
                Ok(Content::Symbol(symbol.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Content, A::Error> {
                entries(map).map(Content::Map)
            }
        }
        deserializer.deserialize_any(Read)
    }
}

fn entries<'de, A: MapAccess<'de>>(mut map: A) -> Result<Entries, A::Error> {
    let (mut entries, mut known) = (Vec::new(), rustc_hash::FxHashSet::default());
    while let Some((name, content)) = map.next_entry::<String, Content>()? {
        if !known.insert(name.clone()) {
            return Err(A::Error::custom(format_args!("the field `{name}` is there twice")));
        }
        entries.push((name, content));
    }
    Ok(Entries(entries))
}

impl Position {
    /// The position of a state of a game that is not optimised. Linear in the cells of all variables.
    pub fn of(runner: &Runner, state: &State) -> Self {
        let game = &runner.loaded.game;
        let view = runner.reasoner.view(state);
        let content = |(name, ty): (Symbol, TypeId)| {
            let keys = game.shape(ty).map(|shape| shape.keys).unwrap_or_default();
            (game.name(name).to_owned(), content(game, &view, game.name(name), &keys, &mut Vec::new()))
        };
        let variables = game.vars.values().map(|decl| (decl.name, decl.ty)).map(content).collect();
        let node = runner.reasoner.node_name(state);
        Self { node: runner.loaded.original_node(node).to_owned(), variables: Entries(variables) }
    }

    /// The value of a variable.
    pub fn get(&self, variable: &str) -> Option<&Content> {
        self.variables.0.iter().find(|(name, _)| name == variable).map(|(_, content)| content)
    }
}

/// The value of a variable below some keys.
fn content<'g>(
    game: &'g Game,
    view: &impl StateView,
    variable: &str,
    keys: &[TypeId],
    above: &mut Vec<&'g str>,
) -> Content {
    let Some((first, rest)) = keys.split_first() else {
        return Content::Symbol(view.get(variable, above).unwrap_or_default().to_owned());
    };
    let mut entries = Vec::new();
    for &key in game.types.members(*first) {
        above.push(game.name(key));
        entries.push((game.name(key).to_owned(), content(game, view, variable, rest, above)));
        above.pop();
    }
    Content::Map(Entries(entries))
}

/// A position that was read from a file, and its text, to which findings point.
#[derive(Clone, Debug)]
pub struct Written {
    /// The position.
    pub position: Position,
    source: SourceId,
    text: String,
}

/// What `rgc moves --json` writes; only the position counts.
#[derive(Deserialize)]
struct Document {
    position: Position,
}

/// The fields of an object, as text.
struct Fields<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

/// Whether a text in JSON is an object whose position is one: fields may not be given as a list, in order.
fn object(text: &str) -> serde_json::Result<()> {
    let Fields(fields) = serde_json::from_str(text)?;
    match fields.iter().find(|(name, _)| name == "position") {
        Some((_, position)) if !position.get().starts_with('{') => {
            Err(serde_json::Error::custom("`position` is to be an object, as `rgc moves --json` writes it"))
        }
        _ => Ok(()),
    }
}

impl Written {
    /// Reads the JSON file `path` (`-`: standard input) into the source map. Linear.
    ///
    /// # Errors
    /// What [`input::read`] says of files, and `IO370` with the place if the text is not a position in JSON.
    pub fn read(sources: &mut SourceMap, path: &Path) -> crate::Result<Self> {
        let text = match input::read_as(path, "a position") {
            Err(error) if error.code == "IO306" => {
                let message = format!("the position `{}` is empty", input::display_name(path));
                return Err(finding("IO370", message).help(ADVICE).into());
            }
            text => text.map_err(|error| if error.help.is_some() { error } else { Box::new(error.help(ADVICE)) })?,
        };
        let source = sources.add(input::source_name(path), text.clone());
        let read: Result<Document, _> = object(&text).and_then(|()| serde_json::from_str(&text));
        let document = read.map_err(|error| {
            let at = offset(&text, error.line(), error.column());
            let message = format!("this is not a position: {}", rg_ir::json::reason(&error));
            Box::new(Diagnostic::error("IO370", Span::new(source, at, at), message).help(ADVICE))
        })?;
        Ok(Self { position: document.position, source, text })
    }

    /// The finding about what does not fit, where it stands in the file.
    pub fn finding(&self, misfit: Misfit) -> Box<Diagnostic> {
        let path = || std::iter::once("position").chain(misfit.path.iter().map(String::as_str));
        let found = misfit.finding.or_at(locate(self.source, &self.text, path()));
        Box::new(found.note(format!("at `{}` of the JSON text", path().collect::<Vec<_>>().join("."))))
    }
}

const ADVICE: &str = "`rgc moves --json` writes positions";

/// Where a field stands, or as much of the path to it as there is.
fn locate<'p>(source: SourceId, text: &str, path: impl Iterator<Item = &'p str>) -> Span {
    let mut here = text;
    for name in path {
        let Ok(Fields(fields)) = serde_json::from_str(here) else { break };
        let Some((_, value)) = fields.into_iter().find(|(field, _)| field == name) else { break };
        here = value.get();
    }
    // A part of the text, as long as the parser borrows from it.
    let start = (here.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len());
    Span::new(source, start, (start + here.len()).min(text.len()))
}

/// The offset of a place that the parser names: line and column from 1, in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    text.floor_char_boundary((before + column.saturating_sub(1)).min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_fields() {
        let text = "{ \"position\": {\"node\": \"x\",\n \"variables\": {\"a\\u0062\": {\"k\": \"v\"}}} }";
        let at = |path: &[&str]| text.get(locate(SourceId(0), text, path.iter().copied()).range());
        assert_eq!(at(&["position", "node"]), Some("\"x\""));
        assert_eq!(at(&["position", "variables", "ab", "k"]), Some("\"v\""));
        assert_eq!(at(&["position", "variables", "ab", "z"]), Some("{\"k\": \"v\"}"));
        assert_eq!(offset(text, 2, 2), text.find(" \"var").unwrap() + 1);
        assert_eq!([offset(text, 0, 0), offset(text, 9, 9), offset("ż", 1, 2)], [0, text.len(), 0]);
    }

    #[test]
    fn contents_keep_their_order() {
        let text = r#"{"node":"x","variables":{"b":"1","a":{"z":"2","y":{"q":"3"}}}}"#;
        let position: Position = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&position).unwrap(), text);
        for wrong in [r#"{"node":"x","variables":{"a":1}}"#, r#"{"node":"x","variables":{"a":"1","a":"1"}}"#] {
            assert!(serde_json::from_str::<Position>(wrong).is_err(), "{wrong}");
        }
    }
}
