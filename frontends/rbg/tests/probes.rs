//! The rule probes of the specification (section 15.2), run on their translation.
#![allow(clippy::unwrap_used, clippy::panic)]

use backend::{Engine, Moves, Options, Reasoner, State};
use rg_ir::{Notation, SourceId, StateView};

const HEAD: &str = "#players = p(100), q(100)
#pieces = a,b,c
#variables = v(9), w(9)
#board = rectangle(up,down,left,right,[a,b,c][a,b,c])
";

struct Probe {
    reasoner: Reasoner,
    notation: rbg::RbgNotation,
    state: State,
}

fn load(text: &str) -> Probe {
    let (lowered, diagnostics) = rbg::load(SourceId(0), text);
    let lowered = lowered.unwrap_or_else(|| panic!("{text}\n{diagnostics:?}"));
    // What nobody reads any more is looked at here.
    let options = Options { engine: Engine::Naive, keep_dead: true, ..Options::default() };
    let reasoner = Reasoner::with_options(&lowered.game, options).unwrap();
    let state = reasoner.initial().unwrap_or_else(|e| panic!("{text}\n{e:?}\n{}", rg_ir::text::print(&lowered.game)));
    Probe { reasoner, notation: lowered.notation, state }
}

fn probe(rules: &str) -> Probe {
    load(&format!("{HEAD}#rules = {rules}"))
}

impl Probe {
    fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.reasoner.legal_moves(&self.state, &mut moves).unwrap();
        moves
    }

    fn texts(&self) -> Vec<String> {
        let moves = self.moves();
        let tags: Vec<Vec<&str>> =
            moves.iter().map(|m| m.iter().map(|&t| self.reasoner.tag_name(t)).collect()).collect();
        let mut texts: Vec<String> = tags.iter().map(|tags| tags.join(" ")).collect();
        texts.sort();
        assert_eq!(self.notation.render_moves(&tags).len(), texts.len());
        texts
    }

    fn perft(&self, depth: u32) -> Vec<u64> {
        (1..=depth).map(|d| self.reasoner.perft(&self.state, d).unwrap()).collect()
    }

    /// The value of a cell after each of the legal moves, sorted.
    fn after(&self, variable: &str, keys: &[&str]) -> Vec<String> {
        let moves = self.moves();
        let mut values: Vec<String> = (0..moves.len())
            .map(|i| {
                let mut state = self.state.clone();
                self.reasoner.apply(&mut state, &moves, i).unwrap();
                self.reasoner.view(&state).get(variable, keys).unwrap_or("none").to_owned()
            })
            .collect();
        values.sort();
        values
    }
}

#[test]
fn walks_and_indices() {
    assert_eq!(
        probe("->p (right + right) {b} ([b] + [b]) ->q").texts(),
        ["v_rx1y0 i2 v_rx1y0 i4", "v_rx1y0 i3 v_rx1y0 i4"]
    );
    assert_eq!(probe("->p ({a}[$ v=1] + {a}[$ v=1] + {a} + {a}) ->q").perft(1), [3]);
    assert_eq!(probe("->p [a,b,a] ->q").perft(1), [3]);
    assert_eq!(probe("->p (right [c])* ->q").perft(1), [3]);
    assert_eq!(probe("->p ([c] right + [c] down)* ->q").perft(1), [9]);
    assert_eq!(probe("->p (right + left)* [c] ->q").perft(1), [3]);
    assert_eq!(probe("->p ({a} + (right left)*)* [c] ->q").perft(1), [1]);
    assert_eq!(probe("->p right . [c] . left ->q").texts(), ["v_rx1y0 i2 v_rx0y0 i3"]);
}

#[test]
fn arithmetic() {
    let p = probe("[$ v=9] ->p ([$ v=v+1] + [$ v=v-1] + [$ w=w-1] + [$ w=10]) ->q");
    assert_eq!(p.after("var_v", &[]), ["8"]);
    assert_eq!(probe("->p ([$ v=2*3] + [$ v=5-3] + [$ v=6/2]) ->q").after("var_v", &[]), ["2", "3", "6"]);
    assert_eq!(probe("[$ v=7] [$ w=2] ->p [$ v=v*3/w] ->q").perft(1), [0]);
    assert_eq!(probe("[$ v=7] [$ w=3] ->p [$ v=v*3/w] ->q").after("var_v", &[]), ["7"]);
    assert_eq!(probe("->p {$ v-5 < 0} {$ (v-5)/2 == 0-2} ->q").perft(1), [1]);
    assert_eq!(probe("->p ([$ v=3/w] + [$ v=4]) ->q").after("var_v", &[]), ["4"]);
}

#[test]
fn counts_follow_moves_and_checks() {
    let p = probe("->p [b] {$ b==3} right [a] {$ b==2} {? [b] {$ b==3}} {$ b==2} ->q");
    assert_eq!(p.perft(1), [1]);
    let p = probe("->p {? ([c] right)* {c} {$ c==4}} [$ v=c] ->q");
    assert_eq!(p.after("var_v", &[]), ["2"]);
}

#[test]
fn the_current_vertex_moves_on() {
    let mut p = probe("->p right [c] ->q [a] right ->p [b] ->p [b]");
    assert_eq!(p.perft(4), [1, 1, 1, 0]);
    for (vertex, decides) in [("v_rx1y0", true), ("v_rx2y0", true), ("v_rx2y0", false)] {
        let moves = p.moves();
        p.reasoner.apply(&mut p.state, &moves, 0).unwrap();
        assert_eq!(p.reasoner.view(&p.state).get("pos", &[]), Some(vertex));
        assert_eq!(!p.reasoner.is_terminal(&p.state), decides);
    }
}

#[test]
fn ends_of_plays() {
    let p = probe("->p [c] ->> [$ p=5] {}");
    assert_eq!((p.perft(2), p.after("goals", &["player_p"])), (vec![1, 0], vec!["0".to_owned()]));
    let p = probe("->p [c] ->> ([$ p=1] {b} ->> {} + [$ p=2] ->> [$ q=3] ->q [a] ->p)");
    assert_eq!(p.perft(3), [1, 1, 0]);
    assert_eq!(p.after("goals", &["player_p"]), ["2"]);
    assert_eq!(p.after("goals", &["player_q"]), ["3"]);
    let p = probe("[$ v=9] ->p [c] ->> ([$ v=v+1] ->> {} + {$ v==9} [$ q=7] ->> {})");
    assert_eq!((p.perft(2), p.after("goals", &["player_q"])), (vec![1, 0], vec!["7".to_owned()]));
    assert_eq!(probe("->p right ->p right ->p left ->q").perft(4), [1, 1, 1, 0]);
    assert_eq!(probe("->p ->q ->p ->q").perft(4), [1, 1, 1, 0]);
    assert_eq!(probe("{} ->p up ->q").perft(1), [0]);
}

#[test]
fn equal_moves_over_different_edges_are_one() {
    let text = "#players = p(100), q(100)\n#pieces = a,b,c\n#variables =\n
        #board = s[c]{l:x,m:y} x[a]{r:z} y[b]{r:z} z[a]{r:z}\n#rules = ->p (l {a} + m {b}) r [c] ->q";
    assert_eq!(load(text).perft(1), [1]);
}

#[test]
fn names_cannot_clash() {
    let text = "#players = keeper(100), random(1), player(2)\n#pieces = off, choice, pos\n#variables = goals(1), i1(3)\n
        #board = counts[off]{pos1:off} off[choice]{up:counts}\n
        #rules = ->player pos1 {choice} [pos] [$ goals=1] ->keeper [$ player=2] up [choice] ->random [$ i1=pos] ->player";
    assert_eq!(load(text).perft(4), [1, 1, 1, 0]);
}
