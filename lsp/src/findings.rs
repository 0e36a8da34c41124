//! Findings in the terms of the protocol.

use crate::capabilities::Client;
use crate::document::Document;
use gen_lsp_types::{
    Code, CodeDescription, Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    Location, Message, PublishDiagnosticsParams, Uri,
};
use kit::explain;
use rg_ir::diag::Annotation;
use rg_ir::{Diagnostic, Severity, Span};

/// All findings about a document, as the client is told.
pub(crate) fn published(document: &Document, client: &Client) -> PublishDiagnosticsParams {
    let findings = document.findings().unwrap_or_default();
    let diagnostics = findings.iter().map(|finding| shown(document, client, finding)).collect();
    PublishDiagnosticsParams { uri: document.uri.clone(), version: Some(document.version), diagnostics }
}

/// One finding. What has no place is shown at the beginning of the text.
pub(crate) fn shown(document: &Document, client: &Client, finding: &Diagnostic) -> Shown {
    let severity = match finding.severity {
        Severity::Error => DiagnosticSeverity::Error,
        Severity::Warning => DiagnosticSeverity::Warning,
        Severity::Lint => DiagnosticSeverity::Hint,
    };
    let related = |place: &Annotation| DiagnosticRelatedInformation {
        location: Location { uri: document.uri.clone(), range: document.range(place.span) },
        message: place.text.clone(),
    };
    let related: Vec<DiagnosticRelatedInformation> = finding.secondary.iter().map(related).collect();
    Shown {
        range: document.range(place(finding)),
        severity: Some(severity),
        code: Some(Code::String(finding.code.to_owned())),
        code_description: page(client, finding.code).map(|href| CodeDescription { href }),
        source: Some("rgc".to_owned()),
        message: Message::String(message(finding)),
        tags: explain::is_unused(finding.code).then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: Some(related).filter(|related| !related.is_empty()),
        data: None,
    }
}

/// Where a finding is shown.
pub(crate) fn place(finding: &Diagnostic) -> Span {
    finding.primary.as_ref().map_or(Span::new(crate::document::SOURCE, 0, 0), |primary| primary.span)
}

/// Everything that is said about a finding but for other places, a line each.
fn message(finding: &Diagnostic) -> String {
    let label = finding.primary.as_ref().map(|primary| primary.text.clone()).filter(|text| !text.is_empty());
    let first = match label {
        Some(label) => format!("{} ({label})", finding.message),
        None => finding.message.clone(),
    };
    let notes = finding.notes.iter().map(|note| format!("note: {note}"));
    let help = finding.help.iter().map(|help| format!("help: {help}"));
    let lines: Vec<String> = std::iter::once(first).chain(notes).chain(help).collect();
    lines.join("\n")
}

/// What a code means.
pub(crate) fn meaning(code: &str) -> Option<String> {
    explain::all().find(|(_, other, _)| *other == code).map(|(_, _, text)| explain::plain(text))
}

/// The page about the language of a code, if the client has said where pages are.
fn page(client: &Client, code: &str) -> Option<Uri> {
    let docs = client.docs.as_ref()?;
    let (family, ..) = explain::all().find(|(_, other, _)| *other == code)?;
    let page = family.page.strip_prefix("docs/").unwrap_or(family.page);
    Some(Uri(format!("{docs}/{page}")))
}
