//! The source formatter.

#![allow(clippy::unwrap_used)]

mod common;

use common::corpus;
use rg_ir::SourceId;

fn format(text: &str) -> String {
    rbg::format(SourceId(0), text).unwrap_or_else(|errors| common::render(text, &errors))
}

#[test]
fn spaces_within_lines() {
    let table = [
        ("#m=x", "#m = x\n"),
        ("  #  m(a;b)=a~b", "#m(a; b) = a~b\n"),
        ("#m ( a ; b ) =  a ~ b\t", "#m (a; b) =  a~b\n"),
        ("#m=( a ,b)[ x,y , z ]{ p }{? { q } }", "#m = (a, b)[x, y, z]{p}{? {q}}\n"),
        // Over several lines, it aligns alternatives.
        ("#m=( a ,b\n   + ( c ) )", "#m = ( a, b\n   + (c) )\n"),
        ("#m=[a,,b][,a]", "#m = [a,, b][, a]\n"),
        ("#m=a+b +c", "#m = a + b + c\n"),
        ("#m=(a*+b)^ 2", "#m = (a* + b)^2\n"),
        ("#m=[$ x=x+1]{$ y<=2}", "#m = [$ x = x + 1]{$ y <= 2}\n"),
        ("#m=k(a {;})", "#m = k(a {;})\n"),
        ("#m=k(+;~;a ;b;;)", "#m = k(+;~; a; b;;)\n"),
        // Alignment stays.
        ("#m = [a   , b  ]", "#m = [a   , b  ]\n"),
        // Tokens must not run together.
        ("#m = - ~ >", "#m = -~>\n"),
        ("#m = { ? x", "#m = { ? x\n"),
        ("#m = < = / / * x", "#m = < = / / * x\n"),
        ("#m = 8 y 8 9", "#m = 8 y 8 9\n"),
    ];
    for (text, expected) in table {
        assert_eq!(format(text), expected, "{text}");
        assert_eq!(format(expected), expected, "{text}");
    }
}

#[test]
fn lines_and_comments() {
    let text = "\n\n// Title  \r\n\r\n\r\n\n#a = x //why\n\t  y /* two\n   lines */ z\n\n\n  #b=#c = x\n   // end\n\n";
    let expected = "// Title\n\n#a = x //why\n      y /* two\n   lines */ z\n\n#b =\n#c = x\n   // end\n";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

/// Lines with which a directive goes on do not stand at the left margin.
#[test]
fn lines_of_a_directive_are_indented() {
    let table = [
        ("#m = a\nb\n", "#m = a\n    b\n"),
        (
            "#m = (\na\n+ (\nb\n// why\nc\n)\n)*\n// of the next one\n#n = a\n",
            "#m = (\n    a\n    + (\n        b\n        // why\n        c\n    )\n)*\n// of the next one\n#n = a\n",
        ),
        ("#m = (\na\n  + b\n  c\n)\n", "#m = (\n    a\n      + b\n      c\n)\n"),
        (
            "#board = rectangle(u, d, l, r,\n[a, b]\n[b, a])\n",
            "#board = rectangle(u, d, l, r,\n    [a, b]\n    [b, a])\n",
        ),
        // What is indented stays.
        ("#m = (\n  a\n  b\n)\n", "#m = (\n  a\n  b\n)\n"),
        ("#m = a\n\n// about n\n#n = b\n", "#m = a\n\n// about n\n#n = b\n"),
        ("#m =\n/* two\nlines */\na\n", "#m =\n    /* two\nlines */\n    a\n"),
    ];
    for (text, expected) in table {
        assert_eq!(format(text), expected, "{text}");
        assert_eq!(format(expected), expected, "{text}");
    }
}

/// All lines of comments at the beginning move alike.
#[test]
fn comments_at_the_beginning_move_together() {
    let text = "   // Title\n     // more\n\n   /* two\n      lines\n */\n  #a = x\n  // end\n";
    let expected = "// Title\n  // more\n\n/* two\n   lines\n*/\n#a = x\n  // end\n";
    assert_eq!(format(text), expected);
    assert_eq!(format(expected), expected);
}

#[test]
fn what_cannot_be_read_is_not_formatted() {
    let errors = rbg::format(SourceId(0), "#a = x_y\n#m( = 1\n").unwrap_err();
    assert_eq!(errors.iter().map(|e| e.code).collect::<Vec<_>>(), ["RBG101", "RBG105"]);
    assert!(rbg::format(SourceId(0), "").is_err());
}

#[test]
fn formatting_the_corpus_changes_no_game_and_happens_once() {
    for folder in ["rbg", "rbg-ll"] {
        for (name, text) in corpus(folder).unwrap_or_default() {
            let formatted = format(&text);
            assert_eq!(format(&formatted), formatted, "{folder}/{name}");
            let (before, after) = (rbg::parse(SourceId(0), &text).0, rbg::parse(SourceId(0), &formatted).0);
            assert!(before.unwrap().same(&after.unwrap()), "{folder}/{name}");
        }
    }
}
