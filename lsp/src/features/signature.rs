//! What a call takes, while it is written: its brackets need not be closed.

use super::prose;
use crate::capabilities::Client;
use crate::dispatch::Place;
use crate::document::Document;
use gen_lsp_types::{
    ActiveParameter, Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterInformationLabel,
    SignatureHelp, SignatureInformation,
};
use kit::language::KnownCall;
use rg_ir::index::{CallForm, Class, Entity, EntityKind};

/// Bytes before a place in which its call is looked for.
const MAX_BYTES: usize = 20_000;

/// How many of the calls that are open at a place are looked at, from the innermost one on.
const MAX_CALLS: usize = 32;

/// What the call takes that a place is in: all forms of it, the first one that takes enough as the one that is meant.
pub(crate) fn signatures(place: Place, client: &Client) -> Option<SignatureHelp> {
    let Place { document, offset } = place;
    let form = (document.language.editing.calls)(&document.text)?;
    let before = before(document, offset)?;
    let known = (document.language.editing.known_calls)();
    let callable = |name: &str| -> Vec<&Entity> {
        let takes = |entity: &&Entity| !entity.parameters.is_empty() && is_called(form, entity, name);
        document.index().visible(offset).filter(takes).collect()
    };
    // The same calls, but for another sign between the arguments.
    let commas: Vec<usize> = match known.is_empty() {
        true => Vec::new(),
        false => open_calls(&before, CallForm::Brackets(',')).map(|(_, argument)| argument).collect(),
    };
    let mut open = open_calls(&before, form).take(MAX_CALLS).enumerate().filter_map(|(at, (name, argument))| {
        if let Some(known) = known.iter().find(|known| known.name == name) {
            return Some((Called::Known(known), commas.get(at).copied().unwrap_or(argument)));
        }
        let entities = callable(name);
        (!entities.is_empty()).then_some((Called::Declared(entities), argument))
    });
    let (mut entities, argument) = match open.next()? {
        (Called::Declared(entities), argument) => (entities, argument),
        (Called::Known(known), argument) => return Some(of_known(known, argument, client)),
    };
    // What has the name of both a relation and a function is the latter where it is an argument itself.
    let kind = if open.next().is_some() { EntityKind::Function } else { EntityKind::Relation };
    if entities.iter().any(|entity| entity.kind == kind) {
        entities.retain(|entity| entity.kind == kind);
    }
    let meant = entities.iter().position(|entity| entity.parameters.len() > argument).unwrap_or(0);
    let signatures = entities.into_iter().map(|entity| described(document, client, form, entity)).collect();
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    Some(SignatureHelp {
        signatures,
        active_signature: Some(small(meant)),
        active_parameter: Some(ActiveParameter::Int(small(argument))),
    })
}

/// What a call is a call of.
enum Called<'d> {
    /// What has that name in the text.
    Declared(Vec<&'d Entity>),
    /// What the language knows.
    Known(&'d KnownCall),
}

/// What something takes that the language knows. What repeats is the last of it.
fn of_known(known: &KnownCall, argument: usize, client: &Client) -> SignatureHelp {
    let parameters: Vec<String> = known.parameters.iter().map(|&parameter| parameter.to_owned()).collect();
    let argument = u32::try_from(argument.min(parameters.len().saturating_sub(1))).unwrap_or(u32::MAX);
    let (label, parameters) = labelled(format!("{}(", known.name), ", ", &parameters, client);
    let documentation = MarkupContent { kind: MarkupKind::Markdown, value: known.meaning.to_owned() };
    let signature = SignatureInformation {
        label,
        documentation: Some(Documentation::MarkupContent(documentation)),
        parameters: Some(parameters),
        active_parameter: None,
    };
    let active_parameter = Some(ActiveParameter::Int(argument));
    SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter }
}

/// A call with its parameters, and these.
fn labelled(
    mut label: String,
    separator: &str,
    names: &[String],
    client: &Client,
) -> (String, Vec<ParameterInformation>) {
    let mut parameters = Vec::new();
    for (at, parameter) in names.iter().enumerate() {
        if at > 0 {
            label.push_str(separator);
        }
        let start = units(&label);
        label.push_str(parameter);
        let place = match client.label_offsets {
            true => ParameterInformationLabel::Tuple((start, units(&label))),
            false => ParameterInformationLabel::String(parameter.clone()),
        };
        parameters.push(ParameterInformation { label: place, documentation: None });
    }
    label.push(')');
    (label, parameters)
}

/// Whether a name that is written is that of an entity. In lists, words in upper and lower case are the same.
fn is_called(form: CallForm, entity: &Entity, name: &str) -> bool {
    entity.name == name || form == CallForm::List && entity.name.eq_ignore_ascii_case(name)
}

/// The text before a byte, not all of it, with spaces instead of comments; `None` within a comment. Linear.
fn before(document: &Document, offset: u32) -> Option<String> {
    let comments = document.index().tokens().iter().filter(|(_, class)| *class == Class::Comment);
    let comments = comments.filter(|(span, _)| span.start < offset);
    // A comment up to the end of its line goes on where something is written behind it.
    let goes_on = |text: &str| !text.ends_with("*/");
    if comments.clone().any(|(span, _)| offset < span.end || offset == span.end && goes_on(document.at(*span))) {
        return None;
    }
    let offset = offset as usize;
    let start = document.text.ceil_char_boundary(offset.saturating_sub(MAX_BYTES));
    let (mut blank, mut at) = (String::new(), start);
    for (span, _) in comments {
        let (from, to) =
            ((span.start as usize).clamp(at, offset.max(at)), (span.end as usize).clamp(at, offset.max(at)));
        blank.push_str(document.text.get(at..from).unwrap_or_default());
        blank.push(' ');
        at = to;
    }
    blank.push_str(document.text.get(at..offset).unwrap_or_default());
    Some(blank)
}

/// The calls that are open at the end of a text, from the innermost one on: the name, and the number of the argument.
fn open_calls(text: &str, form: CallForm) -> impl Iterator<Item = (&str, usize)> {
    let mut found = Vec::new();
    let (mut depth, mut separators) = (0_usize, 0);
    for (at, sign) in text.char_indices().rev() {
        match sign {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' => {
                let inside = text.get(at + 1..).unwrap_or_default();
                found.extend(match form {
                    CallForm::Brackets(_) => name_before(text.get(..at).unwrap_or_default(), separators),
                    CallForm::List => name_in_front(inside),
                });
                separators = 0;
            }
            '[' | '{' => separators = 0,
            // A directive begins.
            '#' if form == CallForm::Brackets(';') => break,
            sign if form == CallForm::Brackets(sign) && depth == 0 => separators += 1,
            _ => {}
        }
    }
    found.into_iter()
}

/// The name that a text ends with.
fn name_before(text: &str, argument: usize) -> Option<(&str, usize)> {
    let text = text.trim_end();
    let rest = text.trim_end_matches(|c: char| c == '_' || c.is_alphanumeric());
    let name = text.get(rest.len()..)?;
    (!name.is_empty()).then_some((name, argument))
}

/// The name that a list begins with whose bracket is open, and the number of the argument at its end.
fn name_in_front(list: &str) -> Option<(&str, usize)> {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '(' | ')');
    let list = list.trim_start();
    let end = list.find(is_end)?;
    let (name, rest) = list.split_at(end);
    let (mut depth, mut words, mut within) = (0_usize, 0_usize, false);
    for sign in rest.chars() {
        words += usize::from(depth == 0 && !sign.is_whitespace() && (!within || sign == '('));
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        // Right behind a word or list, it is still the argument.
        within = depth > 0 || !sign.is_whitespace();
    }
    Some((name, if within { words.saturating_sub(1) } else { words }))
}

fn described(document: &Document, client: &Client, form: CallForm, entity: &Entity) -> SignatureInformation {
    let (label, separator) = match form {
        CallForm::Brackets(sign) => (format!("{}(", entity.name), format!("{sign} ")),
        CallForm::List => (format!("({} ", entity.name), " ".to_owned()),
    };
    let (label, parameters) = labelled(label, &separator, &entity.parameters, client);
    let code = entity.signature.is_some().then(|| prose::code(document.language.name, document.at(entity.signature)));
    let detail = Some(entity.detail.clone()).filter(|detail| !detail.is_empty());
    let comment = entity.doc.is_some().then(|| prose::of_comment(document.at(entity.doc)));
    let parts: Vec<String> = [code, detail, comment].into_iter().flatten().collect();
    let value = parts.join("\n\n");
    let documentation = Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value });
    SignatureInformation {
        label,
        documentation: Some(documentation),
        parameters: Some(parameters),
        active_parameter: None,
    }
}

/// The protocol counts places in a label in UTF-16, whatever places in texts are counted in.
fn units(label: &str) -> u32 {
    u32::try_from(label.encode_utf16().count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn innermost(text: &str, form: CallForm) -> Option<(&str, usize)> {
        open_calls(text, form).next()
    }

    #[test]
    fn arguments_are_counted_by_signs() {
        let form = CallForm::Brackets(';');
        assert_eq!(innermost("#a(b; c) = d(e; (f; g); ", form), Some(("d", 2)));
        assert_eq!(innermost("a(b; c(d; e", form), Some(("c", 1)));
        assert_eq!(innermost("a(b; {c; d}; [e; ", form), Some(("a", 2)));
        assert_eq!(innermost("a(b)", form), None);
        assert_eq!(innermost("a(b #c = d; ", form), None);
        assert_eq!(innermost("(b", form), None);
    }

    #[test]
    fn arguments_are_counted_by_words() {
        let innermost = |text| innermost(text, CallForm::List);
        assert_eq!(innermost("(legal "), Some(("legal", 0)));
        assert_eq!(innermost("(legal ?r"), Some(("legal", 0)));
        assert_eq!(innermost("(legal ?r "), Some(("legal", 1)));
        assert_eq!(innermost("(legal (a b c)"), Some(("legal", 0)));
        assert_eq!(innermost("(legal (a b c) (d) e"), Some(("legal", 2)));
        assert_eq!(innermost("(<= (legal ?r x) (does "), Some(("does", 0)));
        assert_eq!(innermost("(leg"), None);
    }
}
