//! The list of all cases by theme, from which the tests and the table of cases are generated.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::MailboxHarness;
use super::fixture::MailboxFixture;

/// Calls a macro with every case of the suite, marked `transport` if it depends on what is between the backend and its
/// storage. The marked cases use every operation. For [`mailbox_conformance_tests!`](crate::mailbox_conformance_tests).
#[doc(hidden)]
#[macro_export]
macro_rules! each_mailbox_conformance_case {
    ([$($then:tt)*] $($with:tt)*) => {
        $($then)* ! {
            [$($with)*]
            send {
                #[transport] a_message_keeps_its_bytes_and_its_reply_to,
                every_message_gets_its_own_id,
                #[transport] an_explicit_id_is_accepted_once,
                an_explicit_id_is_forgotten_at_the_end_of_its_retention,
                #[transport] concurrent_sends_of_an_id_make_one_message,
                #[transport] a_full_mailbox_rejects_messages,
                a_full_mailbox_accepts_an_id_that_it_has,
                #[transport] a_body_that_is_too_large_is_rejected,
            }
            receive {
                #[transport] values_out_of_range_are_rejected,
                #[transport] messages_are_first_delivered_in_the_order_of_their_sends,
                #[transport] a_delivery_has_its_counts_and_times,
                a_leased_message_is_invisible_until_its_deadline,
                a_lease_of_zero_is_visible_again_at_once,
                #[transport] two_receivers_never_get_the_same_message,
                #[transport] a_dropped_receive_leases_nothing,
            }
            waiting {
                #[transport] g_receive_of_ten_with_one_queued_returns_at_once,
                #[transport] g_a_send_wakes_a_blocked_receive_within_milliseconds,
                #[transport] g_close_wakes_every_blocked_receive,
                #[transport] every_send_wakes_a_blocked_receive,
                #[transport] a_receive_returns_empty_after_its_wait,
                #[transport] the_end_of_a_lease_wakes_a_blocked_receive,
                #[transport] the_end_of_a_delay_wakes_a_blocked_receive,
                #[transport] a_return_wakes_a_blocked_receive,
                #[transport] a_release_wakes_a_blocked_receive,
                #[transport] a_letter_wakes_a_blocked_receive,
            }
            settle {
                #[transport] an_acknowledged_message_is_gone,
                a_returned_message_is_visible_at_once_at_the_tail,
                a_delayed_message_is_not_early_and_has_no_valid_handle,
                #[transport] a_return_keeps_error_and_verdict_until_they_are_replaced,
                #[transport] an_uncharged_return_is_counted_separately,
                #[transport] a_long_error_is_cut_at_a_character,
                a_delay_out_of_range_is_rejected,
                #[transport] a_release_restores_the_count_and_the_place,
                #[transport] an_expired_handle_settles_nothing,
                every_settlement_invalidates_its_handle,
            }
            extend {
                h_an_extension_with_a_smaller_value_keeps_the_deadline,
                #[transport] h_an_explicit_shortening_takes_effect,
                #[transport] an_extension_counts_from_now_and_is_not_additive,
                an_extension_out_of_range_is_rejected,
                an_extended_message_is_invisible_until_its_new_deadline,
            }
            dead_letter {
                #[transport] a_letter_replaces_its_message,
                #[transport] a_stale_handle_writes_no_letter,
                #[transport] a_repeated_hand_over_makes_one_letter,
                #[transport] a_full_mailbox_of_letters_keeps_the_lease,
                a_closed_mailbox_of_letters_keeps_the_lease,
                a_letter_needs_an_id_and_another_mailbox,
                a_letter_that_is_too_large_keeps_the_lease,
                an_id_that_is_used_again_makes_another_letter,
                #[transport] a_letter_keeps_its_reply_to,
                #[transport] a_hand_over_to_another_backend_makes_one_letter,
                #[transport] a_failed_hand_over_to_another_backend_keeps_the_lease,
            }
            begin_hand_over {
                #[transport] a_message_whose_hand_over_began_is_delivered_for_the_rest_of_it,
                #[transport] a_hand_over_begins_with_a_lease_that_lasts,
                #[transport] a_stale_handle_begins_no_hand_over,
            }
            browse {
                #[transport] browsing_finds_every_message_and_changes_nothing,
                browsing_finds_no_message_beyond_its_retention,
                #[transport] a_size_or_cursor_out_of_range_is_rejected,
                #[transport] a_taken_message_is_leased_as_a_received_one,
                a_message_that_is_leased_or_gone_cannot_be_taken,
                a_taken_message_that_is_released_is_received_again,
                #[transport] concurrent_takes_lease_a_message_once,
            }
            retention {
                #[transport] i_letters_outlive_the_retention_of_their_source,
                i_expiry_is_per_message,
                a_leased_message_does_not_expire,
                a_message_that_is_returned_after_its_retention_is_gone,
                a_message_that_waits_for_its_hand_over_does_not_expire,
                a_delayed_message_expires,
                an_expired_message_makes_room,
                #[transport] of_many_messages_that_expire_at_once_none_is_delivered,
                a_message_behind_many_that_expire_with_their_leases_is_delivered,
                a_message_that_expires_behind_many_ended_leases_makes_room,
                a_retention_of_zero_keeps_messages,
                an_id_that_expired_may_be_sent_again,
                #[transport] an_id_may_be_sent_again_as_soon_as_it_expires,
            }
            reaping {
                j_very_many_due_messages_are_received_without_a_reaper,
            }
            administration {
                #[transport] counts_have_three_parts,
                #[transport] a_purge_removes_messages_in_every_state,
                #[transport] a_purge_leaves_nothing_behind,
                acknowledged_messages_leave_nothing_behind,
                a_closed_mailbox_sends_and_receives_nothing,
                #[transport] a_closed_mailbox_settles_what_is_held,
                closing_one_object_leaves_others_open,
            }
            history {
                #[transport] l_stale_handles_are_refused_after_any_history,
                histories_with_capacity_and_retention_match_the_model,
            }
        }
    };
}

/// Generates a test for every case, or for those that are marked `transport`, in one module per theme. One harness of
/// each backend runs the whole suite, and its harnesses over other connections run the marked cases.
///
/// The argument is an expression that creates a [`MailboxHarness`]. The tests need `tokio` with `macros` and
/// `rt-multi-thread`.
#[macro_export]
macro_rules! mailbox_conformance_tests {
    ($harness:expr) => {
        $crate::mailbox_conformance_tests! { $harness, all }
    };
    ($harness:expr, $cases:ident) => {
        $crate::each_mailbox_conformance_case! { [$crate::mailbox_conformance_test_functions] $cases $harness }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! mailbox_conformance_test_functions {
    ([$cases:ident $harness:expr] $($theme:ident { $($(#[$mark:ident])* $case:ident,)* })*) => {
        $(mod $theme {
            #[allow(unused_imports, reason = "the harness may be named by a path from the root")]
            use super::*;

            $($crate::mailbox_conformance_test! { $cases [$($mark)*] $theme $case $harness })*
        })*
    };
}

/// Generates the test of a case, if its marks are among those that the harness runs.
#[doc(hidden)]
#[macro_export]
macro_rules! mailbox_conformance_test {
    (all [$($mark:ident)*] $theme:ident $case:ident $harness:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            $crate::conformance::check(stringify!($theme), stringify!($case), $harness).await;
        }
    };
    (transport [] $($test:tt)*) => {};
    (transport [transport] $($test:tt)*) => { $crate::mailbox_conformance_test! { all [] $($test)* } };
}

macro_rules! table {
    ([] $($theme:ident { $($(#[$mark:ident])* $case:ident,)* })*) => {
        /// All cases of the suite.
        pub const CASES: &[MailboxCase] = &[$($(
            MailboxCase {
                theme: stringify!($theme),
                name: stringify!($case),
                run: |fixture| Box::pin(super::cases::$theme::$case(fixture)),
            },
        )*)*];
    };
}

each_mailbox_conformance_case! { [table] }

/// A rule that every backend must follow, with its test.
#[derive(Clone, Copy)]
pub struct MailboxCase {
    pub theme: &'static str,
    pub name: &'static str,
    run: for<'f> fn(&'f MailboxFixture) -> BoxFuture<'f, ()>,
}

impl fmt::Debug for MailboxCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.theme, self.name)
    }
}

/// Time limit of a case, which turns a hang into a failure.
const CASE_MAX: Duration = Duration::from_secs(240);

/// Runs the case of this name.
///
/// # Panics
///
/// When there is no such case, or the backend violates the rule.
pub async fn check(theme: &str, name: &str, harness: impl MailboxHarness) {
    let case = CASES.iter().find(|case| case.theme == theme && case.name == name);
    let case = case.expect("the tests are generated from the list of cases");
    let most = CASE_MAX.saturating_mul(u32::try_from(redrive_testkit::soak_factor()).unwrap_or(u32::MAX));
    let run = tokio::time::timeout(most, async {
        (case.run)(&MailboxFixture::open(&harness).await).await;
    });
    assert!(run.await.is_ok(), "{case:?}: not finished after {most:?}");
}
