//! The codes of everything the translation to SBG has to say.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A game that is not played on one rectangular board. Games in SBG have nothing but that, with at most one piece on each square.
    BOARD = "TSB701";
    /// A game that is not one of two players who move in turn, the one declared first before the other, without chance and with nothing hidden.
    PLAYERS = "TSB702";
    /// A game whose moves depend on more than the board and whose turn it is. SBG only counts half-moves and pieces.
    STATE = "TSB703";
    /// A move that is not one of SBG, where a player takes one piece and puts it on a square, where it replaces what was there.
    MOVE = "TSB704";
    /// Where a piece can go does not follow one rule for its kind: steps relative to where it is, each to an empty square, a piece of the
    /// mover, or one of the opponent, whatever their kind.
    RULE = "TSB705";
    /// Moves are not told apart by where they begin and end, which is what a move is in SBG.
    TAGS = "TSB706";
    /// A play ends otherwise than plays in SBG do. There a player wins who brings a piece to certain squares, who leaves the opponent with
    /// a certain number of pieces of a kind, or who leaves him without a move; a play is drawn after a number of half-moves.
    END = "TSB707";
    /// A check of whether the next player can move is missing, or cannot be shown to ask just that. In SBG who cannot move has lost.
    BLOCKED = "TSB708";
    /// It cannot be shown that all plays come to an end. Games in SBG have a limit of half-moves after which they are drawn.
    LIMIT = "TSB709";
    /// A game for which more states of walks would have to be looked at than the translation does, or whose rules would be too long.
    TOO_LARGE = "TSB710";
    /// Something that the checker of RG finds errors in, or a description that SBG does not accept.
    INVALID = "TSB711";
}
