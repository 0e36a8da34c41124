// Race: walk, or run and toss a coin.
//
// Rules (made up for this library): two runners stand at the beginning of a track of six steps and move in turn. The mover
// either walks one step, or runs and tosses a coin: heads brings three steps, tails none, and out of breath as one is
// then, one has to walk next. Whoever first reaches the end of the track wins.
//
// Moves: walk, run; of chance: heads, tails. Scores: 100 for the winner, 0 for the loser.
// Moves of chance count as moves.
// perft: 2 4 8 15 27 47 81 137 222

@integer 0 : 0 1 2 3 4 5 6;

type Player = { red, blue };
type Score = { 0, 100 };
type Breath = { fresh, spent };
type Place = { 0, 1, 2, 3, 4, 5, 6 };

const rival: Player -> Player = { :red, red: blue };
const oneOn: Place -> Place = { :6, 0: 1, 1: 2, 2: 3, 3: 4, 4: 5 };
const threeOn: Place -> Place = { :6, 0: 3, 1: 4, 2: 5 };

var place: Player -> Place = { :0 };
var breath: Player -> Breath = { :fresh };
var mover: Player = red;

begin, choose: player = red;

choose, walk: $ walk;
walk, walked: place[mover] = oneOn[place[mover]];
walked, rested: breath[mover] = fresh;
rested, judge: player = keeper;

choose, able: breath[mover] == fresh;
able, run: $ run;
run, toss: player = random;
toss, heads: $ heads;
heads, leapt: place[mover] = threeOn[place[mover]];
leapt, judge: player = keeper;
toss, tails: $ tails;
tails, winded: breath[mover] = spent;
winded, judge: player = keeper;

judge, won: place[mover] == 6;
won, over: goals[mover] = 100;
over, end: player = keeper;
judge, next: place[mover] != 6;
next, changed: mover = rival[mover];
changed, choose: player = mover;
