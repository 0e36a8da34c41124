//! The canonical low-level text of a description (section 6 of the specification).

use crate::ast::{Arith, ArithId, Bounded, Cell, Description, Name, Operator, Relation, Rule, RuleId};
use rg_ir::ids::Id;

/// Column after which the rules are continued on a new line.
const WIDTH: usize = 110;

/// Prints a description as low-level RBG: sections in the order board, players, pieces, variables, rules; one vertex
/// per line; round brackets only where the tree needs them. Reading the text gives the same description (see
/// [`Description::same`]). Linear.
pub fn print(description: &Description) -> String {
    let mut out = String::from("#board =\n");
    for vertex in &description.board.vertices {
        let edge = |&(label, target): &(u32, u32)| {
            let target = description.board.vertices.get(target as usize).map_or("", |v| &v.name.text);
            format!("{}:{target}", name(&description.board.labels, label))
        };
        let edges: Vec<String> = vertex.edges.iter().map(edge).collect();
        let piece = name(&description.pieces, vertex.piece);
        out.push_str(&format!("    {}[{piece}]{{{}}}\n", vertex.name.text, edges.join(",")));
    }
    let pieces: Vec<&str> = description.pieces.iter().map(|piece| piece.text.as_str()).collect();
    out.push_str(&format!("#players = {}\n", bounded(&description.players)));
    out.push_str(&format!("#pieces = {}\n", pieces.join(", ")));
    out.push_str(format!("#variables = {}", bounded(&description.variables)).trim_end());
    out.push_str("\n#rules =");
    let mut printer = Printer { description, out, column: usize::MAX };
    printer.rules();
    printer.out.push('\n');
    printer.out
}

fn bounded(list: &[Bounded]) -> String {
    let entries: Vec<String> = list.iter().map(|b| format!("{}({})", b.name.text, b.bound)).collect();
    entries.join(", ")
}

fn name(names: &[Name], index: u32) -> &str {
    names.get(index as usize).map_or("", |name| &name.text)
}

/// Something left to print.
enum Task {
    Text(&'static str),
    /// A place where a line may end.
    Space,
    Rule(RuleId, Position),
}

/// Where an expression stands: decides whether it needs brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Alone, or as an alternative.
    Alternative,
    Factor,
    /// In front of a star.
    Starred,
}

struct Printer<'a> {
    description: &'a Description,
    out: String,
    column: usize,
}

impl Printer<'_> {
    fn text(&mut self, text: &str) {
        self.column = self.column.saturating_add(text.len());
        self.out.push_str(text);
    }

    fn rules(&mut self) {
        let mut tasks = vec![Task::Rule(self.description.rules.root, Position::Alternative), Task::Space];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Text(text) => self.text(text),
                Task::Space if self.column >= WIDTH => {
                    self.out.push_str("\n    ");
                    self.column = 4;
                }
                Task::Space => self.text(" "),
                Task::Rule(id, position) => self.rule(id, position, &mut tasks),
            }
        }
    }

    fn rule(&mut self, id: RuleId, position: Position, tasks: &mut Vec<Task>) {
        let description = self.description;
        let Some((rule, _)) = description.rules.nodes.get(id.index()) else { return };
        let suffixed_bare = matches!(rule, Rule::Shift(_) | Rule::Switch { .. } | Rule::Dot);
        let brackets = match position {
            Position::Alternative => false,
            Position::Factor => matches!(rule, Rule::Sum(_)),
            Position::Starred => !suffixed_bare,
        };
        if brackets {
            self.text("(");
            tasks.push(Task::Text(")"));
        }
        match rule {
            Rule::Sum(parts) => list(parts, "+", Position::Alternative, tasks),
            Rule::Concat(parts) => list(parts, "", Position::Factor, tasks),
            Rule::Star(inner) => tasks.extend([Task::Text("*"), Task::Rule(*inner, Position::Starred)]),
            Rule::Check { negated, rule } => {
                self.text(if *negated { "{! " } else { "{? " });
                tasks.extend([Task::Text("}"), Task::Rule(*rule, Position::Alternative)]);
            }
            Rule::Shift(label) => self.text(name(&description.board.labels, *label)),
            Rule::On(pieces) => {
                let names: Vec<&str> = pieces.iter().map(|&piece| name(&description.pieces, piece)).collect();
                self.text(&format!("{{{}}}", names.join(", ")));
            }
            Rule::Off { piece, .. } => self.text(&format!("[{}]", name(&description.pieces, *piece))),
            Rule::Assign { target, value, .. } => {
                let text = format!("[$ {} = {}]", cell(description, *target), arith(description, *value));
                self.text(&text);
            }
            Rule::Compare { relation, left, right } => {
                let (left, right) = (arith(description, *left), arith(description, *right));
                self.text(&format!("{{$ {left} {} {right}}}", relation_text(*relation)));
            }
            Rule::Switch { player: None, .. } => self.text("->>"),
            Rule::Switch { player: Some(player), .. } => {
                let player = description.players.get(*player as usize).map_or("", |p| &p.name.text);
                self.text(&format!("->{player}"));
            }
            Rule::Dot => self.text("."),
        }
    }
}

/// Leaves the parts to be printed, separated by spaces and, unless it is empty, `separator`.
fn list(parts: &[RuleId], separator: &'static str, position: Position, tasks: &mut Vec<Task>) {
    for (index, &part) in parts.iter().enumerate().rev() {
        tasks.push(Task::Rule(part, position));
        if index > 0 {
            if !separator.is_empty() {
                tasks.extend([Task::Text(" "), Task::Text(separator)]);
            }
            tasks.push(Task::Space);
        }
    }
}

/// The operator as written.
pub(crate) fn relation_text(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "==",
        Relation::NotEqual => "!=",
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
    }
}

fn cell(description: &Description, cell: Cell) -> &str {
    let (list, index) = match cell {
        Cell::Variable(variable) => (&description.variables, variable),
        Cell::Score(player) => (&description.players, player),
    };
    list.get(index as usize).map_or("", |bounded| &bounded.name.text)
}

fn precedence(operator: Operator) -> u8 {
    match operator {
        Operator::Add | Operator::Subtract => 1,
        Operator::Multiply | Operator::Divide => 2,
    }
}

/// The text of an arithmetic expression. Linear.
fn arith(description: &Description, id: ArithId) -> String {
    enum Part {
        Text(&'static str),
        /// An expression, in brackets if its operator binds less than this.
        Expression(ArithId, u8),
    }
    let mut out = String::new();
    let mut parts = vec![Part::Expression(id, 0)];
    while let Some(part) = parts.pop() {
        let (id, least) = match part {
            Part::Text(text) => {
                out.push_str(text);
                continue;
            }
            Part::Expression(id, least) => (id, least),
        };
        match description.rules.arith.get(id.index()).map(|&(arith, _)| arith) {
            None => {}
            Some(Arith::Number(number)) => out.push_str(&number.to_string()),
            Some(Arith::Cell(target)) => out.push_str(cell(description, target)),
            Some(Arith::Count(piece)) => out.push_str(name(&description.pieces, piece)),
            Some(Arith::Binary(operator, left, right)) => {
                let own = precedence(operator);
                if own < least {
                    out.push('(');
                    parts.push(Part::Text(")"));
                }
                let text = match operator {
                    Operator::Add => " + ",
                    Operator::Subtract => " - ",
                    Operator::Multiply => " * ",
                    Operator::Divide => " / ",
                };
                parts.extend([Part::Expression(right, own + 1), Part::Text(text), Part::Expression(left, own)]);
            }
        }
    }
    out
}

/// The low-level text of an expression that is not a list of others: an action, or a modifier in a move. Linear.
pub(crate) fn action(description: &Description, rule: RuleId) -> String {
    let mut printer = Printer { description, out: String::new(), column: 0 };
    printer.rule(rule, Position::Factor, &mut Vec::new());
    printer.out
}
