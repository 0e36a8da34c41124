//! The file that the games of a match are recorded in, so that the match can go on after an interruption.

use crate::input::display_name;
use crate::output::{Existing, What};
use crate::record::{self, Contest, Header, PlayLine};
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::tournament::game::Played;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// An open record.
pub(super) struct Journal {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Journal {
    /// Begins a record; what was there is replaced if `force` says so.
    pub(super) fn create(session: &Session, path: &Path, force: bool, header: &Header) -> Result<Self, Failure> {
        let existing = if force { Existing::Replace } else { Existing::Refuse };
        let mut journal = Self::open(session, path, existing)?;
        journal.write(&record::line(header)?)?;
        Ok(journal)
    }

    /// Opens a record of this very match to add to it. Returns its games, too.
    ///
    /// # Errors
    /// `IO385`: it is a record of something else.
    pub(super) fn resume(
        session: &mut Session,
        path: &Path,
        header: &Header,
        runner: &Runner,
    ) -> Result<(Self, Vec<PlayLine>), Failure> {
        let record = super::super::replay::read(session, path)?;
        record::fits(&record, runner).map_err(Failure::Finding)?;
        if let Some(difference) = difference(&record.header, header) {
            let message = format!("`{}` is the record of another match: {difference}", display_name(path));
            let help = "resume with the options of that match, or name another file";
            return Err(finding("IO385", message).or_at(record.header_place).help(help).into());
        }
        // Results are counted, so they have to be right. Games that were stopped have none.
        for (line, place) in record.plays.iter().zip(&record.places).filter(|(line, _)| line.over) {
            session.progress(&format!("verifying game {} …", line.play));
            record::replayed(runner, line, |_, _| ()).map_err(|found| found.or_at(*place))?;
        }
        session.progress("");
        let end = record.places.last().unwrap_or(&record.header_place).end as u64;
        let mut journal = Self::open(session, path, Existing::Keep(end))?;
        // The break behind the last line was cut off with what followed.
        journal.write("\n")?;
        Ok((journal, record.plays))
    }

    fn open(session: &Session, path: &Path, existing: Existing) -> Result<Self, Failure> {
        let file = session.writer.create(What::Record, path, existing)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file) })
    }

    pub(super) fn add(&mut self, played: &Played) -> Result<(), Failure> {
        self.write(&record::line(&played.line)?)
    }

    /// Every line is written at once: whoever interrupts a match keeps the games.
    fn write(&mut self, line: &str) -> Result<(), Failure> {
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.flush());
        Ok(written.map_err(|error| What::Record.unwritable(&self.path, &error))?)
    }
}

/// The first difference between a recorded match and the one to be played. More games than were planned are none: they come after the
/// others.
fn difference(recorded: &Header, header: &Header) -> Option<String> {
    if recorded.text != header.text {
        return Some("the text of its game has changed since".to_owned());
    }
    if recorded.start != header.start {
        return Some("its games start at another position".to_owned());
    }
    let (Some(theirs), Some(ours)) = (&recorded.contest, &header.contest) else {
        return Some("it does not say which match it is of".to_owned());
    };
    let options = |contest: &Contest| {
        let Contest { players, games: _, seed, max_plies, opening } = contest;
        let opening = match opening.as_deref() {
            None => "none".to_owned(),
            Some(plies) if plies.parse::<u32>().is_ok() => plies.to_owned(),
            Some(_) => "FILE".to_owned(),
        };
        [
            ("--players", players.join(",")),
            ("--seed", seed.to_string()),
            ("--max-plies", max_plies.to_string()),
            ("--opening", opening),
        ]
    };
    let mut pairs = options(theirs).into_iter().zip(options(ours));
    let differ = pairs.find(|((_, theirs), (_, ours))| theirs != ours);
    let differ = differ.map(|((name, theirs), (_, ours))| format!("it has `{name}` {theirs}, not {ours}"));
    let differ = differ.or_else(|| {
        // Files of openings are compared by their digests, which tell people nothing.
        (theirs.opening != ours.opening).then(|| "the openings in its file were others".to_owned())
    });
    differ.or_else(|| (recorded.split != header.split).then(|| format!("it has `split: {}`", recorded.split))).or_else(
        || {
            (ours.games < theirs.games)
                .then(|| format!("it has {} games per line-up, but `--games` is {}", theirs.games, ours.games))
        },
    )
}
