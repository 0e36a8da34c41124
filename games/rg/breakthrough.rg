// Breakthrough: pawns race to the far side and capture on their way.
//
// Rules (Dan Troyka, 2000): both players have two rows of pawns on their side of a board of eight by eight cells. A pawn
// moves one step forward, straight or diagonally, to an empty cell; diagonally it may also capture a pawn of the
// opponent. Whoever brings a pawn to the opponent's first row, or leaves the opponent without a move, wins.
//
// Moves: the cell the pawn comes from, then the direction. Scores: 100 for the winner, 0 for the loser. The numbers are
// published with the Regular Boardgames system.
// perft: 22 484 11132 256036 6182818 149264638

type Player = { white, black };
type Score = { 0, 100 };
type Cell = {
    a1, b1, c1, d1, e1, f1, g1, h1,
    a2, b2, c2, d2, e2, f2, g2, h2,
    a3, b3, c3, d3, e3, f3, g3, h3,
    a4, b4, c4, d4, e4, f4, g4, h4,
    a5, b5, c5, d5, e5, f5, g5, h5,
    a6, b6, c6, d6, e6, f6, g6, h6,
    a7, b7, c7, d7, e7, f7, g7, h7,
    a8, b8, c8, d8, e8, f8, g8, h8
};
type CellOrOff = {
    off,
    a1, b1, c1, d1, e1, f1, g1, h1,
    a2, b2, c2, d2, e2, f2, g2, h2,
    a3, b3, c3, d3, e3, f3, g3, h3,
    a4, b4, c4, d4, e4, f4, g4, h4,
    a5, b5, c5, d5, e5, f5, g5, h5,
    a6, b6, c6, d6, e6, f6, g6, h6,
    a7, b7, c7, d7, e7, f7, g7, h7,
    a8, b8, c8, d8, e8, f8, g8, h8
};
type Content = { empty, white, black };

const rival: Player -> Player = { :white, white: black };

// One step, and `off` behind the edge of the board.
const up: Cell -> CellOrOff = {
    :off,
    a1: a2, b1: b2, c1: c2, d1: d2, e1: e2, f1: f2, g1: g2, h1: h2,
    a2: a3, b2: b3, c2: c3, d2: d3, e2: e3, f2: f3, g2: g3, h2: h3,
    a3: a4, b3: b4, c3: c4, d3: d4, e3: e4, f3: f4, g3: g4, h3: h4,
    a4: a5, b4: b5, c4: c5, d4: d5, e4: e5, f4: f5, g4: g5, h4: h5,
    a5: a6, b5: b6, c5: c6, d5: d6, e5: e6, f5: f6, g5: g6, h5: h6,
    a6: a7, b6: b7, c6: c7, d6: d7, e6: e7, f6: f7, g6: g7, h6: h7,
    a7: a8, b7: b8, c7: c8, d7: d8, e7: e8, f7: f8, g7: g8, h7: h8
};
const down: Cell -> CellOrOff = {
    :off,
    a2: a1, b2: b1, c2: c1, d2: d1, e2: e1, f2: f1, g2: g1, h2: h1,
    a3: a2, b3: b2, c3: c2, d3: d2, e3: e2, f3: f2, g3: g2, h3: h2,
    a4: a3, b4: b3, c4: c3, d4: d3, e4: e3, f4: f3, g4: g3, h4: h3,
    a5: a4, b5: b4, c5: c4, d5: d4, e5: e4, f5: f4, g5: g4, h5: h4,
    a6: a5, b6: b5, c6: c5, d6: d5, e6: e5, f6: f5, g6: g5, h6: h5,
    a7: a6, b7: b6, c7: c6, d7: d6, e7: e6, f7: f6, g7: g6, h7: h6,
    a8: a7, b8: b7, c8: c7, d8: d7, e8: e7, f8: f7, g8: g7, h8: h7
};
const left: Cell -> CellOrOff = {
    :off,
    b1: a1, c1: b1, d1: c1, e1: d1, f1: e1, g1: f1, h1: g1,
    b2: a2, c2: b2, d2: c2, e2: d2, f2: e2, g2: f2, h2: g2,
    b3: a3, c3: b3, d3: c3, e3: d3, f3: e3, g3: f3, h3: g3,
    b4: a4, c4: b4, d4: c4, e4: d4, f4: e4, g4: f4, h4: g4,
    b5: a5, c5: b5, d5: c5, e5: d5, f5: e5, g5: f5, h5: g5,
    b6: a6, c6: b6, d6: c6, e6: d6, f6: e6, g6: f6, h6: g6,
    b7: a7, c7: b7, d7: c7, e7: d7, f7: e7, g7: f7, h7: g7,
    b8: a8, c8: b8, d8: c8, e8: d8, f8: e8, g8: f8, h8: g8
};
const right: Cell -> CellOrOff = {
    :off,
    a1: b1, b1: c1, c1: d1, d1: e1, e1: f1, f1: g1, g1: h1,
    a2: b2, b2: c2, c2: d2, d2: e2, e2: f2, f2: g2, g2: h2,
    a3: b3, b3: c3, c3: d3, d3: e3, e3: f3, f3: g3, g3: h3,
    a4: b4, b4: c4, c4: d4, d4: e4, e4: f4, f4: g4, g4: h4,
    a5: b5, b5: c5, c5: d5, d5: e5, e5: f5, f5: g5, g5: h5,
    a6: b6, b6: c6, c6: d6, d6: e6, e6: f6, f6: g6, g6: h6,
    a7: b7, b7: c7, c7: d7, d7: e7, e7: f7, f7: g7, g7: h7,
    a8: b8, b8: c8, c8: d8, d8: e8, e8: f8, f8: g8, g8: h8
};
const ahead: Player -> Cell -> CellOrOff = { :up, black: down };

var board: Cell -> Content = {
    :empty,
    a1: white, b1: white, c1: white, d1: white, e1: white, f1: white, g1: white, h1: white,
    a2: white, b2: white, c2: white, d2: white, e2: white, f2: white, g2: white, h2: white,
    a7: black, b7: black, c7: black, d7: black, e7: black, f7: black, g7: black, h7: black,
    a8: black, b8: black, c8: black, d8: black, e8: black, f8: black, g8: black, h8: black
};
var from: Cell = a1;
var to: CellOrOff = off;
var mover: Player = white;

begin, choose: player = white;

// A pawn of the mover, and the cell before it.
choose, picked: from = Cell(*);
picked, mine: board[from] == mover;
mine, told: $$ from;
told, stepped: to = ahead[mover][from];
stepped, facing: to != off;

facing, straight: $ straight;
straight, arrived: board[to] == empty;

facing, leftward: $ left;
leftward, besideLeft: to = left[to];
besideLeft, diagonal: to != off;
facing, rightward: $ right;
rightward, besideRight: to = right[to];
besideRight, diagonal: to != off;
diagonal, arrived: board[to] != mover;

arrived, lifted: board[from] = empty;
lifted, placed: board[Cell(to)] = mover;
placed, judge: player = keeper;

// The keeper looks for the end: the far side, or an opponent without a pawn. With a pawn there is always a move: the
// foremost pawn can be blocked straight on, but its diagonals are free or can be captured.
judge, won: ahead[mover][to] == off;
judge, further: ahead[mover][to] != off;
further, changed: mover = rival[mover];
changed, beaten: ! seek -> sought;
beaten, won: mover = rival[mover];
changed, next: ? seek -> sought;
next, choose: player = mover;
won, over: goals[mover] = 100;
over, end: player = keeper;

// Checked: a pawn of the mover.
seek, seeking: from = Cell(*);
seeking, sought: board[from] == mover;
