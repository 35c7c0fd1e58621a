//! A page for a camera, served to this computer alone: the page of `web/`, with the library behind it in place of
//! WebAssembly.

mod files;
mod pages;
mod server;

pub use server::{WatchConfig, WatchError, WatchServer, is_played};
