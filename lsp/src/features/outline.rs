//! What a text consists of, as a tree, and where to find it among all texts.

use crate::document::Document;
use crate::server::Workspace;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, DocumentSymbolResponse, Location, SymbolKind, WorkspaceSymbol,
    WorkspaceSymbolLocation, WorkspaceSymbolResponse,
};
use rg_ir::ids::{Id, ItemId};
use rg_ir::index::{EntityKind, Item};

/// Answers that are given at most.
const MAX_SYMBOLS: usize = 500;

/// The outline of a text.
pub(crate) fn of_text(document: &Document) -> Option<DocumentSymbolResponse> {
    let items = document.index().items();
    let mut children: Vec<Vec<DocumentSymbol>> = items.ids().map(|_| Vec::new()).collect();
    let mut roots = Vec::new();
    // Parents come before what is in them, so that from the end on, all that is in an item is there.
    for (id, item) in items.iter().rev() {
        let inner = in_order(children.get_mut(id.index()).map(std::mem::take).unwrap_or_default());
        let symbol = symbol(document, item, inner);
        match item.parent.filter(|parent: &ItemId| *parent < id).and_then(|parent| children.get_mut(parent.index())) {
            Some(siblings) => siblings.push(symbol),
            None => roots.push(symbol),
        }
    }
    Some(DocumentSymbolResponse::DocumentSymbolList(in_order(roots)))
}

/// The symbols in the order of the text.
fn in_order(mut symbols: Vec<DocumentSymbol>) -> Vec<DocumentSymbol> {
    symbols.sort_by_key(|symbol| (symbol.range.start.line, symbol.range.start.character));
    symbols
}

#[allow(deprecated)] // a field that is not used
fn symbol(document: &Document, item: &Item, children: Vec<DocumentSymbol>) -> DocumentSymbol {
    DocumentSymbol {
        // Clients refuse empty names.
        name: if item.name.is_empty() { "?".to_owned() } else { item.name.clone() },
        detail: Some(item.kind.word().to_owned()),
        kind: kind(item.kind),
        tags: None,
        deprecated: None,
        range: document.range(item.span),
        selection_range: document.range(item.selection),
        children: Some(children).filter(|children| !children.is_empty()),
    }
}

/// What is called like the query, or has its letters in order, among all open texts.
pub(crate) fn of_workspace(workspace: &Workspace, query: &str) -> Option<WorkspaceSymbolResponse> {
    let mut documents: Vec<&Document> = workspace.documents.values().collect();
    documents.sort_by(|a, b| a.uri.0.cmp(&b.uri.0));
    let mut found: Vec<(bool, WorkspaceSymbol)> = Vec::new();
    for document in documents {
        for item in document.index().items().values().filter(|item| is_like(&item.name, query)) {
            let location = Location { uri: document.uri.clone(), range: document.range(item.selection) };
            let information = BaseSymbolInformation {
                name: item.name.clone(),
                kind: kind(item.kind),
                tags: None,
                container_name: Some(document.name().to_owned()),
            };
            let symbol = WorkspaceSymbol {
                location: WorkspaceSymbolLocation::Location(location),
                data: None,
                base_symbol_information: information,
            };
            found.push((!item.name.starts_with(query), symbol));
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    let symbols = found.into_iter().take(MAX_SYMBOLS).map(|(_, symbol)| symbol).collect();
    Some(WorkspaceSymbolResponse::WorkspaceSymbolList(symbols))
}

/// Whether a name has the letters of a query in order.
fn is_like(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}

/// What clients take a kind of entity for.
pub(crate) fn kind(kind: EntityKind) -> SymbolKind {
    match kind {
        EntityKind::Type => SymbolKind::Enum,
        EntityKind::Value | EntityKind::Player | EntityKind::Piece => SymbolKind::EnumMember,
        EntityKind::Constant => SymbolKind::Constant,
        EntityKind::Variable | EntityKind::Parameter => SymbolKind::Variable,
        EntityKind::Node | EntityKind::Place => SymbolKind::Key,
        EntityKind::Tag => SymbolKind::Event,
        EntityKind::Function | EntityKind::Graph | EntityKind::Macro | EntityKind::Relation => SymbolKind::Function,
        EntityKind::Direction => SymbolKind::Property,
        EntityKind::Section => SymbolKind::Namespace,
    }
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn queries_are_parts_of_names() {
        assert!(is_like("oneOn", "") && is_like("oneOn", "oo") && is_like("oneOn", "ONEON"));
        assert!(!is_like("oneOn", "no1") && !is_like("", "a"));
    }
}
