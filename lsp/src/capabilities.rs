//! What the client can do, and what the server offers.

use crate::features::tokens;
use crate::lines::Encoding;
use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProvider, CompletionOptions, DefinitionProvider,
    DocumentFormattingProvider, DocumentHighlightProvider, DocumentSymbolProvider, FoldingRangeProvider, HoverProvider,
    InitializeParams, InitializeResult, PositionEncodingKind, ReferencesProvider, RenameOptions, RenameProvider,
    SelectionRangeProvider, SemanticTokensProvider, ServerCapabilities, ServerInfo, TextDocumentSync,
    TextDocumentSyncKind, TextDocumentSyncOptions, WorkspaceSymbolProvider,
};
use serde_json::Value;

/// The kind of the code action that makes all certain fixes.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::SourceFixAll;

/// What matters of the client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// Whether edits can say which version of a text they are for.
    pub(crate) versioned_edits: bool,
    /// Where the documentation is: the beginning of addresses of its pages, if the client says so.
    pub(crate) docs: Option<String>,
}

impl Client {
    /// Reads what the client says of itself. Nothing that it says is an error.
    pub(crate) fn of(params: &Value) -> Self {
        let params: InitializeParams = serde_json::from_value(params.clone()).unwrap_or_default();
        let general = params.capabilities.general.unwrap_or_default();
        let offered = general.position_encodings.unwrap_or_default();
        let encoding = if offered.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 };
        let edits = params.capabilities.workspace.and_then(|workspace| workspace.workspace_edit);
        let docs = params.initialization_options.as_ref().and_then(|options| options.get("docs")?.as_str());
        Self {
            encoding,
            versioned_edits: edits.and_then(|edits| edits.document_changes).unwrap_or(false),
            docs: docs.map(|docs| docs.trim_end_matches('/').to_owned()),
        }
    }
}

/// What the server says of itself.
pub(crate) fn offered(client: &Client) -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        ..TextDocumentSyncOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QuickFix, FIX_ALL]),
        ..CodeActionOptions::default()
    };
    let triggers = ["$", "@", "#", "<", "[", "?"].map(str::to_owned).to_vec();
    let capabilities = ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        text_document_sync: Some(TextDocumentSync::Options(sync)),
        hover_provider: Some(HoverProvider::Bool(true)),
        definition_provider: Some(DefinitionProvider::Bool(true)),
        references_provider: Some(ReferencesProvider::Bool(true)),
        document_highlight_provider: Some(DocumentHighlightProvider::Bool(true)),
        document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
        workspace_symbol_provider: Some(WorkspaceSymbolProvider::Bool(true)),
        document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
        folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
        selection_range_provider: Some(SelectionRangeProvider::Bool(true)),
        rename_provider: Some(RenameProvider::RenameOptions(RenameOptions {
            prepare_provider: Some(true),
            ..RenameOptions::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(CodeActionProvider::CodeActionOptions(actions)),
        semantic_tokens_provider: Some(SemanticTokensProvider::SemanticTokensOptions(tokens::options())),
        ..ServerCapabilities::default()
    };
    let server_info = ServerInfo { name: "rgc".to_owned(), version: Some(env!("CARGO_PKG_VERSION").to_owned()) };
    InitializeResult { capabilities, server_info: Some(server_info) }
}
