// NAME: take one or two stones; who takes the last one wins.

// Values that variables can have. Player and Score have to be there.
type Player = { first, second };
type Score = { 0, 100 };
type Count = { 0, 1, 2, 3, 4, 5, 6, 7 };

// Constants: tables from values to values.
const opponent: Player -> Player = { :first, first: second };
const less: Count -> Count = { :0, 2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6 };

// Variables, which make up the state of the game.
var me: Player = first;
var stones: Count = 7;

// The automaton: edges from node to node, each with what it does. Here a player chooses; tags with $ name the moves.
begin, choose: player = me;
choose, one: $ one;
one, taken: stones = less[stones];
choose, enough: stones != 1;
enough, two: $ two;
two, second: stones = less[stones];
second, taken: stones = less[stones];

// What nobody chooses is done by the keeper.
taken, judge: player = keeper;
judge, won: stones == 0;
won, over: goals[me] = 100;
over, end: player = keeper;
judge, next: stones != 0;
next, changed: me = opponent[me];
changed, choose: player = me;
