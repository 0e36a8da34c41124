//! What the codes of findings about RG mean; numbers from 50 on are about its two forms of text.

/// All codes, in ascending order, with what each is about.
pub const ALL: &[(&str, &str)] = &[
    ("RG001", "A type that is not declared. Types are declared with `type NAME = …;`, in any order."),
    (
        "RG002",
        "A type that is defined by itself, directly or through others. Every type must come down to sets of symbols.",
    ),
    ("RG003", "A map type whose keys are maps. Keys are symbols, so the type before `->` must be a set type."),
    ("RG004", "A set type without symbols. A variable of it could have no value."),
    ("RG005", "A symbol that is listed twice in a set type. List every symbol once."),
    ("RG006", "A name that is declared twice in the same name space: two types, two constants or two variables."),
    ("RG007", "A name that is both a constant and a variable, so that expressions with it would be ambiguous."),
    ("RG008", "A map with a key given twice, or without exactly one default entry `:value`."),
    (
        "RG009",
        "A map where a symbol is needed, or a symbol where a map is needed, in the value of a constant or variable.",
    ),
    ("RG010", "A value that is not a member of the type it is declared with."),
    ("RG011", "A key of a map that is not a member of the key type."),
    ("RG012", "A constant whose value depends on itself."),
    (
        "RG013",
        "An initial value or the value of a constant that refers to a variable. Such values are fixed: symbols and constants only.",
    ),
    (
        "RG014",
        "A built-in declaration (`Player`, `Score`, `Bool`, `goals`, `player`, `visible`, `begin`, `end`) that is missing or has \
      another form than the language asks for.",
    ),
    (
        "RG015",
        "An assignment to something that is not a variable. Only variables, and entries of maps in variables, can change.",
    ),
    ("RG016", "An assignment `player = T(*)`. Who is to move must be definite; choose with one edge per player."),
    (
        "RG017",
        "A comparison or an assignment of values whose types have nothing in common: it can never hold, or never happen.",
    ),
    ("RG018", "An access `map[key]` to something that is not a map, or with a key that its type does not have."),
    ("RG019", "A cast `T(expression)` to an unknown type, or of something that can never be of that type."),
    ("RG020", "A free choice `T(*)` of a map type. Only symbols can be chosen; assign the entries one by one."),
    ("RG021", "A tag `$$` of something that is not a variable with symbols as values. A fixed tag is written `$ tag`."),
    ("RG022", "No walk leads from `begin` to `end`, so no game ever ends. It can still be run, move by move."),
    ("RG023", "A tag on an edge from a node to itself: moves become infinitely long."),
    (
        "RG024",
        "A tag on a cycle of the automaton on which `player` is never assigned: moves may become infinitely long.",
    ),
    ("RG025", "An edge that leaves `end`. The game is over there, so the edge is never taken."),
    (
        "RG026",
        "A reachability check of a node that does not exist, or one whose result is known beforehand: no walk of the automaton \
      leads from its first to its second node.",
    ),
    (
        "RG027",
        "A reachability check from a node whose walks can come back to the same check. If they do so in the same state, the \
      result depends on itself, which stops the game with an error.",
    ),
    (
        "RG028",
        "An edge that leads to `end` is not labelled `player = keeper`. A move ends where `player` is assigned, so a game is over only \
      where such an edge leads to `end`; other programs that read RG expect that it hands over to the keeper: `done, end: player = keeper;`.",
    ),
    ("RG029", "A type, constant, variable or node that is never used or never reached."),
    ("RG030", "Two edges between the same nodes with the same label. One of them does nothing."),
    (
        "RG031",
        "A pragma that refers to something unknown, or says something about edges or nodes that is evidently not so.",
    ),
    (
        "RG032",
        "A node that games reach and no edge leaves. Only `end` ends a game: at any other node without edges, moves break off and are not \
      legal. It is reported where a move ends, since nobody can go on then, and where the name of another node may be meant.",
    ),
    (
        "RG033",
        "A tag `$` with the name of a variable. It is the same in every move; the value of the variable is written `$$ variable`.",
    ),
    (
        "RG050",
        "A text that does not follow the grammar of RG. The message says what was found and what could stand there.",
    ),
    ("RG051", "A declaration or edge without `;` at its end."),
    ("RG052", "A character that is not part of the language."),
    ("RG053", "Brackets, expressions or types that are nested too deeply to be read."),
    ("RG054", "A block comment. RG has comments `// …` up to the end of a line."),
    ("RG055", "A pragma that is unknown or not written as it should be."),
    ("RG056", "A node with brackets, as in HRG or macros. RG has plain names; translate the description first."),
    ("RG058", "A text that is too large to be read."),
    ("RG059", "More errors than are reported. Fix the first ones and check again."),
    ("RG060", "A JSON text that is not a game: not JSON at all, or not of the schema that `rgc schema` prints."),
    ("RG061", "A game in JSON of another version of the format than this program reads."),
    ("RG062", "A name in a game in JSON that refers to nothing."),
    ("RG063", "A name in a game in JSON that has no form in RG text: names consist of letters, digits and `_`."),
];
