//! The codes of everything the translation to GDL has to say.

macro_rules! codes {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal;)*) => {
        $($(#[doc = $doc])* pub const $name: &str = $code;)*

        /// All codes, in ascending order, with what each is about.
        pub const ALL: &[(&str, &str)] = &[$(($code, concat!($($doc),*))),*];
    };
}

codes! {
    /// A score that GDL does not have: scores there are whole numbers from 0 to 100.
    SCORE = "TGD701";
    /// Tags are passed in a loop of a walk, so moves have no greatest length. Terms of GDL do not grow along rules. Such a move is split into several of the
    /// player if each part of it can be completed whatever the state is, tags tell what it does, and there is an end to it; that was not shown here.
    TAGS = "TGD702";
    /// A map is written in a loop of a walk, and what is written there may be read again, or tags come after it. Rules of GDL carry such changes
    /// along one by one, and here there is no greatest number of them.
    WRITES = "TGD703";
    /// A map that is compared or chosen as a whole, or assigned as a whole to a part of a map, or to one that has other keys, or other values where keys are
    /// none of theirs, or is assigned a part of itself.
    WHOLE_MAP = "TGD704";
    /// A game for which more relations would be needed than the translation makes.
    TOO_LARGE = "TGD705";
    /// An expression or a value that the checker of RG finds errors in.
    INVALID = "TGD706";
    /// Who is the first to move depends on what the keeper finds out at the beginning.
    FIRST = "TGD707";
    /// A check that depends on its own failure: it comes back to itself through `! from -> to`, with variables changed on the way. Rules of GDL
    /// may be recursive, but not through `not`.
    NEGATION = "TGD708";
    /// A game in which nobody can ever move, or that never ends. GDL demands legal moves, an end and scores.
    NO_GAME = "TGD709";
}
