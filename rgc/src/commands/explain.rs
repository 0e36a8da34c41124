//! `rgc explain`.

use crate::explain::{Family, all, plain};
use crate::record::line;
use crate::session::{Failure, Session, finding};
use crate::table::render;
use serde::Serialize;
use std::io::Write as _;

#[derive(Serialize)]
struct Entry<'a> {
    code: &'a str,
    about: &'a str,
    text: String,
    page: &'a str,
}

pub(super) fn run(session: &mut Session, wanted: Option<&str>, json: bool) -> Result<(), Failure> {
    let wanted = wanted.map(str::to_uppercase);
    let fits =
        |family: &Family, code: &str| wanted.as_ref().is_none_or(|wanted| wanted == code || wanted == family.prefix);
    let found: Vec<_> = all().filter(|(family, code, _)| fits(family, code)).collect();
    if json {
        for (family, code, text) in found {
            let entry = Entry { code, about: family.title, text: plain(text), page: family.page };
            session.out().write_all(line(&entry)?.as_bytes())?;
        }
        return Ok(());
    }
    match &found[..] {
        [] => {
            let wanted = wanted.unwrap_or_default();
            let unknown = finding("IO349", format!("there is no diagnostic with the code `{wanted}`"));
            let unknown = unknown.help("`rgc explain` lists all codes");
            Err(unknown.suggest(&wanted, all().map(|(_, code, _)| code)).into())
        }
        [(family, code, text)] => {
            let said = format!("{code}, {}\n\n{}\n\nMore: {}\n", family.title, plain(text), family.page);
            Ok(session.out().write_all(said.as_bytes())?)
        }
        several => {
            let rows = several.iter().map(|(_, code, text)| vec![(*code).to_owned(), plain(text)]).collect();
            Ok(session.out().write_all(render(&["code", "what"], 2, rows).as_bytes())?)
        }
    }
}
