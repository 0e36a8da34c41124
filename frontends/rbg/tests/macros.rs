//! Macro expansion, rule by rule (section 3 of the specification).

mod common;

use common::{errors, printed, with};

fn description(directives: &str, text: &str) -> String {
    with(&format!("{directives}\n#rules = ->p {text} ->q"))
}

/// Macro definitions, a text, and what the text expands to.
#[test]
fn expansions() {
    let table = [
        // Overloading, and what a call is.
        ("#m(x)=up x #m(x;y)=down x y", "m(left) m(left;right)", "up left down left right"),
        ("#m=up", "m(down)", "up (down)"),
        ("#m(x)=up x down", "m()", "up down"),
        ("#m(x;y)=up x y down", "m(;)", "up down"),
        // Parameters: they hide macros, are substituted as they stand, and mean what they meant to the caller.
        ("#up2=up up #m(up2)=up2 right", "m(left)", "left right"),
        ("#n(a1;b1)=a1 b1 #m(b1)=n(b1;left)", "m(right)", "right left"),
        ("#n(x;y)=y x #m(x;y)=n(y;x)", "m(up;down)", "up down"),
        ("#n(y)=y #m(y)=n(up y)", "m(y)", "up y"),
        // Visibility: macros of earlier directives, and nothing else.
        ("#m(x)=x left #down=down", "m(down)", "down left"),
        ("#turn=turn up", "turn", "turn up"),
        ("#turn(x)=turn x", "turn(up)", "turn up"),
        ("#y=left #m(x)=x y #k(y)=m(y) y", "k(up)", "up left up"),
        // Arguments are cut at semicolons that stand between no inner round brackets.
        ("#m(x;y)=x a y", "m({;}) m([;])", "{a} [a]"),
        ("#m(x)={x} #k(x)=[x]", "m(a, b) k(a, b)", "{a, b} [a, b]"),
        ("#m(x;y)=(x + y)", "m(m(up;down);left)", "((up + down) + left)"),
        ("#m(x;y;z)={a x y z}", "m(; ,b; ,c)", "{a, b, c}"),
        // Pasting.
        ("#m(x;y)=x~y", "m(up u;p down)", "up up down"),
        ("#m(x;y;z)=x~y~z", "m(le;;ft)", "left"),
        ("#m(x;y)=x~y", "m(;up) m(up;) m(;) up", "up up up"),
        ("#pp=p #m(x)=x~pp", "m(u)", "up"),
        ("#up=down #m(x;y)=x~y", "m(u;p)", "up"),
        ("#k(x)=p x #m(y)=y~k(left)", "m(u)", "up left"),
        ("#k(x;y)=x~y #m(x)=x~k(f;t)", "m(le)", "left"),
        ("#m(x;y)=x ~ y up^2~1", "m(->;>) ->p [a]", "->> up^21 ->p [a]"),
        ("#m(x)=[$ w = 1~0~x]", "m(9)", "[$ w = 109]"),
        (
            "#m={~? up} {~! down} {~$ v=~=1} [~$ v=1] {$ v!~=1} {$ v<~=1} {$ v>~=1}",
            "m",
            "{? up} {! down} {$ v==1} [$ v=1] {$ v!=1} {$ v<=1} {$ v>=1}",
        ),
        ("#m=-~>~>", "m", "->>"),
        // Whatever is not used is not looked at, not even brackets.
        ("#m(x)=n ~ ~ (((", "up", "up"),
        ("#open=( #close=)", "open up + down close left", "(up + down) left"),
        ("#empty=", "up empty down", "up down"),
    ];
    for (directives, text, expected) in table {
        let got = printed(&description(directives, text));
        assert_eq!(got, printed(&description("", expected)), "{directives} | {text}");
        assert!(got.starts_with("#board"), "{got}");
    }
}

/// Macro definitions, a text, and the code of the only error.
#[test]
fn errors_in_calls_and_pastes() {
    let table = [
        ("#m=n #n=up", "m", "RBG131"),
        ("#m(x)=x left", "m", "RBG112"),
        ("#m(x)=x left #k=(up)", "m k", "RBG112"),
        ("#f(x)=x x #m(g)=g(up)", "m(f)", "RBG112"),
        ("#m(x;y)=y x #m(x)=x m(x)", "m(up)", "RBG111"),
        ("#s = left ; right #m(x;y)=x y", "m(s)", "RBG111"),
        ("#m(x)=x", "m(up;down)", "RBG111"),
        ("#m(x)=x", "m(up", "RBG113"),
        ("#m(x;y)=x~y", "m(8;y)", "RBG114"),
        ("#m(x;y)=x~y", "m(up;+)", "RBG114"),
        ("#m(x;y)=x~y", "m(->;->)", "RBG114"),
        ("#m(x)=x~", "m(up)", "RBG115"),
        ("#m(x)=~x", "m(up)", "RBG115"),
        ("#m(x)=x~~x", "m(up)", "RBG115"),
        ("#m(x)=x #k=m(~up)", "k", "RBG115"),
        ("#m(x)=x", "m(u~p)", "RBG115"),
        ("", "u~p", "RBG115"),
        ("#m(x;y)=x~y", "m(bo;ard)", "RBG118"),
    ];
    for (directives, text, code) in table {
        assert_eq!(errors(&description(directives, text)), [code], "{directives} | {text}");
    }
}

/// Directives that are wrong in themselves.
#[test]
fn errors_in_directives() {
    let table = [
        ("#m=up #m=down", "RBG108"),
        ("#m(x)=up #m(y)=down", "RBG108"),
        ("#m(x)=up #m=down", "RBG110"),
        ("#m=up #m(x)=down", "RBG110"),
        ("#m(x;x)=up", "RBG109"),
        ("#m()=up", "RBG105"),
        ("#m(x=up", "RBG105"),
        ("#m(x,y)=up", "RBG105"),
        ("#m(board)=up", "RBG105"),
        ("#hexagon=up", "RBG105"),
        ("#m up", "RBG105"),
        ("#", "RBG105"),
        ("#8=up", "RBG105"),
        ("#rules up", "RBG105"),
        ("#pieces = a", "RBG107"),
    ];
    for (directive, code) in table {
        assert_eq!(errors(&description(directive, "up")), [code], "{directive}");
    }
    assert_eq!(errors("up #players = p(1)").first(), Some(&"RBG105"));
    assert_eq!(errors(&description("", "up").replace("#board =", "#board")), ["RBG105"]);
    assert_eq!(errors(""), ["RBG106"]);
}

/// A macro with a section before it does not change that section.
#[test]
fn sections_see_earlier_macros_only() {
    let text = "#players = n(turn)\n#pieces = a\n#variables = turn(99)\n#board = s[a]{}\n#turn(x) = [$ turn = x]\n\
                #rules = ->n turn(7) ->n";
    assert_eq!(errors(text), ["RBG118"], "`turn` is not a number");
    let text = text.replace("n(turn)", "n(7)");
    assert!(printed(&text).contains("->n [$ turn = 7] ->n"), "{}", printed(&text));
}
