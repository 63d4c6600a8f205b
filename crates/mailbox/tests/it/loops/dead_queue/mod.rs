//! Messages that become letters of a dead queue, and go back to their mailbox.

mod fixture;
mod hand_back;
mod hand_over;
