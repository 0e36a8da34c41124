//! The formatter.
#![allow(clippy::unwrap_used)] // a test stops at the first surprise

use rg_ir::SourceId;

const MESSY: &str = "// A comment.
domain   Player=p|q
domain Score = 0|1   // scores


domain Pos=V(X,Y)where X in 0..2,Y in {a,b}
  | null
next:Pos->Pos
next(V(X,Y))=if (X+1)%3==0
then V(0,Y) else
V(X+1,Y)
next(null)=null
board:Pos->Score={:0;
V(X,a)=1 where X in 0..2
}
reusable graph won(who:Player){check(goals[who]==1||not(reachable(nothing())))}
graph nothing(){}
graph rules(){player=p
branch{$ a}or{$_ b $_(c d)
// inside
}
branch x in{null}{repeat 2{
$$ player
}}
while goals[p]!=1{goals[p]=1 continue()}
if won==p&&true(){$ (e f)}else if false(){return()}
board[next[null]]=Score(*)end()}";

#[test]
fn lines_and_comments_stay() {
    let formatted = hrg::format(SourceId(0), MESSY).unwrap();
    assert_eq!(hrg::format(SourceId(0), &formatted).unwrap(), formatted);
    insta::with_settings!({ snapshot_path => "../../../snapshots/hrg", prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("format", formatted);
    });
}

#[test]
fn what_cannot_be_read_is_not_formatted() {
    let findings = hrg::format(SourceId(0), "graph rules() {").unwrap_err();
    assert_eq!(findings.first().map(|finding| finding.code), Some(hrg::codes::SYNTAX));
}
