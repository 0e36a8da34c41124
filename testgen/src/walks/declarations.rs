//! Types, constants and variables of the games.

use super::{Generator, PIECES, WAYS};
use std::fmt::Write;

impl Generator {
    /// A constant that leads from some squares to others.
    fn steps(&mut self, to: impl Fn(usize) -> Option<usize>) -> String {
        let mut entries: Vec<String> = (0..self.squares).filter_map(|s| Some(format!("s{s}: s{}", to(s)?))).collect();
        // Some lead where others lead, too, or stay where they are.
        if self.chance(15) {
            let changed = self.below(entries.len().max(1));
            let square = self.square();
            if let Some(entry) = entries.get_mut(changed) {
                let from = entry.split(':').next().unwrap_or_default().to_owned();
                *entry = format!("{from}: {square}");
            }
        }
        entries.insert(0, ":off".to_owned());
        format!("{{ {} }}", entries.join(", "))
    }

    fn pieces(&mut self, keys: &[String]) -> String {
        let mut entries = vec![format!(":{}", self.pick(&PIECES))];
        for key in keys {
            if self.chance(60) {
                entries.push(format!("{key}: {}", self.pick(&PIECES)));
            }
        }
        format!("{{ {} }}", entries.join(", "))
    }

    pub(super) fn declare(&mut self) {
        let (squares, numbers) = (self.squares, self.numbers);
        let all: Vec<String> = (0..squares).map(|square| format!("s{square}")).collect();
        let values: Vec<String> = (0..=numbers).map(|number| number.to_string()).collect();
        let less: Vec<String> = (2..=numbers).map(|number| format!("{number}: {}", number - 1)).collect();
        let less = std::iter::once(":0".to_owned()).chain(less).collect::<Vec<_>>().join(", ");
        let width = if squares > 4 { 2 + self.below(2) } else { 2 };
        let within = move |square: usize| (square < squares).then_some(square);
        let right = self.steps(|square| within(square + 1));
        let left = self.steps(|square| square.checked_sub(1));
        let far = self.steps(|square| within(square + width));
        let ring = self.steps(|square| Some((square + 1) % squares));
        let odd: Vec<usize> = (0..squares).map(|_| self.below(squares + 1)).collect();
        let odd = self.steps(|square| odd.get(square).copied().filter(|&to| to < squares));
        let _ = write!(
            self.text,
            "type Player = {{ a, b }};\ntype Score = {{ 0, 1, 2 }};\ntype Square = {{ {all} }};\n\
             type Place = {{ off, {all} }};\ntype Piece = {{ e, p, q }};\ntype Way = {{ w0, w1, w2 }};\n\
             type Number = {{ {} }};\ntype Turn = {{ t0, t1, t2, t3, t4 }};\n\
             const right: Place -> Place = {right};\nconst left: Place -> Place = {left};\n\
             const far: Place -> Place = {far};\nconst ring: Place -> Place = {ring};\n\
             const odd: Place -> Place = {odd};\nconst line: Way -> Place -> Place = {{ :{ring}, w1: {right}, w2: {left} }};\n\
             const less: Number -> Number = {{ {less} }};\nconst later: Turn -> Turn = {{ :t4, t0: t1, t1: t2, t2: t3 }};\n\
             const worth: Piece -> Score = {{ :0, p: 1, q: 2 }};\nconst clear: Place -> Bool = {{ :0 }};\n\
             const unseen: Bool -> Bool = {{ :0, 0: 1 }};\n",
            values.join(", "),
            all = all.join(", "),
        );
        let turned = self.pieces(&PIECES.map(str::to_owned));
        let size: Vec<String> = PIECES.iter().map(|piece| format!("{piece}: {}", self.below(numbers + 1))).collect();
        let (board, mut rows) = (self.pieces(&all), vec![format!(":{}", self.pieces(&[]))]);
        for way in WAYS {
            rows.push(format!("{way}: {}", self.pieces(&WAYS.map(str::to_owned))));
        }
        let visible = ["{ :1 }", "{ :1, b: 0 }", "{ :0 }"][self.below(3)];
        let _ = write!(
            self.text,
            "const turned: Piece -> Piece = {turned};\nconst size: Piece -> Number = {{ :{numbers}, {} }};\n\
             var board: Place -> Piece = {board};\nvar grid: Way -> Way -> Piece = {{ {} }};\n\
             var seen: Place -> Bool = {{ :0 }};\nvar from: Place = off;\nvar to: Place = off;\nvar mid: Place = off;\n\
             var stop: Place = off;\nvar way: Way = w0;\nvar held: Piece = e;\nvar count: Number = 0;\n\
             var turn: Turn = t0;\nvar visible: Visibility = {visible};\n",
            size.join(", "),
            rows.join(", "),
        );
    }
}
