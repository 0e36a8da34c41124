//! `rgc match`.

mod course;
mod journal;
mod show;
mod standings;

use crate::cli::MatchArgs;
use crate::files::{Named, named};
use crate::input::{self, display_name};
use crate::interrupt;
use crate::jobs::with_file;
use crate::participant::Participant;
use crate::record::{Contest, Header, digest};
use crate::runner::Runner;
use crate::session::{Failure, Session, finding};
use crate::tournament::game::Broken;
use crate::tournament::{MAX_LINEUPS, Schedule, opening};
use backend::{Error, ErrorKind};
use course::Course;
use journal::Journal;
use rg_ir::{Diagnostic, Severity};
use show::Form;
use standings::Standings;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Executes the command.
pub(super) fn start(session: &mut Session, args: &MatchArgs) -> Result<(), Failure> {
    let plan = Plan {
        participants: args.players.iter().flat_map(|list| list.0.clone()).collect(),
        threads: args.threads.or_else(|| std::thread::available_parallelism().ok()).map_or(1, usize::from).min(1024),
        form: match (args.json, args.csv) {
            (true, _) => Form::Json,
            (false, true) => Form::Csv,
            (false, false) => Form::Table,
        },
        args,
    };
    let games = named(&args.games.files, args.games.language.from.as_deref())?;
    games.start_at(args.start.position.as_deref())?;
    let files = match games {
        Named::One(file) => {
            let standings = plan.game(session, &file)?;
            show::write(session.out(), plan.form, &[(file, &standings)])?;
            return plan.end(session, &standings);
        }
        Named::Several(files) => files,
    };
    if args.record.is_some() {
        let message = "a record holds the games of one match, but several games are named";
        return Err(finding("IO382", message).help("name one game, or leave out `--record`").into());
    }
    plan.several(session, files)
}

/// What is to be played.
struct Plan<'a> {
    participants: Vec<Participant>,
    threads: usize,
    form: Form,
    args: &'a MatchArgs,
}

impl Plan<'_> {
    /// A match in every game, and the results of all together.
    fn several(&self, session: &mut Session, files: Vec<PathBuf>) -> Result<(), Failure> {
        let mut all: Vec<(PathBuf, Standings)> = Vec::new();
        let mut failed = false;
        for file in files {
            match self.game(session, &file) {
                Ok(standings) => {
                    let mut text = Vec::new();
                    show::write(&mut text, self.form, &[(file.clone(), &standings)])?;
                    match self.form {
                        Form::Table => {
                            writeln!(session.out(), "{}", display_name(&file))?;
                            session.out().write_all(&text)?;
                            writeln!(session.out())?;
                        }
                        Form::Json => session.out().write_all(&with_file(&file, &text))?,
                        // One table of all games, at the end.
                        Form::Csv => {}
                    }
                    failed |= standings.is_failed();
                    all.push((file, standings));
                }
                Err(Failure::Shown) => failed = true,
                Err(Failure::Finding(error)) => {
                    session.show(&[*error]);
                    failed = true;
                }
                Err(other) => return Err(other),
            }
            session.finish()?;
            if interrupt::is_requested() {
                break;
            }
        }
        let rows: Vec<(PathBuf, &Standings)> = all.iter().map(|(file, standings)| (file.clone(), standings)).collect();
        match self.form {
            Form::Table => {
                let together = Standings::sum(all.iter().map(|(_, standings)| standings));
                show::together(session.out(), &together, all.len())?;
            }
            Form::Json => {}
            Form::Csv => show::write(session.out(), Form::Csv, &rows)?,
        }
        match failed {
            true => session.finish().and(Err(Failure::Shown)),
            false => self.interrupted(session),
        }
    }

    /// How a match over one game ends once its results are shown.
    fn end(&self, session: &mut Session, standings: &Standings) -> Result<(), Failure> {
        match standings.is_failed() {
            true => session.finish().and(Err(Failure::Shown)),
            false => self.interrupted(session),
        }
    }

    /// Says that not all was played, if that is so.
    fn interrupted(&self, session: &mut Session) -> Result<(), Failure> {
        if interrupt::is_requested() { session.finish().and(Err(Failure::Interrupted)) } else { Ok(()) }
    }

    /// Plays the match over one game, and says what went wrong in it.
    fn game(&self, session: &mut Session, file: &Path) -> Result<Standings, Failure> {
        let args = self.args;
        let options = args.engine.options();
        let loaded = session.load_at((file, args.games.language.from.as_deref()), &args.start, options)?;
        let source = loaded.source;
        let runner = Runner::new(loaded.optimised(args.engine.level.or_fast(options.ambiguity))?, options)?;
        runner.initial()?;
        self.try_all(&runner)?;
        let participants = &self.participants;
        let players = runner.reasoner.players().len();
        let Some(schedule) = Schedule::new(participants, players, args.games_each, args.seed, args.max_plies) else {
            return Err(finding("IO342", format!("there are more than {MAX_LINEUPS} line-ups")).into());
        };
        let (openings, opening) = self.openings(session, &runner, &schedule)?;
        let schedule = schedule.from_openings(&openings);
        let contest = Contest {
            players: participants.iter().map(ToString::to_string).collect(),
            games: args.games_each,
            seed: args.seed,
            max_plies: args.max_plies,
            opening,
        };
        let text = session.sources.get(source).map_or("", |file| &file.text);
        let header = Header {
            contest: Some(contest),
            ..Header::new(&runner, &file.display().to_string(), text, options.ambiguity)
        };
        let mut standings = Standings::new(&runner, participants);
        let journal = match &args.record {
            None => None,
            Some(path) if args.resume => {
                let (journal, lines) = Journal::resume(session, path, &header, &runner)?;
                for line in lines {
                    standings.add(&schedule.task(line.play).recorded(&runner, line));
                }
                Some(journal)
            }
            Some(path) => Some(Journal::create(session, path, args.force, &header)?),
        };
        let course = Course { schedule: &schedule, runner: &runner, threads: self.threads };
        let broken = course.run(session, &mut standings, journal)?;
        standings.engine = runner.reasoner.running_engine();
        session.show(&runner.findings());
        if let Some((broken, is_fatal)) = broken {
            standings.fails |= is_fatal;
            report(session, &runner, broken, is_fatal || standings.games.counted == 0)?;
        }
        if interrupt::is_requested() {
            self.say_interrupted(session, standings.all(), schedule.len());
        }
        Ok(standings)
    }

    /// Says how much was played, and how to go on.
    fn say_interrupted(&self, session: &mut Session, played: u64, all: u64) {
        let what = format!("interrupted after {played} of {all} games");
        let said = Diagnostic::warning("IO383", rg_ir::Span::NONE, what);
        session.show(&[match &self.args.record {
            Some(path) => said.help(format!(
                "the same command with `--resume` plays the others and adds them to `{}`",
                display_name(path)
            )),
            None => said.help("with `--record FILE`, a match can be resumed"),
        }]);
    }

    /// Finds out whether everybody plays this game.
    fn try_all(&self, runner: &Runner) -> Result<(), Failure> {
        for participant in &self.participants {
            let tried = participant.try_out(runner);
            tried.map_err(|error| finding("IO341", format!("agent `{participant}`: {error}")))?;
        }
        Ok(())
    }

    /// The openings, and what names them in a record.
    fn openings(
        &self,
        session: &mut Session,
        runner: &Runner,
        schedule: &Schedule<'_>,
    ) -> Result<(Vec<opening::Opening>, Option<String>), Failure> {
        let Some(named) = &self.args.opening else { return Ok((Vec::new(), None)) };
        if let Ok(plies) = named.parse::<u32>() {
            let openings = opening::random(runner, plies, schedule.rounds(), self.args.seed)?;
            return Ok((openings, Some(plies.to_string())));
        }
        if named.parse::<i128>().is_ok() {
            let message =
                format!("`{named}` is not a number of random moves: a whole number from 0 to {} is expected", u32::MAX);
            return Err(finding("IO380", message).into());
        }
        let path = Path::new(named);
        let text = input::read(path).map_err(|error| no_openings(path, *error))?;
        let name = digest(text.as_bytes());
        let source = session.sources.add(input::source_name(path), text);
        let text = session.sources.get(source).map_or("", |file| &file.text);
        Ok((opening::read(runner, source, text)?, Some(name)))
    }
}

/// The finding about a file that has no openings.
fn no_openings(path: &Path, error: Diagnostic) -> Diagnostic {
    let name = display_name(path);
    let message = match error.code {
        "IO301" => format!("there is no file of openings `{name}`"),
        "IO302" => format!("`{name}` is a folder; a file of openings is expected"),
        "IO306" => format!("the file of openings `{name}` is empty"),
        _ => return error,
    };
    finding("IO380", message).help("name a number of random moves, or a file with the moves of an opening in each line")
}

/// Says why a game was stopped. A limit that is met now and then, as in a playout that goes on and on, is a warning.
fn report(session: &mut Session, runner: &Runner, broken: Broken, is_fatal: bool) -> Result<(), Failure> {
    let mut finding = match broken {
        Broken::Bot(what) => finding("IO384", what),
        Broken::Rules(error, made) => {
            // The moves of the game, then those that the agent thought of.
            let play = made.into_iter().chain(error.play.iter().cloned()).collect();
            *runner.failure_after(error, play)
        }
    };
    if !is_fatal {
        finding.severity = Severity::Warning;
    }
    session.show(&[finding.note("games that end so have no result; this is the first one")]);
    Ok(())
}

/// Whether a game that was stopped for this reason shows that the rules, or a bot, are wrong; `None` if it does not count as a failure.
fn is_fatal(runner: &Runner, broken: &Broken) -> Option<bool> {
    match broken {
        Broken::Bot(_) => Some(true),
        Broken::Rules(error, made) => {
            let forgiven = runner.forgives(&Error { play: made.clone(), ..error.clone() });
            (!forgiven).then_some(error.kind != ErrorKind::Limit)
        }
    }
}
