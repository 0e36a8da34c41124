//! From text to a checked [`Description`]: the stages in order.

use rg_ir::diag::closest;
use rg_ir::{Diagnostic, Report, SourceId, Span, Symbols, removal};

use crate::ast::{Board, Bounded, Description, Name, Rules};
use crate::canonical::canonicalise;
use crate::declare::{Declared, Scope};
use crate::directives::{Directives, Macro, Section, SectionText};
use crate::lexer::{Kind, MAX_TOKENS, Token};
use crate::macros::{Expanded, Expander};
use crate::raw::{Arena, Parsed};
use crate::report::Steps;
use crate::syntax::Text;
use crate::{board, checks, codes, declare, directives, lexer, misspelt, resolve};

/// Reads a description in high-level or low-level RBG.
///
/// The description is there iff no finding is an error; lints are made only then. Findings come in the order of the
/// stages (words, directives, sections, names, checks), each at most once per place. Time and memory are linear in the
/// text with macros and powers written out, and that is limited to [`MAX_TOKENS`].
pub fn parse(source: SourceId, text: &str) -> (Option<Description>, Vec<Diagnostic>) {
    parse_within(source, text, MAX_TOKENS)
}

/// Like [`parse`], with another limit (at most [`MAX_TOKENS`]) on the number of tokens as written, of tokens and steps of
/// expansion, and of actions with powers written out.
pub fn parse_within(source: SourceId, text: &str, limit: usize) -> (Option<Description>, Vec<Diagnostic>) {
    let limit = limit.min(MAX_TOKENS);
    let mut names = Symbols::default();
    let mut report = Report::default();
    let lexed = lexer::lex(source, text, limit, &mut names, &mut report);
    if !lexed.complete {
        return (None, report.finish());
    }
    let directives = directives::cut(source, &lexed.tokens, &names, &mut report);
    missing_sections(source, text, &lexed.tokens, &directives, &names, &mut report);
    let expander = Expander::new(source, &lexed.tokens, &directives, limit, &mut names, &mut report);
    let expansion = expand(expander);
    let description = build(&expansion, &directives, limit, &names, &mut report);
    let description = description.filter(|_| !report.failed());
    let mut findings = report.finish();
    misspelt::suggest(source, &lexed.tokens, &directives, &names, &mut findings);
    misspelt::join(&lexed.tokens, &directives, &names, &mut findings);
    removal::complete(text, codes::UNUSED, LISTS, &mut findings);
    (description, findings)
}

/// What stands between declarations, for fixes that remove some.
const LISTS: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[','], terminators: &[] };

/// Most players that a fix writes.
const MAX_PLAYERS: usize = 20;

/// The sections with all macros expanded; `None` for those that are missing or have errors.
struct Expansion {
    sections: [Option<Vec<Expanded>>; 5],
    steps: Steps,
}

fn missing_sections(
    source: SourceId,
    text: &str,
    tokens: &[Token],
    directives: &Directives,
    names: &Symbols,
    report: &mut Report,
) {
    for section in Section::ALL {
        if !directives.mentioned[section as usize] {
            let span = Span::new(source, text.len(), text.len());
            let message = format!("section `{}` is missing", section.name());
            // A misspelt section looks like a macro.
            let misspelt =
                directives.macros.iter().find(|found| closest(names.name(found.name), [section.name()]).is_some());
            let missing = match misspelt {
                Some(found) => Diagnostic::error(codes::MISSING_SECTION, found.span, message)
                    .label("read as a macro")
                    .help(format!("did you mean `#{}`?", section.name()))
                    .fix_here(format!("replace `{}` by `{}`", names.name(found.name), section.name()), section.name()),
                None => Diagnostic::error(codes::MISSING_SECTION, span, message)
                    .help(format!("add `#{} = …`", section.name())),
            };
            report.push(with_section(missing, section, source, tokens, directives, names));
        }
    }
}

/// Adds a fix that writes a missing section: there need not be any variables, players are those that the rules switch to, pieces those on the
/// board; a board and rules are something to begin with.
fn with_section(
    finding: Diagnostic,
    section: Section,
    source: SourceId,
    tokens: &[Token],
    directives: &Directives,
    names: &Symbols,
) -> Diagnostic {
    if !finding.fixes.is_empty() {
        return finding;
    }
    let before = |directive: &[Token]| match (section, directive) {
        (Section::Players, [hash, _]) => hash.kind == Kind::Hash,
        (_, [hash, name]) => hash.kind == Kind::Hash && Kind::of_spelling(Section::Board.name()) == Some(name.kind),
        _ => false,
    };
    let place = tokens.windows(2).find(|pair| before(pair)).and_then(<[Token]>::first);
    let end = finding.primary.as_ref().map_or(Span::NONE, |primary| primary.span);
    let place = place.map_or(end, |hash| Span::new(source, hash.start as usize, hash.start as usize));
    // The text may end within a line.
    let line = if tokens.last().is_some_and(|last| last.end == end.start) { "\n" } else { "" };
    let before = if place == end { line } else { "" };
    match section {
        Section::Variables => finding.fix("add an empty section `variables`", place, format!("{before}#variables =\n")),
        Section::Players => {
            let mut players: Vec<&str> = Vec::new();
            for pair in tokens.windows(2) {
                let [arrow, name] = pair else { continue };
                let spelling = names.name(name.sym);
                if arrow.kind == Kind::Arrow && name.kind == Kind::Ident && !players.contains(&spelling) {
                    players.push(spelling);
                }
            }
            let list: Vec<String> = players.iter().map(|name| format!("{name}(100)")).collect();
            // What a macro or parameter stands for is not known here.
            let replaced = |name: &&str| directives.macros.iter().any(|found| replaces(found, name, names));
            if list.is_empty() {
                let text = format!("{before}#players = white(100), black(100)\n");
                return finding.fix("add players to begin with", place, text).unsure();
            }
            if list.len() > MAX_PLAYERS || players.iter().any(replaced) {
                return finding;
            }
            let text = format!("{before}#players = {}\n", list.join(", "));
            finding.fix("add the players that the rules name", place, text).unsure()
        }
        Section::Pieces => {
            let pieces = names_of(Section::Board, Some(Kind::BracketOpen), tokens, names);
            let pieces = if pieces.is_empty() { "e".to_owned() } else { pieces.join(", ") };
            finding.fix("add the pieces that are on the board", place, format!("{before}#pieces = {pieces}\n")).unsure()
        }
        Section::Board => {
            let pieces = names_of(Section::Pieces, None, tokens, names);
            let row = [pieces.first().copied().unwrap_or("e"); 3].join(", ");
            let rows = [format!("    [{row}]"), format!("    [{row}]"), format!("    [{row}])")].join("\n");
            let text = format!("{line}#board = rectangle(up, down, left, right,\n{rows}\n");
            finding.fix("add a board to begin with", end, text).unsure()
        }
        Section::Rules => {
            let of = |section| names_of(section, None, tokens, names).first().copied();
            let (player, piece) = (of(Section::Players).unwrap_or("white"), of(Section::Pieces).unwrap_or("e"));
            let text = format!("{line}#rules = ->{player} {{{piece}}} ->>\n");
            finding.fix("add rules to begin with", end, text).unsure()
        }
    }
}

/// The names in a section that is not expanded, each once; those that stand in brackets of a kind, or all.
pub(crate) fn names_of<'n>(
    section: Section,
    inside: Option<Kind>,
    tokens: &[Token],
    names: &'n Symbols,
) -> Vec<&'n str> {
    let wanted = Kind::of_spelling(section.name());
    let begins = |pair: &[Token]| matches!(pair, [hash, name] if hash.kind == Kind::Hash && Some(name.kind) == wanted);
    let Some(at) = tokens.windows(2).position(begins) else { return Vec::new() };
    let (mut found, mut open) = (Vec::new(), None);
    for token in tokens.iter().skip(at + 1).take_while(|token| token.kind != Kind::Hash) {
        match token.kind {
            kind if kind.opens() => open = Some(kind),
            kind if kind.closes() => open = None,
            Kind::Ident if inside.is_none_or(|inside| open == Some(inside)) => {
                let name = names.name(token.sym);
                if !found.contains(&name) {
                    found.push(name);
                }
            }
            _ => {}
        }
    }
    found
}

/// Whether the name is that of the macro or of one of its parameters.
fn replaces(found: &Macro, name: &str, names: &Symbols) -> bool {
    let parameters = found.parameters.iter().flatten();
    parameters.chain([&found.name]).any(|&symbol| names.name(symbol) == name)
}

fn expand(mut expander: Expander<'_>) -> Expansion {
    let directives = expander.directives();
    let sections = directives.sections.map(|section| expander.expand(&section?));
    let unused = directives.macros.iter().zip(&expander.used).filter(|&(_, &used)| !used);
    let unused: Vec<_> = unused.map(|(definition, _)| (definition.span, definition.name, definition.all)).collect();
    if sections.iter().all(Option::is_some) {
        for (span, name, all) in unused {
            let called = format!("macro `{}`", expander.names.name(name));
            let found = Diagnostic::lint(codes::UNUSED, span, format!("{called} is never used"));
            expander.report.push(found.removing(called, [all]));
        }
    }
    Expansion { sections, steps: expander.steps }
}

/// Parses and resolves the sections, as far as they are there.
fn build(
    expansion: &Expansion,
    directives: &Directives,
    limit: usize,
    names: &Symbols,
    report: &mut Report,
) -> Option<Description> {
    let mut arena = Arena::default();
    let text = |section: Section| -> Option<Text<'_>> {
        let place: SectionText = directives.sections[section as usize]?;
        let tokens = expansion.sections[section as usize].as_deref()?;
        Some(Text {
            section,
            place,
            tokens,
            steps: &expansion.steps,
            names,
            macros: &directives.macros,
            unread: &directives.unread,
        })
    };
    let mut read = |section: Section, report: &mut Report| -> Option<(Parsed, Text<'_>)> {
        let text = text(section)?;
        Some((text.parse(&mut arena, report)?, text))
    };
    let players = read(Section::Players, report);
    let pieces = read(Section::Pieces, report);
    let variables = read(Section::Variables, report);
    let board = read(Section::Board, report);
    let rules = read(Section::Rules, report);

    let mut scope = Scope::new();
    let lists = [
        (players.is_some(), Declared::Player(0)),
        (pieces.is_some(), Declared::Piece(0)),
        (variables.is_some(), Declared::Variable(0)),
    ];
    lists.into_iter().filter(|(read, _)| !read).for_each(|(_, declared)| scope.lacks(declared));
    let players: Option<Vec<Bounded>> =
        players.and_then(|(p, t)| declare::bounded(&p, Declared::Player, &t, &mut scope, report));
    let pieces: Option<Vec<Name>> = pieces.and_then(|(p, t)| declare::pieces(&p, &t, &mut scope, report));
    let variables: Option<Vec<Bounded>> =
        variables.and_then(|(p, t)| declare::bounded(&p, Declared::Variable, &t, &mut scope, report));
    let board: Option<Board> = match (board, text(Section::Board)) {
        (Some((parsed, text)), _) => board::build(&parsed, &text, &mut scope, report),
        (None, Some(text)) => {
            board::labels(&text, &mut scope, report);
            None
        }
        (None, None) => {
            scope.lacks(Declared::Label(0));
            None
        }
    };
    let rules: Option<Rules> = rules.and_then(|(p, t)| match p {
        Parsed::Rules(root) => resolve::rules(root, &arena, limit, &t, &scope, report),
        _ => None,
    });
    let mut description = Description {
        players: players?,
        pieces: pieces?,
        variables: variables?,
        board: board?,
        rules: rules?,
        expansions: expansion.steps.export(names),
    };
    canonicalise(&mut description);
    if !report.failed() {
        checks::run(&description, &expansion.steps, names, report);
    }
    Some(description)
}
