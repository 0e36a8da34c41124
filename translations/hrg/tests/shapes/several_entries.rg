// A circle is entered in two places: a dispatch becomes its only entry.
type Player = { a, b };
type Score = { 0, 50, 100 };
type Cell = { C__0_0, C__0_1, C__1_0, C__1_1 };
type Place = { C__0_0, C__0_1, C__1_0, C__1_1, off };
type Piece = { empty, x, o };
var left: Cell = C__0_0;
begin, start: player = a;
start, one: $ one;
start, two: $ two;
one, two: $ step;
two, check: $ back;
check, one: left == C__0_0;
check, out: left != C__0_0;
one, other: left = C__0_1;
other, two: ;
two, out: $ out;
out, end: player = keeper;
