//! A client in the same process.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, clippy::panic)] // each test uses a part; a test stops at the first surprise

use gen_lsp_types::{Diagnostic, Position, Range, Request};
use lsp::{Config, Connection};
use lsp_server::{Message, Notification, Request as Call, RequestId, Response};
use serde_json::{Value, json};
use std::thread::JoinHandle;
use std::time::Duration;

/// The longest time an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<std::io::Result<()>>>,
    next: i32,
    /// Notifications that came while something else was waited for.
    notifications: Vec<Notification>,
    /// Answers that came while something else was waited for.
    answers: Vec<Response>,
    /// What the server has asked; all of it is answered by `null`.
    asked: Vec<String>,
}

impl Client {
    /// A client that offers UTF-8.
    pub fn new() -> Self {
        Self::with(json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } }))
    }

    pub fn with(capabilities: Value) -> Self {
        Self::with_options(capabilities, Value::Null)
    }

    pub fn with_options(capabilities: Value, options: Value) -> Self {
        let (connection, other) = Connection::memory();
        let serve = move || lsp::serve(&other, Config::default());
        let server = std::thread::Builder::new().stack_size(64 << 20).spawn(serve).unwrap();
        let (notifications, answers) = (Vec::new(), Vec::new());
        let mut client = Self { connection, server: Some(server), next: 0, notifications, answers, asked: Vec::new() };
        let params = json!({
            "processId": null,
            "rootUri": null,
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        client.request("initialize", params).unwrap();
        client.notify("initialized", json!({}));
        client
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.connection.sender.send(Notification::new(method.to_owned(), params).into()).unwrap();
    }

    /// Sends a request, and does not wait.
    pub fn send(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection.sender.send(Call::new(id.clone(), method.to_owned(), params).into()).unwrap();
        id
    }

    fn receive(&mut self) {
        match self.connection.receiver.recv_timeout(PATIENCE).unwrap() {
            Message::Response(response) => self.answers.push(response),
            Message::Notification(notification) => self.notifications.push(notification),
            Message::Request(request) => {
                self.connection.sender.send(Response::new_ok(request.id, Value::Null).into()).unwrap();
                self.asked.push(request.method);
            }
        }
    }

    /// Waits for the answer to a request: a value, or the code and message of an error.
    pub fn answer(&mut self, id: &RequestId) -> Result<Value, (i32, String)> {
        loop {
            if let Some(at) = self.answers.iter().position(|response| response.id == *id) {
                let response = self.answers.remove(at);
                return response.response_result.map_err(|error| (error.code, error.message));
            }
            self.receive();
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, (i32, String)> {
        let id = self.send(method, params);
        self.answer(&id)
    }

    /// Waits until the server asks something.
    pub fn wait_until_asked(&mut self, method: &str) {
        loop {
            if let Some(at) = self.asked.iter().position(|asked| asked == method) {
                self.asked.remove(at);
                return;
            }
            self.receive();
        }
    }

    /// A request with its types.
    pub fn ask<R: Request>(&mut self, params: Value) -> R::Result {
        let answer = self.request(&R::METHOD.to_string(), params).unwrap();
        serde_json::from_value(answer).unwrap()
    }

    pub fn open(&self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "plaintext", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub fn change(&self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Waits for the next findings about a version of a text.
    pub fn findings(&mut self, uri: &str, version: i32) -> Vec<Diagnostic> {
        loop {
            let is_it = |notification: &Notification| {
                let params = &notification.params;
                notification.method == "textDocument/publishDiagnostics"
                    && params["uri"] == uri
                    && params["version"] == version
            };
            if let Some(at) = self.notifications.iter().position(is_it) {
                let notification = self.notifications.remove(at);
                return serde_json::from_value(notification.params["diagnostics"].clone()).unwrap();
            }
            self.receive();
        }
    }
}

impl Client {
    /// Waits for the end of the server.
    pub fn ended(&mut self) -> std::io::Result<()> {
        self.server.take().unwrap().join().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !std::thread::panicking() && self.server.is_some() {
            self.request("shutdown", Value::Null).unwrap();
            self.notify("exit", Value::Null);
            self.ended().unwrap();
        }
    }
}

/// A text without its marks `‹1›`, `‹2›`, …, and where they were.
pub fn marked(text: &str) -> (String, Vec<Position>) {
    let (mut plain, mut places) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('‹') {
        plain.push_str(before);
        let (number, after) = after.split_once('›').unwrap();
        places.push((number.parse::<usize>().unwrap(), position(&plain, plain.len())));
        rest = after;
    }
    plain.push_str(rest);
    places.sort_by_key(|(number, _)| *number);
    (plain, places.into_iter().map(|(_, place)| place).collect())
}

/// Where a byte is, in bytes.
pub fn position(text: &str, offset: usize) -> Position {
    let before = &text[..offset];
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let count = |n: usize| u32::try_from(n).unwrap();
    Position { line: count(before.matches('\n').count()), character: count(offset - line) }
}

/// The byte at a position.
pub fn offset(text: &str, position: Position) -> usize {
    let line = text.split_inclusive('\n').take(position.line as usize).map(str::len).sum::<usize>();
    line + position.character as usize
}

/// The text in a range.
pub fn slice(text: &str, range: Range) -> &str {
    &text[offset(text, range.start)..offset(text, range.end)]
}

/// The text after edits, which do not overlap.
pub fn edited(text: &str, edits: &[gen_lsp_types::TextEdit]) -> String {
    let mut edits: Vec<_> = edits.to_vec();
    edits.sort_by_key(|edit| (edit.range.start.line, edit.range.start.character));
    let mut text = text.to_owned();
    for edit in edits.iter().rev() {
        let range = offset(&text, edit.range.start)..offset(&text, edit.range.end);
        text.replace_range(range, &edit.new_text);
    }
    text
}
