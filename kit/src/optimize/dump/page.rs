//! A page to look through the steps of a pipeline: one file, without references to others.

use super::Entry;
use crate::optimize::report::{Record, changes};
use crate::output::page_head;
use passes::Size;
use rg_ir::xml::escaped;
use std::fmt::Write as _;

/// Lines of a difference that the page shows.
const MAX_LINES: usize = 1_500;
/// Bytes of a drawing that the page holds.
const MAX_DRAWING: usize = 150_000;
/// Bytes of all drawings that the page holds.
const MAX_DRAWINGS: usize = 20_000_000;

/// The page for a game of that name.
pub(super) fn page(name: &str, entries: &[Entry]) -> String {
    let name = escaped(name);
    let mut html = format!(
        "{}<title>{name}: passes</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<h1>{name}</h1>\n",
        page_head()
    );
    let changed = entries.iter().filter(|entry| entry.record.changed).count();
    let time: f64 = entries.iter().map(|entry| entry.record.time.as_secs_f64()).sum();
    let _ = writeln!(
        html,
        "<p>{} runs of passes, {changed} changes, {:.1} ms. Keys: <kbd>j</kbd>/<kbd>→</kbd> next, \
         <kbd>k</kbd>/<kbd>←</kbd> back. <label><input type=\"checkbox\" id=\"all\"> also runs without a change</label></p>",
        entries.len(),
        time * 1e3
    );
    html.push_str(&chart(entries));
    html.push_str("<div id=\"both\">\n<nav>\n<table>\n<tr><th>run</th><th>pass</th><th>nodes</th><th>edges</th><th>cells</th><th>ms</th></tr>\n");
    for entry in entries {
        html.push_str(&row(entry));
    }
    html.push_str("</table>\n</nav>\n<main>\n");
    let mut drawings = 0;
    for entry in entries {
        html.push_str(&section(entry, &mut drawings));
    }
    let _ = write!(html, "</main>\n</div>\n<script>{SCRIPT}</script>\n</body>\n</html>\n");
    html
}

/// The line of a step in the list.
fn row(entry: &Entry) -> String {
    let Record { number, pass, changed, after, time, .. } = &entry.record;
    let class = if *changed { "" } else { " class=\"idle\"" };
    format!(
        "<tr{class} data-run=\"{number}\"><td>{number}</td><td><a href=\"#run-{number}\">{}</a></td><td>{}</td><td>{}</td>\
         <td>{}</td><td>{:.3}</td></tr>\n",
        escaped(pass),
        after.nodes,
        after.edges,
        after.cells,
        time.as_secs_f64() * 1e3
    )
}

/// All about a step.
fn section(entry: &Entry, drawings: &mut usize) -> String {
    let Record { number, round, pass, changed, before, after, notes, time } = &entry.record;
    let class = if *changed { "" } else { " class=\"idle\"" };
    let mut html = format!(
        "<section id=\"run-{number}\"{class}>\n<h2>{number}. {}</h2>\n<p>{}.{} Round {round}, {:.3} ms.</p>\n",
        escaped(pass),
        escaped(entry.summary),
        if entry.changes_moves { " Changes how moves are written." } else { "" },
        time.as_secs_f64() * 1e3
    );
    for note in notes {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escaped(note));
    }
    if !changed {
        html.push_str("<p>Nothing to do.</p>\n</section>\n");
        return html;
    }
    let what = changes(&entry.record).unwrap_or_else(|| "sizes as before".to_owned());
    let _ = writeln!(html, "<p><b>{what}</b> ({} → {})</p>", sizes(before), sizes(after));
    let _ = writeln!(html, "<p>Files: {}</p>", escaped(&format!("{0}.rg, {0}.diff, {0}.dot, {0}.svg", entry.stem)));
    html.push_str(&diff(&entry.diff));
    if let Some(svg) = entry.svg.as_deref().filter(|svg| svg.len() <= MAX_DRAWING && *drawings <= MAX_DRAWINGS) {
        *drawings += svg.len();
        let _ = writeln!(
            html,
            "<details><summary>the automaton after it</summary>\
             <img loading=\"lazy\" alt=\"automaton\" src=\"data:image/svg+xml,{}\"></details>",
            percent(svg)
        );
    }
    html.push_str("</section>\n");
    html
}

fn sizes(size: &Size) -> String {
    format!("{} nodes, {} edges, {} cells, {} bits", size.nodes, size.edges, size.cells, size.bits)
}

/// A difference with coloured lines.
fn diff(text: &str) -> String {
    let mut html = String::from("<pre>");
    for line in text.lines().take(MAX_LINES) {
        let tag = match line.as_bytes().first() {
            Some(b'+') => "ins",
            Some(b'-') => "del",
            Some(b'@') => "b",
            _ => "span",
        };
        // Every line is a block of its own.
        let _ = write!(html, "<{tag}>{}</{tag}>", escaped(line));
    }
    let more = text.lines().count().saturating_sub(MAX_LINES);
    if more > 0 {
        let _ = writeln!(html, "… {more} more lines in the file");
    }
    html.push_str("</pre>\n");
    html
}

/// A size of a game.
type Measure = fn(&Size) -> f64;

/// Nodes, edges and cells after every change, each as a share of what they were at first.
fn chart(entries: &[Entry]) -> String {
    let changes: Vec<&Record> = entries.iter().map(|entry| &entry.record).filter(|record| record.changed).collect();
    let Some(first) = changes.first().map(|record| record.before) else { return String::new() };
    let (width, height) = (720.0, 120.0);
    let step = width / changes.len() as f64;
    let sizes: Vec<Size> = std::iter::once(first).chain(changes.iter().map(|record| record.after)).collect();
    let kinds: [(&str, Measure); 3] =
        [("nodes", |size| size.nodes as f64), ("edges", |size| size.edges as f64), ("cells", |size| size.cells as f64)];
    let most =
        kinds.iter().flat_map(|(_, of)| sizes.iter().map(|size| share(of(size), of(&first)))).fold(1.0, f64::max);
    let mut html = format!("<figure><svg viewBox=\"0 0 {} {}\" class=\"chart\">\n", width + 90.0, height + 20.0);
    for (index, (name, of)) in kinds.iter().enumerate() {
        let y = |size: &Size| 10.0 + height * (1.0 - share(of(size), of(&first)) / most);
        let points: Vec<String> =
            sizes.iter().enumerate().map(|(i, size)| format!("{:.1},{:.1}", i as f64 * step, y(size))).collect();
        let _ = writeln!(html, "<polyline class=\"{name}\" points=\"{}\"/>", points.join(" "));
        let _ = writeln!(
            html,
            "<text class=\"{name}\" x=\"{}\" y=\"{}\">{name} {:.0} %</text>",
            width + 5.0,
            20.0 + 16.0 * index as f64,
            sizes.last().map_or(1.0, |size| share(of(size), of(&first))) * 100.0
        );
    }
    for (index, record) in changes.iter().enumerate() {
        let _ = writeln!(
            html,
            "<a href=\"#run-{}\"><rect x=\"{:.1}\" y=\"0\" width=\"{step:.1}\" height=\"{}\"><title>{}. {}</title></rect></a>",
            record.number,
            (index as f64 + 0.5) * step,
            height + 20.0,
            record.number,
            escaped(record.pass)
        );
    }
    html.push_str("</svg></figure>\n");
    html
}

fn share(now: f64, first: f64) -> f64 {
    if first > 0.0 { now / first } else { 1.0 }
}

/// A text as part of a data address.
fn percent(text: &str) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'=' | b'/' | b':' | b',' | b' ' => {
                out.push(char::from(byte));
            }
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

const STYLE: &str = "
body { font: 14px/1.4 sans-serif; margin: 1em; }
pre { font: 12px/1.35 monospace; background: #f6f6f6; padding: .5em; overflow-x: auto; }
pre > * { display: block; text-decoration: none; white-space: pre; min-height: 1.35em; }
ins { background: #dcf5dc; } del { background: #f8dcdc; } pre b { color: #555; }
#both { display: flex; gap: 1.5em; align-items: flex-start; }
nav { max-height: 80vh; overflow-y: auto; position: sticky; top: 0; flex: none; }
main { flex: auto; min-width: 0; }
table { border-collapse: collapse; } td, th { padding: 0 .4em; text-align: right; } td:nth-child(2) { text-align: left; }
.note { color: #7a4a00; } .idle { color: #999; } img { max-width: 100%; }
body.script section { display: none; } body.script section.shown { display: block; } tr.shown { background: #e4ecf8; }
body.changes tr.idle { display: none; }
.chart { max-width: 820px; width: 100%; border: 1px solid #ddd; } figure { margin: 0 0 1em; }
polyline { fill: none; stroke-width: 1.5; } .chart text { font: 12px sans-serif; } rect { fill: transparent; }
polyline.nodes { stroke: #1f5fa8; } polyline.edges { stroke: #c0392b; } polyline.cells { stroke: #1b7a3d; }
text.nodes { fill: #1f5fa8; } text.edges { fill: #c0392b; } text.cells { fill: #1b7a3d; }
";

const SCRIPT: &str = "
const all = document.getElementById('all');
const runs = () => [...document.querySelectorAll('section')].filter(s => all.checked || !s.classList.contains('idle'));
let at = null;
function show(section) {
  if (!section) return;
  document.querySelectorAll('.shown').forEach(e => e.classList.remove('shown'));
  section.classList.add('shown');
  const row = document.querySelector('tr[data-run=\"' + section.id.slice(4) + '\"]');
  if (row) { row.classList.add('shown'); row.scrollIntoView({ block: 'nearest' }); }
  at = section;
}
function step(by) {
  const list = runs(), here = list.indexOf(at);
  show(list[here < 0 ? 0 : Math.min(list.length - 1, Math.max(0, here + by))]);
}
const target = () => document.getElementById(location.hash.slice(1));
document.addEventListener('keydown', e => {
  if (e.key === 'j' || e.key === 'ArrowRight') step(1);
  if (e.key === 'k' || e.key === 'ArrowLeft') step(-1);
});
window.addEventListener('hashchange', () => show(target()));
all.addEventListener('change', () => document.body.classList.toggle('changes', !all.checked));
document.body.classList.add('script', 'changes');
show(target() || runs()[0]);
";

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn entry(number: usize, changed: bool) -> Entry {
        let before = Size { nodes: 4, edges: 6, cells: 8, bits: 2 };
        let after = if changed { Size { edges: 3, ..before } } else { before };
        let notes = vec!["</script><script>alert('1')</script>".to_owned()];
        let record = Record { number, round: 1, pass: "a&b", changed, before, after, notes, time: Duration::ZERO };
        let diff = if changed { "@@ -1 +1 @@\n-x, <y>: ;\n+x, y: ;\n".to_owned() } else { String::new() };
        let svg = changed.then(|| "<svg id=\"1\">é#</svg>".to_owned());
        Entry { record, summary: "does <it>", changes_moves: false, diff, svg, stem: format!("{number:03}-a&b") }
    }

    #[test]
    fn everything_is_escaped() {
        let page = page("<g>", &[entry(1, true), entry(2, false)]);
        assert_eq!(page.matches("<script>").count(), 1);
        assert_eq!(page.matches("</script>").count(), 1);
        assert!(page.contains("<h1>&lt;g&gt;</h1>"));
        assert!(page.contains("does &lt;it&gt;."));
        assert!(page.contains("<del>-x, &lt;y&gt;: ;</del>"));
        assert!(page.contains("%3Csvg id=%221%22%3E%C3%A9%23%3C/svg%3E"));
        assert!(!page.contains("a&b") && page.contains("a&amp;b"));
        assert!(!page.contains("http"), "nothing is fetched");
    }

    #[test]
    fn steps_are_told_with_sizes() {
        let page = page("g", &[entry(1, true), entry(2, false)]);
        assert!(page.contains("2 runs of passes, 1 changes"));
        assert!(page.contains("<b>-3 edges</b>"), "{page}");
        assert!(page.contains("edges 50 %"));
        assert!(page.contains("Nothing to do."));
        assert!(!super::page("g", &[]).contains("polyline class"));
    }

    #[test]
    fn long_differences_are_cut() {
        let long = "+x\n".repeat(MAX_LINES + 7);
        assert!(diff(&long).contains("… 7 more lines"));
    }
}
