//! A page with a picture for every region: what is around it is open, all other regions are folded. A click on a folded
//! region leads to the picture in which it is open, a click on the first node of an open one to that in which it is
//! folded. The page is one file, fetches nothing and has no script.

use kit::output::page_head;
use rg_ir::drawing::View;
use rg_ir::regions::{Folding, Regions};
use rg_ir::xml::escaped;
use rg_ir::{Game, NodeId};
use std::fmt::Write as _;

/// Bytes of all pictures; regions for which there is no room have none.
const MAX_BYTES: usize = 30_000_000;
/// Bytes of the picture with all regions open; a larger one is left out.
const MAX_WHOLE: usize = 2_000_000;
/// Name of the picture in which all regions are folded, and of that in which none is.
const FOLDED: &str = "folded";
const WHOLE: &str = "whole";

/// The page about a game of that name, with notes under the nodes.
pub(super) fn page(
    name: &str,
    game: &Game,
    regions: &Regions,
    (note, marked): (&dyn Fn(NodeId) -> String, Option<NodeId>),
) -> String {
    let pictures = Pictures { game, regions, note, marked };
    let mut sections = Vec::new();
    let whole = pictures.draw(&Folding::new(regions, []), WHOLE).filter(|svg| svg.len() <= MAX_WHOLE);
    let mut left = MAX_BYTES;
    for open in std::iter::once(None).chain((0..regions.list().len()).map(Some)) {
        let drawn = if left == 0 { None } else { pictures.draw(&Folding::all_but(regions, open), &id(open)) };
        left = left.saturating_sub(drawn.as_ref().map_or(0, String::len));
        sections.push(section(&id(open), &pictures.path(open), drawn));
    }
    let has_whole = whole.is_some();
    if has_whole {
        sections.push(section(WHOLE, "<b>All regions are open.</b>", whole));
    }
    let name = escaped(name);
    let mut html = format!(
        "{}<title>{name}: automaton</title>\n\
         <style>{STYLE}</style>\n</head>\n<body>\n<svg width=\"0\" height=\"0\" class=\"shared\">{}</svg>\n\
         <nav>\n<h1>{name}</h1>\n<p>{} nodes, {} edges. A click on a dark box opens it; one on the first box of an open region \
         folds it.</p>\n",
        page_head(),
        rg_ir::svg::definitions(),
        game.automaton.node_count(),
        game.automaton.edge_count()
    );
    let _ = writeln!(html, "<p><a href=\"#{FOLDED}\">all folded</a></p>");
    if has_whole {
        let _ = writeln!(html, "<p><a href=\"#{WHOLE}\">all open</a></p>");
    }
    for (at, region) in regions.list().iter().enumerate() {
        let indent = region.depth.min(12);
        let _ = writeln!(
            html,
            "<p style=\"margin-left:{indent}em\">{} {}</p>",
            pictures.anchor(at, &id(Some(at))),
            region.nodes
        );
    }
    let _ = write!(html, "</nav>\n<main>\n{}</main>\n</body>\n</html>\n", sections.concat());
    html
}

/// The name of the picture with an open region.
fn id(open: Option<usize>) -> String {
    open.map_or(FOLDED.to_owned(), |region| format!("region-{region}"))
}

struct Pictures<'g> {
    game: &'g Game,
    regions: &'g Regions,
    note: &'g dyn Fn(NodeId) -> String,
    marked: Option<NodeId>,
}

impl Pictures<'_> {
    /// A picture; `None` if it is too large. In the one named `here`, no box leads to itself.
    fn draw(&self, folding: &Folding<'_>, here: &str) -> Option<String> {
        let link = |node: NodeId| {
            let region = self.regions.entered(node)?;
            let target = match folding.folded_at(node) {
                Some(_) => id(Some(region)),
                None => id(self.regions.list().get(region)?.parent),
            };
            (target != here).then(|| format!("#{target}"))
        };
        let view = View {
            note: self.note,
            marked: self.marked,
            folding: Some(folding),
            link: &link,
            embedded: true,
            ..View::default()
        };
        rg_ir::svg::svg_with(self.game, &view).ok()
    }

    /// The name of a region as a link to a picture.
    fn anchor(&self, region: usize, target: &str) -> String {
        let name = self.regions.list().get(region).map_or("", |region| self.game.node_name(region.entry));
        format!("<a href=\"#{target}\">{}</a>", escaped(name))
    }

    /// The open regions, from the outside, as links to their pictures.
    fn path(&self, open: Option<usize>) -> String {
        let Some(open) = open else { return "<b>All regions are folded.</b>".to_owned() };
        let mut chain: Vec<String> =
            self.regions.chain(open).map(|region| self.anchor(region, &id(Some(region)))).collect();
        chain.push(format!("<a href=\"#{FOLDED}\">all</a>"));
        chain.reverse();
        chain.join(" › ")
    }
}

fn section(id: &str, headline: &str, picture: Option<String>) -> String {
    let picture = picture.unwrap_or_else(|| {
        "<p>This picture is too large. <code>rgc graph --expand NAME --to dot</code> gives it to Graphviz.</p>\n"
            .to_owned()
    });
    format!("<section id=\"{id}\">\n<p>{headline}</p>\n{picture}</section>\n")
}

/// Without a fragment in the address, the picture with everything folded is shown.
const STYLE: &str = "
body { font: 14px sans-serif; margin: 0; display: flex; height: 100vh; }
nav { flex: 0 0 16em; overflow: auto; padding: 0 1em; background: #f4f4f4; }
nav p { margin: 0.2em 0; } h1 { font-size: 1.2em; overflow-wrap: anywhere; }
main { flex: 1; overflow: auto; padding: 0 1em; }
section { display: none; } section:target { display: block; }
#folded { display: block; } main:has(section:target:not(#folded)) #folded { display: none; }
.shared { position: absolute; } a { color: #1f5fa8; } svg a { cursor: pointer; }
";

#[cfg(test)]
mod tests {
    use super::page;
    use rg_ir::regions::Regions;
    use rg_ir::{Game, SourceId, text};

    /// A turn with two alternatives of eight nodes each.
    fn game() -> Game {
        let mut rules = "type Player = { p }; begin, t: player = p; m, end: player = keeper;".to_owned();
        for part in ["a", "b"] {
            rules += &format!("t, {part}0: ;");
            (0..7).for_each(|i| rules += &format!("{part}{i}, {part}{}: ;", i + 1));
            rules += &format!("{part}7, m: ;");
        }
        text::parse(SourceId(0), &rules).0.unwrap()
    }

    #[test]
    fn every_link_leads_to_a_picture() {
        let game = game();
        let regions = Regions::of(&game);
        let page = page("<g>", &game, &regions, (&|_| String::new(), None));
        assert_eq!(regions.list().len(), 3);
        let sections: Vec<&str> =
            page.split("<section id=\"").skip(1).filter_map(|part| part.split('"').next()).collect();
        assert_eq!(sections, ["folded", "region-0", "region-1", "region-2", "whole"]);
        for target in page.split("href=\"#").skip(1).filter_map(|part| part.split('"').next()) {
            assert!(sections.contains(&target), "{target}");
        }
        assert!(page.contains("<title>&lt;g&gt;: automaton</title>"));
        assert!(!page.contains("<script") && !page.replace("http://www.w3.org/2000/svg", "").contains("http"));
        assert_eq!(page.matches("<marker ").count(), rg_ir::svg::definitions().matches("<marker ").count());
    }

    /// The way in and out: in the picture of a region its first box leads to the picture around it.
    #[test]
    fn a_click_opens_and_folds() {
        let game = game();
        let page = page("g", &game, &Regions::of(&game), (&|_| String::new(), None));
        let section = |id: &str| {
            let start = page.find(&format!("<section id=\"{id}\"")).unwrap();
            page[start..].split("</section>").next().unwrap().to_owned()
        };
        let boxes = |id: &str| section(id).split("<svg").nth(1).unwrap().matches("<a href=\"#").count();
        assert!(section("folded").contains("<a href=\"#region-0\"><g"));
        assert_eq!(boxes("folded"), 1);
        // Open: `t`, which folds, and the two alternatives.
        let first = section("region-0");
        for target in ["folded", "region-1", "region-2"] {
            assert!(first.contains(&format!("<a href=\"#{target}\"><g")), "{target}");
        }
        let second = section("region-1");
        assert!(second.contains("<a href=\"#region-0\"><g") && second.contains("<a href=\"#region-2\"><g"));
        assert!(second.contains(">a5</text>") && !second.contains(">b5</text>"));
    }
}
