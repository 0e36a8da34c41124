//! What the client can do, and what the server offers.

use crate::features::tokens;
use crate::lines::Encoding;
use gen_lsp_types::{
    CallHierarchyProvider, CodeActionKind, CodeActionOptions, CodeActionProvider, CodeLensOptions, CompletionOptions,
    DefinitionProvider, DocumentFormattingProvider, DocumentHighlightProvider, DocumentRangeFormattingProvider,
    DocumentSymbolProvider, FoldingRangeProvider, HoverProvider, InitializeParams, InitializeResult, InlayHintProvider,
    PositionEncodingKind, ReferencesProvider, RenameOptions, RenameProvider, SelectionRangeProvider,
    SemanticTokensProvider, ServerCapabilities, ServerInfo, SignatureHelpOptions, TextDocumentSync,
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
    /// Whether it takes places for the parameters in a signature, instead of their texts.
    pub(crate) label_offsets: bool,
    /// Whether it takes texts with parts that are to be replaced ("snippets").
    pub(crate) snippets: bool,
    /// Whether it asks for lenses again when it is told to.
    pub(crate) refreshes_lenses: bool,
    /// Whether it has the commands `rgc.play`, `rgc.perft`, `rgc.bench` and `rgc.draw`.
    pub(crate) commands: bool,
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
        let workspace = params.capabilities.workspace.unwrap_or_default();
        let refreshes = workspace.code_lens.and_then(|lenses| lenses.refresh_support);
        let edits = workspace.workspace_edit;
        let docs = params.initialization_options.as_ref().and_then(|options| options.get("docs")?.as_str());
        let commands = params.initialization_options.as_ref().and_then(|options| options.get("commands")?.as_bool());
        let text = params.capabilities.text_document.unwrap_or_default();
        let items = text.completion.and_then(|completion| completion.completion_item);
        let labels = text.signature_help.and_then(|help| help.signature_information?.parameter_information);
        Self {
            encoding,
            label_offsets: labels.and_then(|labels| labels.label_offset_support).unwrap_or(false),
            snippets: items.and_then(|items| items.snippet_support).unwrap_or(false),
            refreshes_lenses: refreshes.unwrap_or(false),
            commands: commands.unwrap_or(false),
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
        code_action_kinds: Some(vec![
            CodeActionKind::QuickFix,
            CodeActionKind::RefactorExtract,
            CodeActionKind::RefactorRewrite,
            FIX_ALL,
        ]),
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
        document_range_formatting_provider: Some(DocumentRangeFormattingProvider::Bool(true)),
        inlay_hint_provider: Some(InlayHintProvider::Bool(true)),
        call_hierarchy_provider: Some(CallHierarchyProvider::Bool(true)),
        // Without commands, there is nothing to show.
        code_lens_provider: client.commands.then(CodeLensOptions::default),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(["(", ";", ",", " "].map(str::to_owned).to_vec()),
            ..SignatureHelpOptions::default()
        }),
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
