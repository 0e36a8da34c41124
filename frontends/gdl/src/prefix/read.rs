//! From prefix text to the tree (section 2.2).
//!
//! Brackets become lists first, without recursion and up to [`MAX_NESTING`] deep; every form is then read on its own, so
//! that one run finds the mistakes of all of them.

use super::foreign::heads as heads_of;
use super::lexer::{self, Kind, Token};
use crate::ast::{Compound, Description, Literal, Name, Rule, Syntax, Term, Word};
use crate::codes;
use crate::index::begins_line;
use crate::tokens::{named, take_comments};
use rg_ir::diag::{Applies, Edit, Fix, is_near};
use rg_ir::{Diagnostic, Report, SourceId, Span};
use rustc_hash::FxHashSet;

/// Brackets may nest this deeply.
pub const MAX_NESTING: usize = 200;

/// A word, or a list in brackets.
pub(crate) enum Node {
    Word(Name),
    List(Vec<Node>, Span),
}

/// What people write for the arrow of rules. Other names of such characters (`--`, `>=`) are relations in some sheets.
const ARROWS: [&str; 6] = ["=<", "=>", "<-", "->", ":-", "<=="];

impl Node {
    pub(super) fn is_word(&self, word: Word) -> bool {
        matches!(self, Node::Word(name) if name.word == word)
    }

    pub(super) fn span(&self) -> Span {
        match self {
            Node::Word(name) => name.span,
            Node::List(_, span) => *span,
        }
    }
}

/// Reads what can be read of a description. Linear.
pub(crate) fn read(source: SourceId, text: &str, report: &mut Report) -> Description {
    let mut tokens = lexer::lex(source, text, report);
    let mut description = Description::new(source, Syntax::Prefix);
    description.comments = take_comments(&mut tokens, Kind::Comment, source, text);
    let (respelt, doubtful) = (FxHashSet::default(), FxHashSet::default());
    let heads = FxHashSet::default();
    let mut reader = Reader { source, text, description, heads, respelt, doubtful, report };
    let forms = reader.nodes(&tokens);
    let forms = reader.unwrapped(&forms);
    reader.heads = heads_of(forms);
    for form in forms {
        let read = match reader.doubtful.contains(&form.span().start) {
            true => reader.silently(|reader| reader.form(form)),
            false => reader.form(form),
        };
        reader.description.rules.extend(read);
    }
    reader.description
}

pub(super) struct Reader<'a> {
    source: SourceId,
    pub(super) text: &'a str,
    pub(super) description: Description,
    /// The names of what forms say something about.
    pub(super) heads: FxHashSet<Word>,
    /// Words with two spellings that were reported.
    respelt: FxHashSet<Word>,
    /// Where forms begin that have brackets in wrong places.
    doubtful: FxHashSet<u32>,
    pub(super) report: &'a mut Report,
}

impl Reader<'_> {
    /// Groups tokens at brackets. What is nested too deeply or not closed is reported and left out.
    fn nodes(&mut self, tokens: &[Token]) -> Vec<Node> {
        let mut top = Vec::new();
        let mut open: Vec<(Vec<Node>, Token)> = Vec::new();
        // Brackets that are open beyond the limit.
        let mut beyond = 0_usize;
        let mut too_deep = false;
        // The first bracket inside the current form that begins a line, with how many are open there and where the text before it ends.
        let mut margin: Option<(Token, usize, u32)> = None;
        let mut end = 0;
        for &token in tokens {
            let before = end;
            if token.kind != Kind::Comment {
                end = token.end;
            }
            match token.kind {
                Kind::Open if open.len() >= MAX_NESTING => {
                    if !too_deep {
                        let message = format!("brackets nest more than {MAX_NESTING} deep");
                        self.report.error(codes::NESTING, token.span(self.source), message);
                    }
                    (beyond, too_deep) = (beyond + 1, true);
                }
                Kind::Open => {
                    match open.is_empty() {
                        true => margin = None,
                        false if margin.is_none() && self.starts_line(token) => {
                            margin = Some((token, open.len(), before));
                        }
                        false => {}
                    }
                    open.push((Vec::new(), token));
                }
                Kind::Close if beyond > 0 => beyond -= 1,
                Kind::Close => match open.pop() {
                    Some((nodes, start)) => {
                        let node = Node::List(nodes, start.span(self.source).to(token.span(self.source)));
                        match open.last_mut() {
                            Some((parent, _)) => parent.push(node),
                            // The form had an error already.
                            None if too_deep => too_deep = false,
                            None => top.push(node),
                        }
                    }
                    None => {
                        let span = token.span(self.source);
                        let error = Diagnostic::error(codes::L1_UNBALANCED, span, "unexpected `)`");
                        let error = error.help("there is no `(` that it closes");
                        let place = self.cut_off(&mut top);
                        if place.is_some() {
                            self.report.push(error.also(place, "a `(` may be missing behind this"));
                        } else {
                            let whole = top.last().map_or(Span::NONE, Node::span);
                            let opener = Span { end: whole.start.saturating_add(1), ..whole };
                            let opener = if whole.is_some() { opener } else { whole };
                            let error = error.also(opener, "this has been closed before");
                            self.report.push(error.fix("remove `)`", span, "").unsure());
                            self.doubtful.extend(top.last().map(|node| node.span().start));
                        }
                    }
                },
                Kind::Word if beyond > 0 => {}
                Kind::Word => {
                    let node = Node::Word(self.word(token));
                    open.last_mut().map_or(&mut top, |(parent, _)| parent).push(node);
                }
                Kind::Comment => {}
            }
        }
        if let Some((_, start)) = open.first().filter(|_| !too_deep) {
            let message = "unbalanced parentheses: this `(` is never closed";
            let mut error = Diagnostic::error(codes::L1_UNBALANCED, start.span(self.source), message);
            if let Some((inner, ..)) = margin {
                error = error.also(inner.span(self.source), "a `)` may be missing before this");
            }
            // Where all else is balanced, brackets are missing in one place.
            let (missing, place) = margin.map_or((open.len(), end), |(_, missing, place)| (missing, place));
            if missing == open.len() {
                let closing = ")".repeat(missing);
                let place = Span::new(self.source, place as usize, place as usize);
                error = error.fix(format!("add `{closing}`"), place, closing).unsure();
            }
            self.report.push(error);
        }
        top
    }

    /// Reads without reporting anything.
    fn silently<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let said = std::mem::take(self.report);
        let result = read(self);
        *self.report = said;
        result
    }

    /// Leaves out the form that a bracket is one too many for, if more than a list was read of it: a bracket is missing in it, and what its parts mean
    /// is not known. The result is where it begins.
    fn cut_off(&self, top: &mut Vec<Node>) -> Span {
        let begins = |node: &Node| !self.report.full() && begins_line(self.text, node.span().start);
        let Some(first) = top.iter().rposition(begins).filter(|first| first + 1 < top.len()) else {
            return Span::NONE;
        };
        let span = top.get(first).map_or(Span::NONE, Node::span);
        top.truncate(first);
        Span { end: span.start + 1, ..span }
    }

    /// Whether a token stands at the very beginning of a line.
    fn starts_line(&self, token: Token) -> bool {
        begins_line(self.text, token.start)
    }

    fn word(&mut self, token: Token) -> Name {
        let (spelling, span) = (token.text(self.text), token.span(self.source));
        named(&mut self.description.words, &mut self.respelt, self.report, spelling, span)
    }

    pub(super) fn shown(&self, name: Name) -> String {
        self.description.words.spelling(name.word).to_owned()
    }

    fn is_variable(&self, name: Name) -> bool {
        self.description.words.text(name.word).starts_with('?')
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report.error(code, span, message);
    }

    /// The forms of a description; brackets around all of them, and a message of a game server around these, are left
    /// out.
    fn unwrapped<'n>(&mut self, forms: &'n [Node]) -> &'n [Node] {
        let [Node::List(nodes, span)] = forms else { return forms };
        let is_start = |name: &Name| self.description.words.text(name.word) == "start";
        let (inner, what) = match nodes.as_slice() {
            [Node::Word(start), Node::Word(_), Node::Word(_), rest @ ..] if is_start(start) => match started(rest) {
                Some(started) => started,
                None => {
                    let error = Diagnostic::error(codes::S2_HEAD, *span, "a START message without rules");
                    self.report.push(error.help("it is `(START match role (rules) startclock playclock)`"));
                    return &[];
                }
            },
            [Node::List(..), ..] => {
                (nodes.as_slice(), "the whole description is in one pair of brackets; read without them")
            }
            _ => return forms,
        };
        let place = Span { end: span.start + 1, ..*span };
        let mut warning = Diagnostic::warning(codes::WRAPPED, place, what);
        warning.fixes.extend(self.unwrapping(*span, matches!(nodes.first(), Some(Node::Word(_))), inner));
        self.report.push(warning.help("a description is a sequence of rules and facts"));
        inner
    }

    /// The fix that leaves out what is around the forms of a list: one pair of brackets, or a message without comments in it.
    fn unwrapping(&self, list: Span, is_message: bool, inner: &[Node]) -> Option<Fix> {
        let (first, last) = (inner.first()?.span(), inner.last()?.span());
        let around = [Span { end: first.start, ..list }, Span { start: last.end, ..list }];
        let brackets = [Span { end: list.start + 1, ..list }, Span { start: list.end.saturating_sub(1), ..list }];
        let text = |span: Span| self.text.get(span.range()).unwrap_or_default();
        let removed = if is_message { around } else { brackets };
        let [_, end] = brackets;
        if text(end) != ")" || is_message && around.iter().any(|&span| text(span).contains(';')) {
            return None;
        }
        let edits = removed.map(|span| Edit { span, instead_of: None, text: String::new() }).into();
        Some(Fix { title: "leave out what is around the rules".to_owned(), edits, applies: Applies::Always })
    }

    /// A rule or a fact.
    fn form(&mut self, node: &Node) -> Option<Rule> {
        let span = node.span();
        let Node::List(nodes, _) = node else { return Some(Rule { head: self.atom(node)?, body: Vec::new(), span }) };
        if let Some((Node::Word(name), arguments @ [head, ..])) = nodes.split_first()
            && (arguments.iter().any(|node| matches!(node, Node::List(..))) || head.is_word(Word::TERMINAL))
            && self.is_misspelt_arrow(*name)
        {
            return None;
        }
        let Some((Node::Word(name), parts)) = nodes.split_first().filter(|(first, _)| is(first, Word::IF)) else {
            return Some(Rule { head: self.atom(node)?, body: Vec::new(), span });
        };
        let Some((head, body)) = parts.split_first() else {
            let error = Diagnostic::error(codes::S2_HEAD, name.span, "rule has no head");
            self.report.push(error.help("write `(<= head condition …)`"));
            return None;
        };
        if body.is_empty() {
            let warning = Diagnostic::warning(codes::S6_NO_BODY, span, "rule without a body; write it as a fact");
            self.report.push(warning.help("leave out `(<=` and the last `)`"));
        }
        let head = self.atom(head);
        // Findings are made in all literals.
        let body: Vec<Option<Literal>> = body.iter().map(|literal| self.literal(literal)).collect();
        Some(Rule { head: head?, body: body.into_iter().collect::<Option<_>>()?, span })
    }

    /// Whether a name is an arrow other than that of rules; reports it then. Arrows that point the other way may mean something else.
    fn is_misspelt_arrow(&mut self, name: Name) -> bool {
        let text = self.description.words.text(name.word);
        if !ARROWS.contains(&text) {
            return false;
        }
        let is_reversed = text.contains('>');
        let shown = self.shown(name);
        let error = Diagnostic::error(codes::S4_OPERATOR, name.span, format!("`{shown}` is not the sign of a rule"));
        let error = error.help("did you mean `<=`?").fix_here(format!("replace `{shown}` by `<=`"), "<=");
        self.report.push(if is_reversed { error.unsure() } else { error });
        true
    }

    /// The name at the beginning of a list and what follows it.
    fn headed<'n>(&mut self, nodes: &'n [Node], span: Span) -> Option<(Name, &'n [Node])> {
        let found = match nodes.split_first() {
            Some((Node::Word(name), rest)) if !self.is_variable(*name) => return Some((*name, rest)),
            Some((Node::Word(name), _)) => (name.span, format!("the variable `{}`", self.shown(*name))),
            Some((list, _)) => (list.span(), "a list".to_owned()),
            None => (span, "nothing".to_owned()),
        };
        self.error(codes::S1_NAME, found.0, format!("expected a name after `(`, found {}", found.1));
        None
    }

    fn literal(&mut self, node: &Node) -> Option<Literal> {
        let Node::List(nodes, span) = node else { return self.atom(node).map(Literal::Atom) };
        let Some((Node::Word(name), operands)) = nodes.split_first() else { return self.atom(node).map(Literal::Atom) };
        if self.is_misspelt_operator(*name, operands) || self.is_foreign_operator(*name, operands) {
            return None;
        }
        match name.word {
            Word::DISTINCT => match operands {
                [left, right] => {
                    let (left, right) = (self.term(left), self.term(right));
                    Some(Literal::Distinct(Box::new([left?, right?]), *span))
                }
                _ => self.wrong_number(*name, "2 arguments", operands.len()),
            },
            Word::NOT => match operands {
                [inner] => Some(Literal::Not(Box::new(self.literal(inner)?), *span)),
                operands if self.lacks_brackets(operands) => None,
                _ => self.wrong_number(*name, "1 argument", operands.len()),
            },
            Word::OR | Word::AND if operands.is_empty() => self.wrong_number(*name, "at least 1 argument", 0),
            Word::OR => Some(Literal::Or(self.literals(operands)?, *span)),
            Word::AND => {
                let message = "`and` is not an operator of GDL; read as a conjunction";
                let warning = Diagnostic::warning(codes::AND, name.span, message);
                self.report.push(warning.help("the conditions of a rule are a conjunction anyway"));
                Some(Literal::And(self.literals(operands)?, *span))
            }
            _ => self.atom(node).map(Literal::Atom),
        }
    }

    fn literals(&mut self, nodes: &[Node]) -> Option<Vec<Literal>> {
        let literals: Vec<Option<Literal>> = nodes.iter().map(|node| self.literal(node)).collect();
        literals.into_iter().collect()
    }

    fn wrong_number<T>(&mut self, name: Name, takes: &str, found: usize) -> Option<T> {
        let message = format!("`{}` takes {takes}, found {found}", self.shown(name));
        self.error(codes::S3_OPERANDS, name.span, message);
        None
    }

    /// Whether a name stands before conditions, as only an operator does, and is spelt almost like one; reports it then.
    fn is_misspelt_operator(&mut self, name: Name, operands: &[Node]) -> bool {
        let is_condition = |node: &Node| match node {
            Node::Word(_) => false,
            Node::List(nodes, _) => [Word::TRUE, Word::DOES, Word::NOT, Word::OR, Word::AND, Word::DISTINCT]
                .iter()
                .any(|word| nodes.first().is_some_and(|first| is(first, *word))),
        };
        let text = self.description.words.text(name.word);
        let operators = [Word::OR, Word::AND, Word::NOT];
        let mut near = operators.into_iter().map(|word| self.description.words.text(word));
        let Some(meant) = near.find(|operator| is_near(text, operator)) else { return false };
        if operators.contains(&name.word) || !operands.iter().any(is_condition) {
            return false;
        }
        let (shown, meant) = (self.shown(name).to_owned(), meant.to_owned());
        let message = format!("`{shown}` has a condition as its argument, which only operators may have");
        let error = Diagnostic::error(codes::S4_OPERATOR, name.span, message);
        self.report.push(error.suggest(&shown, [meant.as_str()]));
        true
    }

    /// Whether a name may be that of a relation, function or object; reports it if not.
    fn plain(&mut self, name: Name) -> bool {
        let plain = !matches!(name.word, Word::NOT | Word::OR | Word::DISTINCT | Word::IF);
        if !plain {
            let message = format!("`{}` cannot be used here", self.shown(name));
            let error = Diagnostic::error(codes::S4_OPERATOR, name.span, message);
            self.report.push(error.help("it is a word of the language; use another name"));
        }
        plain
    }

    fn atom(&mut self, node: &Node) -> Option<Compound> {
        match node {
            Node::Word(name) if self.is_variable(*name) => {
                let message = format!("expected an atom, found the variable `{}`", self.shown(*name));
                self.error(codes::S1_NAME, name.span, message);
                None
            }
            Node::Word(name) => self.plain(*name).then(|| Compound { name: *name, args: Vec::new(), span: name.span }),
            Node::List(nodes, span) => {
                let compound = self.compound(nodes, *span)?;
                if compound.args.is_empty() {
                    self.bracketed(compound.name, *span);
                }
                Some(compound)
            }
        }
    }

    /// S5: brackets around a name without arguments.
    fn bracketed(&mut self, name: Name, span: Span) {
        let message = format!("write `{}` without parentheses", self.shown(name));
        let shown = self.shown(name);
        let warning = Diagnostic::warning(codes::S5_BRACKETS, span, message);
        self.report.push(warning.fix_here(format!("write `{shown}`"), shown));
    }

    fn compound(&mut self, nodes: &[Node], span: Span) -> Option<Compound> {
        let (name, args) = self.headed(nodes, span)?;
        let plain = self.plain(name);
        let args: Vec<Option<Term>> = args.iter().map(|arg| self.term(arg)).collect();
        let args = args.into_iter().collect::<Option<_>>()?;
        plain.then_some(Compound { name, args, span })
    }

    fn term(&mut self, node: &Node) -> Option<Term> {
        match node {
            Node::Word(name) if self.is_variable(*name) => Some(Term::Variable(*name)),
            Node::Word(name) => self.plain(*name).then_some(Term::Constant(*name)),
            Node::List(nodes, span) => {
                let compound = self.compound(nodes, *span)?;
                if compound.args.is_empty() {
                    self.bracketed(compound.name, *span);
                    return Some(Term::Constant(Name { span: *span, ..compound.name }));
                }
                Some(Term::Function(compound))
            }
        }
    }
}

fn is(node: &Node, word: Word) -> bool {
    matches!(node, Node::Word(name) if name.word == word)
}

/// The rules in what follows `START match role` in a message of a game server, and how they are read; `None` if there are
/// none. They should be a list, with the two clocks behind it.
fn started(rest: &[Node]) -> Option<(&[Node], &'static str)> {
    let is_list = |node: &Node| matches!(node, Node::List(..));
    let (first, last) = (rest.iter().position(is_list)?, rest.iter().rposition(is_list)?);
    let clocks = rest.len() - last - 1;
    match rest.get(first..=last)? {
        [Node::List(rules, _)] if rules.first().is_some_and(is_list) => {
            let what = match (first, clocks) {
                (0, 2) => "a START message is around the description; only the rules in it are read",
                _ => {
                    "a START message is around the description, but it is not `(START match role (rules) startclock \
                     playclock)`; only the rules in it are read"
                }
            };
            Some((rules, what))
        }
        rules => Some((
            rules,
            "a START message is around the description, and the rules in it are not in a list of their own, as in `(START \
             match role (rules) startclock playclock)`; only the rules are read",
        )),
    }
}
