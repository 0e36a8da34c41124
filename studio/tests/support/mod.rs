//! A studio in this process, and clients of it.
#![allow(dead_code, unreachable_pub, missing_docs, clippy::unwrap_used, clippy::panic)] // each test uses a part; a test stops at the first surprise

use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use studio::{Options, Studio};
use tungstenite::{Message, WebSocket};

/// The longest time an answer may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A folder that is removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("rgc-studio-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A studio that serves a folder, until the tests end.
pub struct Served {
    pub port: u16,
    pub token: String,
    pub folder: Scratch,
}

impl Served {
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    pub fn with(options: Options) -> Self {
        let folder = Scratch::new();
        let target = folder.path().to_owned();
        Self::serve(folder, Options { target: Some(target), ..options })
    }

    /// A studio for another folder.
    pub fn at(folder: &Path, options: Options) -> Self {
        Self::serve(Scratch::new(), Options { target: Some(folder.to_owned()), ..options })
    }

    fn serve(folder: Scratch, options: Options) -> Self {
        let studio = Studio::bind(options).unwrap();
        let address = studio.address();
        std::thread::spawn(move || studio.run());
        let (host, token) = address.strip_prefix("http://127.0.0.1:").unwrap().split_once("/#t=").unwrap();
        Self { port: host.parse().unwrap(), token: token.to_owned(), folder }
    }

    pub fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The own name of the server.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The status of an answer, and the answer with its headers.
    pub fn ask(&self, method: &str, path: &str, host: &str) -> (u16, String) {
        let mut stream = self.stream();
        write!(stream, "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        (answer.split(' ').nth(1).unwrap().parse().unwrap(), answer)
    }

    /// A socket, or the status with which it was refused.
    pub fn socket(&self, path: &str, host: &str, origin: Option<&str>) -> Result<WebSocket<TcpStream>, u16> {
        let mut request = format!(
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        );
        if let Some(origin) = origin {
            request += &format!("Origin: {origin}\r\n");
        }
        let mut stream = self.stream();
        stream.write_all((request + "\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            answer.extend(byte);
        }
        let answer = String::from_utf8(answer).unwrap();
        match answer.split(' ').nth(1).unwrap().parse().unwrap() {
            101 => Ok(WebSocket::from_raw_socket(stream, tungstenite::protocol::Role::Client, None)),
            status => Err(status),
        }
    }

    /// A socket of the page of this server, before its first message.
    pub fn own_socket(&self, path: &str) -> Result<WebSocket<TcpStream>, u16> {
        self.socket(path, &self.host(), Some(&format!("http://{}", self.host())))
    }

    /// A page.
    pub fn page(&self) -> Client {
        let mut socket = self.own_socket("/ws/app").unwrap();
        socket.send(Message::text(json!({ "token": self.token }).to_string())).unwrap();
        Client { socket, next: 0, bytes: String::new() }
    }
}

/// A page of the studio.
pub struct Client {
    pub socket: WebSocket<TcpStream>,
    next: u32,
    /// All that the server has sent.
    pub bytes: String,
}

impl Client {
    /// The next message.
    pub fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                self.bytes += &text;
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The answer to a request, or why it failed.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next += 1;
        let id = self.next;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.socket.send(Message::text(request.to_string())).unwrap();
        loop {
            let mut message = self.receive();
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].take()),
                };
            }
        }
    }

    /// The answer to a request that has to succeed.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The parameters of the next notification of a kind.
    pub fn notified(&mut self, method: &str) -> Value {
        loop {
            let mut message = self.receive();
            if message["method"] == method {
                return message["params"].take();
            }
        }
    }

    /// Opens a game and reads its text; its number.
    pub fn open(&mut self, target: Value) -> u64 {
        let opened = self.ask("open", target);
        let checked = self.ask("update", json!({ "game": opened["game"], "version": 0, "text": opened["text"] }));
        assert_eq!(checked["errors"], 0, "{checked}");
        opened["game"].as_u64().unwrap()
    }

    /// A new play of a game, in which nothing in `seats` stands for a person.
    pub fn play(&mut self, game: u64, seats: &[Option<&str>]) -> Value {
        self.ask("play.new", json!({ "game": game, "seats": seats, "seed": 1 }))
    }
}
