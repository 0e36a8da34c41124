//! The main loop. Messages are taken in order: texts are changed at once, and requests answered one after the other. What is wrong with a text is
//! looked for when no message is waiting, so that many changes cost one search.

use crate::Config;
use crate::background::{Background, News, Report};
use crate::capabilities::Client;
use crate::dispatch::{self, Failure};
use crate::document::Document;
use crate::findings;
use crossbeam_channel::select;
use gen_lsp_types::{
    CancelNotification, CodeLensRefreshRequest, DidChangeTextDocumentNotification, DidCloseTextDocumentNotification,
    DidOpenTextDocumentNotification, ExitNotification, LspRequestMethod, Request as _, ShutdownRequest,
};
use gen_lsp_types::{
    CancelParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, Id,
    LspNotificationMethod, Notification as _, PublishDiagnosticsNotification, PublishDiagnosticsParams, Uri,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a client has open.
pub(crate) struct Workspace {
    pub(crate) client: Client,
    pub(crate) documents: FxHashMap<Uri, Document>,
}

/// The server of one client.
pub(crate) struct Server<'c> {
    connection: &'c Connection,
    workspace: Workspace,
    background: Background,
    /// Messages that were received, but not looked at.
    queue: VecDeque<Message>,
    /// Requests that are answered once it is known what is wrong with a text.
    waiting: Vec<(Uri, Request)>,
    /// Requests that the client does not need any more.
    cancelled: FxHashSet<RequestId>,
    /// Texts that have changed since they were looked at.
    changed: FxHashSet<Uri>,
    /// How often the client was told to ask for lenses again.
    refreshed: i32,
    /// The client has asked for the end, and will say when to exit.
    ends: bool,
}

/// Moves of the plays whose number lenses tell.
const PLIES: u32 = 3;

impl<'c> Server<'c> {
    pub(crate) fn new(connection: &'c Connection, client: Client, config: Config) -> Self {
        Self {
            connection,
            workspace: Workspace { client, documents: FxHashMap::default() },
            background: Background::start(config.reading),
            queue: VecDeque::new(),
            waiting: Vec::new(),
            cancelled: FxHashSet::default(),
            changed: FxHashSet::default(),
            refreshed: 0,
            ends: false,
        }
    }

    /// Serves until the client says that the server is to exit.
    ///
    /// # Errors
    /// A client that goes away, or says so without having asked for the end.
    pub(crate) fn run(mut self) -> io::Result<()> {
        let connection = self.connection;
        loop {
            self.receive();
            let Some(message) = self.queue.pop_front() else {
                self.settle();
                select! {
                    recv(connection.receiver) -> message => match message {
                        Ok(message) => self.take_in(message),
                        Err(_) => return Err(io::Error::other("the client is gone")),
                    },
                    recv(self.background.reports()) -> report => if let Ok(report) = report {
                        self.report(report);
                    },
                }
                continue;
            };
            match message {
                Message::Request(request) => self.request(request),
                Message::Notification(notification) if method(&notification) == ExitNotification::METHOD => {
                    let asked = self.ends.then_some(());
                    return asked.ok_or_else(|| io::Error::other("the client exits without having asked for the end"));
                }
                Message::Notification(notification) => self.notification(notification),
                // The server asks for no values.
                Message::Response(_) => {}
            }
        }
    }

    /// Takes all messages that have come, so that what is cancelled among them is known.
    fn receive(&mut self) {
        while let Ok(message) = self.connection.receiver.try_recv() {
            self.take_in(message);
        }
    }

    fn take_in(&mut self, message: Message) {
        match message {
            Message::Notification(notification) if method(&notification) == CancelNotification::METHOD => {
                if let Some(CancelParams { id }) = parsed(notification.params) {
                    self.cancel(match id {
                        Id::Int(number) => number.into(),
                        Id::String(text) => text.into(),
                    });
                }
            }
            message => self.queue.push_back(message),
        }
    }

    /// A request that is not needed any more is answered as such, unless it has been answered.
    fn cancel(&mut self, id: RequestId) {
        let waits = |request: &Request| request.id == id;
        if let Some(at) = self.waiting.iter().position(|(_, request)| waits(request)) {
            self.waiting.remove(at);
            self.answer(id, Err(Failure::cancelled()));
        } else if self.queue.iter().any(|message| matches!(message, Message::Request(request) if waits(request))) {
            self.cancelled.insert(id);
        }
    }

    /// Looks at the texts that have changed.
    fn settle(&mut self) {
        for uri in self.changed.drain() {
            if let Some(document) = self.workspace.documents.get(&uri) {
                self.background.look_at(document);
            }
        }
    }

    fn request(&mut self, request: Request) {
        if self.cancelled.remove(&request.id) {
            return self.answer(request.id, Err(Failure::cancelled()));
        }
        if self.ends {
            return self.answer(request.id, Err(Failure::too_late()));
        }
        if LspRequestMethod::from(request.method.as_str()) == ShutdownRequest::METHOD {
            self.ends = true;
            return self.answer(request.id, Ok(Value::Null));
        }
        if let Some(document) = dispatch::needs_findings(&request).and_then(|uri| self.workspace.documents.get(&uri))
            && document.findings().is_none()
        {
            return self.waiting.push((document.uri.clone(), request));
        }
        let Request { id, method, params } = request;
        let done = catch_unwind(AssertUnwindSafe(|| dispatch::answered(&self.workspace, &method, params)));
        self.answer(id, done.unwrap_or_else(|_| Err(Failure::internal(&method))));
    }

    fn answer(&self, id: RequestId, result: Result<Value, Failure>) {
        let response = match result {
            Ok(value) => Response::new_ok(id, value),
            Err(Failure { code, message }) => Response::new_err(id, code, message),
        };
        self.send(response.into());
    }

    /// A client that is gone is noticed by the next message that does not come.
    fn send(&self, message: Message) {
        let _ = self.connection.sender.send(message);
    }

    fn notification(&mut self, notification: Notification) {
        match method(&notification) {
            DidOpenTextDocumentNotification::METHOD => {
                if let Some(DidOpenTextDocumentParams { text_document: opened }) = parsed(notification.params) {
                    let language = serde_json::to_value(&opened.language_id).unwrap_or_default();
                    let language = language.as_str().unwrap_or_default();
                    let encoding = self.workspace.client.encoding;
                    let document = Document::new(opened.uri.clone(), language, opened.version, opened.text, encoding);
                    self.workspace.documents.insert(opened.uri.clone(), document);
                    self.changed.insert(opened.uri);
                }
            }
            DidChangeTextDocumentNotification::METHOD => {
                if let Some(DidChangeTextDocumentParams { text_document, content_changes }) =
                    parsed(notification.params)
                {
                    let uri = text_document.text_document_identifier.uri;
                    if let Some(document) = self.workspace.documents.get_mut(&uri) {
                        document.change(text_document.version, content_changes);
                        self.background.forget(&uri);
                        self.changed.insert(uri);
                    }
                }
            }
            DidCloseTextDocumentNotification::METHOD => {
                if let Some(DidCloseTextDocumentParams { text_document }) = parsed(notification.params) {
                    self.close(text_document.uri);
                }
            }
            _ => {}
        }
    }

    /// Forgets a text; the client shows nothing of it any more.
    fn close(&mut self, uri: Uri) {
        self.background.forget(&uri);
        self.workspace.documents.remove(&uri);
        self.answer_waiting(&uri);
        self.publish(PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() });
    }

    /// Takes note of what was found out about a text, if it has not changed since.
    fn report(&mut self, report: Report) {
        let Report { uri, version, news } = report;
        let client = &self.workspace.client;
        let Some(document) = self.workspace.documents.get_mut(&uri).filter(|document| document.version == version)
        else {
            return;
        };
        match news {
            News::Findings(findings, game) => {
                document.set_findings(findings);
                if let Some(game) = game {
                    self.background.look_closer(document, *game, if client.commands { PLIES } else { 0 });
                }
                let published = findings::published(document, client);
                self.publish(published);
            }
            News::Opening(opening) => {
                let (found, counted) = (!opening.findings.is_empty(), opening.plays.is_some());
                document.add_opening(opening);
                let published = found.then(|| findings::published(document, client));
                published.into_iter().for_each(|published| self.publish(published));
                if counted {
                    self.refresh_lenses();
                }
            }
            News::Failure if document.findings().is_none() => document.set_findings(Vec::new()),
            News::Failure => {}
        }
        self.answer_waiting(&uri);
    }

    /// Makes the client ask for lenses again, if it does that.
    fn refresh_lenses(&mut self) {
        if self.workspace.client.refreshes_lenses {
            self.refreshed += 1;
            let (id, method) = (RequestId::from(self.refreshed), CodeLensRefreshRequest::METHOD.to_string());
            self.send(Request { id, method, params: Value::Null }.into());
        }
    }

    fn answer_waiting(&mut self, uri: &Uri) {
        let waiting = std::mem::take(&mut self.waiting);
        let (ready, waiting) = waiting.into_iter().partition(|(other, _)| other == uri);
        self.waiting = waiting;
        let ready: Vec<(Uri, Request)> = ready;
        ready.into_iter().for_each(|(_, request)| self.request(request));
    }

    fn publish(&self, params: PublishDiagnosticsParams) {
        let method = PublishDiagnosticsNotification::METHOD.to_string();
        self.send(Notification::new(method, params).into());
    }
}

fn method(notification: &Notification) -> LspNotificationMethod<'_> {
    notification.method.as_str().into()
}

/// The parameters of a notification. One that cannot be read is ignored, since there is no answer to it.
fn parsed<T: serde::de::DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}

impl Failure {
    fn cancelled() -> Self {
        Self { code: ErrorCode::RequestCanceled as i32, message: "the request was cancelled".to_owned() }
    }

    fn too_late() -> Self {
        Self { code: ErrorCode::InvalidRequest as i32, message: "the client has asked for the end".to_owned() }
    }

    fn internal(method: &str) -> Self {
        let message = format!("answering `{method}` failed: this is a fault of the program, please report it");
        Self { code: ErrorCode::InternalError as i32, message }
    }
}
