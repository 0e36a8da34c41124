//! Messages over TCP: texts that end with a NUL byte.

use std::fmt;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of a message that is a move or a word, at most.
pub const MAX_WORD: usize = 1 << 20;

/// Bytes of the rules of a game at most.
pub const MAX_RULES: usize = 64 << 20;

/// Time to write a message.
const WRITE: Duration = Duration::from_secs(10);

/// Why a message did not come, or could not be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It did not come in time.
    Late,
    /// The other side has closed the connection.
    Closed,
    /// The connection broke.
    Broken(String),
    /// It is no text, or too long.
    Message(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late => write!(f, "no answer in time"),
            Self::Closed => write!(f, "the connection was closed"),
            Self::Broken(why) => write!(f, "the connection broke: {why}"),
            Self::Message(what) => write!(f, "{what}"),
        }
    }
}

/// A connection.
#[derive(Debug)]
pub struct Wire {
    stream: TcpStream,
    /// What has come of messages that are not read yet.
    read: Vec<u8>,
}

impl Wire {
    /// Takes a connection over.
    ///
    /// # Errors
    /// It cannot be used.
    pub fn new(stream: TcpStream) -> std::io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, read: Vec::new() })
    }

    /// Sends a message, which has no NUL byte. After a fault, the connection is of no use any more.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn send(&mut self, text: &str) -> Result<(), Fault> {
        let bytes = [text.as_bytes(), &[0]].concat();
        let (deadline, mut sent) = (Instant::now() + WRITE, 0);
        while let Some(rest) = bytes.get(sent..).filter(|rest| !rest.is_empty()) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Late);
            }
            self.stream.set_write_timeout(Some(left)).map_err(|error| fault(&error))?;
            match self.stream.write(rest) {
                Ok(0) => return Err(Fault::Closed),
                Ok(count) => sent += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(fault(&error)),
            }
        }
        Ok(())
    }

    /// The next message, if it comes before the deadline and has so many bytes at most.
    ///
    /// # Errors
    /// See [`Fault`].
    pub fn receive(&mut self, deadline: Instant, most: usize) -> Result<String, Fault> {
        let mut searched = 0;
        loop {
            let end = self.read.get(searched..).and_then(|rest| rest.iter().position(|&byte| byte == 0));
            if let Some(end) = end {
                let mut message: Vec<u8> = self.read.drain(..=searched + end).collect();
                message.pop();
                return String::from_utf8(message)
                    .map_err(|_| Fault::Message("a message is no text in UTF-8".to_owned()));
            }
            searched = self.read.len();
            if searched > most {
                return Err(Fault::Message(format!("a message has more than {most} bytes")));
            }
            self.more(deadline)?;
        }
    }

    /// Whether something has come that was not asked for.
    pub fn has_news(&self) -> bool {
        let mut byte = [0];
        let peeked = self.stream.set_nonblocking(true).and_then(|()| self.stream.peek(&mut byte));
        let is_back = self.stream.set_nonblocking(false);
        !self.read.is_empty() || matches!((peeked, is_back), (Ok(1..), _) | (_, Err(_)))
    }

    /// Reads what there is, and waits for it until the deadline.
    fn more(&mut self, deadline: Instant) -> Result<(), Fault> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Fault::Late);
        }
        self.stream.set_read_timeout(Some(left)).map_err(|error| fault(&error))?;
        let mut bytes = [0; 16 << 10];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(Fault::Closed),
            Ok(count) => {
                self.read.extend(bytes.iter().take(count));
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(()),
            Err(error) => Err(fault(&error)),
        }
    }
}

fn fault(error: &std::io::Error) -> Fault {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Fault::Late,
        ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe
        | ErrorKind::UnexpectedEof => Fault::Closed,
        _ => Fault::Broken(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    fn pair() -> (Wire, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (Wire::new(listener.accept().unwrap().0).unwrap(), there)
    }

    fn soon() -> Instant {
        Instant::now() + Duration::from_secs(5)
    }

    #[test]
    fn messages_come_in_pieces_and_several_at_once() {
        let (mut here, mut there) = pair();
        there.write_all(b"rea").unwrap();
        let sender = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            there.write_all(b"dy\x00two\x00\x00").unwrap();
            there
        });
        assert_eq!(here.receive(soon(), 100).as_deref(), Ok("ready"));
        assert!(here.has_news());
        assert_eq!(here.receive(soon(), 100).as_deref(), Ok("two"));
        assert_eq!(here.receive(soon(), 100).as_deref(), Ok(""));
        assert!(!here.has_news());
        drop(sender.join().unwrap());
        assert_eq!(here.receive(soon(), 100), Err(Fault::Closed));
    }

    #[test]
    fn what_is_no_message_is_a_fault() {
        let (mut here, mut there) = pair();
        assert_eq!(here.receive(Instant::now() + Duration::from_millis(30), 100), Err(Fault::Late));
        there.write_all(b"\xff\xfe\x00").unwrap();
        assert!(matches!(here.receive(soon(), 100), Err(Fault::Message(_))));
        there.write_all(&[b'x'; 5_000]).unwrap();
        assert!(matches!(here.receive(soon(), 100), Err(Fault::Message(_))));
    }

    #[test]
    fn messages_arrive_with_their_end() {
        let (mut here, mut there) = pair();
        here.send("1 2").unwrap();
        let mut bytes = [0; 4];
        there.read_exact(&mut bytes).unwrap();
        assert_eq!(&bytes, b"1 2\x00");
    }
}
