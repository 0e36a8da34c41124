//! Domains: the set types of a game, by their declarations or by what is in them.

use crate::boxes;
use crate::names::{self, Names};
use rg_ir::types::TypeKind;
use rg_ir::{Game, Symbol, TypeId};
use rustc_hash::FxHashMap;
use std::fmt::Write as _;

/// A domain.
struct Domain {
    name: String,
    members: Vec<Symbol>,
    /// Known without a declaration.
    built_in: bool,
    used: bool,
}

/// The domains of a game.
pub(crate) struct Domains {
    list: Vec<Domain>,
    by_name: FxHashMap<Symbol, usize>,
    by_members: FxHashMap<Vec<Symbol>, usize>,
}

/// Lines are broken behind so many characters.
pub(crate) const LINE: usize = 100;

impl Domains {
    pub(crate) fn new(game: &Game, names: &mut Names) -> Self {
        let mut domains = Self { list: Vec::new(), by_name: FxHashMap::default(), by_members: FxHashMap::default() };
        for decl in game.type_decls.values().filter(|decl| game.types.is_set(decl.definition)) {
            let name = game.name(decl.name);
            let members = game.types.members(decl.definition).to_vec();
            let words: Vec<&str> = members.iter().map(|&symbol| game.name(symbol)).collect();
            // A type of this name means the same in every game, but for the order in which it is listed.
            let built_in = name == "PlayerOrSystem" || name == "Bool" && words == ["0", "1"];
            let required = ["Player", "Score"].contains(&name);
            let known = built_in || required || name == "Bool";
            let name = if known { name.to_owned() } else { names.fresh(name) };
            let index = domains.add(Domain { name, members, built_in, used: required });
            domains.by_name.insert(decl.name, index);
        }
        domains
    }

    fn add(&mut self, domain: Domain) -> usize {
        let mut sorted = domain.members.clone();
        sorted.sort_unstable();
        self.list.push(domain);
        let index = self.list.len() - 1;
        self.by_members.entry(sorted).or_insert(index);
        index
    }

    /// The domain of a set type, which may be called `name` if the game has no name for it.
    fn of(&mut self, game: &Game, names: &mut Names, ty: TypeId, name: &str) -> usize {
        let declared = match game.types.kind(ty) {
            TypeKind::Name(name) => self.by_name.get(name).copied(),
            _ => None,
        };
        let members = game.types.members(ty).to_vec();
        let index = declared.unwrap_or_else(|| self.with(names, members, name));
        if let Some(domain) = self.list.get_mut(index) {
            domain.used = true;
        }
        index
    }

    /// The domain with these members.
    fn with(&mut self, names: &mut Names, members: Vec<Symbol>, name: &str) -> usize {
        let mut sorted = members.clone();
        sorted.sort_unstable();
        match self.by_members.get(&sorted) {
            Some(&index) => index,
            None => {
                let mut letters = name.chars();
                let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
                let name = names.fresh(&format!("{first}{}", letters.as_str()));
                self.add(Domain { name, members, built_in: false, used: true })
            }
        }
    }

    /// The name of the domain of a set type.
    pub(crate) fn name(&mut self, game: &Game, names: &mut Names, ty: TypeId, otherwise: &str) -> String {
        let index = self.of(game, names, ty, otherwise);
        self.list.get(index).map(|domain| domain.name.clone()).unwrap_or_default()
    }

    /// The name of the domain with these members.
    pub(crate) fn name_of(&mut self, names: &mut Names, members: Vec<Symbol>, otherwise: &str) -> String {
        let index = self.with(names, members, otherwise);
        let domain = self.list.get_mut(index);
        domain.map_or_else(String::new, |domain| {
            domain.used = true;
            domain.name.clone()
        })
    }

    /// The first value of the domain of a set type.
    pub(crate) fn first(&mut self, game: &Game, names: &mut Names, ty: TypeId, otherwise: &str) -> Option<Symbol> {
        let index = self.of(game, names, ty, otherwise);
        self.list.get(index).and_then(|domain| domain.members.first()).copied()
    }

    /// The declarations of all domains that are used.
    pub(crate) fn write(&self, game: &Game, names: &Names) -> String {
        let mut text = String::new();
        for domain in self.list.iter().filter(|domain| domain.used && !domain.built_in) {
            let _ = write!(text, "domain {} = ", domain.name);
            let mut column = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
            for (index, element) in self.elements(game, names, &domain.members).into_iter().enumerate() {
                if index > 0 {
                    let wraps = column + element.len() > LINE;
                    text.push_str(if wraps { "\n| " } else { " | " });
                    column = if wraps { 0 } else { column };
                }
                column += element.len() + 3;
                text.push_str(&element);
            }
            text.push('\n');
        }
        text
    }
}

impl Domains {
    /// Members as elements of a domain, among them smaller domains that are declared.
    fn elements(&self, game: &Game, names: &Names, members: &[Symbol]) -> Vec<String> {
        let fits =
            |domain: &&Domain| (3..members.len()).contains(&domain.members.len()) && domain.used && !domain.built_in;
        let mut smaller: Vec<&Domain> = self.list.iter().filter(fits).collect();
        smaller.sort_by_key(|domain| std::cmp::Reverse(domain.members.len()));
        let mut list = Vec::new();
        let (mut begin, mut at) = (0, 0);
        while let Some(rest) = members.get(at..).filter(|rest| !rest.is_empty()) {
            match smaller.iter().find(|domain| rest.starts_with(&domain.members)) {
                Some(domain) => {
                    list.extend(elements(game, names, members.get(begin..at).unwrap_or_default()));
                    list.push(domain.name.clone());
                    at += domain.members.len();
                    begin = at;
                }
                None => at += 1,
            }
        }
        list.extend(elements(game, names, members.get(begin..).unwrap_or_default()));
        list
    }
}

/// Members as elements of a domain: symbols, and terms with ranges.
fn elements(game: &Game, names: &Names, members: &[Symbol]) -> Vec<String> {
    let mut elements = Vec::new();
    let mut at = 0;
    while let Some(&member) = members.get(at) {
        let word = names.word(game, member);
        let Some((constructor, first)) = names::term(word) else {
            elements.push(word.to_owned());
            at += 1;
            continue;
        };
        let same = members.get(at..).unwrap_or_default().iter().map_while(|&symbol| {
            let (other, arguments) = names::term(names.word(game, symbol))?;
            (other == constructor && arguments.len() == first.len()).then_some(arguments)
        });
        let run: Vec<Vec<&str>> = same.collect();
        at += run.len();
        let variables = names.patterns(first.len());
        for product in boxes::products(&run) {
            let (term, ranges) = boxes::written(constructor, &product, &variables);
            elements.push(format!("{term} where {}", ranges.join(", ")).trim_end().to_owned());
        }
    }
    elements
}
