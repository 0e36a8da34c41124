//! The interface of the compiler of Regular Boardgames: `reasoner.hpp`, namespace `reasoner`.

use super::{namespace, strings, with};
use rbg::ast::{Description, Rule};
use std::fmt::Write as _;

/// Why a header cannot have the interface.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It is not the header of a forward model.
    NoHeader,
    /// The text is no game of RBG.
    NoRules,
    /// The passes have removed something that the interface shows.
    Missing(String),
}

/// The header of a forward model of a text in RBG with the interface of the compiler of RBG. The model must have been made of a game whose
/// variables all keep their values to the end; `changes` tells which variables that game has before all passes: all others are 0 for
/// ever. Linear.
///
/// # Errors
/// See [`Refused`].
pub fn interface(header: &str, rules: &str, changes: impl Fn(&str) -> bool) -> Result<String, Refused> {
    let (description, _) = rbg::parse(rg_ir::SourceId(0), rules);
    let description = &description.ok_or(Refused::NoRules)?;
    let space = namespace(header).ok_or(Refused::NoHeader)?;
    if !header.contains("{\"board\", ") {
        return Err(Refused::Missing("the board".to_owned()));
    }
    let is_missing = |name: &str| changes(name) && !header.contains(&format!("{{\"{name}\", "));
    let missing = description.variables.iter().find(|variable| is_missing(&format!("var_{}", variable.name.text)));
    if let Some(variable) = missing {
        return Err(Refused::Missing(format!("the variable `{}`", variable.name.text)));
    }
    let more = format!("{}{}", tables(description), CLASSES.replace("NAMESPACE", space));
    let header = header.replacen("#include <cstdint>", "#include <cstdint>\n#include <cstdlib>\n#include <cstring>", 1);
    Ok(with(&header, &more))
}

/// The constants, and the names of everything.
fn tables(description: &Description) -> String {
    let Description { players, pieces, variables, board, rules, .. } = description;
    let vertices = &board.vertices;
    // Modifiers with their numbers, and whether they are switches.
    let mut modifiers: Vec<(u32, bool)> = Vec::new();
    for (rule, _) in &rules.nodes {
        match *rule {
            Rule::Switch { index, .. } => modifiers.push((index, true)),
            Rule::Off { index, .. } | Rule::Assign { index, .. } if index > 0 => modifiers.push((index, false)),
            _ => {}
        }
    }
    modifiers.sort_unstable();
    modifiers.dedup();
    let count = modifiers.last().map_or(0, |&(index, _)| index);
    let mut switches = vec!["0"; count as usize + 1];
    for (index, is_switch) in modifiers {
        if let Some(entry) = switches.get_mut(index as usize) {
            *entry = if is_switch { "1" } else { "0" };
        }
    }
    let mut neighbours = Vec::new();
    for vertex in vertices {
        for label in (0..).take(board.labels.len()) {
            let edge = vertex.edges.iter().find(|(along, _)| *along == label);
            neighbours.push(edge.map_or_else(|| "-1".to_owned(), |(_, target)| target.to_string()));
        }
    }
    let bounds: Vec<String> = variables.iter().map(|variable| variable.bound.to_string()).collect();
    // C++ has no empty arrays.
    let or_one = |list: String, one: &str| if list.is_empty() { one.to_owned() } else { list };
    let mut out = String::new();
    let _ = write!(
        out,
        "
namespace reasoner {{

/// The interface of the compiler of Regular Boardgames. The keeper is player 0 and counts among the players.
constexpr int BOARD_SIZE = {};
constexpr int NUMBER_OF_PLAYERS = {};
constexpr int NUMBER_OF_PIECES = {};
constexpr int NUMBER_OF_VARIABLES = {};
constexpr int BOARD_DEGREE = {};
constexpr int NUMBER_OF_MODIFIERS = {count};
constexpr int MONOTONIC_CLASSES = 0;
/// How long moves are is not bounded.
constexpr int MOVE_STRAIGHTNESS = 0;

namespace detail {{
inline constexpr const char* CELLS[] = {{{}}};
inline constexpr const char* PIECES[] = {{{}}};
inline constexpr const char* VARIABLES[] = {{{}}};
inline constexpr int BOUNDS[] = {{{}}};
inline constexpr int SWITCHES[] = {{{}}};
inline constexpr int NEIGHBOURS[] = {{{}}};
}}  // namespace detail
",
        vertices.len(),
        players.len() + 1,
        pieces.len(),
        variables.len(),
        board.labels.len(),
        strings(vertices.iter().map(|vertex| vertex.name.text.as_str())),
        strings(pieces.iter().map(|piece| piece.text.as_str())),
        or_one(strings(variables.iter().map(|variable| variable.name.text.as_str())), "\"\""),
        or_one(bounds.join(", "), "0"),
        switches.join(", "),
        or_one(neighbours.join(", "), "-1"),
    );
    out
}

const CLASSES: &str = r#"
inline std::string board_cell_to_string(int cell) { return detail::CELLS[cell]; }
inline std::string piece_to_string(int piece) { return detail::PIECES[piece]; }
inline std::string variable_to_string(int variable) { return detail::VARIABLES[variable]; }
inline int is_switch(int action_index) { return detail::SWITCHES[action_index]; }
/// The cell that an edge leads to; -1 if there is none. Edges are numbered in the order of their names.
inline int get_neighbor(int cell, int edge) { return detail::NEIGHBOURS[cell * BOARD_DEGREE + edge]; }
inline int get_bound(int variable) { return detail::BOUNDS[variable]; }

/// Callers own it and pass it; nothing is kept in it.
class resettable_bitarray_stack {};

struct action_representation {
    int index = -1;
    int cell = -1;
    action_representation() = default;
    action_representation(int index, int cell) : index(index), cell(cell) {}
    bool operator==(const action_representation& other) const { return index == other.index && cell == other.cell; }
    bool operator!=(const action_representation& other) const { return !(*this == other); }
};

using move_representation = std::vector<action_representation>;

class game_state;

struct move {
    move_representation mr;
    move() = default;
    move(const move_representation& mr) : mr(mr) {}
    bool operator==(const move& other) const { return mr == other.mr; }
    bool operator!=(const move& other) const { return mr != other.mr; }

private:
    friend class game_state;
    /// The move of the model, where it was listed.
    NAMESPACE::Move listed_;
    bool is_listed_ = false;
    move(move_representation&& mr, const NAMESPACE::Move& listed) : mr(std::move(mr)), listed_(listed), is_listed_(true) {}
};

/// The state before a move.
class move_reverter {
    friend class game_state;
    NAMESPACE::GameState state;
    bool keeper = false;
    explicit move_reverter(const NAMESPACE::GameState& state, bool keeper) : state(state), keeper(keeper) {}
};

namespace detail {

/// Where the model has what the interface shows, by names.
struct Names {
    const NAMESPACE::detail::Variable* board = nullptr;
    std::array<std::size_t, BOARD_SIZE> places{};
    std::vector<int> pieces;
    const NAMESPACE::detail::Variable* position = nullptr;
    std::vector<int> positions;
    std::vector<const NAMESPACE::detail::Variable*> variables;
    /// By symbol of the model: the cell or the number of the modifier, -1 for others.
    std::vector<int> cells, indices;

    static int of(const char* const* names, int count, const char* name) {
        for (int i = 0; i < count; ++i) {
            if (std::strcmp(names[i], name) == 0) return i;
        }
        return -1;
    }
    static int cell(const char* name) { return std::strncmp(name, "v_", 2) == 0 ? of(CELLS, BOARD_SIZE, name + 2) : -1; }

    Names() : variables(NUMBER_OF_VARIABLES, nullptr) {
        for (const auto& variable : NAMESPACE::detail::VARIABLES) {
            if (std::strcmp(variable.title, "board") == 0) {
                board = &variable;
                for (const auto& place : variable.places) {
                    const int at = cell(place.keys);
                    if (at >= 0) places[static_cast<std::size_t>(at)] = place.at;
                }
                for (const char* value : variable.values) {
                    pieces.push_back(std::strncmp(value, "piece_", 6) == 0 ? of(PIECES, NUMBER_OF_PIECES, value + 6) : -1);
                }
            } else if (std::strcmp(variable.title, "pos") == 0) {
                position = &variable;
                for (const char* value : variable.values) positions.push_back(cell(value));
            } else if (std::strncmp(variable.title, "var_", 4) == 0) {
                const int at = of(VARIABLES, NUMBER_OF_VARIABLES, variable.title + 4);
                if (at >= 0) variables[static_cast<std::size_t>(at)] = &variable;
            }
        }
        for (const char* symbol : NAMESPACE::detail::SYMBOLS) {
            cells.push_back(cell(symbol));
            const bool numbered = symbol[0] == 'i' && symbol[1] >= '0' && symbol[1] <= '9';
            indices.push_back(numbered ? std::atoi(symbol + 1) : -1);
        }
    }

    static const Names& get() {
        static const Names names;
        return names;
    }
};

}  // namespace detail

/// A state of a play. The keeper's moves are made together with the moves of players before them, and shown as one move of his: after each move
/// of a player the keeper is to move once, and what he will have done can be seen already.
class game_state {
public:
    /// 0 is the keeper.
    int get_current_player() const {
        const int player = state_.getCurrentPlayer();
        return keeper_ || player < 0 ? 0 : player + 1;
    }
    int get_piece(int cell) const {
        const detail::Names& names = detail::Names::get();
        const std::size_t value = names.board->value(state_.words(), names.places[static_cast<std::size_t>(cell)]);
        return value < names.pieces.size() ? names.pieces[value] : -1;
    }
    int get_variable_value(int variable) const {
        const auto* found = detail::Names::get().variables[static_cast<std::size_t>(variable)];
        // It never changes.
        if (found == nullptr) return 0;
        return std::atoi(NAMESPACE::detail::name(found->values, found->value(state_.words(), found->places.data[0].at)));
    }
    /// -1 where it does not matter any more.
    int get_current_cell() const {
        const detail::Names& names = detail::Names::get();
        if (names.position == nullptr) return -1;
        const std::size_t value = names.position->value(state_.words(), names.position->places.data[0].at);
        return value < names.positions.size() ? names.positions[value] : -1;
    }
    /// The score of a player; the first one is player 1.
    int get_player_score(int player) const {
        return player < 1 ? 0 : std::atoi(state_.getScore(static_cast<std::size_t>(player - 1)));
    }

    /// Fills the list with the legal moves. That of the keeper has no actions.
    void get_all_moves(resettable_bitarray_stack&, std::vector<move>& moves) {
        moves.clear();
        if (state_.isTerminal()) return;
        if (keeper_) {
            moves.emplace_back();
            return;
        }
        list();
        for (const NAMESPACE::Move& legal : listed_) moves.push_back(move(representation(legal), legal));
    }
    /// Makes a legal move; others change nothing, or lead to a state without meaning.
    void apply_move(const move& chosen) {
        if (keeper_) {
            keeper_ = false;
            return;
        }
        // A move that was listed in another state may be another one of the model here.
        if (chosen.is_listed_ && representation(chosen.listed_) == chosen.mr) {
            state_.apply(chosen.listed_);
            keeper_ = true;
            return;
        }
        list();
        for (const NAMESPACE::Move& legal : listed_) {
            if (representation(legal) == chosen.mr) {
                state_.apply(legal);
                keeper_ = true;
                return;
            }
        }
    }
    /// The keeper's move, or some move of a player; false if there is none.
    bool apply_any_move(resettable_bitarray_stack&) {
        if (state_.isTerminal()) return false;
        if (keeper_) {
            keeper_ = false;
            return true;
        }
        list();
        if (listed_.empty()) return false;
        state_.apply(listed_.front());
        keeper_ = true;
        return true;
    }
    move_reverter apply_move_with_revert(const move& chosen) {
        const move_reverter before(state_, keeper_);
        apply_move(chosen);
        return before;
    }
    void revert_move(const move_reverter& before) {
        state_ = before.state;
        keeper_ = before.keeper;
    }
    void apply(const move& chosen) { apply_move(chosen); }
    move_reverter apply_with_revert(const move& chosen) { return apply_move_with_revert(chosen); }
    void revert(const move_reverter& before) { revert_move(before); }
    bool is_legal(const move& wanted) const {
        if (state_.isTerminal()) return false;
        if (keeper_) return wanted.mr.empty();
        std::vector<NAMESPACE::Move> moves;
        state_.getAllMoves(moves);
        for (const NAMESPACE::Move& legal : moves) {
            if (representation(legal) == wanted.mr) return true;
        }
        return false;
    }
    int get_monotonicity_class() const { return -1; }

private:
    NAMESPACE::GameState state_;
    /// Whether the keeper's part of the last move is still to be shown.
    bool keeper_ = true;
    /// Legal moves of a state.
    std::vector<NAMESPACE::Move> listed_;

    void list() { state_.getAllMoves(listed_); }
    /// Tags of moves are cells and numbers of modifiers in turn.
    move_representation representation(const NAMESPACE::Move& listed) const {
        const detail::Names& names = detail::Names::get();
        move_representation actions;
        int cell = -1;
        for (const std::size_t tag : state_.getMoveTags(listed)) {
            if (names.indices[tag] >= 0) {
                actions.emplace_back(names.indices[tag], cell);
            } else {
                cell = names.cells[tag];
            }
        }
        return actions;
    }
};

}  // namespace reasoner
"#;
