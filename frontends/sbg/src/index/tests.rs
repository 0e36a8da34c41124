use super::*;

const GAME: &str = "\
<<Test>>
<BOARD>
3 2
|p.k|
|PxK|
<PIECES>
// A pawn.
P (0,1,e) + (0,1,p) &
K (1,0,w)
<GOALS>
20 &
@P 0 2, 1 2 &
#k 0 &
";

#[test]
fn everything_with_a_name_is_found() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/sbg");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("index", index(SourceId(0), GAME).show(GAME)));
}
