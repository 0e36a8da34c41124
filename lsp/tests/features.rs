//! Everything that is asked about a text, and answered: a fixture for each language, a snapshot for each fixture.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use gen_lsp_types::*;
use serde_json::{Value, json};
use std::fmt::Write as _;
use support::{Client, edited, marked, slice};

struct Shown<'t> {
    client: Client,
    uri: String,
    text: &'t str,
    out: String,
}

#[test]
fn fixtures() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let (text, places) = marked(&std::fs::read_to_string(&path).unwrap());
        let name = path.file_name().unwrap().to_str().unwrap();
        let told = shown(&format!("file:///{name}"), &text, &places);
        snapshot(insta::Settings::clone_current(), name, told);
    }
}

fn snapshot(mut settings: insta::Settings, name: &str, told: String) {
    settings.set_snapshot_path("../../snapshots/lsp");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, told));
}

/// Everything about a text, and about places in it.
fn shown(uri: &str, text: &str, places: &[Position]) -> String {
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": { "signatureHelp": { "signatureInformation": { "parameterInformation": { "labelOffsetSupport": true } } } },
    });
    let client = Client::with_options(capabilities, json!({ "commands": true }));
    client.open(uri, text);
    let mut shown = Shown { client, uri: uri.to_owned(), text, out: String::new() };
    shown.findings();
    shown.outline();
    shown.folds();
    shown.colours();
    shown.format();
    shown.hints();
    shown.lenses();
    for (at, place) in places.iter().enumerate() {
        let _ = writeln!(shown.out, "\n==== ‹{}› at {}", at + 1, point(*place));
        shown.place(*place);
    }
    shown.out
}

fn point(position: Position) -> String {
    format!("{}:{}", position.line + 1, position.character + 1)
}

fn points(range: Range) -> String {
    format!("{}-{}", point(range.start), point(range.end))
}

impl Shown<'_> {
    fn about(&self) -> Value {
        json!({ "textDocument": { "uri": self.uri } })
    }

    fn at(&self, place: Position, more: Value) -> Value {
        let mut params = self.about();
        params["position"] = json!(place);
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    }

    fn findings(&mut self) {
        let mut found = self.client.findings(&self.uri, 1);
        if self.uri.ends_with(".gdl") {
            found = self.client.findings(&self.uri, 1);
        }
        for finding in found {
            let Some(Code::String(code)) = &finding.code else { panic!("{finding:?}") };
            let Message::String(message) = &finding.message else { panic!("{finding:?}") };
            let tags = finding.tags.as_ref().map_or(String::new(), |tags| format!(" {tags:?}"));
            let place = points(finding.range);
            let _ = writeln!(self.out, "{place} {:?} {code}{tags} {message}", finding.severity.unwrap());
            for related in finding.related_information.iter().flatten() {
                let _ = writeln!(self.out, "    {} {}", points(related.location.range), related.message);
            }
            let mut params = self.about();
            params["range"] = json!(finding.range);
            params["context"] = json!({ "diagnostics": [] });
            for action in self.client.ask::<CodeActionRequest>(params).unwrap() {
                let CodeActionResponse::CodeAction(action) = action else { panic!("{action:?}") };
                let changes = action.edit.unwrap().changes.unwrap();
                let edits: Vec<String> = changes
                    .into_values()
                    .flatten()
                    .map(|edit| format!("{} {:?}", points(edit.range), edit.new_text))
                    .collect();
                let preferred = if action.is_preferred == Some(true) { " (preferred)" } else { "" };
                let _ = writeln!(self.out, "    > {}{preferred}: {}", action.title, edits.join(", "));
            }
        }
    }

    fn outline(&mut self) {
        let _ = writeln!(self.out, "\n== outline");
        let params = self.about();
        let symbols = self.client.ask::<DocumentSymbolRequest>(params).unwrap();
        let DocumentSymbolResponse::DocumentSymbolList(symbols) = symbols else { panic!("a flat outline") };
        fn list(out: &mut String, symbols: &[DocumentSymbol], depth: usize) {
            for symbol in symbols {
                let detail = symbol.detail.as_deref().unwrap_or_default();
                let _ = writeln!(out, "{}{detail} {} {}", "  ".repeat(depth), symbol.name, points(symbol.range));
                list(out, symbol.children.as_deref().unwrap_or_default(), depth + 1);
            }
        }
        list(&mut self.out, &symbols, 0);
    }

    fn folds(&mut self) {
        let params = self.about();
        let ranges = self.client.ask::<FoldingRangeRequest>(params).unwrap();
        let show = |range: &FoldingRange| {
            let kind = range.kind.as_ref().map_or(String::new(), |kind| format!(" {kind:?}"));
            format!("{}-{}{kind}", range.start_line + 1, range.end_line + 1)
        };
        let _ = writeln!(self.out, "\n== folds: {}", ranges.iter().map(show).collect::<Vec<_>>().join(", "));
    }

    /// The text, each token with its type.
    fn colours(&mut self) {
        let _ = writeln!(self.out, "\n== colours");
        let params = self.about();
        let tokens = self.client.ask::<SemanticTokensRequest>(params).unwrap();
        let names = [
            "key",
            "comment",
            "number",
            "op",
            "string",
            "type",
            "value",
            "variable",
            "label",
            "event",
            "function",
            "macro",
            "parameter",
            "property",
        ];
        let mut place = Position { line: 0, character: 0 };
        let mut last = 0;
        for token in tokens.data {
            place.line += token.delta_line;
            place.character = if token.delta_line == 0 { place.character } else { 0 } + token.delta_start;
            let end = Position { line: place.line, character: place.character + token.length };
            let name = names[token.token_type as usize];
            if ["op", "comment"].contains(&name) {
                continue;
            }
            if place.line != last {
                let _ = write!(self.out, "{}{:3}:", if last == 0 { "" } else { "\n" }, place.line + 1);
                last = place.line;
            }
            let text = slice(self.text, Range { start: place, end });
            let marks = ["+", "!", "=", "*"];
            let marks: String =
                (0..4).filter(|bit| token.token_modifiers_bitset & (1 << bit) != 0).map(|bit| marks[bit]).collect();
            let _ = write!(self.out, " {text}:{name}{marks}");
        }
        self.out.push('\n');
    }

    fn format(&mut self) {
        let mut params = self.about();
        params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
        let Some(edits) = self.client.ask::<DocumentFormattingRequest>(params) else {
            let _ = writeln!(self.out, "\n== no formatting");
            return;
        };
        let show = |edit: &TextEdit| format!("{} {:?}", points(edit.range), edit.new_text);
        let _ = writeln!(self.out, "\n== formatting: {}", edits.iter().map(show).collect::<Vec<_>>().join(", "));
        let language = kit::language::of_extension(std::path::Path::new(&self.uri)).unwrap();
        let formatted = (language.format.unwrap())(rg_ir::SourceId(0), self.text).unwrap();
        assert_eq!(edited(self.text, &edits), formatted);
    }

    /// The text with remarks in it, the lines that have some.
    fn hints(&mut self) {
        let _ = writeln!(self.out, "\n== hints");
        let mut params = self.about();
        params["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let hints = self.client.ask::<InlayHintRequest>(params).unwrap();
        for (number, line) in self.text.lines().enumerate() {
            let (mut shown, mut at) = (String::new(), 0);
            for hint in hints.iter().filter(|hint| hint.position.line as usize == number) {
                let Label::String(label) = &hint.label else { panic!("{hint:?}") };
                let column = hint.position.character as usize;
                let _ = write!(shown, "{}«{label}»", &line[at..column]);
                at = column;
            }
            if at > 0 {
                let _ = writeln!(self.out, "{}: {shown}{}", number + 1, &line[at..]);
            }
        }
    }

    fn lenses(&mut self) {
        let params = self.about();
        let lenses = self.client.ask::<CodeLensRequest>(params).unwrap_or_default();
        let show = |lens: &CodeLens| {
            let command = lens.command.as_ref().unwrap();
            assert_eq!(command.arguments, Some(vec![json!(self.uri)]));
            // The number of plays comes some time later.
            let title = command.title.split(' ').next().unwrap();
            format!("{} {title} ({})", point(lens.range.start), command.command)
        };
        let _ = writeln!(self.out, "\n== lenses: {}", lenses.iter().map(show).collect::<Vec<_>>().join(", "));
    }

    fn signatures(&mut self, params: Value) {
        let Some(help) = self.client.ask::<SignatureHelpRequest>(params) else { return };
        let Some(ActiveParameter::Int(argument)) = help.active_parameter else { panic!("{help:?}") };
        let mut shown = Vec::new();
        for (at, signature) in help.signatures.iter().enumerate() {
            let parameter = signature.parameters.as_ref().unwrap().get(argument as usize);
            let parameter = parameter.map(|parameter| match parameter.label {
                ParameterInformationLabel::Tuple((start, end)) => &signature.label[start as usize..end as usize],
                ParameterInformationLabel::String(_) => panic!("{parameter:?}"),
            });
            let meant = if help.active_signature == u32::try_from(at).ok() { " (meant)" } else { "" };
            shown.push(format!("{}{meant}, here {}", signature.label, parameter.unwrap_or("too many")));
        }
        let _ = writeln!(self.out, "signatures: {}", shown.join(" | "));
    }

    fn calls(&mut self, params: Value) {
        for item in self.client.ask::<CallHierarchyPrepareRequest>(params).unwrap_or_default() {
            let about = json!({ "item": item });
            let name = item.name;
            for call in self.client.ask::<CallHierarchyIncomingCallsRequest>(about.clone()).unwrap() {
                self.places(&format!("{name} called by {}", call.from.name), call.from_ranges.into_iter());
            }
            for call in self.client.ask::<CallHierarchyOutgoingCallsRequest>(about).unwrap() {
                self.places(&format!("{name} calls {}", call.to.name), call.from_ranges.into_iter());
            }
        }
    }

    fn place(&mut self, place: Position) {
        let params = self.at(place, json!({}));
        if let Some(hover) = self.client.ask::<HoverRequest>(params.clone()) {
            let Contents::MarkupContent(content) = hover.contents else { panic!("plain text") };
            let _ = writeln!(self.out, "{}", content.value.replace("\n\n", "\n"));
        }
        if let Some(DefinitionResponse::Definition(Definition::LocationList(places))) =
            self.client.ask::<DefinitionRequest>(params.clone())
        {
            self.places("defined", places.iter().map(|place| place.range));
        }
        let references = self.at(place, json!({ "context": { "includeDeclaration": false } }));
        let references = self.client.ask::<ReferencesRequest>(references).unwrap();
        self.places("references", references.iter().map(|place| place.range));
        let marks = self.client.ask::<DocumentHighlightRequest>(params.clone()).unwrap();
        let marks: Vec<String> =
            marks.iter().map(|mark| format!("{} {:?}", point(mark.range.start), mark.kind.as_ref().unwrap())).collect();
        let _ = writeln!(self.out, "highlights: {}", marks.join(", "));
        let renamed = match self.client.request("textDocument/prepareRename", params.clone()) {
            Ok(range) => format!("{}", range["placeholder"]),
            Err((_, message)) => message,
        };
        let _ = writeln!(self.out, "rename: {renamed}");
        self.completion(params.clone());
        self.signatures(params.clone());
        self.calls(params);
        let mut params = self.about();
        params["positions"] = json!([place]);
        let mut range = self.client.ask::<SelectionRangeRequest>(params).unwrap().pop().map(Box::new);
        let mut selections = Vec::new();
        while let Some(selection) = range {
            selections.push(points(selection.range));
            range = selection.parent;
        }
        let _ = writeln!(self.out, "selections: {}", selections.join(" < "));
    }

    fn places(&mut self, what: &str, ranges: impl Iterator<Item = Range>) {
        let places: Vec<String> =
            ranges.map(|range| format!("{} {}", point(range.start), slice(self.text, range))).collect();
        let _ = writeln!(self.out, "{what}: {}", places.join(", "));
    }

    fn completion(&mut self, params: Value) {
        let Some(CompletionResponse::CompletionList(list)) = self.client.ask::<CompletionRequest>(params) else {
            panic!("no list")
        };
        let mut items = list.items;
        items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        let show = |item: &CompletionItem| {
            let Some(CompletionItemTextEdit::TextEdit(edit)) = &item.text_edit else { panic!("{item:?}") };
            let replaced = slice(self.text, edit.range);
            let replaced = if replaced.is_empty() { String::new() } else { format!(" instead of {replaced}") };
            format!("{}{replaced} ({})", item.label, item.detail.as_deref().unwrap_or("word"))
        };
        let shown: Vec<String> = items.iter().take(12).map(show).collect();
        let more = if items.len() > 12 { format!(", and {} more", items.len() - 12) } else { String::new() };
        let _ = writeln!(self.out, "completion: {}{more}", shown.join(", "));
    }
}
