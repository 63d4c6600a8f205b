//! Loops over mailboxes in memory.
//!
//! The requirements of the contract, and the tests that show them. Tests of the suite of mailboxes run on every backend;
//! tests in `with_redis` and `with_redis_durable` are those of `redrive-redis`.
//!
//! | | requirement | tests |
//! |---|---|---|
//! | a | a garbage body | `failures::a_…`; `with_redis::loops::a_…` |
//! | b | a message that kills its worker; excluded errors | `failures::b_…`, `with_redis::loops::b_…` |
//! | c | a crash between any two steps of a hand-over | `hand_over::c_…`, `dead_queue::hand_over::c_…`, `with_redis::loops::c_…` |
//! | d | dead letters down or full | `hand_over::d_…`, `dead_queue::hand_over::d_…` |
//! | e | an outage of minutes | `liveness::e_…`, `with_redis::loops::e_…` |
//! | f | shutdown in long polls, and with a loop that is stuck | `group::f_…`, `with_redis::loops::f_…` |
//! | g | receive returns at once; sends and closes wake it | suite: `waiting::g_…` |
//! | h | extensions and shortening | suite: `extend::h_…` |
//! | i | retention of letters | suite: `retention::i_…` |
//! | j | 100 000 due messages | suite: `reaping::j_…` |
//! | k | matching by category | `failures::k_…` |
//! | l | stale handles | suite: `history::l_…` |
//! | more | death of loop 3; visibility of a consumer in a group | `group::the_death_…`, `group::a_consumer_…` |
//! | more | unstarted messages keep their count | `group::messages_…`, suite: `settle::a_release_…` |
//! | more | purge leaves no keys | suite: `administration::a_purge_leaves_nothing_behind` |
//! | more | no client error escapes | `with_redis::faults`, `with_redis::lost_replies`: every error is a `MailboxError` |
//! | | two groups competing; Redis paused, killed, restarted | `with_redis::loops` |
//! | | random faults, three processes | `with_redis_durable::soak` |

mod child;
mod consumer;
mod dead_queue;
mod eval;
mod failures;
mod fixture;
mod group;
mod hand_over;
mod health;
mod liveness;
mod replay;

pub(crate) use fixture::name;
