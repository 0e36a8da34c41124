// Symbols whose parts begin upper-case are no terms: in a pattern, the part would be a variable.
type Player = { a };
type Score = { 0, 100 };
type Place = { P__A_1, P__B_1, P__B_2 };
type Number = { one, two, three };
const number: Place -> Number = { :three, P__A_1: one, P__B_2: two };
var place: Place = P__A_1;
var found: Number = one;
begin, m: player = a;
m, n: place = Place(*);
n, o: $$ place;
o, p: found = number[place];
p, q: $$ found;
q, end: player = keeper;
