// A game with a mistake: who stays leaves the other one without a move.
type Player = { first, second };
type Score = { 0, 100 };
type Door = { open, shut };
var door: Door = open;
begin, choose: player = first;
choose, going: $ go;
going, won: goals[first] = 100;
won, end: player = keeper;
choose, staying: $ stay;
staying, closed: door = shut;
closed, other: player = second;
other, through: door == open;
through, gone: $ go;
gone, end: player = keeper;
