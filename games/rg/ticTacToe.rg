// Tic-tac-toe: three marks in a line win.
//
// Rules (traditional): x and o take turns to mark an empty cell of a board of three by three cells. Whoever first has
// three marks in a row, a column or a diagonal wins; if the board is full before that, the game is drawn.
//
// Moves: the marked cell. Scores: 100 for the winner, 0 for the loser, 50 each for a draw.
// perft: 9 72 504 3024 15120 54720 148176 200448 127872

type Player = { x, o };
type Score = { 50, 0, 100 };
type Cell = { a1, b1, c1, a2, b2, c2, a3, b3, c3 };
type Mark = { empty, x, o };
type Line = { row1, row2, row3, columnA, columnB, columnC, rising, falling };

const rival: Player -> Player = { :o, o: x };
const near: Line -> Cell = { :a1, row2: a2, row3: a3, columnB: b1, columnC: c1, falling: a3 };
const middle: Line -> Cell = { :b2, row1: b1, row3: b3, columnA: a2, columnC: c2 };
const far: Line -> Cell = { :c3, row1: c1, row2: c2, columnA: a3, columnB: b3, falling: c1 };

var board: Cell -> Mark = { :empty };
var cell: Cell = a1;
var line: Line = row1;
var mover: Player = x;

// The mover marks an empty cell.
begin, choose: player = x;
choose, chosen: cell = Cell(*);
chosen, free: board[cell] == empty;
free, told: $$ cell;
told, marked: board[cell] = mover;
marked, judge: player = keeper;

// The keeper looks for the end.
judge, won: ? look -> three;
judge, open: ! look -> three;
won, lost: goals[mover] = 100;
lost, over: goals[rival[mover]] = 0;
over, end: player = keeper;
open, over: ! seek -> found;
open, next: ? seek -> found;
next, changed: mover = rival[mover];
changed, choose: player = mover;

// Checked: a line with three marks of the mover.
look, line1: line = Line(*);
line1, line2: board[near[line]] == mover;
line2, line3: board[middle[line]] == mover;
line3, three: board[far[line]] == mover;

// Checked: an empty cell.
seek, sought: cell = Cell(*);
sought, found: board[cell] == empty;
