//! The words for each pattern, by family.

mod almost_locked;
mod basic;
mod chain;
mod coloring;
mod fish;
mod forcing;
mod rectangle;
mod unique_loop;
mod wings;

pub(super) use almost_locked::{als_chain, death_blossom, sue_de_coq};
pub(super) use basic::{
    full_house, hidden_single, locked_candidates, locked_subset, naked_single, subset,
};
pub(super) use chain::{chain, remote_pair, templates};
pub(super) use coloring::colors;
pub(super) use fish::{finned_fish, fish};
pub(super) use forcing::forcing;
pub(super) use rectangle::{bug_plus_one, rectangle};
pub(super) use unique_loop::{aligned_exclusion, bug, unique_loop};
pub(super) use wings::{empty_rectangle, turbot_fish, w_wing, xy_wing, xyz_wing};
