//! What may stand at a place of a text: the directive that the place is in, and the brackets around it, tell.

use crate::arguments::{self, Macros};
use crate::board::{CUBOID, HEXAGON, RECTANGLE};
use crate::directives::{self, Section};
use crate::lexer::{self, Kind, Token};
use crate::missing::names_of;
use rg_ir::index::{EntityKind, Expected, Slot, Template};
use rg_ir::{Report, SourceId, Symbols};
use rustc_hash::FxHashMap;

/// Most tokens that are looked at.
const LIMIT: usize = 1_000_000;

/// What may stand before byte `offset` of a text, instead of the part of a word that does. Linear.
pub fn expected(text: &str, offset: usize) -> Expected {
    let before = text.get(..text.floor_char_boundary(offset)).unwrap_or_default();
    let start = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let mut names = Symbols::default();
    let lexed = lexer::lex(SourceId(0), start, LIMIT, &mut names, &mut Report::default());
    let length = u32::try_from(start.len()).unwrap_or(u32::MAX);
    // At the end of a comment that goes to the end of the line, or in one that is not closed.
    let in_comment = lexed.comments.last().is_some_and(|&(_, end)| end == length) && !start.ends_with("*/");
    if in_comment || !lexed.complete {
        return Expected::default();
    }
    let tokens = &lexed.tokens;
    let hash = tokens.iter().rposition(|token| token.kind == Kind::Hash);
    // The first directive begins with its sign.
    let Some(hash) = hash else {
        let words = Section::ALL.map(|section| format!("#{}", section.name())).to_vec();
        return Expected { start: length, words, ..Expected::default() };
    };
    let directive = tokens.get(hash + 1..).unwrap_or_default();
    let Some(name) = directive.first() else {
        let used: Vec<Kind> = tokens.windows(2).filter_map(section).collect();
        let missing = Section::ALL.into_iter().map(Section::name);
        let missing = missing.filter(|name| Kind::of_spelling(name).is_none_or(|kind| !used.contains(&kind)));
        let words = missing.map(str::to_owned).collect();
        let templates = LISTS.map(|(section, text)| Template::new(section.name(), text)).to_vec();
        return Expected { start: length, words, templates, ..Expected::default() };
    };
    let Some(equal) = directive.iter().position(|token| token.kind == Kind::Equal) else {
        return Expected { start: length, ..Expected::default() };
    };
    let body = directive.get(equal + 1..).unwrap_or_default();
    let templates = if name.kind == Kind::Board && body.is_empty() { boards(tokens, &names) } else { Vec::new() };
    let mut words: Vec<String> = templates.iter().map(|template| template.word.clone()).collect();
    words.extend(direction(name.kind, body).map(str::to_owned));
    let argument = argument(name.kind, (tokens, body), &names);
    let (kinds, slot) =
        argument.map_or_else(|| (kinds(name.kind, body).to_vec(), None), |(kinds, slot)| (kinds, Some(slot)));
    Expected { start: length, words, templates, kinds, slot, ..Expected::default() }
}

/// What may stand in the call of a macro that is open behind the tokens of a directive of that name; `None` if none is. All tokens are those up to there.
fn argument(directive: Kind, (tokens, body): (&[Token], &[Token]), names: &Symbols) -> Option<(Vec<EntityKind>, Slot)> {
    let section = match directive {
        // New names are made there.
        Kind::Players | Kind::Pieces | Kind::Variables => return None,
        Kind::Board => Kind::Board,
        _ => Kind::Rules,
    };
    let call = arguments::open(body)?;
    let directives = directives::cut(SourceId(0), tokens, names, &mut Report::default());
    let mut macros = Macros { tokens, directives: &directives, section, known: FxHashMap::default() };
    macros.expected(&call, names)
}

/// What the next direction of a usual board is called as a rule, behind these tokens of the directive of that name.
fn direction(directive: Kind, body: &[Token]) -> Option<&'static str> {
    let [board, open, labels @ ..] = body else { return None };
    let directions: &[&str] = match board.kind {
        Kind::Rectangle => &RECTANGLE,
        Kind::Hexagon => &HEXAGON,
        Kind::Cuboid => &CUBOID,
        _ => return None,
    };
    let is_list = labels
        .chunks(2)
        .all(|pair| matches!(pair, [name, comma] if name.kind == Kind::Ident && comma.kind == Kind::Comma));
    let fits = directive == Kind::Board && open.kind == Kind::ParenOpen && is_list;
    directions.get(labels.len() / 2).copied().filter(|_| fits)
}

/// Sections that begin alike in most games.
const LISTS: [(Section, &str); 3] = [
    (Section::Players, "players = «white»(«100»), «black»(«100»)"),
    (Section::Pieces, "pieces = «e», «w», «b»"),
    (Section::Variables, "variables ="),
];

/// Usual boards, small ones, with the first piece that is declared everywhere.
fn boards(tokens: &[Token], names: &Symbols) -> Vec<Template> {
    let pieces = names_of(Section::Pieces, None, tokens, names);
    let piece = pieces.first().copied().unwrap_or("e");
    let row = |length: usize| format!("[«{}»]", vec![piece; length].join(", "));
    let lines = |rows: &[usize]| rows.iter().map(|&length| format!("\n    {}", row(length))).collect::<String>();
    let layer = format!("\n    [{}{}]", row(2), row(2));
    let board = |word: &str, directions: &str, rows: &str| Template::new(word, &format!("{word}({directions},{rows})"));
    vec![
        board("rectangle", "«up», «down», «left», «right»", &lines(&[3, 3, 3])),
        board("hexagon", "«nw», «ne», «east», «se», «sw», «west»", &lines(&[2, 3, 2])),
        board("cuboid", "«up», «down», «left», «right», «front», «back»", &layer.repeat(2)),
    ]
}

/// The section whose directive begins with two tokens.
fn section(pair: &[Token]) -> Option<Kind> {
    match pair {
        [hash, name] if hash.kind == Kind::Hash && name.kind.is_keyword() => Some(name.kind),
        _ => None,
    }
}

/// What a name stands for that follows these tokens in the directive of that name.
pub(crate) fn kinds(directive: Kind, body: &[Token]) -> &'static [EntityKind] {
    use EntityKind::{Direction, Macro, Parameter, Piece, Place, Player, Variable};
    let mut open = Vec::new();
    for token in body {
        if token.kind.opens() {
            open.push(token.kind);
        } else if token.kind.closes() {
            open.pop();
        }
    }
    let last = body.last().map(|token| token.kind);
    match (directive, open.last()) {
        // New names, or macros that make some.
        (Kind::Players | Kind::Pieces | Kind::Variables, _) => &[Macro],
        (Kind::Board, Some(Kind::BracketOpen)) => &[Piece, Macro],
        (Kind::Board, _) => &[Macro, Place],
        // Parameters are there to be used.
        _ if last == Some(Kind::Arrow) => &[Parameter, Player, Macro],
        (_, Some(Kind::BraceOpen | Kind::BracketOpen)) => &[Parameter, Piece, Macro],
        (_, Some(Kind::CompareOpen | Kind::AssignOpen)) => &[Parameter, Variable, Player, Piece, Macro],
        _ => &[Parameter, Direction, Macro, Piece, Player, Variable],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rg_ir::index::TemplatePart;

    /// What may stand at the end of a text: words, and the likeliest kind of names.
    fn at_end(text: &str) -> (String, Option<EntityKind>) {
        let Expected { words, kinds, .. } = expected(text, text.len());
        (words.join(" "), kinds.first().copied())
    }

    #[test]
    fn the_place_tells_what_may_stand_there() {
        let kinds = |text: &str| {
            let mut kinds = expected(text, text.len()).kinds;
            kinds.truncate(2);
            kinds
        };
        assert_eq!(kinds("#pieces = a #rules = {"), [EntityKind::Parameter, EntityKind::Piece]);
        assert_eq!(kinds("#rules = a ->wh"), [EntityKind::Parameter, EntityKind::Player]);
        assert_eq!(kinds("#rules = [$ "), [EntityKind::Parameter, EntityKind::Variable]);
        assert_eq!(at_end("#rules = {a} "), (String::new(), Some(EntityKind::Parameter)));
        assert_eq!(at_end("#board = "), ("rectangle hexagon cuboid".to_owned(), Some(EntityKind::Macro)));
        assert_eq!(at_end("#board = rectangle(a, b, c, d, [e, "), (String::new(), Some(EntityKind::Piece)));
    }

    #[test]
    fn boards_are_offered_with_what_they_are_made_of() {
        let offered = |before: &str| {
            let text = format!("{before}#board = he");
            let templates = expected(&text, text.len()).templates;
            templates.into_iter().map(|template| template.parts).collect::<Vec<_>>()
        };
        let hexagon = &offered("#pieces = no, w\n")[1];
        let parts = |text| Template::new("hexagon", text).parts;
        let wanted =
            "hexagon(«nw», «ne», «east», «se», «sw», «west»,\n    [«no, no»]\n    [«no, no, no»]\n    [«no, no»])";
        assert_eq!(*hexagon, parts(wanted));
        // What is offered is a board, whatever it is.
        for parts in offered("") {
            let text = |part: &TemplatePart| match part {
                TemplatePart::Fixed(text) | TemplatePart::Hole(text) => text.clone(),
            };
            let board: String = parts.iter().map(text).collect();
            let game = format!(
                "#players = a(1)\n#pieces = e\n#variables =\n#board = {board}\n#rules = ->a {{e}} [e] ->> {{}}\n"
            );
            let found = crate::parse(SourceId(0), &game).1;
            assert!(!found.iter().any(rg_ir::Diagnostic::is_error), "{game}{found:?}");
        }
    }

    #[test]
    fn directions_of_boards_are_offered_one_after_the_other() {
        assert_eq!(at_end("#board = hexagon(").0, "northWest");
        assert_eq!(at_end("#board = hexagon(a, b, e").0, "east");
        assert_eq!(at_end("#board = rectangle(up, down, left, ").0, "right");
        for text in ["#board = rectangle(up, down, left, right, ", "#board = rectangle(up down, ", "#rules = (up, "] {
            assert_eq!(at_end(text).0, "", "{text}");
        }
    }

    #[test]
    fn sections_are_offered_that_are_missing() {
        assert_eq!(at_end("#players = a(1) #pi").0, "pieces variables board rules");
    }

    #[test]
    fn nothing_is_offered_in_comments_and_heads() {
        for text in ["#rules = a // b", "#name(", "/* #rules = ", "// a"] {
            assert_eq!(at_end(text), (String::new(), None), "{text}");
        }
        assert_eq!(at_end("// a\n").0, "#players #pieces #variables #board #rules");
    }
}
