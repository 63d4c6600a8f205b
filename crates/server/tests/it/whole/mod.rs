//! The server as a whole: many at once, its end, and its beginning on what is kept.

mod crowd;
mod ending;
mod restart;
