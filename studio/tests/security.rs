//! What a stranger's page, or a file that is not in the folder, must not do.
#![allow(clippy::unwrap_used, clippy::panic)] // a test stops at the first surprise

mod support;

use serde_json::json;
use std::time::{Duration, Instant};
use studio::Options;
use support::Served;
use tungstenite::Message;
use tungstenite::protocol::frame::coding::CloseCode;

#[test]
fn only_the_own_names_are_answered() {
    let served = Served::new();
    let port = served.port;
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        assert_eq!(served.ask("GET", "/", &host).0, 200, "{host}");
    }
    let strangers = [
        "example.com".to_owned(),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("evil.example:{port}"),
        format!("[::1]:{port}"),
        format!("127.0.0.1:{port}@evil.example"),
        String::new(),
    ];
    for host in strangers {
        for path in ["/", "/app.js", "/ws/app", "/nothing"] {
            assert_eq!(served.ask("GET", path, &host).0, 421, "{host} {path}");
        }
    }
}

#[test]
fn a_second_host_does_not_count() {
    let served = Served::new();
    let two = format!("{}\r\nHost: evil.example", served.host());
    assert!(matches!(served.ask("GET", "/", &two).0, 400 | 421));
}

#[test]
fn every_answer_has_the_headers_that_keep_others_out() {
    let served = Served::new();
    for (path, status) in [("/", 200), ("/app.js", 200), ("/app.css", 200), ("/icon.svg", 200), ("/etc/passwd", 404)] {
        let (found, answer) = served.ask("GET", path, &served.host());
        let answer = answer.to_lowercase();
        assert_eq!(found, status, "{path}");
        for header in [
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "content-security-policy: default-src 'none'",
        ] {
            assert!(answer.contains(header), "{path}: {header}");
        }
        assert!(!answer.contains("access-control-allow") && !answer.contains("set-cookie"), "{path}");
    }
    let (_, page) = served.ask("GET", "/", &served.host());
    let nonce = |page: &str| page.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
    assert!(page.contains("frame-ancestors 'none'") && page.matches(&nonce(&page)).count() == 2);
    assert_ne!(nonce(&page), nonce(&served.ask("GET", "/", &served.host()).1), "a nonce is used once");
    assert!(!page.contains(&served.token), "the secret is in no answer");
}

#[test]
fn nothing_but_reading_is_allowed() {
    let served = Served::new();
    for path in ["/", "/app.js", "/ws/app", "/ws/lsp"] {
        for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
            assert_eq!(served.ask(method, path, &served.host()).0, 405, "{method} {path}");
        }
    }
    let (status, answer) = served.ask("HEAD", "/app.js", &served.host());
    assert!(status == 200 && answer.ends_with("\r\n\r\n"));
}

#[test]
fn sockets_are_for_pages_of_this_server() {
    let served = Served::new();
    let (host, port) = (served.host(), served.port);
    let strangers = [
        None,
        Some("null".to_owned()),
        Some("http://evil.example".to_owned()),
        Some(format!("https://127.0.0.1:{port}")),
        Some(format!("http://127.0.0.1:{}", port ^ 1)),
        Some(format!("http://127.evil.example:{port}")),
        Some(format!("http://127.0.0.1:{port}.evil.example")),
        Some(format!("http://127.0.0.1:{port}/")),
    ];
    for path in ["/ws/app", "/ws/lsp"] {
        for origin in &strangers {
            assert_eq!(served.socket(path, &host, origin.as_deref()).err(), Some(403), "{origin:?}");
        }
        // A name of a stranger that leads to this address: both headers agree with each other.
        let rebound = format!("evil.example:{port}");
        let origin = format!("http://{rebound}");
        assert_eq!(served.socket(path, &rebound, Some(&origin)).err(), Some(421));
        assert!(served.socket(path, &format!("localhost:{port}"), Some(&format!("http://localhost:{port}"))).is_ok());
    }
}

/// The code with which a socket is closed.
fn closed(socket: &mut tungstenite::WebSocket<std::net::TcpStream>) -> Option<CloseCode> {
    loop {
        match socket.read() {
            Ok(Message::Close(frame)) => return frame.map(|frame| frame.code),
            Ok(Message::Text(text)) => panic!("an answer without the secret: {text}"),
            Ok(_) => {}
            Err(_) => return None,
        }
    }
}

#[test]
fn without_the_secret_a_socket_is_closed() {
    let served = Served::new();
    let wrong = "0".repeat(served.token.len());
    let firsts = [
        json!({ "token": wrong }).to_string(),
        json!({ "token": "" }).to_string(),
        json!({ "token": &served.token[1..] }).to_string(),
        json!({ "id": 1, "method": "library" }).to_string(),
        "not JSON".to_owned(),
    ];
    for path in ["/ws/app", "/ws/lsp"] {
        for first in &firsts {
            let mut socket = served.own_socket(path).unwrap();
            socket.send(Message::text(first.clone())).unwrap();
            assert_eq!(closed(&mut socket), Some(CloseCode::Policy), "{first}");
        }
    }
}

#[test]
fn a_late_secret_is_no_use() {
    let served = Served::new();
    let mut socket = served.own_socket("/ws/app").unwrap();
    let start = Instant::now();
    assert_eq!(closed(&mut socket), Some(CloseCode::Policy));
    assert!((2..60).contains(&start.elapsed().as_secs()), "{:?}", start.elapsed());
}

#[test]
fn a_large_message_ends_the_socket() {
    let served = Served::new();
    let mut page = served.page();
    assert!(page.ask("library", json!({}))["bundled"].as_array().unwrap().len() > 20);
    let large = json!({ "id": 2, "method": "x".repeat(5 << 20) }).to_string();
    // The server may close before it has read everything.
    let _ = page.socket.send(Message::text(large));
    assert!(std::iter::from_fn(|| page.socket.read().ok()).all(|message| !message.is_text()));
    assert!(served.page().request("library", json!({})).is_ok(), "others go on");
}

#[test]
fn there_are_eight_sockets_at_most() {
    let served = Served::new();
    let mut pages: Vec<_> = (0..8).map(|_| served.page()).collect();
    pages.iter_mut().for_each(|page| _ = page.ask("hello", json!({})));
    assert_eq!(served.own_socket("/ws/lsp").err(), Some(503));
    pages.pop();
    let start = Instant::now();
    while served.own_socket("/ws/lsp").is_err() {
        assert!(start.elapsed() < Duration::from_secs(10), "a closed socket makes room");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn strangers_do_not_keep_pages_out() {
    let served = Served::new();
    let mut silent: Vec<_> = (0..30).map(|_| served.own_socket("/ws/app").unwrap()).collect();
    let start = Instant::now();
    served.page().ask("hello", json!({}));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(closed(&mut silent[0]), Some(CloseCode::Policy), "the oldest has to go");
}

#[test]
fn a_wrong_secret_is_said_even_if_the_page_goes_on_talking() {
    let served = Served::new();
    for _ in 0..20 {
        let mut socket = served.own_socket("/ws/app").unwrap();
        for _ in 0..3 {
            socket.send(Message::text(json!({ "token": "wrong" }).to_string())).unwrap();
        }
        assert_eq!(closed(&mut socket), Some(CloseCode::Policy));
    }
}

#[test]
fn paths_lead_nowhere_but_into_the_folder() {
    let served = Served::new();
    let outside = support::Scratch::new();
    std::fs::write(outside.path().join("secret.rg"), "secret").unwrap();
    let name = outside.path().file_name().unwrap().to_str().unwrap();
    let absolute = outside.path().join("secret.rg").display().to_string();
    #[cfg(unix)]
    for (target, link) in [(outside.path().to_owned(), "folder"), (outside.path().join("secret.rg"), "link.rg")] {
        std::os::unix::fs::symlink(target, served.folder.path().join(link)).unwrap();
    }
    let mut page = served.page();
    let paths = [
        &format!("../{name}/secret.rg"),
        &format!("./../{name}/secret.rg"),
        &absolute,
        "folder/secret.rg",
        "link.rg",
        "/etc/passwd",
        "../../../../../../etc/passwd",
        "",
        ".",
        "..",
    ];
    let library = page.ask("library", json!({}));
    assert_eq!(library["files"], json!([]), "links that lead out are not listed");
    for path in paths {
        let error = page.request("open", json!({ "path": path })).unwrap_err();
        assert!(!error.to_string().contains("secret\""), "{path}: {error}");
    }
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    for path in paths {
        let save = page.request("save", json!({ "game": game, "text": "new", "path": path }));
        assert!(save.is_err(), "{path}: {save:?}");
    }
    assert_eq!(std::fs::read_to_string(outside.path().join("secret.rg")).unwrap(), "secret");
    // Only games are read and written.
    std::fs::write(served.folder.path().join("notes.txt"), "notes").unwrap();
    for path in ["notes.txt", ".bashrc", "x.sh"] {
        assert!(page.request("open", json!({ "path": path })).is_err(), "{path}");
        assert!(page.request("save", json!({ "game": game, "text": "new", "path": path })).is_err(), "{path}");
    }
    assert_eq!(std::fs::read_to_string(served.folder.path().join("notes.txt")).unwrap(), "notes");
}

#[test]
fn nothing_is_overwritten_unseen() {
    let served = Served::new();
    let path = served.folder.path().join("own.rbg");
    std::fs::write(&path, kit::library::find("ticTacToe", Some("rbg")).unwrap().text).unwrap();
    let mut page = served.page();
    let other = page.open(json!({ "name": "breakthrough.rbg" }));
    let error = page.request("save", json!({ "game": other, "text": "new", "path": "own.rbg" })).unwrap_err();
    assert_eq!(error["code"], "exists", "another file of this name is not replaced unless somebody says so");
    assert_ne!(std::fs::read_to_string(&path).unwrap(), "new");
    let own = page.open(json!({ "path": "own.rbg" }));
    page.ask("save", json!({ "game": own, "text": "first" }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "first");
    page.ask("save", json!({ "game": own, "text": "second" }));
    std::fs::write(&path, "by another program").unwrap();
    assert_eq!(page.notified("changed")["path"], "own.rbg");
    let error = page.request("save", json!({ "game": own, "text": "third" })).unwrap_err();
    assert_eq!(error["code"], "IO392");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "by another program");
    let left: Vec<_> = std::fs::read_dir(served.folder.path()).unwrap().flatten().map(|it| it.file_name()).collect();
    assert_eq!(left, ["own.rbg"], "nothing is left over");
}

#[test]
fn a_studio_that_only_reads_saves_nothing() {
    let served = Served::with(Options { read_only: true, ..Options::default() });
    let mut page = served.page();
    assert_eq!(page.ask("hello", json!({}))["readOnly"], true);
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let error = page.request("save", json!({ "game": game, "text": "new", "path": "new.rbg" })).unwrap_err();
    assert_eq!(error["code"], "IO393");
    assert!(!served.folder.path().join("new.rbg").exists());
}

#[test]
fn pages_start_no_programs() {
    let served = Served::new();
    let mut page = served.page();
    let game = page.open(json!({ "name": "ticTacToe.rbg" }));
    let params = json!({ "game": game, "seats": ["cmd:touch started", null], "seed": 1 });
    let error = page.request("play.new", params).unwrap_err();
    assert_eq!(error["code"], "agent");
    assert!(!served.folder.path().join("started").exists());
}

#[test]
fn requests_that_make_no_sense_are_answered() {
    let served = Served::new();
    let mut page = served.page();
    for (method, params) in [
        ("nothing", json!({})),
        ("open", json!({})),
        ("open", json!({ "path": 7 })),
        ("update", json!({ "game": 99, "version": 0, "text": "" })),
        ("play.new", json!({ "game": 99, "seats": [], "seed": 0 })),
        ("play.do", json!({ "play": 99, "do": "back" })),
        ("play.do", json!({ "play": 99, "do": "fly" })),
        ("save", json!({ "game": 99, "text": "" })),
    ] {
        let error = page.request(method, params.clone()).unwrap_err();
        assert!(error["message"].as_str().is_some_and(|message| message.len() > 10), "{method} {params}: {error}");
    }
    for text in ["", "{}", "[]", "{\"method\": 1}", "\u{0}"] {
        page.socket.send(Message::text(text)).unwrap();
        assert_eq!(page.receive()["error"]["code"], "request");
    }
}

#[test]
fn an_idle_studio_ends() {
    let options = Options { idle: Some(Duration::from_millis(300)), ..Options::default() };
    let studio = studio::Studio::bind(options).unwrap();
    let start = Instant::now();
    studio.run().unwrap();
    assert!(start.elapsed() < Duration::from_secs(20));
}
