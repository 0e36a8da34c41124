//! Game managers of others and their players: matches over the network, with programs of any origin.
//!
//! [`ggp`] speaks the HTTP protocol of General Game Playing, [`rbg`] that of the RBG game manager over TCP, each as a player and as a
//! manager.

pub mod ggp;
pub mod rbg;
