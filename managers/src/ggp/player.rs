//! A player for game managers: an HTTP server that plays one match at a time with an agent.
//!
//! Each match has a thread of its own, which holds the game and the agent; the server hands messages to it and answers in time whatever
//! the thread does.

use super::message::{CONTENT_TYPE, News, Request, excerpt, normal};
use super::seat::Seat;
use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::State;
use axum::http::header::{CONTENT_TYPE as CONTENT_TYPE_HEADER, ORIGIN};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use backend::Options as EngineOptions;
use kit::input::harmless;
use kit::language::{Reading, choose};
use kit::load::game_or_first;
use kit::participant::Participant;
use kit::runner::Runner;
use kit::{Result, finding};
use rg_ir::{Diagnostic, SourceId, cancel};
use rustc_hash::FxHasher;
use std::hash::{Hash as _, Hasher as _};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
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

/// How often it is looked whether to stop, and how long answers under way have then.
const POLL: Duration = Duration::from_millis(100);
const FAREWELL: Duration = Duration::from_millis(500);

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
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

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
    /// How long nothing may be heard of it.
    patience: Duration,
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
        self.heard.elapsed() > self.patience
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
    Play { news: News, deadline: Instant, answer: oneshot::Sender<String> },
    Stop { news: News },
}

/// What a match is about.
struct Start {
    id: String,
    role: String,
    rules: String,
    start_clock: Duration,
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
        let routes = Router::new().fallback(answer).with_state(Arc::clone(&server));
        let serving = runtime.spawn(async move { axum::serve(listener, routes).await });
        let ended = runtime.block_on(async {
            while !stop.load(Ordering::Relaxed) && !serving.is_finished() {
                tokio::time::sleep(POLL).await;
            }
            if serving.is_finished() { serving.await.ok() } else { None }
        });
        // Nobody waits for what is under way.
        *server.table() = None;
        runtime.shutdown_timeout(FAREWELL);
        match ended {
            Some(Err(error)) => Err(cannot_listen(address.ip(), address.port(), &error).into()),
            _ => Ok(()),
        }
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

    /// Tells people what happens to a match.
    fn say(&self, id: &str, what: &str) {
        (self.log)(&format!("match {}: {what}", excerpt(id)));
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
                let start = Start { id, role, rules, start_clock, play_clock };
                self.start(start, received + thinking(start_clock)).await
            }
            Request::Play { id, news } => self.play(&id, news, received).await,
            Request::Stop { id, news } => {
                if let Some(match_) = self.take(&id) {
                    // The thread ends with it; a search under way is not wanted any more.
                    let _ = match_.orders.send(Order::Stop { news });
                    self.say(&id, "over");
                }
                "DONE".to_owned()
            }
            Request::Abort { id } => {
                if self.take(&id).is_some() {
                    self.say(&id, "given up");
                }
                "ABORTED".to_owned()
            }
        }
    }

    /// Takes a match off the table.
    fn take(&self, id: &str) -> Option<Match> {
        self.table().take_if(|match_| match_.id == id)
    }

    /// Begins a match, and waits for the game to be ready while there is time.
    async fn start(&self, start: Start, deadline: Instant) -> String {
        let (ready, is_ready) = oneshot::channel();
        {
            let mut table = self.table();
            if table.as_ref().is_some_and(|match_| match_.id != start.id && !match_.is_forgotten()) {
                return "BUSY".to_owned();
            }
            self.say(&start.id, &format!("plays {}", excerpt(&start.role)));
            let (orders, received) = channel();
            let match_ = Match {
                id: start.id.clone(),
                play_clock: start.play_clock,
                patience: start.start_clock + start.play_clock * CLOCKS + SILENCE,
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
                log: Arc::clone(&self.log),
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
        // If it is not ready then, it may still become so.
        let _ = tokio::time::timeout_at(deadline.into(), is_ready).await;
        "READY".to_owned()
    }

    /// Has the thread of a match choose a move, and answers in time.
    async fn play(&self, id: &str, news: News, received: Instant) -> String {
        let (answer, chosen) = oneshot::channel();
        let (deadline, fallback) = {
            let mut table = self.table();
            let Some(match_) = table.as_mut().filter(|match_| match_.id == id) else { return NOTHING.to_owned() };
            let clock = match_.play_clock;
            let deadline = received + thinking(clock) + margin(clock) / 2;
            (match_.heard, match_.patience) = (Instant::now(), clock * CLOCKS + SILENCE);
            if match_.orders.send(Order::Play { news, deadline, answer }).is_err() {
                return NOTHING.to_owned();
            }
            (deadline, Arc::clone(&match_.fallback))
        };
        match tokio::time::timeout_at(deadline.into(), chosen).await {
            Ok(Ok(text)) => text,
            _ => {
                self.say(id, "no move in time");
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
    log: Log,
}

impl Work {
    /// Prepares the game, says that it is ready, and does what is ordered until nobody orders any more.
    fn run(&self, orders: &Receiver<Order>, ready: oneshot::Sender<()>) {
        let Start { role, play_clock, .. } = &self.start;
        let runner = self.runner();
        let seat = match &runner {
            Ok(runner) => Seat::new(runner, &normal(role), &self.options.agent, thinking(*play_clock), self.seed()),
            Err(why) => Err(why.clone()),
        };
        let mut seat = match seat {
            Ok(seat) => seat,
            Err(why) => return self.say(&format!("cannot play: {why}")),
        };
        self.keep(seat.any());
        // Whoever waits for it may have gone.
        let _ = ready.send(());
        loop {
            match orders.recv_timeout(SILENCE) {
                Ok(Order::Play { news, deadline, answer }) => {
                    if self.learnt(&mut seat, &news) && !answer.is_closed() && Instant::now() < deadline {
                        let chosen = seat.choose(&self.stop).unwrap_or_else(|why| {
                            self.say(&format!("no move is chosen: {why}"));
                            self.fallback()
                        });
                        let _ = answer.send(chosen);
                    } else {
                        let _ = answer.send(self.fallback());
                    }
                }
                Ok(Order::Stop { news }) => {
                    self.learnt(&mut seat, &news);
                    return seat.end();
                }
                Err(RecvTimeoutError::Timeout) if !self.stop.load(Ordering::Relaxed) => {}
                Err(_) => return,
            }
        }
    }

    /// Takes in what the manager tells; whether that can be.
    fn learnt(&self, seat: &mut Seat<'_>, news: &News) -> bool {
        let learnt = seat.learn(news, &self.stop);
        // A move for the last known position is as good as any.
        self.keep(seat.any());
        if let Err(why) = &learnt
            && !self.stop.load(Ordering::Relaxed)
        {
            self.say(why);
        }
        learnt.is_ok()
    }

    fn say(&self, what: &str) {
        (self.log)(&format!("match {}: {}", excerpt(&self.start.id), harmless(what.as_bytes())));
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
    let language = choose(Path::new(&start.id), Some("gdl"), &start.rules)?;
    let loaded = game_or_first(SourceId(0), &start.id, &start.rules, language, reading)?;
    Runner::new(loaded.optimised(2)?, EngineOptions::default())
}
