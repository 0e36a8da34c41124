//! One open page: its requests are taken in order; what takes long goes on in threads of its own, and ends with the page.

use crate::api::{self, Failure};
use crate::http::Server;
use crate::jobs::{Limit, Stopper};
use crate::socket::Out;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rg_ir::cancel::{self, Token};
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// How often files that are open are looked at for changes by other programs.
const LOOK: Duration = Duration::from_secs(1);

/// What a session waits for.
pub(crate) enum Incoming {
    /// A message of the page.
    Text(String),
    /// The page was closed.
    Gone,
    /// A thread of the session has something to be done by the session itself.
    Done(Box<dyn FnOnce(&mut Session) + Send>),
}

/// A request of the page, as in JSON-RPC 2.0.
#[derive(Deserialize)]
struct Request {
    #[serde(default)]
    id: Value,
    method: String,
    #[serde(default)]
    params: Value,
}

/// Where messages to the page go. Those to a page that was closed are lost.
#[derive(Clone)]
pub(crate) struct Page(Out);

impl Page {
    /// Says something that was not asked for.
    pub(crate) fn notify(&self, method: &str, params: impl Serialize) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&self, message: &Value) {
        self.0.send(message.to_string());
    }
}

/// The answer that a request waits for. One that is dropped says so: every request is answered.
pub(crate) struct Reply {
    id: Value,
    page: Page,
    is_sent: bool,
}

impl Reply {
    fn new(id: Value, page: Page) -> Self {
        Self { id, page, is_sent: false }
    }

    /// Answers the request.
    pub(crate) fn send(mut self, result: Result<impl Serialize, Failure>) {
        self.is_sent = true;
        self.page.send(&match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": self.id, "result": result }),
            Err(failure) => json!({ "jsonrpc": "2.0", "id": self.id, "error": failure }),
        });
    }
}

impl Drop for Reply {
    fn drop(&mut self) {
        if self.is_sent {
            return;
        }
        let failure = match thread::panicking() {
            true => Failure::new("internal", "the work failed: this is a defect of the program, please report it"),
            false => Failure::new("request", "what was asked for has ended"),
        };
        self.page.send(&json!({ "jsonrpc": "2.0", "id": self.id, "error": failure }));
    }
}

/// One open page, and what it has open.
pub(crate) struct Session {
    pub(crate) server: Arc<Server>,
    pub(crate) page: Page,
    pub(crate) events: Sender<Incoming>,
    pub(crate) games: FxHashMap<u32, api::games::Open>,
    pub(crate) plays: FxHashMap<u32, api::play::Handle>,
    /// Measurements, matches and the like.
    pub(crate) jobs: FxHashMap<u32, Stopper>,
    /// Of work for answers.
    light: Arc<Limit>,
    /// Stops the work for answers once the page is closed.
    gone: Token,
    next: u32,
}

impl Drop for Session {
    fn drop(&mut self) {
        self.gone.cancel();
    }
}

impl Session {
    /// A number that nothing else of this page has.
    pub(crate) fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }
}

/// Serves a page until it is closed.
pub(crate) fn run(
    server: Arc<Server>,
    events: Sender<Incoming>,
    inbox: &Receiver<Incoming>,
    waiting: &AtomicUsize,
    out: Out,
) {
    let (games, plays, jobs) = Default::default();
    let (light, gone) = (Limit::light(), Token::default());
    let mut session = Session { server, page: Page(out), events, games, plays, jobs, light, gone, next: 0 };
    loop {
        match inbox.recv_timeout(LOOK) {
            Ok(Incoming::Text(text)) => {
                waiting.fetch_sub(text.len(), Ordering::Relaxed);
                session.answer(&text);
            }
            Ok(Incoming::Done(done)) => done(&mut session),
            Ok(Incoming::Gone) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => api::games::look_for_changes(&mut session),
        }
    }
}

impl Session {
    fn answer(&mut self, text: &str) {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => {
                let failure = Failure::new("request", format!("the message is no request: {error}"));
                return Reply::new(Value::Null, self.page.clone()).send(Err::<(), _>(failure));
            }
        };
        let Request { id, method, params } = request;
        let reply = Reply::new(id, self.page.clone());
        // The reply that is dropped says that something is wrong.
        let _ = catch_unwind(AssertUnwindSafe(|| self.dispatch(&method, params, reply)));
    }

    fn dispatch(&mut self, method: &str, params: Value, reply: Reply) {
        match method {
            "hello" => reply.send(Ok(api::library::hello(&self.server))),
            "library" => reply.send(Ok(api::library::all(&self.server))),
            "open" => with(params, reply, |params, reply| reply.send(api::games::open(self, params))),
            "close" => with(params, reply, |params, reply| reply.send(api::games::close(self, &params))),
            "update" => with(params, reply, |params, reply| api::games::update(self, params, reply)),
            "save" => with(params, reply, |params, reply| reply.send(api::games::save(self, params))),
            "play.new" => with(params, reply, |params, reply| api::play::begin(self, params, reply)),
            "play.do" => with(params, reply, |params, reply| api::play::act(self, params, reply)),
            "play.end" => with(params, reply, |params, reply| reply.send(api::play::end(self, &params))),
            "graph" => with(params, reply, |params, reply| api::graph::draw(self, params, reply)),
            "passes.run" => with(params, reply, |params, reply| api::passes::run(self, params, reply)),
            "passes.step" => with(params, reply, |params, reply| api::passes::step(self, params, reply)),
            "passes.verify" => with(params, reply, |params, reply| reply.send(api::passes::verify(self, params))),
            "measure.start" => with(params, reply, |params, reply| reply.send(api::measure::playouts(self, params))),
            "perft.start" => with(params, reply, |params, reply| reply.send(api::measure::perft(self, params))),
            "audit.start" => with(params, reply, |params, reply| reply.send(api::audit::start(self, params))),
            "match.start" => with(params, reply, |params, reply| reply.send(api::matches::start(self, params))),
            "export" => with(params, reply, |params, reply| api::share::export(self, params, reply)),
            "job.stop" => with(params, reply, |params, reply| reply.send(api::job::stop(self, &params))),
            _ => reply.send(Err::<(), _>(Failure::new("request", format!("there is no method `{method}`")))),
        }
    }
}

/// Reads the parameters of a request; what is wrong with them is its answer.
fn with<P: DeserializeOwned>(params: Value, reply: Reply, work: impl FnOnce(P, Reply)) {
    match serde_json::from_value(params) {
        Ok(params) => work(params, reply),
        Err(error) => {
            let message = "this cannot be asked for: a number is negative or too large, or a part is missing";
            reply.send(Err::<(), _>(Failure::new("request", message).with_details(error.to_string())));
        }
    }
}

/// Answers a request in a thread of its own, if not too many of this page are at work. What it does ends when the page is closed
/// ([`cancel::check`]).
pub(crate) fn spawn<T: Serialize>(
    session: &Session,
    name: &str,
    reply: Reply,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) {
    let Some(permit) = session.light.permit() else {
        let busy = "too many things are worked out already; wait until some of them are done";
        return reply.send(Err::<(), _>(Failure::new("busy", busy)));
    };
    let gone = session.gone.clone();
    let run = move || {
        // The reply that is dropped says that something is wrong, unless nobody is there to be told.
        let _ = catch_unwind(AssertUnwindSafe(move || {
            let done = cancel::scope(&gone, work);
            drop(permit);
            reply.send(done.unwrap_or_else(|cancel::Cancelled| Err(Failure::outdated())));
        }));
    };
    // Without a thread, the work is dropped, and with it the reply.
    let _ = thread::Builder::new().name(name.to_owned()).stack_size(crate::socket::STACK).spawn(run);
}
