//! The source formatter for prefix texts: tidies white space, and touches nothing else.

use super::lexer::{self, Kind, Token};
use super::read::MAX_NESTING;
use crate::codes;
use rg_ir::{Diagnostic, Report, SourceId};

/// Most columns of what stands on one line.
const WIDTH: usize = 100;

/// Formats a prefix text, see [`crate::format`].
pub(crate) fn format(source: SourceId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut report = Report::default();
    let tokens = lexer::lex(source, text, &mut report);
    let nodes = group(source, &tokens, &mut report);
    if report.failed() {
        let mut errors = report.finish_in_order();
        errors.retain(Diagnostic::is_error);
        return Err(errors);
    }
    let mut writer = Writer { text, out: String::with_capacity(text.len()) };
    let mut before: Option<u32> = None;
    for node in &nodes {
        if let Some(before) = before {
            let lines = writer.lines(before, node.start);
            let trailing = node.is_comment() && lines == 0;
            writer.out.push_str(if trailing { " " } else { "\n" });
            if lines > 1 {
                writer.out.push('\n');
            }
        }
        writer.form(node);
        before = Some(node.end);
    }
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    Ok(writer.out)
}

/// A word, a comment, or (with parts) a list.
struct Node {
    start: u32,
    end: u32,
    kind: Kind,
    parts: Vec<Node>,
    /// Columns on one line; `None` if there is a comment in it.
    width: Option<usize>,
}

impl Node {
    fn is_comment(&self) -> bool {
        self.kind == Kind::Comment
    }
}

/// Groups tokens at brackets, without recursion.
fn group(source: SourceId, tokens: &[Token], report: &mut Report) -> Vec<Node> {
    let mut top = Vec::new();
    let mut open: Vec<(Vec<Node>, Token)> = Vec::new();
    for &token in tokens {
        let node = match token.kind {
            Kind::Open if open.len() >= MAX_NESTING => {
                let message = format!("brackets nest more than {MAX_NESTING} deep");
                report.error(codes::NESTING, token.span(source), message);
                return top;
            }
            Kind::Open => {
                open.push((Vec::new(), token));
                continue;
            }
            Kind::Close => match open.pop() {
                Some((parts, start)) => list(parts, start, token),
                None => {
                    report.error(codes::L1_UNBALANCED, token.span(source), "unexpected `)`");
                    continue;
                }
            },
            Kind::Word | Kind::Comment => {
                let width = (token.kind == Kind::Word).then_some((token.end - token.start) as usize);
                Node { start: token.start, end: token.end, kind: token.kind, parts: Vec::new(), width }
            }
        };
        open.last_mut().map_or(&mut top, |(parent, _)| parent).push(node);
    }
    if let Some((_, start)) = open.first() {
        let message = "unbalanced parentheses: this `(` is never closed";
        report.error(codes::L1_UNBALANCED, start.span(source), message);
    }
    top
}

fn list(parts: Vec<Node>, start: Token, end: Token) -> Node {
    let widths: Option<usize> = parts.iter().map(|part| part.width).sum();
    let width = widths.map(|width| width + 2 + parts.len().saturating_sub(1));
    Node { start: start.start, end: end.end, kind: Kind::Open, parts, width }
}

struct Writer<'t> {
    text: &'t str,
    out: String,
}

impl Writer<'_> {
    fn part(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The number of line ends between two places; CR LF is one.
    fn lines(&self, start: u32, end: u32) -> usize {
        let gap = self.part(start, end);
        let returns = gap.matches('\r').count() - gap.matches("\r\n").count();
        gap.matches('\n').count() + returns
    }

    /// A form: a rule that goes over several lines keeps them, everything else is one line if it fits.
    fn form(&mut self, node: &Node) {
        let rule = node.parts.iter().find(|part| !part.is_comment());
        let rule = rule.is_some_and(|first| self.part(first.start, first.end) == "<=");
        let one_line = self.lines(node.start, node.end) == 0;
        match node.width.filter(|&width| width <= WIDTH && (one_line || !rule)) {
            Some(_) => self.flat(node),
            None => self.broken(node, 0, rule),
        }
    }

    /// Something without comments, on one line. Recursion is limited by the depth of the text.
    fn flat(&mut self, node: &Node) {
        if node.kind != Kind::Open {
            let shown = self.part(node.start, node.end).trim_end().to_owned();
            return self.out.push_str(&shown);
        }
        self.out.push('(');
        for (number, part) in node.parts.iter().enumerate() {
            if number > 0 {
                self.out.push(' ');
            }
            self.flat(part);
        }
        self.out.push(')');
    }

    fn line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    /// A list on several lines: name (and head of a rule) first, then a line for every part.
    fn broken(&mut self, node: &Node, indent: usize, rule: bool) {
        if node.kind != Kind::Open {
            return self.flat(node);
        }
        let inner = indent + if rule { 4 } else { 2 };
        self.out.push('(');
        let mut before: Option<&Node> = None;
        // Parts other than comments so far.
        let mut written = 0;
        for part in &node.parts {
            let lines = self.lines(before.map_or(node.start, |before| before.end), part.start);
            let behind_comment = before.is_some_and(Node::is_comment);
            if part.is_comment() && lines == 0 && !behind_comment {
                self.out.push(' ');
            } else if behind_comment || part.is_comment() || written > usize::from(rule) {
                self.line(inner);
            } else if written > 0 {
                self.out.push(' ');
            }
            match part.width.filter(|width| inner + width <= WIDTH) {
                Some(_) => self.flat(part),
                None => self.broken(part, inner, false),
            }
            written += usize::from(!part.is_comment());
            before = Some(part);
        }
        if before.is_some_and(Node::is_comment) {
            self.line(indent);
        }
        self.out.push(')');
    }
}
