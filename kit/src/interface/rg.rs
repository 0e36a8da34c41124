//! The interface of the compiler of Regular Games (section 3.4 of its paper).

use super::{namespace, with};

const TEXT: &str = r#"
/// The interface of the compiler of Regular Games. The keeper's moves are made together with the moves before them, so that the keeper is to move
/// at the end of a play only. Players are numbered in the order of their declaration.
using Player = int;
using PlayerOrSystem = NAMESPACE::PlayerOrSystem;
using Score = int;
using Move = NAMESPACE::Move;

struct Cache : NAMESPACE::Cache {
    void reset() {}
};

class GameState {
public:
    /// Whether the play is over.
    bool isTerminal() const { return state_.isTerminal(); }
    /// Who is to move: a player, `NAMESPACE::RANDOM`, or `NAMESPACE::KEEPER` at the end.
    PlayerOrSystem getCurrentPlayer() const { return state_.getCurrentPlayer(); }
    /// A player's score; the place in the order of declaration for scores that are no numbers.
    Score getPlayerScore(Player player) const {
        const std::size_t index = state_.getScoreIndex(static_cast<std::size_t>(player));
        const char* name = NAMESPACE::SCORES[index];
        char* end = nullptr;
        const long value = std::strtol(name, &end, 10);
        return *name != '\0' && *end == '\0' ? static_cast<Score>(value) : static_cast<Score>(index);
    }
    /// Fills the list with the legal moves, also those of chance.
    void getAllMoves(std::vector<Move>& moves, Cache& cache) const { state_.getAllMoves(moves, cache); }
    /// Makes a legal move.
    void apply(const Move& move, Cache& cache) { state_.apply(move, cache); }
    /// The state for people.
    std::string getStateDescription() const { return state_.getStateDescription(); }
    /// The text of a move.
    std::string getMoveDescription(const Move& move) const { return state_.getMoveText(move); }
    bool operator==(const GameState& other) const { return state_ == other.state_; }
    bool operator!=(const GameState& other) const { return state_ != other.state_; }

private:
    NAMESPACE::GameState state_;
};
"#;

/// The header of a forward model with this interface; `None` if it is not such a header. Linear.
pub fn interface(header: &str) -> Option<String> {
    let more = TEXT.replace("NAMESPACE", namespace(header)?);
    Some(with(&header.replacen("#include <cstdint>", "#include <cstdint>\n#include <cstdlib>", 1), &more))
}
