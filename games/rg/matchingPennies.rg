// Matching pennies: both show a coin at once; equal sides win for one, unequal for the other.
//
// Rules (traditional): each player puts down a coin without the other one seeing it. If both show the same side, the first
// player wins, otherwise the second one. That both choose at once is said by hiding: the second player moves later, but
// is not told what the first one did.
//
// Moves: heads, tails. Scores: 100 for the winner, 0 for the loser.
// perft: 2 4 0

type Player = { even, odd };
type Score = { 0, 100 };
type Bool = { 0, 1 };
type Visibility = Player -> Bool;
type Side = { heads, tails };

var visible: Visibility = { :1 };
var evenCoin: Side = heads;
var oddCoin: Side = heads;

// While one chooses, the other one sees nothing.
begin, hidden: visible[odd] = 0;
hidden, first: player = even;
first, firstChosen: evenCoin = Side(*);
firstChosen, firstTold: $$ evenCoin;
firstTold, between: player = keeper;

between, shown: visible[odd] = 1;
shown, covered: visible[even] = 0;
covered, second: player = odd;
second, secondChosen: oddCoin = Side(*);
secondChosen, secondTold: $$ oddCoin;
secondTold, reveal: player = keeper;

// The coins are shown to both, as tags of the keeper.
reveal, open: visible[even] = 1;
open, openFirst: $$ evenCoin;
openFirst, openBoth: $$ oddCoin;
openBoth, same: evenCoin == oddCoin;
openBoth, different: evenCoin != oddCoin;
same, over: goals[even] = 100;
different, over: goals[odd] = 100;
over, end: player = keeper;
