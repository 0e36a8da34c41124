//! The manager's end of a connection: a request to a player, and its answer or what went wrong.

use super::message::{CONTENT_TYPE, Request};
use std::fmt;
use std::time::Duration;

/// Bytes of an answer at most.
const MAX_ANSWER: u64 = 1 << 20;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It did not come in time.
    Late,
    /// Nobody listens there, or the connection broke.
    Unreachable(String),
    /// It is not what the protocol has.
    Answer(String),
}

impl Fault {
    /// Whether a player that goes on like this will not be there any more.
    pub fn is_silence(&self) -> bool {
        matches!(self, Self::Late | Self::Unreachable(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Late => write!(f, "no answer in time"),
            Self::Unreachable(why) => write!(f, "cannot be reached: {why}"),
            Self::Answer(what) => write!(f, "{what}"),
        }
    }
}

/// Where a player listens.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Address(String);

impl Address {
    /// Reads `http://HOST:PORT`, also with a path, or `HOST:PORT`.
    ///
    /// # Errors
    /// What is wrong, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let expected =
            || format!("the address of a player is expected, such as `http://localhost:9147`; found `{text}`");
        let rest = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some(_) => return Err(format!("{}; only `http` is spoken", expected())),
            None => text,
        };
        let (authority, path) = rest.split_once('/').map_or((rest, ""), |(authority, path)| (authority, path));
        let (host, port) = authority.rsplit_once(':').ok_or_else(|| format!("{}, without a port", expected()))?;
        let is_host = !host.is_empty() && !host.contains(|c: char| c.is_whitespace() || "@?#\\".contains(c));
        if !is_host || port.parse::<u16>().ok().is_none_or(|port| port == 0) {
            return Err(expected());
        }
        Ok(Self(format!("http://{authority}/{path}")))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.strip_prefix("http://").map_or(&*self.0, |rest| rest.trim_end_matches('/')))
    }
}

/// Sends a request and waits for the answer.
///
/// # Errors
/// See [`Fault`].
pub fn ask(address: &Address, request: &Request, time: Duration) -> Result<String, Fault> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(time.max(Duration::from_millis(1))))
        .proxy(None)
        .max_redirects(0)
        .user_agent("rgc")
        .build();
    let answer = ureq::Agent::from(config)
        .post(&address.0)
        .header("Content-Type", CONTENT_TYPE)
        .header("Accept", CONTENT_TYPE)
        .header("Sender", "GAMEMASTER")
        .header("Receiver", "PLAYER")
        .send(request.to_string());
    let mut answer = answer.map_err(fault)?;
    answer.body_mut().with_config().limit(MAX_ANSWER).read_to_string().map_err(fault)
}

fn fault(error: ureq::Error) -> Fault {
    match error {
        ureq::Error::Timeout(_) => Fault::Late,
        ureq::Error::StatusCode(code) => Fault::Answer(format!("the answer has status {code}")),
        ureq::Error::BodyExceedsLimit(_) => Fault::Answer(format!("the answer has more than {MAX_ANSWER} bytes")),
        ureq::Error::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            Fault::Answer("the answer is no text in UTF-8".to_owned())
        }
        ureq::Error::Io(error) => Fault::Unreachable(error.to_string()),
        other => Fault::Unreachable(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_a_port() {
        let shown = |text: &str| Address::parse(text).map(|address| address.to_string());
        assert_eq!(shown("localhost:9147").as_deref(), Ok("localhost:9147"));
        assert_eq!(shown(" HTTP://127.0.0.1:80/player ").as_deref(), Ok("127.0.0.1:80/player"));
        assert_eq!(shown("[::1]:9147").as_deref(), Ok("[::1]:9147"));
        for wrong in ["", "localhost", "localhost:0", "localhost:99999", ":9147", "https://a:1", "a b:1", "u@h:1"] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn nobody_there_is_a_fault() {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let address = Address::parse(&format!("127.0.0.1:{port}")).unwrap();
        let fault = ask(&address, &Request::Info, Duration::from_secs(5)).unwrap_err();
        assert!(matches!(fault, Fault::Unreachable(_)) && fault.is_silence(), "{fault}");
    }

    #[test]
    fn silence_is_a_fault_when_the_time_is_over() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = Address::parse(&format!("127.0.0.1:{}", listener.local_addr().unwrap().port())).unwrap();
        assert_eq!(ask(&address, &Request::Info, Duration::from_millis(100)), Err(Fault::Late));
    }
}
