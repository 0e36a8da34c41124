use super::*;
use std::path::Path;

fn guess(text: &str) -> Option<&'static str> {
    choose(Path::new("-"), None, text).ok().map(|language| language.name)
}

#[test]
fn languages_are_guessed_from_the_beginning() {
    assert_eq!(guess("// rules\n/* more */ #players = a(1)"), Some("rbg"));
    assert_eq!(guess("  {\"version\": 1}"), Some("json"));
    assert_eq!(guess("// x\ntype Player = {a};"), Some("rg"));
    assert_eq!(guess("/* x */ <<Chess>>"), Some("sbg"));
    assert_eq!(guess("@unique q;"), Some("rg"));
    assert_eq!(guess("begin, end: ;"), Some("rg"));
    assert_eq!(guess("// x\ndomain Player = a"), Some("hrg"));
    assert_eq!(guess("; x\r\n(role x)"), Some("gdl"));
    assert_eq!(guess("% x\nrole(x)"), Some("gdl"));
    assert_eq!(guess("terminal :- x"), Some("gdl"));
    assert_eq!(guess("/* rules */\nrole(x)."), Some("gdl"));
    assert_eq!(guess(&"a".repeat(1 << 16)), None);
    assert_eq!(guess("(START m x ((role x)) 1 1)"), Some("gdl"));
    assert_eq!(guess("hello world"), None);
}

#[test]
fn extension_and_option_decide_before_the_content() {
    let name = |path: &str, from, text| choose(Path::new(path), from, text).map(|l| l.name);
    assert_eq!(name("a.RBG", None, "type").ok(), Some("rbg"));
    assert_eq!(name("a.rbg", Some("rg"), "#players").ok(), Some("rg"));
    assert_eq!(name("a.rgb", None, "#").unwrap_err().help.as_deref(), Some("did you mean `rbg`?"));
    assert_eq!(name("a.rbg", Some("rgb"), "#").unwrap_err().code, "IO307");
}

#[test]
fn names_and_extensions_are_unambiguous() {
    for (i, a) in LANGUAGES.iter().enumerate() {
        for b in &LANGUAGES[i + 1..] {
            assert_ne!(a.name, b.name);
            assert!(a.extensions.iter().all(|e| !b.extensions.contains(e)));
        }
    }
}
