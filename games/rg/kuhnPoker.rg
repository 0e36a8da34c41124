// Kuhn poker: one card each from a deck of three, one chance to bet.
//
// Rules (Harold Kuhn, 1950): both players put one chip into the pot and get a card each from jack, queen and king; nobody
// sees the other's card. The first player checks or bets one chip. After a bet the other one folds or calls; after a check
// he checks or bets, and after that bet the first one folds or calls. A fold gives the pot to the other player; otherwise
// the higher card wins it.
//
// Moves: of chance: the cards of the first and of the second player; check, bet, fold, call. Scores: chips at the end of
// two that both begin with, so 0 to 4. Moves of chance count: 3 first cards, 6 deals, then 12, 24 and 12 of the plays with
// one, two and three decisions.
// perft: 3 6 12 24 12

@integer 0 : 0 1 2 3 4;

type Player = { first, second };
type Score = { 2, 0, 1, 3, 4 };
type Bool = { 0, 1 };
type Visibility = Player -> Bool;
type Card = { jack, queen, king };

// The cards that beat a card.
const beats: Card -> Card -> Bool = { :{ :0 }, queen: { :0, jack: 1 }, king: { :1, king: 0 } };

var visible: Visibility = { :1 };
var firstCard: Card = jack;
var secondCard: Card = jack;

// Chance deals; each player sees the own card only.
begin, hideFirst: visible[second] = 0;
hideFirst, dealFirst: player = random;
dealFirst, dealtFirst: firstCard = Card(*);
dealtFirst, toldFirst: $$ firstCard;
toldFirst, turned: player = keeper;
turned, hideSecond: visible[second] = 1;
hideSecond, hidden: visible[first] = 0;
hidden, dealSecond: player = random;
dealSecond, dealtSecond: secondCard = Card(*);
dealtSecond, differs: secondCard != firstCard;
differs, toldSecond: $$ secondCard;
toldSecond, allSee: player = keeper;
allSee, opening: visible[first] = 1;
opening, open: player = first;

open, checked: $ check;
checked, reply: player = second;
open, raised: $ bet;
raised, answer: player = second;

reply, checkedBoth: $ check;
checkedBoth, smallShow: player = keeper;
reply, raisedLate: $ bet;
raisedLate, lateAnswer: player = first;

answer, folded: $ fold;
folded, firstSmall: player = keeper;
answer, called: $ call;
called, bigShow: player = keeper;

lateAnswer, foldedLate: $ fold;
foldedLate, secondSmall: player = keeper;
lateAnswer, calledLate: $ call;
calledLate, bigShow: player = keeper;

// The cards are compared.
smallShow, firstSmall: beats[firstCard][secondCard] == 1;
smallShow, secondSmall: beats[firstCard][secondCard] == 0;
bigShow, firstBig: beats[firstCard][secondCard] == 1;
bigShow, secondBig: beats[firstCard][secondCard] == 0;

// Scores: two chips, and what was won or lost.
firstSmall, firstSmallPaid: goals[first] = 3;
firstSmallPaid, over: goals[second] = 1;
secondSmall, secondSmallPaid: goals[first] = 1;
secondSmallPaid, over: goals[second] = 3;
firstBig, firstBigPaid: goals[first] = 4;
firstBigPaid, over: goals[second] = 0;
secondBig, secondBigPaid: goals[first] = 0;
secondBigPaid, over: goals[second] = 4;
over, end: player = keeper;
