//! Sockets: the secret comes first, then messages are carried to and from a thread that does the work. Nothing is computed here.

use crate::http::Server;
use crate::session::{self, Incoming};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Bytes of a message at most.
const MAX_MESSAGE: usize = 4 << 20;

/// How long the secret may take to come.
const PATIENCE: Duration = Duration::from_secs(3);

/// Messages that wait to be worked on at most: a page that sends more is not one of ours.
const MAX_WAITING: usize = 10_000;

/// Bytes of the stack of a thread that reads games: texts may nest deeply.
pub(crate) const STACK: usize = 64 << 20;

/// The first message.
#[derive(Deserialize)]
struct Introduction {
    token: String,
}

/// The socket of the page.
pub(crate) async fn app(State(server): State<Arc<Server>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    accept(server, &headers, upgrade, |server, socket| Box::pin(app_socket(server, socket)))
}

/// The socket of its editor, for the language server.
pub(crate) async fn lsp(State(server): State<Arc<Server>>, headers: HeaderMap, upgrade: WebSocketUpgrade) -> Response {
    accept(server, &headers, upgrade, |server, socket| Box::pin(lsp_socket(server, socket)))
}

type Serving = std::pin::Pin<Box<dyn Future<Output = ()> + Send>>;

/// Opens a socket for a page of this server that knows the secret, as long as there are not too many.
fn accept(
    server: Arc<Server>,
    headers: &HeaderMap,
    upgrade: WebSocketUpgrade,
    serve: fn(Arc<Server>, WebSocket) -> Serving,
) -> Response {
    if !server.is_origin(headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(permit) = Arc::clone(&server.sockets).try_acquire_owned() else {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| introduced(server, socket, permit, serve))
}

async fn introduced(
    server: Arc<Server>,
    mut socket: WebSocket,
    _permit: OwnedSemaphorePermit,
    serve: fn(Arc<Server>, WebSocket) -> Serving,
) {
    let first = tokio::time::timeout(PATIENCE, socket.recv()).await;
    let is_known = match first {
        Ok(Some(Ok(Message::Text(text)))) => {
            serde_json::from_str(&text).is_ok_and(|Introduction { token }| server.token.is(&token))
        }
        _ => false,
    };
    if is_known {
        serve(server, socket).await;
    } else {
        let frame = CloseFrame { code: close_code::POLICY, reason: "the secret is missing or wrong".into() };
        // A stranger that does not listen misses nothing.
        let _ = socket.send(Message::Close(Some(frame))).await;
    }
}

/// Sends what a thread has to say until it has nothing more to say, or nobody listens.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut texts: UnboundedReceiver<String>) {
    while let Some(text) = texts.recv().await {
        if sink.send(Message::Text(text.into())).await.is_err() {
            return;
        }
    }
    let _ = sink.close().await;
}

async fn app_socket(server: Arc<Server>, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let (out, texts) = unbounded_channel();
    let (events, inbox) = crossbeam_channel::unbounded();
    let own = events.clone();
    let work = move || session::run(server, own, &inbox, out);
    if thread::Builder::new().name("page".to_owned()).stack_size(STACK).spawn(work).is_err() {
        return;
    }
    let writer = tokio::spawn(write(sink, texts));
    while let Some(Ok(message)) = stream.next().await {
        if let Message::Text(text) = message
            && (events.len() > MAX_WAITING || events.send(Incoming::Text(text.as_str().to_owned())).is_err())
        {
            break;
        }
    }
    // The thread has a sender of its own, and has to be told.
    let _ = events.send(Incoming::Gone);
    writer.abort();
}

async fn lsp_socket(server: Arc<Server>, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let (here, there) = lsp::Connection::memory();
    let (out, texts): (UnboundedSender<String>, _) = unbounded_channel();
    let config = lsp::Config { reading: server.reading };
    let spawn = |name: &str, work: Box<dyn FnOnce() + Send>| {
        thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).is_ok()
    };
    // A client that goes away is no error here: the page was closed.
    let serve = Box::new(move || _ = lsp::serve(&there, config));
    let messages = here.receiver.clone();
    let forward = Box::new(move || {
        for message in messages {
            let Ok(mut message) = serde_json::to_value(message) else { continue };
            message["jsonrpc"] = "2.0".into();
            if out.send(message.to_string()).is_err() {
                return;
            }
        }
    });
    if !spawn("language server", serve) || !spawn("from the language server", forward) {
        return;
    }
    let writer = tokio::spawn(write(sink, texts));
    while let Some(Ok(message)) = stream.next().await {
        if let Message::Text(text) = message
            && let Ok(message) = serde_json::from_str(&text)
            && (here.sender.len() > MAX_WAITING || here.sender.send(message).is_err())
        {
            break;
        }
    }
    writer.abort();
}
