//! Helpers for tests that run the program.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Rules of SBG that come back to where they start, pass, jump over own men, and have powers.
pub(crate) const STRANGE_RULES: [(&str, &str); 7] = [
    ("back", "P (0,1,e)(0,-1,w) + (1,0,e)(0,1,e)(-1,0,e) &"),
    ("pass", "P (0,1,e)^* &"),
    ("stay", "P (0,0,w) + (0,1,e) &"),
    ("circle", "P ((0,1,e) + (0,-1,e) + (1,0,e) + (-1,0,e) + (0,1,w) + (0,-1,w))^*(1,1,p) + (0,1,e) &"),
    ("own", "P (0,1,w)(0,1,e) + (1,0,w) + (0,1,e) + (0,1,p) &"),
    ("nested", "P ((0,1,e)^2)^1 + (((1,0,e)^1)^2)^* + ((0,1,e)^*)^2(1,1,p) &"),
    ("powers", "P (0,1,e)^2 + ((1,0,e) + (-1,0,e))^3 + (1,1,p)^1 + (0,1,e)^0(0,1,e) &"),
];

/// What a run of the program gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Standard output, if all went well and nothing was said on standard error.
    pub(crate) fn success(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (0, ""), "standard output: {}", self.stdout);
        self.stdout
    }

    /// Standard output, if there was no error.
    pub(crate) fn output(self) -> String {
        assert_eq!(self.code, 0, "{}", self.stderr);
        self.stdout
    }
}

/// The program, not yet started. Colours and width do not depend on the caller's terminal.
pub(crate) fn command<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rgc"));
    command.args(arguments).env_remove("NO_COLOR").env("COLUMNS", "100").stdin(Stdio::null());
    command
}

/// Runs the program without input.
pub(crate) fn rgc<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    finish(command(arguments).output().unwrap())
}

/// Runs the program with `input` on standard input.
pub(crate) fn rgc_with_input<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>, input: &str) -> Run {
    with_input(command(arguments), input)
}

/// As [`rgc_with_input`], in a folder.
pub(crate) fn rgc_in<S: AsRef<OsStr>>(folder: &str, arguments: impl IntoIterator<Item = S>, input: &str) -> Run {
    let mut command = command(arguments);
    command.current_dir(folder);
    with_input(command, input)
}

fn with_input(mut command: Command, input: &str) -> Run {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            // The program may stop reading: input that is too large, for instance.
            let _ = stdin.write_all(input.as_bytes());
        });
        finish(child.wait_with_output().unwrap())
    })
}

fn finish(output: std::process::Output) -> Run {
    Run {
        code: output.status.code().unwrap_or_else(|| panic!("killed: {}", String::from_utf8_lossy(&output.stderr))),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The path of a game of the library.
pub(crate) fn game(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games").join(name);
    path.to_str().unwrap().to_owned()
}

/// All pages (`.md`) in a folder and the folders in it, in order.
pub(crate) fn pages(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let pages = entries.into_iter().flat_map(|path| if path.is_dir() { pages(&path) } else { vec![path] });
    pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// JSON lines.
pub(crate) fn json_lines(text: &str) -> Vec<serde_json::Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// Compares a text with the snapshot of that name.
pub(crate) fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/rgc");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A folder for temporary files, removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        // Tests with equal names for their folders run at the same time.
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("rgc-test-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn folder(&self) -> &str {
        self.0.to_str().unwrap()
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file; its path.
    pub(crate) fn write(&self, name: &str, text: &str) -> String {
        std::fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
