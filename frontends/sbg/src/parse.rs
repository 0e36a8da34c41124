//! From text to a checked [`Description`]: sections, entries, and then the checks of the whole.

mod goals;

use crate::ast::{Description, Moves, Rule};
use crate::lexer::{Kind, Token};
use crate::meant::{self, Certainty};
use crate::syntax::{Builder, Parsed};
use crate::{checks, codes, lexer, repair};
use rg_ir::{Diagnostic, Report, SourceId, Span, removal};
use std::collections::BTreeMap;

/// Most columns or rows of a board.
pub const MAX_SIDE: u32 = 64;

/// Greatest limit of half-moves.
pub const MAX_LIMIT: u32 = 1_000_000;

/// Reads a description. It is there iff no finding is an error. Findings come in the order of the text. Linear, apart
/// from checks of rules, which have fixed budgets.
pub fn parse(source: SourceId, text: &str) -> (Option<Description>, Vec<Diagnostic>) {
    let mut report = Report::default();
    let lexed = lexer::lex(source, text, &mut report);
    let mut parser = Parser { source, text, tokens: &lexed.tokens, report: &mut report };
    let description = parser.description();
    if let Some(description) = &description {
        checks::run(description, &mut report);
    }
    let failed = report.failed();
    let mut findings = report.finish_in_order();
    removal::complete(text, codes::UNUSED_RULE, ENTRIES, &mut findings);
    repair::unsure_ends(text, &mut findings);
    (description.filter(|_| !failed), findings)
}

/// What stands between rules, for fixes that remove some.
const ENTRIES: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[], terminators: &['&'] };

struct Parser<'t> {
    source: SourceId,
    text: &'t str,
    tokens: &'t [Token],
    report: &'t mut Report,
}

/// Name, place and contents of the board section.
struct BoardText {
    width: u32,
    height: u32,
    cells: Vec<Option<char>>,
    letter_spans: BTreeMap<char, Span>,
    span: Span,
}

/// The parts of a file: everything behind the token that begins it.
struct Sections<'t> {
    name: Option<Token>,
    /// Tag and tokens of board, pieces, goals.
    parts: [Option<(Token, &'t [Token])>; 3],
}

const SECTIONS: [(Kind, &str); 3] = [(Kind::Board, "<BOARD>"), (Kind::Pieces, "<PIECES>"), (Kind::Goals, "<GOALS>")];

/// What a missing section may begin with, in the order of [`SECTIONS`].
const SKELETONS: [&str; 3] = ["3 3\n|ppp|\n|...|\n|PPP|\n", "P (0,1,e) + (-1,1,p) + (1,1,p) &\n", "100 &\n"];

impl<'t> Parser<'t> {
    fn description(&mut self) -> Option<Description> {
        let sections = self.sections();
        let name = self.name(sections.name);
        let [board, pieces, goals] = sections.parts;
        let board = board.and_then(|(tag, tokens)| self.board(tag, tokens));
        let mut moves = Moves::default();
        let rules = pieces.map(|(_, tokens)| self.rules(tokens, &mut moves));
        let limit = goals.and_then(|(tag, tokens)| self.goals(tag, tokens, &mut moves));
        let ((name, name_span), board, (limit, limit_span, goals)) = (name?, board?, limit?);
        let BoardText { width, height, cells, letter_spans, span: board_span } = board;
        let rules = rules?;
        Some(Description {
            name,
            name_span,
            width,
            height,
            cells,
            board_span,
            letter_spans,
            rules,
            moves,
            limit,
            limit_span,
            goals,
        })
    }

    /// Cuts the file at the name and the tags, and reports what is missing, there twice, or in the wrong order.
    fn sections(&mut self) -> Sections<'t> {
        let tokens = self.tokens;
        let mut sections = Sections { name: None, parts: [None, None, None] };
        let starts = |token: &Token| matches!(token.kind, Kind::Name | Kind::Board | Kind::Pieces | Kind::Goals);
        let first = tokens.iter().position(starts).unwrap_or(tokens.len());
        if let Some(stray) = tokens.first().filter(|_| first > 0) {
            let message = format!("expected `<<name>>`, found `{}`", stray.text(self.text));
            self.report.error(codes::SECTIONS, stray.span(self.source), message);
        }
        let mut rest = tokens.get(first..).unwrap_or_default();
        let mut stage = 0;
        while let Some((&tag, after)) = rest.split_first() {
            let length = after.iter().position(starts).unwrap_or(after.len());
            let (content, next) = after.split_at(length);
            rest = next;
            let place = SECTIONS.iter().position(|&(kind, _)| kind == tag.kind).map_or(0, |p| p + 1);
            let taken = match place.checked_sub(1).and_then(|p| sections.parts.get_mut(p)) {
                None => sections.name.replace(tag).is_some(),
                Some(part) => part.replace((tag, content)).is_some(),
            };
            if let Some(stray) = content.first().filter(|_| place == 0) {
                let message = format!("expected `<BOARD>` after the name, found `{}`", stray.text(self.text));
                let error = Diagnostic::error(codes::SECTIONS, stray.span(self.source), message);
                let is_missing = !tokens.iter().any(|token| token.kind == Kind::Board);
                self.report.push(if is_missing { self.with_tag(error, *stray, "<BOARD>") } else { error });
                if is_missing {
                    sections.parts[0] = Some((tag, content));
                }
            }
            let shown = tag.text(self.text);
            let help = "the order is `<<name>>`, `<BOARD>`, `<PIECES>`, `<GOALS>`";
            if taken {
                let error = format!("there is a second `{shown}`");
                self.report.push(Diagnostic::error(codes::SECTIONS, tag.span(self.source), error).help(help));
            } else if place < stage {
                let error = format!("`{shown}` comes too late");
                self.report.push(Diagnostic::error(codes::SECTIONS, tag.span(self.source), error).help(help));
            }
            stage = stage.max(place);
        }
        self.split_board(&mut sections);
        self.split_pieces(&mut sections);
        let end = self.text.len();
        for (at, ((_, tag), text)) in SECTIONS.iter().zip(SKELETONS).enumerate() {
            if sections.parts.get(at).is_some_and(Option::is_none) {
                let next = sections.parts.iter().skip(at + 1).flatten().next();
                let place = next.map_or(end, |(tag, _)| tag.span(self.source).start as usize);
                let [end, place] = [end, place].map(|at| Span::new(self.source, at, at));
                let missing = Diagnostic::error(codes::SECTIONS, end, format!("section `{tag}` is missing"));
                // The text may end within a line.
                let line = if self.text.get(..place.start as usize).is_none_or(|text| text.ends_with('\n')) {
                    ""
                } else {
                    "\n"
                };
                let title = format!("add a section `{tag}` to begin with");
                self.report.push(missing.fix(title, place, format!("{line}{tag}\n{text}")).unsure());
            }
        }
        sections
    }

    /// Where `<PIECES>` is missing, what stands behind the rows of the board is about pieces.
    fn split_board(&mut self, sections: &mut Sections<'t>) {
        let [Some((tag, board)), None, _] = sections.parts else { return };
        let first = board.iter().position(|token| token.kind == Kind::Row).unwrap_or(board.len());
        let rows = board.iter().skip(first).take_while(|token| token.kind == Kind::Row).count();
        let (board, pieces) = board.split_at(first + rows);
        let Some(stray) = pieces.first() else { return };
        let message = format!("expected `<PIECES>` behind the board, found `{}`", stray.text(self.text));
        let error = Diagnostic::error(codes::SECTIONS, stray.span(self.source), message);
        self.report.push(self.with_tag(error, *stray, "<PIECES>"));
        (sections.parts[0], sections.parts[1]) = (Some((tag, board)), Some((tag, pieces)));
    }

    /// Where `<GOALS>` is missing, a line that begins with the number of turns begins them.
    fn split_pieces(&mut self, sections: &mut Sections<'t>) {
        let [_, Some((tag, pieces)), None] = sections.parts else { return };
        let begins = |token: &&Token| {
            let before = self.text.get(..token.start as usize).unwrap_or_default();
            token.kind == Kind::Nat && before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r'])
        };
        let Some(stray) = pieces.iter().find(begins) else { return };
        let (pieces, goals) = pieces.split_at(pieces.partition_point(|token| token.start < stray.start));
        let message = format!("expected `<GOALS>` behind the rules of pieces, found `{}`", stray.text(self.text));
        let error = Diagnostic::error(codes::SECTIONS, stray.span(self.source), message);
        self.report.push(self.with_tag(error, *stray, "<GOALS>"));
        (sections.parts[1], sections.parts[2]) = (Some((tag, pieces)), Some((tag, goals)));
    }

    /// Adds a fix that puts a tag on a line of its own before a token.
    fn with_tag(&self, error: Diagnostic, before: Token, tag: &str) -> Diagnostic {
        let start = before.start as usize;
        let begins = self.text.get(..start).is_none_or(|text| text.is_empty() || text.ends_with(['\n', '\r']));
        let line = if begins { "" } else { "\n" };
        error.fix(format!("add `{tag}`"), Span::new(self.source, start, start), format!("{line}{tag}\n"))
    }

    fn name(&mut self, token: Option<Token>) -> Option<(String, Span)> {
        let Some(token) = token else {
            let first = self.tokens.first().map_or(Span::new(self.source, 0, 0), |token| token.span(self.source));
            let error = Diagnostic::error(codes::BAD_NAME, first, "the name is missing");
            self.report.push(error.help("begin with `<<name>>`"));
            return None;
        };
        let text = token.text(self.text);
        // Where brackets are missing, that has been reported.
        let inner = text.strip_prefix("<<").or(text.strip_prefix('<')).unwrap_or(text);
        let before = text.len() - inner.len();
        let inner = inner.strip_suffix(">>").or(inner.strip_suffix('>')).unwrap_or(inner);
        let foreign = inner.char_indices().find(|(_, c)| !c.is_alphanumeric() && *c != ' ');
        if let Some((at, found)) = foreign {
            let start = token.start as usize + before + at;
            let span = Span::new(self.source, start, start + found.len_utf8());
            let message = format!("`{}` in the name; letters, digits and spaces are allowed", found.escape_debug());
            self.report.error(codes::BAD_NAME, span, message);
        }
        if inner.trim().is_empty() {
            self.report.error(codes::BAD_NAME, token.span(self.source), "the name is empty");
        }
        Some((inner.trim().to_owned(), token.span(self.source)))
    }

    fn board(&mut self, tag: Token, tokens: &[Token]) -> Option<BoardText> {
        let numbers = tokens.iter().take_while(|token| token.kind != Kind::Row).count();
        let (numbers, rows) = tokens.split_at(numbers);
        let size = self.size(tag, numbers);
        // What does not belong here is reported where it begins.
        let begins = |at: usize| at.checked_sub(1).and_then(|at| rows.get(at)).is_none_or(|t| t.kind == Kind::Row);
        for (_, token) in rows.iter().enumerate().filter(|(at, token)| token.kind != Kind::Row && begins(*at)) {
            let message = format!("expected a row such as `|..|`, found `{}`", token.text(self.text));
            self.report.error(codes::SYNTAX, token.span(self.source), message);
        }
        let rows: Vec<&Token> = rows.iter().filter(|token| token.kind == Kind::Row).collect();
        let (width, height) = self.turned(size?, numbers, &rows);
        let span = rows.iter().fold(tag.span(self.source), |span, row| span.to(row.span(self.source)));
        if rows.len() != height as usize {
            let place = rows.get(height as usize).or(rows.last()).map_or(tag, |row| **row);
            let message = format!("expected {height} rows, found {}", rows.len());
            self.report.error(codes::ROW_COUNT, place.span(self.source), message);
        }
        let (cells, letter_spans) = (Vec::with_capacity((width * height) as usize), BTreeMap::new());
        let mut board = BoardText { width, height, cells, letter_spans, span };
        let texts: Vec<&str> = rows.iter().map(|row| squares(row.text(self.text))).collect();
        for row in rows.into_iter().take(height as usize) {
            self.row(row, &texts, &mut board);
        }
        board.cells.resize((width * height) as usize, None);
        Some(board)
    }

    /// The size that the rows have, if that is the declared one with width and height exchanged, which is reported; else the declared one.
    fn turned(&mut self, size: (u32, u32), numbers: &[Token], rows: &[&Token]) -> (u32, u32) {
        let (width, height) = size;
        let has_width = |row: &&Token| squares(row.text(self.text)).chars().count() == height as usize;
        let is_turned = width != height && rows.len() == width as usize && rows.iter().all(has_width);
        let [first, second] = numbers else { return size };
        if !is_turned {
            return size;
        }
        let span = first.span(self.source).to(second.span(self.source));
        let message = format!("the board is {height} wide and {width} high, and its width stands first");
        let error = Diagnostic::error(codes::BAD_SIZE, span, message);
        self.report.push(error.fix(format!("write `{height} {width}`"), span, format!("{height} {width}")));
        (height, width)
    }

    fn size(&mut self, tag: Token, numbers: &[Token]) -> Option<(u32, u32)> {
        if let Some(wrong) = numbers.iter().enumerate().find(|(i, token)| *i > 1 || token.kind != Kind::Nat) {
            let message = format!("expected width, height and rows, found `{}`", wrong.1.text(self.text));
            self.report.error(codes::BAD_SIZE, wrong.1.span(self.source), message);
            return None;
        }
        let [width, height] = numbers else {
            let place = numbers.last().copied().unwrap_or(tag).span(self.source);
            self.report.error(codes::BAD_SIZE, place, "expected width and height of the board");
            return None;
        };
        let mut good = true;
        for (token, what) in [(width, "width"), (height, "height")] {
            if token.value == 0 || token.value > MAX_SIDE {
                let message = format!("expected a {what} from 1 to {MAX_SIDE}, found {}", token.text(self.text));
                self.report.error(codes::BAD_SIZE, token.span(self.source), message);
                good = false;
            }
        }
        good.then_some((width.value, height.value))
    }

    /// Adds the contents of a row, as many as the board has columns; `all` are those of all rows.
    fn row(&mut self, row: &Token, all: &[&str], board: &mut BoardText) {
        let width = board.width;
        let text = row.text(self.text);
        let inner = squares(text);
        let mut found = 0u32;
        for (at, c) in inner.char_indices() {
            found += 1;
            let start = row.start as usize + 1 + at;
            let span = Span::new(self.source, start, start + c.len_utf8());
            if c.is_ascii_alphabetic() {
                board.letter_spans.entry(c).or_insert(span);
            } else if c != '.' {
                let message = format!("`{}` in a row; expected letters and `.`", c.escape_debug());
                let error = Diagnostic::error(codes::BAD_CELL, span, message);
                self.report.push(match c == ' ' {
                    true => error.help("an empty square is written `.`").fix("write `.`", span, ".").unsure(),
                    false => error,
                });
            }
            if found <= width {
                board.cells.push(Some(c).filter(char::is_ascii_alphabetic));
            }
        }
        if found != width {
            let message = format!("expected a row of {width} squares, found {found}");
            let error = Diagnostic::error(codes::ROW_WIDTH, row.span(self.source), message);
            let is_whole = text.len() == inner.len() + 2;
            let near = meant::rows(inner, width as usize, all.iter().copied().filter(|_| is_whole));
            let near: Vec<String> = near.iter().map(|squares| format!("|{squares}|")).collect();
            self.report.push(meant::suggest(error, row.span(self.source), text, &near, Certainty::Sure));
        }
        board.cells.extend((found..width).map(|_| None));
    }

    /// Cuts a section at its `&`, and where one is missing: `begins` tells, of a token and the next one, whether the next
    /// one begins an entry.
    fn entries<'a>(&mut self, tokens: &'a [Token], begins: impl Fn(&Token, &Token) -> bool) -> Vec<&'a [Token]> {
        let mut entries = Vec::new();
        let mut pieces = tokens.split(|token| token.kind == Kind::Ampersand).peekable();
        while let Some(mut piece) = pieces.next() {
            let last = pieces.peek().is_none();
            while let Some(at) = piece.windows(2).position(|pair| matches!(pair, [a, b] if begins(a, b))) {
                let (entry, rest) = piece.split_at(at + 1);
                self.missing_ampersand(entry, rest);
                entries.push(entry);
                piece = rest;
            }
            match piece.last() {
                None if last => {}
                None => self.empty_entry(tokens, piece),
                Some(end) => {
                    if last {
                        let span = end.span(self.source);
                        let warning = Diagnostic::warning(codes::FINAL_AMPERSAND, span, "no `&` after the last entry");
                        self.report.push(warning.help("add ` &`").fix("add `&`", self.behind(end), " &"));
                    }
                    entries.push(piece);
                }
            }
        }
        entries
    }

    fn missing_ampersand(&mut self, entry: &[Token], rest: &[Token]) {
        if let (Some(before), Some(next)) = (entry.last(), rest.first()) {
            let message = format!("expected `&` before `{}`", next.text(self.text));
            let error = Diagnostic::error(codes::MISSING_AMPERSAND, next.span(self.source), message);
            let error = error.also(before.span(self.source), "behind this");
            self.report.push(error.fix("add `&`", self.behind(before), " &"));
        }
    }

    /// Nothing between two `&`: `piece` is the empty slice of `tokens` where it should be.
    fn empty_entry(&mut self, tokens: &[Token], piece: &[Token]) {
        let offset = (piece.as_ptr() as usize).saturating_sub(tokens.as_ptr() as usize) / size_of::<Token>();
        if let Some(token) = tokens.get(offset) {
            let error = Diagnostic::error(codes::SYNTAX, token.span(self.source), "there is nothing before this `&`");
            self.report.push(error.fix_here("remove `&`", ""));
        }
    }

    /// The empty place right behind a token.
    fn behind(&self, token: &Token) -> Span {
        Span { start: token.end, ..token.span(self.source) }
    }

    fn rules(&mut self, tokens: &[Token], moves: &mut Moves) -> Vec<Rule> {
        let mut rules: Vec<Rule> = Vec::new();
        let begins = |before: &Token, token: &Token| {
            token.kind == Kind::Upper && before.kind != Kind::Comma && !before.is_joined_to(token)
        };
        for entry in self.entries(tokens, begins) {
            if self.report.full() {
                break;
            }
            let mut builder =
                Builder { source: self.source, text: self.text, tokens: entry, moves, report: self.report };
            let Some(Parsed::Rule { letter, moves }) = builder.parse(Kind::RuleMark) else { continue };
            let (span, letter) = (builder.span(letter), builder.letter(letter));
            let entry = entry.iter().fold(span, |all, token| all.to(token.span(self.source)));
            if letter.is_ascii_lowercase() {
                let error = format!("a rule for `{letter}`; expected an upper-case letter");
                let help = "a rule is written once, for white; black's pieces follow it upside down";
                let error = Diagnostic::error(codes::LOWER_CASE_RULE, span, error).help(help);
                let upper = letter.to_ascii_uppercase();
                self.report.push(error.fix_here(format!("replace `{letter}` by `{upper}`"), upper));
                continue;
            }
            if let Some(first) = rules.iter().find(|rule| rule.letter == letter) {
                let error = Diagnostic::error(codes::DUPLICATE_RULE, span, format!("a second rule for `{letter}`"));
                self.report.push(error.also(first.span, "the first one"));
                continue;
            }
            rules.push(Rule { letter, span, entry, moves });
        }
        rules
    }
}

/// What stands between the bars of a row.
fn squares(row: &str) -> &str {
    let inner = row.strip_prefix('|').unwrap_or(row);
    inner.strip_suffix('|').unwrap_or(inner)
}
