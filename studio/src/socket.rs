//! Sockets: the secret comes first, then messages are carried to and from a thread that does the work. Nothing is computed here.

use crate::http::Server;
use crate::session::{self, Incoming};
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use serde::Deserialize;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, oneshot};

/// Bytes of a message at most.
const MAX_MESSAGE: usize = 4 << 20;

/// How long the secret may take to come.
const PATIENCE: Duration = Duration::from_secs(3);

/// Bytes of messages that wait to be worked on at most: beyond that, a page has to wait before it is read any further.
const MAX_WAITING: usize = 16 << 20;

/// Messages that wait for the language server at most.
const MAX_QUEUED: usize = 16;

/// How often it is looked whether there is room again.
const ROOM: Duration = Duration::from_millis(10);

/// Bytes of messages that wait to be sent at most: a page that reads no more is closed.
const MAX_UNREAD: usize = 64 << 20;

/// Sockets at most that have not said the secret yet.
const MAX_STRANGERS: usize = 8;

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
    if server.sockets.available_permits() == 0 {
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    }
    let upgrade = upgrade.max_message_size(MAX_MESSAGE).max_frame_size(MAX_MESSAGE);
    upgrade.on_upgrade(move |socket| introduced(server, socket, serve))
}

/// Sockets that have not said the secret yet. If there are too many, the oldest has to go: they never keep out a page that knows the secret,
/// which says it at once.
#[derive(Default)]
pub(crate) struct Strangers(Mutex<VecDeque<oneshot::Sender<()>>>);

impl Strangers {
    /// Another one; what it gets ends when it has to go.
    fn admit(&self) -> oneshot::Receiver<()> {
        let (stay, leave) = oneshot::channel();
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| !other.is_closed());
        if all.len() >= MAX_STRANGERS {
            all.pop_front();
        }
        all.push_back(stay);
        leave
    }
}

async fn introduced(server: Arc<Server>, mut socket: WebSocket, serve: fn(Arc<Server>, WebSocket) -> Serving) {
    let leave = server.strangers.admit();
    let first = tokio::select! {
        first = tokio::time::timeout(PATIENCE, socket.recv()) => first.ok().flatten(),
        _ = leave => None,
    };
    let is_known = match first {
        Some(Ok(Message::Text(text))) => {
            serde_json::from_str(&text).is_ok_and(|Introduction { token }| server.token.is(&token))
        }
        _ => false,
    };
    let permit = Arc::clone(&server.sockets).try_acquire_owned();
    let (code, reason) = match (is_known, permit) {
        (true, Ok(_permit)) => return serve(server, socket).await,
        (true, Err(_)) => (close_code::AGAIN, "too many pages of the studio are open"),
        (false, _) => (close_code::POLICY, "the secret is missing or wrong"),
    };
    // A stranger that does not listen misses nothing.
    let farewell = async {
        if socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await.is_ok() {
            // What it has sent meanwhile is read: with something unread, the connection would be reset, and the farewell lost.
            while let Some(Ok(_)) = socket.recv().await {}
        }
    };
    let _ = tokio::time::timeout(PATIENCE, farewell).await;
}

/// Where messages to a page go.
#[derive(Clone)]
pub(crate) struct Out {
    texts: UnboundedSender<String>,
    unread: Arc<Unread>,
}

/// What a page has not read yet.
#[derive(Default)]
struct Unread {
    bytes: AtomicUsize,
    /// It is too much.
    overflow: Notify,
}

impl Out {
    fn new() -> (Self, UnboundedReceiver<String>) {
        let (texts, receiver) = unbounded_channel();
        (Self { texts, unread: Arc::default() }, receiver)
    }

    /// Sends a message. A page that reads too little is closed, and what is sent to a page that is closed is lost.
    pub(crate) fn send(&self, text: String) {
        let length = text.len();
        if self.unread.bytes.load(Ordering::Relaxed).saturating_add(length) > MAX_UNREAD {
            return self.unread.overflow.notify_one();
        }
        self.unread.bytes.fetch_add(length, Ordering::Relaxed);
        let _ = self.texts.send(text);
    }
}

/// Sends what a thread has to say until it has nothing more to say, or nobody listens.
async fn write(mut sink: SplitSink<WebSocket, Message>, mut texts: UnboundedReceiver<String>, unread: Arc<Unread>) {
    while let Some(text) = texts.recv().await {
        let length = text.len();
        if sink.send(Message::Text(text.into())).await.is_err() {
            return;
        }
        unread.bytes.fetch_sub(length, Ordering::Relaxed);
    }
    let _ = sink.close().await;
}

/// The next message of a page; `None` once it is closed, or reads too little.
async fn next(stream: &mut SplitStream<WebSocket>, unread: &Unread) -> Option<Message> {
    tokio::select! {
        message = stream.next() => message?.ok(),
        () = unread.overflow.notified() => None,
    }
}

async fn app_socket(server: Arc<Server>, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let (out, texts) = Out::new();
    let (events, inbox) = crossbeam_channel::unbounded();
    let waiting = Arc::new(AtomicUsize::new(0));
    let (own, unread, counted) = (events.clone(), Arc::clone(&out.unread), Arc::clone(&waiting));
    let work = move || session::run(server, own, &inbox, &counted, out);
    if thread::Builder::new().name("page".to_owned()).stack_size(STACK).spawn(work).is_err() {
        return;
    }
    let writer = tokio::spawn(write(sink, texts, Arc::clone(&unread)));
    while let Some(message) = next(&mut stream, &unread).await {
        let Message::Text(text) = message else { continue };
        while waiting.load(Ordering::Relaxed) > MAX_WAITING {
            tokio::time::sleep(ROOM).await;
        }
        waiting.fetch_add(text.len(), Ordering::Relaxed);
        if events.send(Incoming::Text(text.as_str().to_owned())).is_err() {
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
    let (out, texts) = Out::new();
    let unread = Arc::clone(&out.unread);
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
            out.send(message.to_string());
        }
    });
    if !spawn("language server", serve) || !spawn("from the language server", forward) {
        return;
    }
    let writer = tokio::spawn(write(sink, texts, Arc::clone(&unread)));
    while let Some(message) = next(&mut stream, &unread).await {
        if let Message::Text(text) = message
            && let Ok(message) = serde_json::from_str(&text)
        {
            while here.sender.len() >= MAX_QUEUED {
                tokio::time::sleep(ROOM).await;
            }
            if here.sender.send(message).is_err() {
                break;
            }
        }
    }
    writer.abort();
}
