//! The language server as editors start it.

#![cfg(feature = "lsp")]
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rgc"));
        let command = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().unwrap();
        let (input, output) = (server.stdin.take().unwrap(), BufReader::new(server.stdout.take().unwrap()));
        Self { server, input, output }
    }

    fn send(&mut self, message: Value) {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        self.input.flush().unwrap();
    }

    /// The next message of the server; there is nothing else on its standard output.
    fn receive(&mut self) -> Value {
        let mut header = String::new();
        self.output.read_line(&mut header).unwrap();
        let length = header.strip_prefix("Content-Length: ").unwrap_or_else(|| panic!("{header:?}"));
        let mut body = vec![0; length.trim().parse().unwrap()];
        self.output.read_line(&mut header).unwrap();
        self.output.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }
}

#[test]
fn an_editor_is_served_from_the_beginning_to_the_end() {
    let mut editor = Editor::start(&["lsp", "--stdio"]);
    editor.send(json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }));
    let answer = editor.receive();
    assert_eq!((&answer["id"], &answer["result"]["serverInfo"]["name"]), (&json!(1), &json!("rgc")));
    editor.send(json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let text = "#players = a(1)\n#rules = ->b";
    let document = json!({ "uri": "file:///x.rbg", "languageId": "rbg", "version": 7, "text": text });
    let opened = json!({ "textDocument": document });
    editor.send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened }));
    let told = editor.receive();
    assert_eq!((&told["method"], &told["params"]["version"]), (&json!("textDocument/publishDiagnostics"), &json!(7)));
    // Sections are missing, and a player is unknown.
    assert_eq!(told["params"]["diagnostics"].as_array().unwrap().len(), 2, "{told}");
    editor.send(json!({ "jsonrpc": "2.0", "id": "end", "method": "shutdown" }));
    assert_eq!(editor.receive(), json!({ "jsonrpc": "2.0", "id": "end", "result": null }));
    editor.send(json!({ "jsonrpc": "2.0", "method": "exit" }));
    assert_eq!(editor.server.wait().unwrap().code(), Some(0));
    let mut rest = String::new();
    editor.output.read_to_string(&mut rest).unwrap();
    editor.server.stderr.take().unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
}

#[test]
fn what_is_not_the_protocol_ends_the_server() {
    let mut editor = Editor::start(&["lsp"]);
    writeln!(editor.input, "help").unwrap();
    drop(editor.input);
    assert_eq!(editor.server.wait().unwrap().code(), Some(1));
    let mut shown = String::new();
    editor.output.read_to_string(&mut shown).unwrap();
    assert_eq!(shown, "");
    editor.server.stderr.take().unwrap().read_to_string(&mut shown).unwrap();
    assert!(shown.starts_with("error[IO386]") && shown.contains("docs/editors.md"), "{shown}");
}
