//! A player for game managers: an HTTP server that plays one match at a time with an agent.
//!
//! Each match has a thread of its own, which holds the game and the agent; the server hands messages to it and answers in time whatever
//! the thread does.

use super::message::{CONTENT_TYPE, News, Request, normal};
use super::seat::Seat;
use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE as CONTENT_TYPE_HEADER, ORIGIN};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use backend::Options as EngineOptions;
use kit::language::{LANGUAGES, Language, Reading};
use kit::load::{Loaded, load_text};
use kit::participant::Participant;
use kit::runner::Runner;
use kit::{Result, finding};
use rg_ir::diag::has_errors;
use rg_ir::{Diagnostic, SourceId, cancel};
use rustc_hash::FxHasher;
use std::hash::{Hash as _, Hasher as _};
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

/// Bytes of a message at most.
const MAX_MESSAGE: usize = 64 << 20;

/// Stack of the threads of matches.
const STACK: usize = 16 << 20;

/// A match is over if nothing is heard of it for so many of its clocks, and for [`SILENCE`] besides.
const CLOCKS: u32 = 4;
const SILENCE: Duration = Duration::from_secs(60);

/// The part of a clock that is kept for the way of the answer, and its bounds.
const MARGIN_PART: u32 = 8;
const LEAST_MARGIN: Duration = Duration::from_millis(30);
const MOST_MARGIN: Duration = Duration::from_secs(2);

/// The answer where there is nothing to say.
const NOTHING: &str = "NIL";

/// A player to be served.
#[derive(Clone, Debug)]
pub struct Options {
    /// What it is called.
    pub name: String,
    /// Where it listens.
    pub host: IpAddr,
    /// The port; any free one if it is 0.
    pub port: u16,
    /// Who chooses the moves.
    pub agent: Participant,
    /// Seed of the agent.
    pub seed: u64,
    /// How games are read.
    pub reading: Reading,
}

/// A player that has its port.
pub struct Player {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    server: Arc<Server>,
}

/// What happens at a player, for people.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

struct Server {
    options: Options,
    table: Mutex<Option<Match>>,
    last: Arc<Mutex<Option<Last>>>,
    log: Log,
}

/// The game of the last match, which the next one may be about, too.
struct Last {
    rules: String,
    runner: Arc<Runner>,
}

/// A match under way.
struct Match {
    id: String,
    play_clock: Duration,
    orders: Sender<Order>,
    stop: Arc<AtomicBool>,
    /// Stops the preparation of the game.
    token: cancel::Token,
    /// Some legal move, for when there is no time for another.
    fallback: Arc<Mutex<Option<String>>>,
    /// When the manager was heard last.
    heard: Instant,
}

impl Match {
    fn is_forgotten(&self) -> bool {
        self.heard.elapsed() > self.play_clock * CLOCKS + SILENCE
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.token.cancel();
    }
}

/// What the thread of a match is to do.
enum Order {
    Play { news: News, answer: oneshot::Sender<String> },
    Stop { news: News, answer: oneshot::Sender<String> },
}

/// What a match is about.
struct Start {
    id: String,
    role: String,
    rules: String,
    play_clock: Duration,
}

impl Player {
    /// Opens the port.
    ///
    /// # Errors
    /// `IO395`: the port cannot be used.
    pub fn bind(options: Options, log: Log) -> Result<Self> {
        let (host, port) = (options.host, options.port);
        let failed = |error: std::io::Error| Box::new(cannot_listen(host, port, &error));
        let runtime = Builder::new_current_thread().enable_io().enable_time().build().map_err(failed)?;
        let listener = runtime.block_on(TcpListener::bind((host, port))).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let server = Server { options, table: Mutex::default(), last: Arc::default(), log };
        Ok(Self { runtime, listener, address, server: Arc::new(server) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Plays until `stop` is set.
    ///
    /// # Errors
    /// `IO395`: the port fails.
    pub fn run(self, stop: &'static AtomicBool) -> Result<()> {
        let Self { runtime, listener, address, server } = self;
        let routes = Router::new().fallback(answer).with_state(server);
        let stopped = async move {
            while !stop.load(Ordering::Relaxed) {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        let served = async { axum::serve(listener, routes).with_graceful_shutdown(stopped).await };
        runtime.block_on(served).map_err(|error| cannot_listen(address.ip(), address.port(), &error).into())
    }
}

fn cannot_listen(host: IpAddr, port: u16, error: &std::io::Error) -> Diagnostic {
    let wrong = finding("IO395", format!("the player cannot listen on {host}, port {port}: {error}"));
    match error.kind() {
        std::io::ErrorKind::AddrInUse => wrong.help("another program uses this port; port 0 takes a free one"),
        std::io::ErrorKind::PermissionDenied => wrong.help("ports below 1024 may need other rights; 9147 is usual"),
        _ => wrong,
    }
}

/// Answers a request. Pages of browsers are refused: they say where they come from.
async fn answer(State(server): State<Arc<Server>>, request: axum::extract::Request) -> Response {
    let received = Instant::now();
    if request.headers().contains_key(ORIGIN) {
        return StatusCode::FORBIDDEN.into_response();
    }
    if request.method() != Method::POST {
        let text = "this is a player of the General Game Playing protocol; messages such as (INFO) are sent by POST\n";
        return (StatusCode::METHOD_NOT_ALLOWED, text).into_response();
    }
    let Ok(body) = to_bytes(request.into_body(), MAX_MESSAGE).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the message is too long\n").into_response();
    };
    let read = |body: &Bytes| -> std::result::Result<Request, String> {
        let text = std::str::from_utf8(body).map_err(|_| "the message is no text in UTF-8".to_owned())?;
        Request::parse(text)
    };
    match read(&body) {
        Ok(request) => {
            let text = server.handled(request, received).await;
            ([(CONTENT_TYPE_HEADER, CONTENT_TYPE)], text).into_response()
        }
        Err(message) => (StatusCode::BAD_REQUEST, format!("{message}\n")).into_response(),
    }
}

impl Server {
    fn table(&self) -> std::sync::MutexGuard<'_, Option<Match>> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, text: &str) {
        (self.log)(text);
    }

    /// The answer to a message.
    async fn handled(&self, request: Request, received: Instant) -> String {
        match request {
            Request::Info => {
                let is_busy = self.table().as_ref().is_some_and(|match_| !match_.is_forgotten());
                let status = if is_busy { "busy" } else { "available" };
                format!("((name {}) (status {status}))", self.options.name)
            }
            Request::Preview { .. } => "READY".to_owned(),
            Request::Start { id, role, rules, start_clock, play_clock } => {
                let start = Start { id, role, rules, play_clock };
                self.start(start, received + thinking(start_clock)).await
            }
            Request::Play { id, news } => {
                let deadline = |clock: Duration| received + thinking(clock) + margin(clock) / 2;
                self.order(&id, deadline, |answer| Order::Play { news, answer }).await
            }
            Request::Stop { id, news } => {
                let done = self.order(&id, |_| received + SILENCE, |answer| Order::Stop { news, answer }).await;
                self.forget(&id);
                done
            }
            Request::Abort { id } => {
                self.say(&format!("match {id}: given up"));
                self.forget(&id);
                "ABORTED".to_owned()
            }
        }
    }

    /// Ends a match.
    fn forget(&self, id: &str) {
        let mut table = self.table();
        if table.as_ref().is_some_and(|match_| match_.id == id) {
            *table = None;
        }
    }

    /// Begins a match, and waits for the game to be ready while there is time.
    async fn start(&self, start: Start, deadline: Instant) -> String {
        let (ready, is_ready) = oneshot::channel();
        {
            let mut table = self.table();
            if table.as_ref().is_some_and(|match_| match_.id != start.id && !match_.is_forgotten()) {
                return "BUSY".to_owned();
            }
            self.say(&format!("match {}: plays {}", start.id, start.role));
            let (orders, received) = channel();
            let match_ = Match {
                id: start.id.clone(),
                play_clock: start.play_clock,
                orders,
                stop: Arc::default(),
                token: cancel::Token::default(),
                fallback: Arc::default(),
                heard: Instant::now(),
            };
            let work = Work {
                options: self.options.clone(),
                stop: Arc::clone(&match_.stop),
                fallback: Arc::clone(&match_.fallback),
                last: Arc::clone(&self.last),
                start,
            };
            let token = match_.token.clone();
            let run = move || {
                // Preparation that is stopped has not failed.
                let _ = cancel::scope(&token, || work.run(&received, ready));
            };
            if thread::Builder::new().name("match".to_owned()).stack_size(STACK).spawn(run).is_err() {
                return "BUSY".to_owned();
            }
            *table = Some(match_);
        }
        match tokio::time::timeout_at(deadline.into(), is_ready).await {
            Ok(Ok(Err(why))) => {
                self.say(&format!("cannot play: {why}"));
                "READY".to_owned()
            }
            // It may still become ready.
            _ => "READY".to_owned(),
        }
    }

    /// Has the thread of a match do something, and answers by the deadline.
    async fn order(
        &self,
        id: &str,
        deadline: impl FnOnce(Duration) -> Instant,
        order: impl FnOnce(oneshot::Sender<String>) -> Order,
    ) -> String {
        let (answer, chosen) = oneshot::channel();
        let (deadline, fallback) = {
            let mut table = self.table();
            let Some(match_) = table.as_mut().filter(|match_| match_.id == id) else { return NOTHING.to_owned() };
            match_.heard = Instant::now();
            if match_.orders.send(order(answer)).is_err() {
                return NOTHING.to_owned();
            }
            (deadline(match_.play_clock), Arc::clone(&match_.fallback))
        };
        match tokio::time::timeout_at(deadline.into(), chosen).await {
            Ok(Ok(text)) => text,
            _ => {
                self.say(&format!("match {id}: no move in time"));
                let fallback = fallback.lock().unwrap_or_else(PoisonError::into_inner).clone();
                fallback.unwrap_or_else(|| NOTHING.to_owned())
            }
        }
    }
}

/// Time that is kept for the way of an answer.
fn margin(clock: Duration) -> Duration {
    (clock / MARGIN_PART).clamp(LEAST_MARGIN, MOST_MARGIN).min(clock / 2)
}

/// Time for thinking.
fn thinking(clock: Duration) -> Duration {
    clock.saturating_sub(margin(clock))
}

/// What the thread of a match works with.
struct Work {
    options: Options,
    start: Start,
    stop: Arc<AtomicBool>,
    fallback: Arc<Mutex<Option<String>>>,
    last: Arc<Mutex<Option<Last>>>,
}

impl Work {
    /// Prepares the game, says that it is ready, and does what is ordered until nobody orders any more.
    fn run(&self, orders: &Receiver<Order>, ready: oneshot::Sender<std::result::Result<(), String>>) {
        let Start { role, play_clock, .. } = &self.start;
        let agent = self.options.agent.clone().within(thinking(*play_clock));
        let runner = self.runner();
        let seat = match &runner {
            Ok(runner) => Seat::new(runner, &normal(role), &agent, self.seed()),
            Err(why) => Err(why.clone()),
        };
        let mut seat = match seat {
            Ok(seat) => seat,
            Err(why) => {
                // Whoever waits for it may have gone.
                let _ = ready.send(Err(why));
                return;
            }
        };
        self.keep(seat.any());
        let _ = ready.send(Ok(()));
        loop {
            match orders.recv_timeout(SILENCE) {
                Ok(Order::Play { news, answer }) => {
                    let _ = answer.send(self.played(&mut seat, &news));
                }
                Ok(Order::Stop { news, answer }) => {
                    let _ = seat.learn(&news, *play_clock);
                    let _ = answer.send("DONE".to_owned());
                    return;
                }
                Err(RecvTimeoutError::Timeout) if !self.stop.load(Ordering::Relaxed) => {}
                Err(_) => return,
            }
        }
    }

    /// The move that is chosen after some news.
    fn played(&self, seat: &mut Seat<'_>, news: &News) -> String {
        let clock = self.start.play_clock;
        if seat.learn(news, clock).is_err() {
            // The manager says what cannot be: a move for the last known position is as good as any.
            return seat.any().unwrap_or_else(|| NOTHING.to_owned());
        }
        self.keep(seat.any());
        seat.choose(&self.stop).unwrap_or_else(|_| self.fallback())
    }

    /// Some legal move, if one is known.
    fn fallback(&self) -> String {
        let any = self.fallback.lock().unwrap_or_else(PoisonError::into_inner).clone();
        any.unwrap_or_else(|| NOTHING.to_owned())
    }

    /// The game in an engine: the one of the last match if that had the same rules.
    fn runner(&self) -> std::result::Result<Arc<Runner>, String> {
        let rules = &self.start.rules;
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last().as_ref().filter(|last| last.rules == *rules) {
            return Ok(Arc::clone(&last.runner));
        }
        let runner = runner(&self.start, self.options.reading).map_err(|finding| finding.message)?;
        let runner = Arc::new(runner);
        *last() = Some(Last { rules: rules.clone(), runner: Arc::clone(&runner) });
        Ok(runner)
    }

    /// The seed of this match: matches with different names are not played alike.
    fn seed(&self) -> u64 {
        let mut hasher = FxHasher::default();
        (&self.start.id, self.options.seed).hash(&mut hasher);
        hasher.finish()
    }

    fn keep(&self, any: Option<String>) {
        *self.fallback.lock().unwrap_or_else(PoisonError::into_inner) = any;
    }
}

/// The game of a match, in an engine.
fn runner(start: &Start, reading: Reading) -> Result<Runner> {
    let language: &'static Language = LANGUAGES
        .iter()
        .find(|language| language.name == "gdl")
        .ok_or_else(|| finding("IO310", "GDL is not read".to_owned()))?;
    let source = SourceId(0);
    let (translation, findings) = load_text(source, &start.id, &start.rules, language, reading);
    let wrong = has_errors(&findings).then(|| findings.into_iter().find(Diagnostic::is_error)).flatten();
    match (translation, wrong) {
        (Some(translation), None) => {
            let loaded = Loaded::new(start.id.clone(), language, source, translation);
            Runner::new(loaded.optimised(2)?, EngineOptions::default())
        }
        (_, wrong) => Err(Box::new(wrong.unwrap_or_else(|| finding("IO310", "the rules cannot be read".to_owned())))),
    }
}
