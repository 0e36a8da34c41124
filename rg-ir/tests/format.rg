

// A board.


type Player={x,o};type Score = {0,1} ; // two things on one line
type Small = {
  a,b };
type Rows = { a1, a2, a3,

  b1, b2, b3, // the middle


  // the last row
  c1, c2, c3 };
type Long = { position_01, position_02, position_03, position_04, position_05, position_06, position_07, position_08, position_09 };
type Empty = Player -> { an_inline_set_type, with_members_that, do_not_fit, on_a_line } -> { which_is_broken };
const next: Small -> Small={:a,a:b};
const deep: Small -> Small -> Small = {:{:a}, a: {:b, a: b}, b: {
    :a // why not
    , b: b } };
const wide: Small -> Small -> Small = {:{:a}, a_key_that_is_quite_long: {:another_value, a_key_that_is_quite_long: b, b_key: b_value}, b: {:b, a: a, b: b}};
@ unknown   text ;
@disjoint  p:q  r ;
@integer 0:a b;
@repeat p:;
@simpleApplyExhaustive p q[hit,v:Small] goals [x]=Score(1) , player=keeper;
begin,p:;
p,q:$hit;p,q:$$ player;
p, q // a comment in the middle
  : ?a->b;

p, q: goals [ x ]=Score ( * );p, q: goals[x] = {0,1}(*);
p, q: goals[x] == next[next[Small(a)]] // before the semicolon
;
q, end: player
  =
  // on its own line
  keeper;
// the end
