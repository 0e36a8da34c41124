use super::*;
use rg_ir::Span;

fn render(text: &str, findings: impl Fn(rg_ir::SourceId) -> Vec<Diagnostic>, format: MessageFormat) -> String {
    let mut sources = SourceMap::default();
    let id = sources.add("dir/game.rg", text);
    Renderer::new(format, false).render(&sources, &findings(id))
}

fn check(name: &str, rendered: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../snapshots/rgc");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, rendered));
}

fn two(id: rg_ir::SourceId) -> Vec<Diagnostic> {
    vec![
        Diagnostic::error("RG010", Span::new(id, 17, 23), "`nobody` is not a member of `Player`")
            .label("expected one of `white`, `black`")
            .also(Span::new(id, 0, 4), "declared here")
            .note("the type is a set of symbols")
            .help("did you mean `white`?"),
        Diagnostic::warning("RG029", Span::NONE, "node `x` is not reachable"),
    ]
}

const TEXT: &str = "type Player = 1;\nnobody: żółw;\n\tlast line";

#[test]
fn human() {
    check("render_human", &render(TEXT, two, MessageFormat::Human));
}

#[test]
fn short() {
    check("render_short", &render(TEXT, two, MessageFormat::Short));
}

#[test]
fn json() {
    check("render_json", &render(TEXT, two, MessageFormat::Json));
}

#[test]
fn long_lines_are_cropped() {
    let text = format!("first\n{}ERROR{}\nlast", "x".repeat(5_000_000), "y".repeat(5_000_000));
    let start = 6 + 5_000_000;
    let finding = |id| vec![Diagnostic::error("RG000", Span::new(id, start, start + 5), "wrong").label("this")];
    check("render_long_line", &render(&text, finding, MessageFormat::Human));
    let wide = |id| vec![Diagnostic::error("RG000", Span::new(id, 0, text.len()), "everything is wrong")];
    assert!(render(&text, wide, MessageFormat::Human).len() < 5_000);
}

#[test]
fn distant_places_are_shown_apart() {
    let text = format!("first\n{}last\n", "middle\n".repeat(50_000));
    let end = text.len();
    let finding = |id| {
        vec![Diagnostic::error("RG006", Span::new(id, end - 5, end - 1), "again").also(Span::new(id, 0, 5), "before")]
    };
    check("render_distant", &render(&text, finding, MessageFormat::Human));
}

#[test]
fn any_span_can_be_shown() {
    let text = "aż\r\n\nb\u{0}\u{1b}[31m\u{202e}";
    for start in 0..text.len() + 3 {
        for end in start..text.len() + 3 {
            let finding =
                |id| vec![Diagnostic::lint("RG000", Span::new(id, start, end), "some\nthing \u{1b}[31m").label("here")];
            for format in [MessageFormat::Human, MessageFormat::Short, MessageFormat::Json] {
                let rendered = render(text, finding, format);
                assert!(rendered.contains("RG000"));
                assert!(!rendered.contains('\u{1b}'), "{rendered:?}");
            }
        }
    }
}

#[test]
fn the_worst_of_many_are_shown() {
    let many = |id| {
        let mut findings = vec![Diagnostic::lint("RG099", Span::new(id, 0, 1), "mild"); 200];
        findings.insert(150, Diagnostic::error("RG001", Span::new(id, 0, 1), "bad"));
        findings
    };
    let rendered = render(TEXT, many, MessageFormat::Short);
    assert_eq!(rendered.lines().count(), MAX_SHOWN + 1);
    assert_eq!(rendered.matches("RG001").count(), 1);
    assert!(rendered.ends_with("error: 1 error, 200 lints; 50 are shown\n"), "{rendered}");
}
