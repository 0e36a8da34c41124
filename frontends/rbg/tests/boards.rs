//! Boards: explicit ones and generators (section 4 of the specification).

mod common;

use common::errors;
use rbg::ast::{Description, Layout};
use rg_ir::SourceId;

fn description(board: &str) -> String {
    format!("#players = p(1)\n#pieces = a, b, c\n#variables =\n#board = {board}\n#rules = ->p ->p\n")
}

fn parse(board: &str) -> Option<Description> {
    rbg::parse(SourceId(0), &description(board)).0
}

/// A line per vertex, as in the tables of the specification.
fn edges(board: &str) -> Vec<String> {
    let Some(description) = parse(board) else { return Vec::new() };
    let board = &description.board;
    let line = |vertex: &rbg::ast::Vertex| {
        let edges = vertex.edges.iter().map(|&(label, target)| {
            format!(" {}:{}", board.labels[label as usize].text, board.vertices[target as usize].name.text)
        });
        format!("{}{}", vertex.name.text, edges.collect::<String>())
    };
    board.vertices.iter().map(line).collect()
}

#[test]
fn hexagon_that_grows_and_shrinks() {
    let expected = [
        "hx0y0 e:hx1y0 se:hx1y1 sw:hx0y1",
        "hx1y0 se:hx2y1 sw:hx1y1 w:hx0y0",
        "hx0y1 e:hx1y1 ne:hx0y0 se:hx0y2",
        "hx1y1 e:hx2y1 ne:hx1y0 nw:hx0y0 se:hx1y2 sw:hx0y2 w:hx0y1",
        "hx2y1 nw:hx1y0 sw:hx1y2 w:hx1y1",
        "hx0y2 e:hx1y2 ne:hx1y1 nw:hx0y1",
        "hx1y2 ne:hx2y1 nw:hx1y1 w:hx0y2",
    ];
    assert_eq!(edges("hexagon(nw,ne,e,se,sw,w,[a,b][a,b,c][a,b])"), expected);
}

#[test]
fn hexagons_that_only_grow_or_only_shrink() {
    let grown = edges("hexagon(nw,ne,e,se,sw,w,[a][a,b][a,b,c])");
    assert_eq!(grown[0], "hx0y0 se:hx1y1 sw:hx0y1");
    assert_eq!(grown[4], "hx1y2 e:hx2y2 ne:hx1y1 nw:hx0y1 w:hx0y2");
    let shrunk = edges("hexagon(nw,ne,e,se,sw,w,[a,b,c][a,b][a])");
    assert_eq!(shrunk[1], "hx1y0 e:hx2y0 se:hx1y1 sw:hx0y1 w:hx0y0");
    assert_eq!(shrunk[5], "hx0y2 ne:hx1y1 nw:hx0y1");
}

#[test]
fn rectangle_with_holes() {
    assert_eq!(edges("rectangle(u,d,l,r,[a,,b][,a,][,,])"), ["rx0y0", "rx2y0", "rx1y1"]);
    assert_eq!(edges("rectangle(u,d,l,r,[a,b][,a])"), ["rx0y0 r:rx1y0", "rx1y0 d:rx1y1 l:rx0y0", "rx1y1 u:rx1y0"]);
}

#[test]
fn cuboid_with_holes() {
    let lines = edges("cuboid(u,d,l,r,f,k,[[a,b][a,b]][[c,a][,b]])");
    assert_eq!(lines[0], "cx0y0z0 d:cx0y1z0 f:cx0y0z1 r:cx1y0z0");
    assert_eq!(lines[2], "cx0y1z0 r:cx1y1z0 u:cx0y0z0");
    assert_eq!(lines[6], "cx1y1z1 k:cx1y1z0 u:cx1y0z1");
    assert_eq!(lines.len(), 7);
}

#[test]
fn explicit_boards() {
    let lines = edges("s[a]{m:t, l:s} t[b]{l:s, m:s} isolated[c]{}");
    assert_eq!(lines, ["s l:s m:t", "t l:s m:s", "isolated"]);
    // Vertices have a name space of their own.
    assert_eq!(edges("a[a]{x:p} p[a]{x:x} x[b]{x:a}"), ["a x:p", "p x:x", "x x:a"]);
}

#[test]
fn layouts() {
    let layout = |board: &str| parse(board).map(|d| d.board.layout);
    assert_eq!(layout("rectangle(u,d,l,r,[a,b,c][a,b,c])"), Some(Layout::Rectangle { columns: 3, rows: 2 }));
    assert_eq!(layout("rx0y0[a]{r:rx1y0} rx1y0[a]{}"), Some(Layout::Rectangle { columns: 2, rows: 1 }));
    assert_eq!(layout("rx0y0[a]{r:rx01y0} rx01y0[a]{}"), Some(Layout::Explicit));
    assert_eq!(layout("rx0y0[a]{r:rx900000y900000} rx900000y900000[a]{}"), Some(Layout::Explicit));
    assert_eq!(layout("hexagon(nw,ne,e,se,sw,w,[a])"), Some(Layout::Hexagon));
    let cuboid = Layout::Cuboid { columns: 2, rows: 1, layers: 3 };
    assert_eq!(layout("cuboid(u,d,l,r,f,k,[[a,b]][[c,a]][[,b]])"), Some(cuboid));
    assert_eq!(layout("s[a]{}"), Some(Layout::Explicit));
}

#[test]
fn macros_make_any_part_of_a_board() {
    let plain = description("rectangle(north,south,west,east,[a,a,b][a,a,b])");
    let text = description("grid(line(a) line(a))").replace(
        "#board",
        "#dir(x) = x~th\n#labels = dir(nor),dir(sou), west, east\n#pair(p) = p,p\n#line(p) = [pair(p),b]\n\
         #grid(rows) = rectangle(labels, rows)\n#board",
    );
    let (a, b) = (rbg::parse(SourceId(0), &plain).0, rbg::parse(SourceId(0), &text).0);
    assert!(a.is_some_and(|a| b.is_some_and(|b| a.same(&b))), "{}", common::findings(&text));
}

/// Boards and the codes of their errors.
#[test]
fn rejected_boards() {
    let table: &[(&str, &[&str])] = &[
        ("rectangle(u,d,l,r,[a,b][a])", &["RBG125"]),
        ("rectangle(u,d,l,r,[a b])", &["RBG118"]),
        ("rectangle(u,d,l,r,[])", &["RBG119"]),
        ("rectangle(u,d,l,r,[,])", &["RBG126"]),
        ("rectangle(u,d,l,r,[a],[a])", &["RBG118"]),
        ("rectangle(u,d,l,[a])", &["RBG124"]),
        ("rectangle(u,d,l,r,x,[a])", &["RBG124"]),
        ("rectangle(u,d,l,u,[a])", &["RBG122"]),
        ("rectangle(u,d,l,p,[a])", &["RBG123"]),
        ("rectangle(u,d,l,a,[a])", &["RBG123"]),
        ("rectangle(u,d,l,r,[a]) s[a]{}", &["RBG118"]),
        ("(rectangle(u,d,l,r,[a]))", &["RBG118"]),
        ("rectangle(u,d,l,r)", &["RBG118"]),
        ("hexagon(nw,ne,e,se,sw,w,[a,b][a,b])", &["RBG125"]),
        ("hexagon(nw,ne,e,se,sw,w,[a,b][a][a,b])", &["RBG125"]),
        ("hexagon(nw,ne,e,se,sw,w,[a][a,b,c])", &["RBG125"]),
        ("cuboid(u,d,l,r,f,k,[[a,b]][[a,b][a,b]])", &["RBG125"]),
        ("cuboid(u,d,l,r,f,k,[[a,b]][[a]])", &["RBG125"]),
        ("cuboid(u,d,l,r,f,k,[a,b])", &["RBG118"]),
        ("s[x]{}", &["RBG127"]),
        ("rectangle(u,d,l,r,[a,x])", &["RBG127"]),
        ("rectangle(u,d,l,r,[a,p])", &["RBG127"]),
        ("s[a]{l:t}", &["RBG128"]),
        ("s[a]{} s[b]{}", &["RBG129"]),
        ("s[a]{l:s, l:s}", &["RBG130"]),
        ("s[a]{a:s}", &["RBG123"]),
        ("s[a]{l:s,}", &["RBG118"]),
        ("board[a]{}", &["RBG118"]),
        ("", &["RBG106"]),
    ];
    for (board, codes) in table {
        assert_eq!(errors(&description(board)), *codes, "{board}");
    }
}
