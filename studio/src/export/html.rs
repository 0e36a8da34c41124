//! The frames of pages: one file, with its style sheet and its script, which fetches nothing and may not.

use super::{Contents, Entry};
use crate::token::nonce;
use kit::output::page_head;
use rg_ir::xml::escaped;
use std::fmt::Write as _;

const STYLE: &str = include_str!("../../dist/app.css");
const SCRIPT: &str = include_str!("../../dist/page.js");

/// The page about a game. Nothing of the game is HTML in it: the script shows texts as texts.
///
/// # Errors
/// The contents are no JSON, which would be a defect.
pub(super) fn page(contents: &Contents<'_>) -> Result<String, serde_json::Error> {
    // In texts of JSON, this is the same letter, and no end of the element.
    let data = serde_json::to_string(contents)?.replace('<', "\\u003c");
    let body = format!(
        "<div id=\"app\"></div>\n<noscript><p class=\"starting\">This page needs JavaScript.</p></noscript>\n\
         <script type=\"application/json\" id=\"contents\">{data}</script>\n"
    );
    Ok(frame(contents.title, &body))
}

/// A list of pages.
pub(super) fn list(entries: &[Entry]) -> String {
    let mut body = "<main class=\"site\">\n<h1>Games</h1>\n<ul>\n".to_owned();
    for Entry { file, title, what, language, players, picture } in entries {
        let players = if *players == 1 { "1 player".to_owned() } else { format!("{players} players") };
        let _ = writeln!(
            body,
            "<li><a href=\"{}\"><span class=\"thumb\">{}</span><b>{}</b><span class=\"what\">{}</span><span class=\"figures\">{}, {players}</span></a></li>",
            escaped(file),
            picture.as_deref().unwrap_or_default(),
            escaped(title),
            escaped(what),
            escaped(language),
        );
    }
    body.push_str("</ul>\n</main>\n");
    frame("Games", &body)
}

/// A whole page. What may run in it is what is written here.
fn frame(title: &str, body: &str) -> String {
    // Whoever wrote the game could not know it.
    let nonce = nonce();
    format!(
        "{}<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"content-security-policy\" content=\"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">\n\
         <title>{}</title>\n<style nonce=\"{nonce}\">{STYLE}</style>\n</head>\n\
         <body>\n{body}<script nonce=\"{nonce}\">{SCRIPT}</script>\n</body>\n</html>\n",
        page_head(),
        escaped(title),
    )
}
