//! Positions as pictures.

use super::laid::Laid;
use super::shapes::{Colour, Figure, Shape, shapes};
use super::slant::labels;
use super::{Layout, Place, Scene, Setup, text};
use crate::xml::escaped;
use std::fmt::Write as _;

/// Width of a square in pixels.
const UNIT: f32 = 48.0;
/// Space around a board, for coordinates.
const MARGIN: f32 = 24.0;
/// Distance of the rows of hexagons, in sides of a square.
const HEXAGON_ROW: f32 = 0.866;
/// Height of a line of text.
const LINE: f32 = 18.0;

/// The position as an SVG document: boards one below the other, then tables and all else as text. Places in `marked` (labels) are
/// highlighted. Every place is a group with the attribute `data-place`, its label, so that a page can find it. Linear.
pub fn svg(scene: &Scene<'_>, marked: &[&str]) -> String {
    let mut body = String::new();
    let (mut width, mut top) = (0.0f32, 0.0f32);
    for setup in &scene.boards {
        if !setup.board.title.is_empty() {
            write_text(&mut body, (MARGIN, top + LINE), "t", &setup.board.title);
            top += LINE;
        }
        let (across, down) = board(&mut body, setup, top, marked);
        width = width.max(across);
        top += down;
    }
    let beside = Scene { boards: Vec::new(), ..scene.clone() };
    for line in text(&beside, text::Look::default()).lines() {
        top += LINE;
        write_text(&mut body, (MARGIN, top), "t", line);
        #[expect(clippy::cast_precision_loss, reason = "lines are short")]
        let long = line.chars().count() as f32 * 7.3 + 2.0 * MARGIN;
        width = width.max(long);
    }
    let height = top + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\">\n\
         <style>\n.l{{fill:#f0d9b5}} .d{{fill:#b58863}} .p{{fill:#e8e2d4;stroke:#8a7f68}} .m{{stroke:#2b7a2b;stroke-width:3}}\n\
         .e{{stroke:#8a7f68;stroke-width:2}} .t{{font:12px monospace;fill:#222;white-space:pre}}\n\
         .c{{font:11px sans-serif;fill:#666;text-anchor:middle}} .s{{font:bold 16px sans-serif;text-anchor:middle}}\n\
         .s.one{{font-size:28px}} .s.two{{font-size:22px}}\n\
         </style>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{body}</svg>\n"
    )
}

/// A board and what is on it as an SVG element without style sheet, colours of the ground, title and tables, for pages that have their own: the
/// ground of a place has the class `l` or `d` (light and dark squares) or `p`, lines have `e`, coordinates `c`, letters of pieces `s` (a single one also `one`,
/// two of them `two`), and what is drawn in black without a ground of its own has `ink`. Every place
/// is a group with the attribute `data-place`, its label. Linear.
pub fn board_svg(setup: &Setup<'_>) -> String {
    let mut body = String::new();
    let (width, height) = board(&mut body, setup, 0.0, &[]);
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\">\n{body}</svg>\n")
}

/// Draws a board at a height; returns its width and height.
fn board(out: &mut String, setup: &Setup<'_>, top: f32, marked: &[&str]) -> (f32, f32) {
    let board = setup.board;
    let row = if matches!(board.layout, Layout::Hexagon | Layout::Rhombus { .. }) { HEXAGON_ROW } else { 1.0 };
    let laid = (board.layout == Layout::Graph).then(|| Laid::new(board));
    let points: Vec<(f32, f32)> = match board.layout {
        Layout::Graph => laid.iter().flat_map(|laid| laid.points.iter().copied()).collect(),
        _ => board.places.iter().map(|place| (place.x, place.y * row)).collect(),
    };
    let centre = |(x, y): &(f32, f32)| (MARGIN + (x + 0.5) * UNIT, top + MARGIN / 2.0 + (y + 0.5) * UNIT);
    let centres: Vec<(f32, f32)> = points.iter().map(centre).collect();
    let right = centres.iter().map(|centre| centre.0).fold(0.0, f32::max) + UNIT / 2.0;
    let below = |centres: &mut dyn Iterator<Item = &(f32, f32)>| {
        centres.map(|centre| centre.1).fold(top, f32::max) + UNIT / 2.0
    };
    let bottom = below(&mut centres.iter());
    let last = below(&mut board.within().filter_map(|(index, _)| centres.get(index)));
    for &(a, b) in board.lines.iter().filter(|&&line| laid.as_ref().is_none_or(|laid| laid.has_line(line))) {
        if let (Some((x1, y1)), Some((x2, y2))) = (centres.get(a as usize), centres.get(b as usize)) {
            let _ = writeln!(out, "<line class=\"e\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>");
        }
    }
    let shapes = shapes(&board.pieces);
    for (index, (place, &(x, y))) in board.places.iter().zip(&centres).enumerate() {
        let label = place.label.as_str();
        let _ = writeln!(out, "<g data-place=\"{}\">", escaped(label));
        ground(out, board.layout, place, (x, y), marked.contains(&label));
        if let Some(piece) = setup.piece(index) {
            let kind = setup.at.get(index).copied().flatten().and_then(|piece| shapes.get(piece as usize));
            draw(out, kind.unwrap_or(&Shape::Text), &piece.short, (x, y));
        }
        out.push_str("</g>\n");
    }
    for (place, &(x, y)) in board.aside().filter_map(|index| board.places.get(index).zip(centres.get(index))) {
        write_text(out, (x, y + UNIT / 2.0 + 12.0), "c", &place.label);
    }
    for label in labels(board) {
        // Close to the hexagon it belongs to.
        let (x, y) = centre(&(label.x - label.to.0 * 0.3, (label.y - label.to.1 * 0.3) * row));
        write_text(out, (x, y + 4.0), "c", &label.text);
    }
    if let Layout::Rectangle { columns, rows } = board.layout {
        let names = board.column_names();
        for (column, name) in (0..columns).zip(&names) {
            write_text(out, (MARGIN + (super::grid::real(column) + 0.5) * UNIT, last + 12.0), "c", name);
        }
        for row in 0..rows {
            let y = top + MARGIN / 2.0 + (super::grid::real(row) + 0.5) * UNIT + 4.0;
            write_text(out, (MARGIN / 2.0, y), "c", &(rows - row).to_string());
        }
    }
    (right + MARGIN, bottom - top + MARGIN)
}

/// The place itself.
fn ground(out: &mut String, layout: Layout, place: &Place, (x, y): (f32, f32), is_marked: bool) {
    let mark = if is_marked { " m" } else { "" };
    let half = UNIT / 2.0;
    let _ = match layout {
        Layout::Rectangle { .. } | Layout::Cuboid { .. } => {
            #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
            let dark = (place.x.round() as i64 + place.y.round() as i64).rem_euclid(2) == 1;
            let class = if dark { "d" } else { "l" };
            let (x, y) = (x - half, y - half);
            writeln!(
                out,
                "<rect class=\"{class}{mark}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{UNIT}\" height=\"{UNIT}\"/>"
            )
        }
        Layout::Hexagon | Layout::Rhombus { .. } => {
            let radius = half / HEXAGON_ROW;
            let corner = |number: u8| {
                let (sine, cosine) = (f32::from(number) * std::f32::consts::FRAC_PI_3).sin_cos();
                format!("{:.1},{:.1}", x + radius * sine, y + radius * cosine)
            };
            let corners: Vec<String> = (0..6).map(corner).collect();
            writeln!(out, "<polygon class=\"p{mark}\" points=\"{}\"/>", corners.join(" "))
        }
        Layout::Graph => {
            let _ = writeln!(out, "<circle class=\"p{mark}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/>", half * 0.8);
            write_text(out, (x, y + half), "c", &place.label);
            Ok(())
        }
    };
}

/// Fill and outline of a colour.
fn colours(colour: Colour) -> (&'static str, &'static str) {
    match colour {
        Colour::White => ("#ffffff", "#222222"),
        Colour::Black => ("#222222", "#eeeeee"),
        Colour::Red => ("#d62828", "#ffffff"),
        Colour::Blue => ("#2a6fdb", "#ffffff"),
        Colour::Green => ("#2e9e46", "#ffffff"),
        Colour::Yellow => ("#f2c230", "#222222"),
    }
}

fn draw(out: &mut String, shape: &Shape, short: &str, (x, y): (f32, f32)) {
    let radius = UNIT * 0.38;
    let _ = match shape {
        Shape::Empty => Ok(()),
        Shape::Chess(figure, colour) => {
            let (fill, line) = colours(*colour);
            let (x, y) = (x - UNIT / 2.0, y - UNIT / 2.0);
            writeln!(
                out,
                "<path transform=\"translate({x:.1} {y:.1})\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\" \
                 stroke-linejoin=\"round\" d=\"{}\"/>",
                outline(*figure)
            )
        }
        Shape::Disc(colour, text) => {
            let (fill, line) = colours(*colour);
            let _ = writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\"/>"
            );
            if !text.is_empty() {
                write_letters(out, text, (x, y), ("", line));
            }
            Ok(())
        }
        Shape::Cross => {
            let [left, right, above, below] =
                [x - radius, x + radius, y - radius, y + radius].map(|n| format!("{n:.1}"));
            writeln!(
                out,
                "<path class=\"ink\" d=\"M{left} {above}L{right} {below}M{right} {above}L{left} {below}\" stroke=\"#222222\" stroke-width=\"6\" \
                 stroke-linecap=\"round\"/>"
            )
        }
        Shape::Ring => {
            writeln!(
                out,
                "<circle class=\"ink\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"#222222\" stroke-width=\"6\"/>"
            )
        }
        Shape::Marker => {
            let radius = radius / 3.0;
            writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#888888\"/>")
        }
        Shape::Text => {
            write_letters(out, short, (x, y), (" ink", "#222222"));
            Ok(())
        }
    };
}

/// The outline of a figure of chess, in a square of 48 by 48.
fn outline(figure: Figure) -> &'static str {
    match figure {
        Figure::Pawn => {
            "M24 9a6 6 0 0 1 4 10.5h3v3h-3.5c.5 6 3 10 6.500 13.500v4H14v-4c3.500-3.500 6-7.500 6.500-13.500H17v-3h3A6 6 0 0 1 24 9z"
        }
        Figure::Rook => "M13 9h5v4h3.500V9h5v4H30V9h5v9l-4 3v13l3 3v4H14v-4l3-3V21l-4-3z",
        Figure::Knight => "M16 41c0-9 3-12 7-16-3 0-5 1-7 4l-5-3c1-6 4-11 9-13l1-4 4 3c8 2 11 9 11 17 0 5-1 8-1 12z",
        Figure::Bishop => {
            "M24 6a3 3 0 0 1 2 5c5 4 8 8 8 12 0 3-1.500 5.500-4 7l2 6 4 1v4H12v-4l4-1 2-6c-2.500-1.500-4-4-4-7 0-4 3-8 8-12a3 3 0 0 1 2-5z"
        }
        Figure::Queen => "M9 13l7 11 2-14 6 13 6-13 2 14 7-11-4 21-2 3v4H15v-4l-2-3z",
        Figure::King => "M22 5h4v4h4v4h-4v4c7-4 13 0 13 6 0 5-4 8-6 11v7H15v-7c-2-3-6-6-6-11 0-6 6-10 13-6v-4h-4V9h4z",
    }
}

/// The letters that stand for a piece, the larger the fewer they are, with a further class and a colour.
fn write_letters(out: &mut String, text: &str, (x, y): (f32, f32), (class, colour): (&str, &str)) {
    let (size, below) = match text.chars().count() {
        0 | 1 => (" one", 10.0),
        2 => (" two", 8.0),
        _ => ("", 6.0),
    };
    let _ = writeln!(
        out,
        "<text class=\"s{size}{class}\" x=\"{x:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
        y + below,
        escaped(text)
    );
}

fn write_text(out: &mut String, (x, y): (f32, f32), class: &str, text: &str) {
    let _ = writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escaped(text));
}
