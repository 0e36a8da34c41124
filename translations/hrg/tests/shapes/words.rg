// Names that HRG reserves are others; declarations give way to symbols.
type Player = { a, b };
type Score = { 0, 50, 100 };
type Cell = { C__0_0, C__0_1, C__1_0, C__1_1 };
type Place = { C__0_0, C__0_1, C__1_0, C__1_1, off };
type Piece = { empty, x, o };
type domain = { graph, loop, _, x };
type Bool = { 0, 1 };
var graph_: domain = loop;
var C: Piece = empty;
var while: domain = x;
begin, m: player = a;
m, n: while = domain(*);
n, o: $$ while;
o, p: $ branch;
p, q: graph_ == loop;
q, end: player = keeper;
