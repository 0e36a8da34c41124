//! A match as one of its players knows it: the positions that fit what the manager has told.
//!
//! Where all moves are told there is just one. In games with percepts (GDL-II), there are up to [`MAX_WORLDS`] of them, drawn by making
//! random moves for the others: a particle filter that begins anew from the first position when none is left.

use super::message::{News, normal};
use agents::{Observed, Play};
use backend::{Rng, Turn};
use kit::participant::{Chooser, Participant, Trouble};
use kit::runner::Runner;
use rg_ir::{JointMoves, Part};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Positions that are kept at most.
const MAX_WORLDS: usize = 64;

/// Joint moves that are drawn for each position kept.
const DRAWS: usize = 40;

/// Time that the search for positions that fit may take, as a part of the time for a move, and at most.
const SHARE: u32 = 4;
const MOST_TIME: Duration = Duration::from_secs(10);

/// A player in a match.
pub(crate) struct Seat<'r> {
    runner: &'r Runner,
    joint: &'r dyn JointMoves,
    /// Its role, by number, and as a player of the game.
    role: usize,
    player: usize,
    worlds: Vec<Play<'r>>,
    /// In games with percepts: its own moves so far, and what it saw of the steps.
    history: Vec<(String, Vec<String>)>,
    chooser: Chooser<'r>,
    /// The moves as texts, for programs that ask for them.
    played: Option<Vec<String>>,
    /// Time for the search for positions.
    time: Duration,
    rng: Rng,
}

impl<'r> Seat<'r> {
    /// The player of a role at the beginning of a match, with that time for each move.
    ///
    /// # Errors
    /// Why it cannot play, in one line.
    pub(crate) fn new(
        runner: &'r Runner,
        role: &str,
        participant: &Participant,
        time: Duration,
        seed: u64,
    ) -> Result<Self, String> {
        let joint = runner.loaded.notation.joint().ok_or("the game has no joint moves")?;
        let roles = joint.roles();
        let number = roles.iter().position(|name| normal(name) == role);
        let number = number.ok_or_else(|| format!("there is no role `{role}`; the roles are {}", roles.join(", ")))?;
        let player = runner.players().position(|name| normal(name) == role);
        let player = player.ok_or_else(|| format!("the role `{role}` is not played by anybody"))?;
        let play = Play::new(&runner.reasoner).map_err(|error| error.message)?;
        let mut rng = Rng::new(seed);
        let has_percepts = joint.rules().is_some_and(|rules| rules.has_percepts());
        let search = if has_percepts { (time / SHARE).min(MOST_TIME) } else { Duration::ZERO };
        let participant = participant.clone().within(time - search);
        let chooser = participant.begin(runner, player, rng.next_u64())?;
        let played = participant.is_bot().then(Vec::new);
        let (worlds, history) = (vec![play], Vec::new());
        Ok(Self { runner, joint, role: number, player, worlds, history, chooser, played, time: search, rng })
    }

    /// Takes in what happened in the last step, until `stop` is set.
    ///
    /// # Errors
    /// No position fits it; the old ones are kept.
    pub(crate) fn learn(&mut self, news: &News, stop: &AtomicBool) -> Result<(), String> {
        match news {
            News::Nothing => Ok(()),
            News::Moves(moves) => self.make(moves),
            // The first message of a match tells of no step.
            News::Percepts { own: None, .. } => Ok(()),
            News::Percepts { own: Some(own), seen, .. } => {
                self.history.push((own.clone(), seen.iter().map(|percept| key(percept)).collect()));
                self.filter(&Search { deadline: Instant::now() + self.time, stop })
            }
        }
    }

    /// Makes a joint move.
    fn make(&mut self, moves: &[String]) -> Result<(), String> {
        let Some(play) = self.worlds.first() else { return Err("the position is not known".to_owned()) };
        let mut made = Vec::new();
        let wanted = |role: usize, legal: &[String]| legal.iter().position(|text| Some(text) == moves.get(role));
        let next = self.after(play, wanted, &mut made);
        let next = next.ok_or_else(|| format!("the moves `{}` are not legal", moves.join(" ")))?;
        self.worlds = vec![next];
        self.played.iter_mut().for_each(|played| played.append(&mut made));
        Ok(())
    }

    /// The position after a step in which `choose` decides for each role that has a choice, by the texts of its legal moves; `None` if it
    /// finds no move, or the game cannot go on. `made` gets the moves in short if a program asks for them.
    fn after(
        &self,
        play: &Play<'r>,
        mut choose: impl FnMut(usize, &[String]) -> Option<usize>,
        made: &mut Vec<String>,
    ) -> Option<Play<'r>> {
        let mut next = play.clone();
        let parts = self.joint.step(&self.runner.reasoner.view(play.state()));
        for (role, part) in parts.into_iter().enumerate() {
            let index = match part {
                Part::Forced(only) => {
                    choose(role, &[normal(only)])?;
                    continue;
                }
                Part::Ply => choose(role, &self.texts(&next))?,
            };
            if self.played.is_some() {
                made.extend(self.runner.short_texts(next.moves()).into_iter().nth(index));
            }
            next.make(index).ok()?;
        }
        Some(next)
    }

    fn texts(&self, play: &Play<'r>) -> Vec<String> {
        self.runner.texts(play.moves()).iter().map(|text| normal(text)).collect()
    }

    /// Keeps positions that fit what was seen of one more step.
    fn filter(&mut self, search: &Search<'_>) -> Result<(), String> {
        let last = self.history.len().saturating_sub(1);
        let before = self.worlds.clone();
        let mut worlds = self.next_worlds(&before, last, search);
        while worlds.is_empty() && !search.is_over() {
            // Other ways to here may fit.
            let Ok(first) = Play::new(&self.runner.reasoner) else { break };
            worlds.push(first);
            for step in 0..self.history.len() {
                worlds = self.next_worlds(&worlds, step, search);
            }
        }
        if worlds.is_empty() {
            return Err("no position was found that fits what is seen".to_owned());
        }
        self.worlds = worlds;
        Ok(())
    }

    /// Positions behind some others that fit what was seen of a step.
    fn next_worlds(&mut self, worlds: &[Play<'r>], step: usize, search: &Search<'_>) -> Vec<Play<'r>> {
        let Some((own, seen)) = self.history.get(step).cloned() else { return Vec::new() };
        let mut next: Vec<Play<'r>> = Vec::new();
        for draw in 0..DRAWS * worlds.len().min(MAX_WORLDS) {
            if next.len() >= MAX_WORLDS || search.is_over() {
                break;
            }
            let Some(world) = worlds.get(draw % worlds.len().max(1)) else { break };
            let mut rng = Rng::new(self.rng.next_u64());
            let choose = |role: usize, legal: &[String]| match role == self.role {
                true => legal.iter().position(|text| *text == own),
                false => (!legal.is_empty()).then(|| rng.below(legal.len() as u32) as usize),
            };
            let Some(after) = self.after(world, choose, &mut Vec::new()) else { continue };
            let mut percepts: Vec<String> = self.percepts(world, &after);
            let mut wanted = seen.clone();
            for list in [&mut percepts, &mut wanted] {
                list.sort_unstable();
                list.dedup();
            }
            if percepts == wanted {
                next.push(after);
            }
        }
        next
    }

    /// What the player sees of the step from one position to the next.
    fn percepts(&self, before: &Play<'r>, after: &Play<'r>) -> Vec<String> {
        let observed = |play: &Play<'r>| play.observations(self.player).map_or(0, <[Observed]>::len);
        let news = after.observations(self.player).unwrap_or_default().get(observed(before)..).unwrap_or_default();
        let tags = news.iter().filter(|event| event.mover.is_none()).flat_map(|event| &event.tags);
        tags.map(|&tag| key(self.runner.reasoner.tag_name(tag))).collect()
    }

    /// The position before the player's own choice in this step, with the legal moves as texts; the only move alone if there is no choice.
    fn turn(&self) -> Option<(Play<'r>, Vec<String>)> {
        let mut play = self.worlds.first()?.clone();
        let parts = self.joint.step(&self.runner.reasoner.view(play.state()));
        for (role, part) in parts.into_iter().enumerate() {
            match part {
                Part::Forced(only) if role == self.role => return Some((play, vec![only.to_owned()])),
                Part::Forced(_) => {}
                Part::Ply if role == self.role => {
                    let texts = self.runner.texts(play.moves());
                    return Some((play, texts));
                }
                // What others choose is not known yet, and makes no difference to what may be chosen here.
                Part::Ply => play.make(0).ok()?,
            }
        }
        None
    }

    /// Some legal move, for when there is no time for another.
    pub(crate) fn any(&self) -> Option<String> {
        self.turn()?.1.into_iter().next()
    }

    /// Chooses a move, until `stop` is set.
    ///
    /// # Errors
    /// Why there is none, in one line.
    pub(crate) fn choose(&mut self, stop: &AtomicBool) -> Result<String, String> {
        let (play, texts) = self.turn().ok_or("there is no legal move, or the position is not known")?;
        if let [only] = texts.as_slice() {
            return Ok(only.clone());
        }
        if play.turn() != Turn::Player(self.player) {
            return Err("it is not this player's turn".to_owned());
        }
        let situation = play.situation(self.player).until(stop);
        let choice = match self.chooser.choose(&situation, self.played.as_deref().unwrap_or_default()) {
            Ok(choice) => choice.index,
            // The time is over: any move will do.
            Err(Trouble::Stopped) => 0,
            Err(trouble) => return Err(trouble.to_string()),
        };
        texts.get(choice).cloned().ok_or_else(|| "the agent chose no legal move".to_owned())
    }

    /// Ends the match; the agent is told the scores if the game is over.
    pub(crate) fn end(self) {
        if let Some(play) = self.worlds.first().filter(|play| play.turn() == Turn::End) {
            let knowledge = play.situation(self.player).knowledge;
            self.chooser.end(knowledge, self.played.as_deref().unwrap_or_default(), &play.scores());
        }
    }
}

/// How long it is searched for positions.
struct Search<'s> {
    deadline: Instant,
    stop: &'s AtomicBool,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline || self.stop.load(Ordering::Relaxed)
    }
}

/// What percepts are compared by: their words. Tags of the translation have other signs between them than terms.
fn key(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}
