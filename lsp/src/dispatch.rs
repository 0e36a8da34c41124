//! Which request is answered by what.

use crate::capabilities::Client;
use crate::document::Document;
use crate::features::{
    actions, calls, complete, fold, format, goto, hints, hover, lens, outline, rename, select, signature, tokens,
};
use crate::server::Workspace;
use gen_lsp_types::{
    CallHierarchyIncomingCallsRequest, CallHierarchyOutgoingCallsRequest, CallHierarchyPrepareRequest,
    CodeActionParams, CodeActionRequest, CodeLensRequest, CompletionRequest, DefinitionRequest,
    DocumentFormattingRequest, DocumentHighlightRequest, DocumentRangeFormattingRequest, DocumentSymbolRequest,
    FoldingRangeRequest, HoverRequest, InlayHintRequest, LspRequestMethod, PrepareRenameRequest, ReferencesRequest,
    RenameRequest, Request, SelectionRangeRequest, SemanticTokensRequest, SignatureHelpRequest,
    TextDocumentPositionParams, Uri, WorkspaceSymbolRequest,
};
use lsp_server::{ErrorCode, Request as Message};
use serde_json::Value;

/// Code of an error that is no fault of the program: what is asked for cannot be done.
const REQUEST_FAILED: i32 = -32803;

/// Why a request is not answered.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Failure {
    /// What is asked for cannot be done.
    pub(crate) fn refusal(message: impl Into<String>) -> Self {
        Self { code: REQUEST_FAILED, message: message.into() }
    }
}

/// The answer to a request.
pub(crate) fn answered(workspace: &Workspace, method: &str, params: Value) -> Result<Value, Failure> {
    let requested: LspRequestMethod<'_> = method.into();
    let ask = Question { workspace, params };
    match requested {
        CallHierarchyPrepareRequest::METHOD
        | CallHierarchyIncomingCallsRequest::METHOD
        | CallHierarchyOutgoingCallsRequest::METHOD => calls_answered(ask, &requested),
        InlayHintRequest::METHOD | SignatureHelpRequest::METHOD | CodeLensRequest::METHOD => {
            shown(ask, &requested, &workspace.client)
        }
        HoverRequest::METHOD => {
            ask.at::<HoverRequest>(|p| p.text_document_position_params, |place| Ok(hover::hover(place)))
        }
        DefinitionRequest::METHOD => {
            ask.at::<DefinitionRequest>(|p| p.text_document_position_params, |place| Ok(goto::definition(place)))
        }
        ReferencesRequest::METHOD => ask.about::<ReferencesRequest>(
            |p| &p.text_document_position_params.text_document.uri,
            |document, p| {
                let offset = document.offset(p.text_document_position_params.position);
                Ok(goto::references(Place { document, offset }, p.context.include_declaration))
            },
        ),
        DocumentHighlightRequest::METHOD => {
            ask.at::<DocumentHighlightRequest>(|p| p.text_document_position_params, |place| Ok(goto::highlights(place)))
        }
        PrepareRenameRequest::METHOD => {
            ask.at::<PrepareRenameRequest>(|p| p.text_document_position_params, |place| rename::prepare(place))
        }
        RenameRequest::METHOD => ask.about::<RenameRequest>(
            |p| &p.text_document_position_params.text_document.uri,
            |document, p| {
                let offset = document.offset(p.text_document_position_params.position);
                rename::rename(Place { document, offset }, &p.new_name, &workspace.client)
            },
        ),
        DocumentSymbolRequest::METHOD => {
            ask.about::<DocumentSymbolRequest>(|p| &p.text_document.uri, |document, _| Ok(outline::of_text(document)))
        }
        WorkspaceSymbolRequest::METHOD => {
            let params = ask.params::<WorkspaceSymbolRequest>()?;
            value::<WorkspaceSymbolRequest>(outline::of_workspace(workspace, &params.query))
        }
        SemanticTokensRequest::METHOD => {
            ask.about::<SemanticTokensRequest>(|p| &p.text_document.uri, |document, _| Ok(tokens::tokens(document)))
        }
        FoldingRangeRequest::METHOD => {
            ask.about::<FoldingRangeRequest>(|p| &p.text_document.uri, |document, _| Ok(fold::ranges(document)))
        }
        SelectionRangeRequest::METHOD => ask.about::<SelectionRangeRequest>(
            |p| &p.text_document.uri,
            |document, p| Ok(select::ranges(document, &p.positions)),
        ),
        CompletionRequest::METHOD => {
            let client = &workspace.client;
            ask.at::<CompletionRequest>(|p| p.text_document_position_params, |place| Ok(complete::items(place, client)))
        }
        DocumentFormattingRequest::METHOD => {
            ask.about::<DocumentFormattingRequest>(|p| &p.text_document.uri, |document, _| Ok(format::edits(document)))
        }
        DocumentRangeFormattingRequest::METHOD => ask.about::<DocumentRangeFormattingRequest>(
            |p| &p.text_document.uri,
            |document, p| Ok(format::edits_in(document, p.range)),
        ),
        CodeActionRequest::METHOD => ask.about::<CodeActionRequest>(
            |p| &p.text_document.uri,
            |document, p| Ok(actions::actions(document, &workspace.client, p)),
        ),
        _ => {
            let message = format!("there is no request `{method}` here");
            Err(Failure { code: ErrorCode::MethodNotFound as i32, message })
        }
    }
}

/// The answer to a request about calls.
fn calls_answered(ask: Question<'_>, requested: &LspRequestMethod<'_>) -> Result<Value, Failure> {
    match *requested {
        CallHierarchyPrepareRequest::METHOD => ask
            .at::<CallHierarchyPrepareRequest>(|p| p.text_document_position_params, |place| Ok(calls::prepare(place))),
        CallHierarchyIncomingCallsRequest::METHOD => ask.about::<CallHierarchyIncomingCallsRequest>(
            |p| &p.item.uri,
            |document, p| Ok(calls::incoming(document, p.item.selection_range)),
        ),
        _ => ask.about::<CallHierarchyOutgoingCallsRequest>(
            |p| &p.item.uri,
            |document, p| Ok(calls::outgoing(document, p.item.selection_range)),
        ),
    }
}

/// The answer to a request about what is shown beside the text.
fn shown(ask: Question<'_>, requested: &LspRequestMethod<'_>, client: &Client) -> Result<Value, Failure> {
    match *requested {
        InlayHintRequest::METHOD => {
            ask.about::<InlayHintRequest>(|p| &p.text_document.uri, |document, p| Ok(hints::hints(document, p.range)))
        }
        SignatureHelpRequest::METHOD => ask.at::<SignatureHelpRequest>(
            |p| p.text_document_position_params,
            |place| Ok(signature::signatures(place, client)),
        ),
        _ => ask.about::<CodeLensRequest>(|p| &p.text_document.uri, |document, _| Ok(lens::lenses(document, client))),
    }
}

/// The text whose findings a request is about.
pub(crate) fn needs_findings(request: &Message) -> Option<Uri> {
    let is_about = LspRequestMethod::from(request.method.as_str()) == CodeActionRequest::METHOD;
    let params = is_about.then(|| serde_json::from_value::<CodeActionParams>(request.params.clone()).ok());
    Some(params??.text_document.uri)
}

/// A place in a document that a request is about.
#[derive(Clone, Copy)]
pub(crate) struct Place<'d> {
    pub(crate) document: &'d Document,
    pub(crate) offset: u32,
}

/// A request that is being answered.
struct Question<'w> {
    workspace: &'w Workspace,
    params: Value,
}

impl<'w> Question<'w> {
    fn params<R: Request>(self) -> Result<R::Params, Failure> {
        serde_json::from_value(self.params).map_err(|error| Failure {
            code: ErrorCode::InvalidParams as i32,
            message: format!("the parameters cannot be read: {error}"),
        })
    }

    /// Answers a request about a document. About one that is not open, nothing is known.
    fn about<R: Request>(
        self,
        uri: impl Fn(&R::Params) -> &Uri,
        answer: impl FnOnce(&'w Document, &R::Params) -> Result<R::Result, Failure>,
    ) -> Result<Value, Failure> {
        let documents = &self.workspace.documents;
        let params = self.params::<R>()?;
        match documents.get(uri(&params)) {
            Some(document) => value::<R>(answer(document, &params)?),
            None => Ok(Value::Null),
        }
    }

    /// Answers a request about a place in a document.
    fn at<R: Request>(
        self,
        place: impl Fn(R::Params) -> TextDocumentPositionParams,
        answer: impl FnOnce(Place<'w>) -> Result<R::Result, Failure>,
    ) -> Result<Value, Failure> {
        let documents = &self.workspace.documents;
        let TextDocumentPositionParams { text_document, position } = place(self.params::<R>()?);
        match documents.get(&text_document.uri) {
            Some(document) => {
                let offset = document.offset(position);
                value::<R>(answer(Place { document, offset })?)
            }
            None => Ok(Value::Null),
        }
    }
}

fn value<R: Request>(result: R::Result) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|error| Failure {
        code: ErrorCode::InternalError as i32,
        message: format!("the answer cannot be written: {error}"),
    })
}
