//! Drawings for a report, as SVG to be put into a page.

use rg_ir::xml::escaped;
use std::fmt::Write as _;

/// Size of the area inside the axes.
const SIZE: (f64, f64) = (640.0, 160.0);
/// Space for numbers, on the left and below.
const MARGIN: (f64, f64) = (64.0, 34.0);
/// Points of a curve at most.
const MAX_POINTS: usize = 800;

/// A number without needless digits.
fn short(number: f64) -> String {
    if number >= 100.0 || number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.1}") }
}

/// The frame of a plot: axes, the greatest value on the left, labels below.
fn frame(what: &str, greatest: f64, below: [&str; 3], inside: &str) -> String {
    let ((width, height), (left, under)) = (SIZE, MARGIN);
    let [first, title, last] = below.map(escaped);
    let (right, foot) = (left + width, 10.0 + height);
    let (numbers, names) = (left - 6.0, foot + 20.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
        right + 12.0,
        foot + under,
        escaped(what)
    );
    svg.push_str(inside);
    let _ = writeln!(svg, "<path class=\"axis\" d=\"M{left} 10V{foot}H{right}\"/>");
    let mut label = |x: f64, y: f64, anchor: &str, text: &str| {
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{text}</text>");
    };
    label(numbers, 18.0, "end", &short(greatest));
    label(numbers, foot, "end", "0");
    label(left, names, "start", &first);
    label(left + width / 2.0, names, "middle", &title);
    label(right, names, "end", &last);
    svg.push_str("</svg>\n");
    svg
}

/// A bar: what it stands for, and how high it is.
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) value: f64,
}

/// Bars side by side.
pub(super) fn bars(what: &str, title: &str, bars: &[Bar]) -> String {
    let greatest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let step = SIZE.0 / bars.len().max(1) as f64;
    let mut inside = String::new();
    for (index, bar) in bars.iter().enumerate() {
        let height = if greatest > 0.0 { SIZE.1 * bar.value / greatest } else { 0.0 };
        let _ = writeln!(
            inside,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{}: {}</title></rect>",
            MARGIN.0 + step * index as f64 + step * 0.05,
            10.0 + SIZE.1 - height,
            step * 0.9,
            escaped(&bar.name),
            short(bar.value)
        );
    }
    let name = |bar: Option<&Bar>| bar.map(|bar| bar.name.clone()).unwrap_or_default();
    let last = if bars.len() > 1 { name(bars.last()) } else { String::new() };
    frame(what, greatest, [&name(bars.first()), title, &last], &inside)
}

/// A curve through points from left to right; a second, faint one with a scale of its own, from 0 to `scale`.
pub(super) fn curve(what: &str, title: &str, points: &[(f64, f64)], faint: &[(f64, f64)], scale: f64) -> String {
    let greatest = points.iter().map(|(_, y)| *y).fold(0.0, f64::max);
    let ends = (points.first().map_or(0.0, |(x, _)| *x), points.last().map_or(0.0, |(x, _)| *x));
    let line = |class: &str, points: &[(f64, f64)], most: f64| {
        let width = (ends.1 - ends.0).max(1.0);
        let every = points.len().div_ceil(MAX_POINTS).max(1);
        let place = |(x, y): &(f64, f64)| {
            let up = if most > 0.0 { SIZE.1 * y / most } else { 0.0 };
            format!("{:.1},{:.1}", MARGIN.0 + SIZE.0 * (x - ends.0) / width, 10.0 + SIZE.1 - up)
        };
        let points: Vec<String> = points.iter().step_by(every).chain(points.last()).map(place).collect();
        format!("<polyline class=\"{class}\" points=\"{}\"/>\n", points.join(" "))
    };
    let inside = line("faint", faint, scale) + &line("curve", points, greatest);
    frame(what, greatest, [&short(ends.0), title, &short(ends.1)], &inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let drawn = bars("<what>", "a & b", &[Bar { name: "\"x\"".into(), value: 3.0 }]);
        assert!(drawn.contains("&lt;what&gt;") && drawn.contains("a &amp; b") && drawn.contains("&quot;x&quot;: 3"));
        assert_eq!(drawn.matches("<rect").count(), 1);
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert_eq!(bars("", "", &[]).matches("<rect").count(), 0);
        assert!(!curve("", "", &[], &[], 0.0).contains("NaN"));
        assert!(!curve("", "", &[(0.0, 0.0)], &[], 0.0).contains("NaN"));
    }

    #[test]
    fn long_curves_are_thinned_out() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|x| (f64::from(x), 1.0)).collect();
        assert!(curve("", "", &points, &[], 1.0).len() < 40_000);
    }
}
