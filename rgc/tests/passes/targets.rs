//! The smallest sizes known from elsewhere: what the reference implementation's optimiser leaves of these games.

/// Language, game; nodes, edges and cells.
type Target = (&'static str, &'static str, [u64; 3]);

#[rustfmt::skip] // a game to a line
const TARGETS: [Target; 38] = [
    ("hrg", "ticTacToe", [34, 38, 50]),
    ("hrg", "breakthrough", [43, 50, 337]),
    ("hrg", "connect4", [43, 59, 231]),
    ("hrg", "knightthrough", [45, 52, 337]),
    ("hrg", "hex", [37, 46, 622]),
    ("hrg", "gomoku_standard", [185, 222, 1144]),
    ("hrg", "reversi", [401, 633, 536]),
    ("hrg", "yavalath", [101, 126, 324]),
    ("hrg", "amazons_split2", [440, 588, 519]),
    ("hrg", "theMillGame", [199, 274, 226]),
    ("hrg", "pentago_split", [717, 978, 161]),
    ("hrg", "englishDraughts", [185, 236, 266]),
    ("hrg", "foxAndHounds", [49, 57, 209]),
    ("hrg", "surakarta", [183, 246, 374]),
    ("hrg", "oware", [373, 501, 1032]),
    ("hrg", "dotsAndBoxes", [33, 41, 898]),
    ("hrg", "battleships", [256, 277, 2948]),
    ("hrg", "ultimateTicTacToe", [109, 124, 394]),
    ("hrg", "chess_kingCapture", [456, 717, 1421]),
    ("hrg", "chess", [879, 1439, 1429]),
    ("hrg", "backgammon", [2197, 2782, 1039]),
    ("rbg", "ticTacToe", [51, 64, 260]),
    ("rbg", "breakthrough", [56, 65, 470]),
    ("rbg", "connect4", [90, 117, 425]),
    ("rbg", "knightthrough", [51, 56, 599]),
    ("rbg", "hex", [57, 82, 820]),
    ("rbg", "gomoku_standard", [100, 121, 1340]),
    ("rbg", "reversi", [1156, 1397, 665]),
    ("rbg", "yavalath", [100, 131, 520]),
    ("rbg", "amazons_split2", [375, 558, 816]),
    ("rbg", "theMillGame", [519, 610, 466]),
    ("rbg", "pentago_split", [2639, 3788, 398]),
    ("rbg", "englishDraughts", [427, 610, 462]),
    ("rbg", "foxAndHounds", [50, 58, 375]),
    ("rbg", "surakarta", [241, 314, 1160]),
    ("rbg", "lauKataKati", [569, 722, 491]),
    ("rbg", "chess_kingCapture", [750, 1161, 2526]),
    ("rbg", "chess", [1071, 1840, 1486]),
];

/// Nodes, edges and cells known for a game.
pub(crate) fn of(language: &str, name: &str) -> Option<[u64; 3]> {
    TARGETS.iter().find(|target| (target.0, target.1) == (language, name)).map(|target| target.2)
}
