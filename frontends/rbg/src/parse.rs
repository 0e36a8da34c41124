//! From text to a checked [`Description`]: the stages in order.

use rg_ir::{Diagnostic, Report, SourceId, Symbols, removal};

use crate::ast::{Board, Bounded, Description, Name, Rules};
use crate::canonical::canonicalise;
use crate::declare::{Declared, Scope};
use crate::directives::{Directives, Section, SectionText};
use crate::lexer::MAX_TOKENS;
use crate::macros::{Expanded, Expander};
use crate::raw::{Arena, Parsed};
use crate::repair::Complete;
use crate::report::Steps;
use crate::syntax::Text;
use crate::{
    board, bodies, checks, codes, declare, directives, lexer, lists, missing, misspelt, repair, resolve, undeclared,
};

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
    // Of a text without anything, what is missing says all.
    let mut unsaid = Report::default();
    let said = if lexed.tokens.is_empty() { &mut unsaid } else { &mut report };
    let directives = directives::cut(source, &lexed.tokens, &names, said);
    missing::sections(source, text, &lexed.tokens, &directives, &names, &mut report);
    let expander = Expander::new(source, &lexed.tokens, &directives, limit, &mut names, &mut report);
    let expansion = expand(expander);
    let mut scope = Scope::new();
    let description = build(&expansion, &directives, limit, &names, &mut scope, &mut report);
    let board = expansion.sections.get(Section::Board as usize).and_then(Option::as_ref);
    let places = board.into_iter().flat_map(|(tokens, _)| tokens).map(|token| token.sym).collect();
    let known = bodies::Known { scope, places, used: &expansion.used };
    bodies::check(source, &lexed.tokens, &directives, &known, &mut names, &mut report);
    let description = description.filter(|_| !report.failed());
    let mut findings = report.finish();
    misspelt::suggest(source, &lexed.tokens, &directives, &names, &mut findings);
    misspelt::join(&lexed.tokens, &directives, &names, &mut findings);
    undeclared::declare(source, &lexed.tokens, &directives, &mut findings);
    removal::complete(text, codes::UNUSED, LISTS, &mut findings);
    (description, findings)
}

/// What stands between declarations, for fixes that remove some.
const LISTS: removal::Syntax = removal::Syntax { comments: &["//"], separators: &[','], terminators: &[] };

/// The sections with all macros expanded, and whether that is without errors; `None` for those that are missing or were given up.
struct Expansion {
    sections: [Option<(Vec<Expanded>, bool)>; 5],
    /// Which macros were expanded.
    used: Vec<bool>,
    steps: Steps,
}

fn expand(mut expander: Expander<'_>) -> Expansion {
    let directives = expander.directives();
    let sections = directives.sections.map(|section| expander.expand(&section?));
    let unused = directives.macros.iter().zip(&expander.used).filter(|&(_, &used)| !used);
    let unused: Vec<_> = unused.map(|(definition, _)| (definition.span, definition.name, definition.all)).collect();
    if sections.iter().all(|section| matches!(section, Some((_, true)))) {
        for (span, name, all) in unused {
            let called = format!("macro `{}`", expander.names.name(name));
            let found = Diagnostic::lint(codes::UNUSED, span, format!("{called} is never used"));
            expander.report.push(found.removing(called, [all]));
        }
    }
    Expansion { sections, steps: expander.steps, used: expander.used }
}

/// Parses and resolves the sections, as far as they are there.
fn build(
    expansion: &Expansion,
    directives: &Directives,
    limit: usize,
    names: &Symbols,
    scope: &mut Scope,
    report: &mut Report,
) -> Option<Description> {
    let mut arena = Arena::default();
    let text = |section: Section| -> Option<Text<'_>> {
        let place: SectionText = directives.sections[section as usize]?;
        let (tokens, complete) = expansion.sections[section as usize].as_ref()?;
        let is_read = *complete || section == Section::Rules;
        is_read.then_some(Text {
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
        let text = text(section).filter(|text| text.is_readable(report))?;
        Some((lists::read(&text, &mut arena, report)?, text))
    };
    let players = read(Section::Players, report);
    let pieces = read(Section::Pieces, report);
    let variables = read(Section::Variables, report);
    let board = read(Section::Board, report);

    let lists = [
        (players.is_some(), Section::Players, Declared::Player(0)),
        (pieces.is_some(), Section::Pieces, Declared::Piece(0)),
        (variables.is_some(), Section::Variables, Declared::Variable(0)),
    ];
    for (_, section, declared) in lists.into_iter().filter(|(read, ..)| !read) {
        match text(section) {
            Some(text) => lists::names(&text, declared, scope, report),
            None => scope.lacks(declared),
        }
    }
    let players: Option<Vec<Bounded>> =
        players.and_then(|(p, t)| declare::bounded(&p, Declared::Player, &t, scope, report));
    let pieces: Option<Vec<Name>> = pieces.and_then(|(p, t)| declare::pieces(&p, &t, scope, report));
    let variables: Option<Vec<Bounded>> =
        variables.and_then(|(p, t)| declare::bounded(&p, Declared::Variable, &t, scope, report));
    let board: Option<Board> = match (board, text(Section::Board)) {
        (Some((parsed, text)), _) => board::build(&parsed, &text, scope, report),
        (None, Some(text)) => {
            board::labels(&text, scope, report);
            None
        }
        (None, None) => {
            scope.lacks(Declared::Label(0));
            None
        }
    };
    let complete = matches!(expansion.sections.get(Section::Rules as usize), Some(Some((_, true))));
    let rules: Option<Rules> = text(Section::Rules).and_then(|text| rules(&text, complete, limit, scope, report));
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

/// Reads the rules. Past mistakes, they are read only for what else is wrong.
fn rules(text: &Text<'_>, complete: bool, limit: usize, scope: &Scope, report: &mut Report) -> Option<Rules> {
    if !text.is_readable(report) {
        return None;
    }
    let mut arena = Arena::default();
    if let Some(Parsed::Rules(root)) = text.attempt(&mut arena).ok().filter(|_| complete) {
        return resolve::rules(root, &arena, limit, text, scope, report);
    }
    let complete = if complete { Complete::Yes } else { Complete::No };
    let repaired = repair::rules(text, complete, report)?;
    if let Parsed::Rules(root) = repaired.parsed {
        let text = Text { tokens: &repaired.tokens, ..*text };
        let mut found = Report::default();
        resolve::rules(root, &repaired.arena, limit, &text, scope, &mut found);
        // What follows from brackets that are not what they seem is no finding.
        let follows = |found: &Diagnostic| [codes::SWITCH_IN_CHECK, codes::WRONG_KIND].contains(&found.code);
        let found = found.finish().into_iter().filter(|found| !(repaired.is_guess && follows(found)));
        found.for_each(|found| report.push(found));
    }
    None
}
