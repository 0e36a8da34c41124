//! Sections that are missing, and fixes that add them.

use crate::codes;
use crate::directives::{Directives, Macro, Section};
use crate::lexer::{Kind, Token};
use rg_ir::diag::{Annotation, Edit, Fix, closest};
use rg_ir::{Diagnostic, Report, SourceId, Span, Symbols};

/// Most players that a fix writes.
const MAX_PLAYERS: usize = 20;

/// Reports the sections that are missing: each that is there under a misspelt name, and all others at once, with a fix that adds them. Linear in the
/// text.
pub(crate) fn sections(
    source: SourceId,
    text: &str,
    tokens: &[Token],
    directives: &Directives,
    names: &Symbols,
    report: &mut Report,
) {
    // Where sections are added, in most cases.
    let span = Span::new(source, text.len(), text.len());
    let mut missing: Vec<(Section, Diagnostic)> = Vec::new();
    for section in Section::ALL.into_iter().filter(|&section| !directives.mentioned[section as usize]) {
        let message = format!("section `{}` is missing", section.name());
        // A misspelt section looks like a macro.
        let misspelt =
            directives.macros.iter().find(|found| closest(names.name(found.name), [section.name()]).is_some());
        match misspelt {
            Some(found) => report.push(
                Diagnostic::error(codes::MISSING_SECTION, found.span, message)
                    .label("read as a macro")
                    .help(format!("should the macro `#{}` be called `#{}`?", names.name(found.name), section.name()))
                    .fix_here(format!("replace `{}` by `{}`", names.name(found.name), section.name()), section.name()),
            ),
            None => {
                let finding = Diagnostic::error(codes::MISSING_SECTION, span, message)
                    .help(format!("add `#{} = …`", section.name()));
                missing.push((section, with_section(finding, section, source, tokens, directives, names)));
            }
        }
    }
    let found = if missing.len() > 1 { Some(together(span, missing)) } else { missing.pop().map(|(_, found)| found) };
    // It is about the whole text: where the text ends, somebody may be writing.
    let beginning = Span::new(source, 0, 0);
    if let Some(found) = found {
        report.push(Diagnostic { primary: Some(Annotation { span: beginning, text: String::new() }), ..found });
    }
}

/// One finding for several.
fn together(span: Span, missing: Vec<(Section, Diagnostic)>) -> Diagnostic {
    let quoted: Vec<String> = missing.iter().map(|(section, _)| format!("`{}`", section.name())).collect();
    let list = match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.join(""),
    };
    let added: Vec<String> = missing.iter().map(|(section, _)| format!("`#{} = …`", section.name())).collect();
    let mut finding = Diagnostic::error(codes::MISSING_SECTION, span, format!("sections {list} are missing"))
        .help(format!("add {}", added.join(", ")));
    let mut edits: Vec<Edit> = Vec::new();
    let best = missing.into_iter().filter_map(|(_, finding)| finding.fixes.into_iter().next());
    for edit in best.flat_map(|fix| fix.edits) {
        // What is added in one place begins a line once.
        match edits.iter_mut().find(|earlier| earlier.span == edit.span) {
            Some(earlier) => earlier.text.push_str(edit.text.trim_start_matches('\n')),
            None => edits.push(edit),
        }
    }
    let title = "add the missing sections, with something to begin with".to_owned();
    finding.fixes.push(Fix { title, edits, applies: rg_ir::diag::Applies::Maybe });
    finding
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
