//! One open page: its requests are taken in order; what takes long goes on in threads of its own, and ends with the page.

use crate::api::{self, Failure};
use crate::http::Server;
use crate::jobs::Stopper;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use rustc_hash::FxHashMap;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;

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
pub(crate) struct Page(UnboundedSender<String>);

impl Page {
    /// Says something that was not asked for.
    pub(crate) fn notify(&self, method: &str, params: impl Serialize) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&self, message: &Value) {
        let _ = self.0.send(message.to_string());
    }
}

/// The answer that a request waits for.
pub(crate) struct Reply {
    id: Value,
    page: Page,
}

impl Reply {
    /// Answers the request.
    pub(crate) fn send(self, result: Result<impl Serialize, Failure>) {
        let Self { id, page } = self;
        page.send(&match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(failure) => json!({ "jsonrpc": "2.0", "id": id, "error": failure }),
        });
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
    next: u32,
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
    out: UnboundedSender<String>,
) {
    let (games, plays, jobs) = Default::default();
    let mut session = Session { server, page: Page(out), events, games, plays, jobs, next: 0 };
    loop {
        match inbox.recv_timeout(LOOK) {
            Ok(Incoming::Text(text)) => session.answer(&text),
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
                return Reply { id: Value::Null, page: self.page.clone() }.send(Err::<(), _>(failure));
            }
        };
        let Request { id, method, params } = request;
        let (page, other) = (self.page.clone(), self.page.clone());
        let reply = Reply { id: id.clone(), page };
        let done = catch_unwind(AssertUnwindSafe(|| self.dispatch(&method, params, reply)));
        if done.is_err() {
            let message = format!("answering `{method}` failed: this is a defect of the program, please report it");
            Reply { id, page: other }.send(Err::<(), _>(Failure::new("internal", message)));
        }
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
            "measure.start" => with(params, reply, |params, reply| reply.send(api::measure::playouts(self, params))),
            "perft.start" => with(params, reply, |params, reply| reply.send(api::measure::perft(self, params))),
            "match.start" => with(params, reply, |params, reply| reply.send(api::matches::start(self, params))),
            "job.stop" => with(params, reply, |params, reply| reply.send(api::job::stop(self, &params))),
            _ => reply.send(Err::<(), _>(Failure::new("request", format!("there is no method `{method}`")))),
        }
    }
}

/// Reads the parameters of a request; what is wrong with them is its answer.
fn with<P: DeserializeOwned>(params: Value, reply: Reply, work: impl FnOnce(P, Reply)) {
    match serde_json::from_value(params) {
        Ok(params) => work(params, reply),
        Err(error) => reply.send(Err::<(), _>(Failure::new("request", format!("parameters: {error}")))),
    }
}

/// Answers a request in a thread of its own.
pub(crate) fn spawn<T: Serialize>(
    name: &str,
    reply: Reply,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) {
    let (page, id) = (reply.page.clone(), reply.id.clone());
    let run = move || {
        let done = catch_unwind(AssertUnwindSafe(work));
        let broken = || Failure::new("internal", "the work failed: this is a defect of the program, please report it");
        reply.send(done.unwrap_or_else(|_| Err(broken())));
    };
    if thread::Builder::new().name(name.to_owned()).stack_size(crate::socket::STACK).spawn(run).is_err() {
        let failure = Failure::new("system", "there is no room for another thread");
        Reply { id, page }.send(Err::<(), _>(failure));
    }
}
