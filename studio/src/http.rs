//! Routes, headers, and the guard that only lets in pages of this server.

use crate::files::{Folder, Target};
use crate::jobs::Limit;
use crate::socket;
use crate::token::{Token, nonce};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST, IF_NONE_MATCH, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use kit::Result;
use kit::language::Reading;
use kit::record::digest;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Open sockets at most.
pub(crate) const MAX_SOCKETS: usize = 8;

/// The page; `NONCE` stands for the nonce of its style sheets.
const PAGE: &str = include_str!("../dist/index.html");
const SCRIPT: &str = include_str!("../dist/app.js");
const STYLE: &str = include_str!("../dist/app.css");
const ICON: &str = include_str!("../dist/icon.svg");

/// What all sockets share.
pub(crate) struct Server {
    pub(crate) port: u16,
    pub(crate) token: Token,
    pub(crate) folder: Folder,
    /// What is opened first.
    pub(crate) initial: Option<Target>,
    pub(crate) reading: Reading,
    /// A permit for each socket that may be open.
    pub(crate) sockets: Arc<Semaphore>,
    /// Of measurements and matches.
    pub(crate) heavy: Arc<Limit>,
    /// Sockets that have not said the secret yet.
    pub(crate) strangers: socket::Strangers,
    idle: Option<Duration>,
}

impl Server {
    pub(crate) fn new(
        port: u16,
        folder: Folder,
        initial: Option<Target>,
        idle: Option<Duration>,
        reading: Reading,
    ) -> Result<Self> {
        let sockets = Arc::new(Semaphore::new(MAX_SOCKETS));
        let (token, heavy, strangers) = (Token::new()?, Limit::heavy(), socket::Strangers::default());
        Ok(Self { port, token, folder, initial, reading, sockets, heavy, strangers, idle })
    }

    /// Whether a request was sent to one of the names of this server, and not to that of a stranger which leads to this address.
    fn is_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Whether a page with this origin is the one that this server serves.
    pub(crate) fn is_origin(&self, headers: &HeaderMap) -> bool {
        let origin = headers.get("origin").and_then(|value| value.to_str().ok());
        origin.and_then(|origin| origin.strip_prefix("http://")).is_some_and(|host| self.is_host(host))
    }
}

/// Answers until no page has been open for too long.
pub(crate) async fn serve(listener: TcpListener, server: Arc<Server>) -> io::Result<()> {
    let routes = Router::new()
        .route("/", get(page))
        .route("/app.js", get(|headers: HeaderMap| asset(headers, SCRIPT, "text/javascript; charset=utf-8")))
        .route("/app.css", get(|headers: HeaderMap| asset(headers, STYLE, "text/css; charset=utf-8")))
        .route("/icon.svg", get(|headers: HeaderMap| asset(headers, ICON, "image/svg+xml")))
        .route("/ws/app", get(socket::app))
        .route("/ws/lsp", get(socket::lsp))
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(middleware::from_fn_with_state(Arc::clone(&server), guard))
        .with_state(Arc::clone(&server));
    axum::serve(listener, routes).with_graceful_shutdown(idle(server)).await
}

/// Ends when no socket has been open for the time that the server may be idle.
async fn idle(server: Arc<Server>) {
    let Some(limit) = server.idle else { return std::future::pending().await };
    let mut last = Instant::now();
    while last.elapsed() < limit {
        tokio::time::sleep(Duration::from_millis(500).min(limit)).await;
        if server.sockets.available_permits() < MAX_SOCKETS {
            last = Instant::now();
        }
    }
}

/// Refuses requests to other names than those of this server, and adds the headers that every answer has.
async fn guard(State(server): State<Arc<Server>>, request: Request, next: Next) -> Response {
    let mut hosts = request.headers().get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok());
    let is_known = host.is_some_and(|host| server.is_host(host)) && hosts.next().is_none();
    let mut response = match is_known {
        true => next.run(request).await,
        false => StatusCode::MISDIRECTED_REQUEST.into_response(),
    };
    let headers = response.headers_mut();
    let fixed = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (CACHE_CONTROL, "no-cache"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static("default-src 'none'"));
    response
}

/// The page, with what it may load: nothing but what this server serves.
async fn page(State(server): State<Arc<Server>>) -> Response {
    let (nonce, port) = (nonce(), server.port);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data: blob:; connect-src 'self' ws://127.0.0.1:{port} ws://localhost:{port}; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    );
    let mut response = PAGE.replace("NONCE", &nonce).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    if let Ok(policy) = HeaderValue::try_from(policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// A file of the page, or that the browser has it already.
async fn asset(headers: HeaderMap, text: &'static str, kind: &'static str) -> Response {
    let tag = format!("\"{}\"", digest(text.as_bytes()));
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return StatusCode::NOT_MODIFIED.into_response();
    }
    let mut response = text.into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    response
}
