//! Messages of the GGP protocol: S-expressions in the bodies of HTTP requests and answers.
//!
//! The protocol is the one of the *General Game Playing* lecture (Genesereth and Thielscher, chapter on game management), with the messages of
//! GDL-II (Thielscher), in which a player is told its own last move and what it sees instead of everybody's moves.

use kit::input::harmless;
use std::fmt;
use std::time::Duration;

/// The type of the content of requests and answers.
pub const CONTENT_TYPE: &str = "text/acl";

/// Lists within lists at most.
const MAX_NESTING: usize = 256;

/// Characters of what was sent that messages repeat.
const EXCERPT: usize = 60;

/// Longest clock that is believed: a day.
const MAX_CLOCK: Duration = Duration::from_secs(86_400);

/// What a manager asks of a player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    /// Whether it is there, and free.
    Info,
    /// Rules that a match may be about later.
    Preview {
        /// The rules, without the brackets around them.
        rules: String,
        /// Time for it.
        clock: Duration,
    },
    /// A match begins.
    Start {
        /// The name of the match.
        id: String,
        /// Whom the player plays.
        role: String,
        /// The rules, without the brackets around them.
        rules: String,
        /// Time until the first move is asked for.
        start_clock: Duration,
        /// Time for each move.
        play_clock: Duration,
    },
    /// A move is expected.
    Play {
        /// The name of the match.
        id: String,
        /// What happened in the last step.
        news: News,
    },
    /// The match is over.
    Stop {
        /// The name of the match.
        id: String,
        /// What happened in the last step.
        news: News,
    },
    /// The match is given up.
    Abort {
        /// The name of the match.
        id: String,
    },
}

/// What a player is told of the last step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// There was none.
    Nothing,
    /// The moves of all roles, in the order of the roles.
    Moves(Vec<String>),
    /// What it sees, in a game that hides something (GDL-II).
    Percepts {
        /// Number of the step to come, from 0.
        turn: u64,
        /// Its own last move, which may be another one than it answered.
        own: Option<String>,
        /// What it sees of the step.
        seen: Vec<String>,
    },
}

impl Request {
    /// Reads a message. Linear.
    ///
    /// # Errors
    /// What is wrong, in a line, with the place in the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let parts = list(text)?;
        let Some((name, rest)) = parts.split_first() else {
            return Err("the message is empty; `(INFO)`, `(START …)`, `(PLAY …)`, `(STOP …)`, `(ABORT …)` or `(PREVIEW …)` is expected".to_owned());
        };
        let wrong = |expected: &str| {
            let (count, name) = (rest.len(), name.to_uppercase());
            Err(format!("`{name}` has {count} parts, but `{expected}` is expected"))
        };
        match (name.to_ascii_lowercase().as_str(), rest) {
            ("info" | "ping", _) => Ok(Self::Info),
            ("preview", [rules, clock]) => {
                Ok(Self::Preview { rules: inside(rules)?.to_owned(), clock: seconds(clock)? })
            }
            ("preview", _) => wrong("(PREVIEW RULES CLOCK)"),
            ("start", [id, role, rules, start_clock, play_clock]) => Ok(Self::Start {
                id: (*id).to_owned(),
                role: normal(role),
                rules: inside(rules)?.to_owned(),
                start_clock: seconds(start_clock)?,
                play_clock: seconds(play_clock)?,
            }),
            ("start", _) => wrong("(START ID ROLE RULES STARTCLOCK PLAYCLOCK)"),
            ("play", [id, news @ ..]) => match news_of(news)? {
                Some(news) => Ok(Self::Play { id: (*id).to_owned(), news }),
                None => wrong("(PLAY ID MOVES)` or `(PLAY ID TURN MOVE PERCEPTS)"),
            },
            ("stop", [id, news @ ..]) => match news_of(news)? {
                Some(news) => Ok(Self::Stop { id: (*id).to_owned(), news }),
                None => wrong("(STOP ID MOVES)` or `(STOP ID TURN MOVE PERCEPTS)"),
            },
            ("abort", [id, ..]) => Ok(Self::Abort { id: (*id).to_owned() }),
            ("play" | "stop" | "abort", []) => wrong("(… ID …)"),
            (other, _) => Err(format!(
                "there is no message `{}`; `INFO`, `START`, `PLAY`, `STOP`, `ABORT` or `PREVIEW` is expected",
                excerpt(&other.to_uppercase())
            )),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Info => write!(f, "(INFO)"),
            Self::Preview { rules, clock } => write!(f, "(PREVIEW ({rules}) {})", clock.as_secs()),
            Self::Start { id, role, rules, start_clock, play_clock } => {
                write!(f, "(START {id} {role} ({rules}) {} {})", start_clock.as_secs(), play_clock.as_secs())
            }
            Self::Play { id, news } => write!(f, "(PLAY {id} {news})"),
            Self::Stop { id, news } => write!(f, "(STOP {id} {news})"),
            Self::Abort { id } => write!(f, "(ABORT {id})"),
        }
    }
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "NIL"),
            Self::Moves(moves) => write!(f, "({})", moves.join(" ")),
            Self::Percepts { turn, own, seen } => {
                let (own, none) = (own.as_deref().unwrap_or("NIL"), own.is_none() && seen.is_empty());
                let seen = if none { "NIL".to_owned() } else { format!("({})", seen.join(" ")) };
                write!(f, "{turn} {own} {seen}")
            }
        }
    }
}

/// What stands behind the name of a match; `None` if the number of parts is wrong.
fn news_of(parts: &[&str]) -> Result<Option<News>, String> {
    let is_nil = |text: &str| text.eq_ignore_ascii_case("nil");
    let terms = |text: &str| -> Result<Vec<String>, String> {
        if is_nil(text) { Ok(Vec::new()) } else { Ok(list(text)?.into_iter().map(normal).collect()) }
    };
    Ok(match parts {
        [] => Some(News::Nothing),
        [moves] if is_nil(moves) => Some(News::Nothing),
        [moves] => Some(News::Moves(terms(moves)?)),
        [turn, own, seen] => {
            let turn =
                turn.parse().map_err(|_| format!("the number of a turn is expected, found `{}`", excerpt(turn)))?;
            Some(News::Percepts { turn, own: (!is_nil(own)).then(|| normal(own)), seen: terms(seen)? })
        }
        _ => None,
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=MAX_CLOCK.as_secs_f64()).contains(number));
    let number =
        number.ok_or_else(|| format!("a clock in seconds is expected, a day at most; found `{}`", excerpt(text)))?;
    Ok(Duration::from_secs_f64(number))
}

/// What stands within the brackets of a list.
fn inside(text: &str) -> Result<&str, String> {
    let text = text.trim();
    let inside = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    inside.ok_or_else(|| format!("rules in brackets are expected, found `{}`", excerpt(text)))
}

/// The beginning of a text that somebody sent, on one line, without signs that terminals obey.
pub(crate) fn excerpt(text: &str) -> String {
    let beginning: String = text.chars().take(4 * EXCERPT).collect();
    let line = harmless(beginning.split_whitespace().collect::<Vec<_>>().join(" ").as_bytes());
    match line.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// A piece of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// Anything else that is no white space and no comment.
    Word(&'t str),
}

/// The pieces of a text with their offsets. Linear.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = (usize, Token<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(at..)?;
            let first = rest.chars().next()?;
            let start = at;
            if first == ';' {
                at += rest.find(['\n', '\r']).unwrap_or(rest.len());
            } else if first.is_whitespace() {
                at += first.len_utf8();
            } else if first == '(' || first == ')' {
                at += 1;
                return Some((start, if first == '(' { Token::Open } else { Token::Close }));
            } else {
                let end = rest.find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';')).unwrap_or(rest.len());
                at += end;
                return Some((start, Token::Word(rest.get(..end)?)));
            }
        }
    })
}

/// The parts of a list, each a word or a list. Linear.
///
/// # Errors
/// The text is not one list, or its lists are nested too deeply.
pub(crate) fn list(text: &str) -> Result<Vec<&str>, String> {
    let (mut parts, mut depth, mut start, mut is_over) = (Vec::new(), 0_usize, 0, false);
    let place = |at: usize| format!("at character {}", text.get(..at).map_or(0, |before| before.chars().count()) + 1);
    for (at, token) in tokens(text) {
        if is_over {
            return Err(format!("the message should end {}", place(at)));
        }
        match token {
            Token::Open => {
                depth += 1;
                if depth == 2 {
                    start = at;
                }
                if depth > MAX_NESTING {
                    return Err(format!("lists are nested more than {MAX_NESTING} deep {}", place(at)));
                }
            }
            Token::Close if depth == 0 => return Err(format!("there is nothing to be closed {}", place(at))),
            Token::Close => {
                depth -= 1;
                if depth == 1 {
                    parts.extend(text.get(start..=at));
                }
                is_over = depth == 0;
            }
            Token::Word(word) if depth == 1 => parts.push(word),
            Token::Word(word) if depth == 0 => return Err(format!("a list is expected, found `{}`", excerpt(word))),
            Token::Word(_) => {}
        }
    }
    if is_over { Ok(parts) } else { Err(format!("a closing bracket is missing {}", place(text.len()))) }
}

/// A term in the one way of writing it in which equal terms are equal texts: small letters, one space between parts. Linear.
pub fn normal(term: &str) -> String {
    let mut out = String::with_capacity(term.len());
    let mut is_apart = false;
    for (_, token) in tokens(term) {
        match token {
            Token::Open => {
                out.push_str(if is_apart { " (" } else { "(" });
                is_apart = false;
            }
            Token::Close => {
                out.push(')');
                is_apart = true;
            }
            Token::Word(word) => {
                out.push_str(if is_apart { " " } else { "" });
                out.extend(word.chars().flat_map(char::to_lowercase));
                is_apart = true;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_are_written() {
        let news = [
            News::Nothing,
            News::Moves(vec!["(mark 1 1)".to_owned(), "noop".to_owned()]),
            News::Percepts { turn: 0, own: None, seen: Vec::new() },
            News::Percepts { turn: 3, own: Some("(bid 2)".to_owned()), seen: vec!["(won white)".to_owned()] },
            News::Percepts { turn: 4, own: Some("noop".to_owned()), seen: Vec::new() },
        ];
        let id = || "m.1".to_owned();
        let clock = Duration::from_secs;
        let rules = "(role white) ; a comment with )\n(<= terminal (true (step 1)))".to_owned();
        let mut all = vec![
            Request::Info,
            Request::Preview { rules: rules.clone(), clock: clock(5) },
            Request::Start { id: id(), role: "white".to_owned(), rules, start_clock: clock(30), play_clock: clock(2) },
            Request::Abort { id: id() },
        ];
        for news in news {
            all.push(Request::Play { id: id(), news: news.clone() });
            all.push(Request::Stop { id: id(), news });
        }
        for request in all {
            assert_eq!(Request::parse(&request.to_string()), Ok(request.clone()), "{request}");
        }
    }

    #[test]
    fn ways_of_writing_do_not_matter() {
        let read = Request::parse(" ( play M1( ( MARK 1\n 1 )NOOP ) )").unwrap();
        let moves = vec!["(mark 1 1)".to_owned(), "noop".to_owned()];
        assert_eq!(read, Request::Play { id: "M1".to_owned(), news: News::Moves(moves) });
        assert_eq!(Request::parse("(play m)"), Ok(Request::Play { id: "m".to_owned(), news: News::Nothing }));
        assert_eq!(normal("( f ( G x)y )"), "(f (g x) y)");
    }

    #[test]
    fn other_texts_are_refused_with_the_place() {
        let deep = "(".repeat(100_000);
        for (text, says) in [
            ("", "a closing bracket is missing"),
            ("()", "is empty"),
            ("hello", "a list is expected, found `hello`"),
            ("(info) x", "should end at character 8"),
            (")", "nothing to be closed at character 1"),
            ("(start m white (role white) 1)", "`START` has 4 parts"),
            ("(start m white rules 1 1)", "rules in brackets are expected"),
            ("(start m white ((role white)) -1 1)", "a clock in seconds"),
            ("(start m white ((role white)) 1 nan)", "a clock in seconds"),
            ("(play)", "`PLAY` has 0 parts"),
            ("(play m 1 2 3 4)", "is expected"),
            ("(play m x noop nil)", "the number of a turn"),
            ("(dance)", "no message `DANCE`"),
            (&deep, "nested more than"),
        ] {
            let message = Request::parse(text).unwrap_err();
            assert!(message.contains(says), "{text}: {message}");
        }
    }
}
