//! The list of all cases by theme, from which the tests and the table of cases are generated.

/// Calls a macro with every case of the suite and its marks: `transport` if it depends on what is between the source and
/// its storage, `letters` if it depends on where letters go. For [`source_conformance_tests!`](crate::source_conformance_tests).
#[doc(hidden)]
#[macro_export]
macro_rules! each_source_conformance_case {
    ([$($then:tt)*] $($with:tt)*) => {
        $($then)* ! {
            [$($with)*]
            claims {
                #[transport] a_claim_waits_until_there_is_work,
                #[transport] every_arrival_wakes_a_waiting_claim,
                a_claim_returns_what_is_available,
                #[transport] a_claim_returns_at_most_its_count,
                claimed_work_is_not_yielded_again,
                #[transport] a_delivery_carries_its_content_byte_for_byte,
                new_work_is_at_its_first_attempt,
                #[transport] a_delivery_has_the_deadline_of_its_claim,
                #[transport] scheduled_work_is_not_early,
                #[transport] a_due_time_wakes_a_waiting_claim,
                work_has_its_destination,
                work_of_excluded_destinations_is_not_yielded,
                only_work_of_the_requested_destination_is_yielded,
                a_source_with_one_destination_yields_nothing_if_excluded,
            }
            dropped_claims {
                #[transport] a_claim_that_was_never_polled_takes_nothing,
                #[transport] a_claim_dropped_while_it_waits_takes_nothing,
                #[transport] a_claim_dropped_after_its_answer_was_sent_takes_nothing,
                #[transport] a_claim_dropped_after_any_number_of_polls_takes_nothing,
                #[transport] claims_dropped_at_random_as_work_arrives_take_nothing,
                #[transport] concurrently_dropped_claims_lose_nothing,
                #[transport] a_dropped_claim_keeps_the_order,
            }
            fences {
                #[letters] every_resolution_invalidates_its_fence,
                #[letters] an_old_fence_does_not_affect_the_next_holder,
                #[letters] of_two_settlements_of_one_fence_the_second_is_stale,
                #[letters] #[transport] of_two_concurrent_settlements_one_takes_effect,
                #[letters] #[transport] settlements_are_answered_in_order_and_independently,
                #[letters] #[transport] extensions_are_answered_in_order_and_independently,
                #[letters] #[transport] an_empty_request_gets_an_empty_answer,
                #[letters] #[transport] a_fence_that_was_never_issued_is_stale,
            }
            redelivery {
                a_release_charges_no_attempt,
                a_deferral_is_not_early_and_charges_no_attempt,
                a_retry_is_not_early_and_charges_an_attempt,
                an_uncharged_retry_gives_its_attempt_back,
                #[transport] a_release_wakes_a_waiting_claim,
                #[transport] a_redelivery_is_not_a_microsecond_early,
                #[transport] a_short_delay_is_kept,
                a_time_in_the_past_means_at_once,
                #[transport] redelivered_work_is_the_same_work,
            }
            attempts {
                an_expired_claim_has_used_its_attempt,
                an_extension_charges_no_attempt,
                attempts_and_deliveries_are_counted_exactly,
            }
            leases {
                #[transport] an_extended_claim_is_exclusive_until_its_new_deadline,
                an_extension_never_shortens_a_claim,
                only_extended_claims_are_kept,
                an_expired_claim_gives_the_work_to_the_next_holder,
                an_expired_claim_is_stale_before_the_next_claim,
                a_claim_without_a_deadline_does_not_expire,
            }
            dead_letters {
                #[letters] an_acknowledged_letter_exists_and_its_work_is_gone,
                #[letters] #[transport] a_letter_keeps_its_content_byte_for_byte,
                #[letters] #[transport] a_letter_keeps_the_record_of_its_last_attempt,
                #[letters] #[transport] a_letter_keeps_the_records_of_earlier_attempts,
                #[letters] dropped_work_leaves_no_letter,
                #[letters] #[transport] one_call_settles_many_letters,
                #[letters] a_failed_hand_over_keeps_the_claim,
                #[letters] a_failed_hand_over_does_not_affect_other_settlements,
            }
            hand_over {
                #[letters] work_is_redelivered_for_its_hand_over,
                #[letters] #[transport] redelivery_for_hand_over_wakes_a_waiting_claim,
                #[letters] work_stays_for_hand_over_only,
                #[letters] the_letter_has_the_record_of_the_failed_attempt,
                #[letters] work_for_hand_over_accepts_every_final_resolution,
                #[letters] work_is_redelivered_until_its_hand_over_succeeds,
            }
            parts {
                a_delivery_has_the_parts_of_its_work,
                #[transport] a_partial_retry_yields_only_the_failed_parts,
                a_failure_of_all_parts_keeps_the_parts,
                parts_are_kept_over_deliveries_without_an_attempt,
            }
            order {
                a_claim_yields_one_piece_of_work_per_key,
                the_next_waits_while_the_earlier_is_claimed,
                the_next_waits_while_the_earlier_waits_for_redelivery,
                the_next_is_yielded_when_the_earlier_has_ended,
                the_next_waits_until_the_hand_over_of_the_earlier,
                other_keys_are_not_blocked,
                #[transport] an_empty_key_is_a_key,
                work_without_a_key_is_never_blocked,
                redeliveries_keep_the_order,
            }
            revoked {
                #[transport] the_holder_of_a_revoked_claim_is_notified,
                a_revoked_claim_settles_nothing,
                a_valid_claim_is_not_cancelled,
            }
            lost_answers {
                #[letters] #[transport] a_repeated_settlement_after_a_lost_answer_is_stale,
                #[letters] #[transport] another_resolution_after_a_lost_answer_is_stale,
                #[letters] #[transport] a_cancelled_call_takes_effect_at_most_once,
                #[letters] #[transport] a_batch_may_be_settled_again,
            }
            identity {
                the_id_is_the_same_over_all_attempts,
                #[transport] the_idempotency_key_is_the_same_over_all_attempts,
                #[transport] the_origin_is_the_same_over_all_attempts,
                #[transport] the_first_due_time_is_the_same_over_all_attempts,
                different_work_has_different_ids,
            }
            restart {
                #[transport] unfinished_work_survives,
                #[transport] settled_work_stays_settled,
                #[transport] a_claim_from_before_a_restart_holds_or_is_stale,
                #[transport] the_identity_of_work_survives,
                #[transport] attempts_and_due_times_survive,
                #[transport] the_failed_parts_survive,
            }
            concurrency {
                #[transport] each_piece_of_work_has_one_holder_at_a_time_and_one_end,
                #[transport] batches_of_results_lose_nothing,
            }
        }
    };
}

/// Generates a test for every case, or for those with a mark, in one module per theme.
///
/// The argument is an expression that creates a [`SourceHarness`](crate::conformance::SourceHarness). The tests need
/// `tokio` with `macros` and `rt-multi-thread`, so that concurrent claims run in parallel.
///
/// One harness of each kind of source runs the whole suite. A harness with the same source over another connection runs
/// the cases that are marked `transport`, and one with another place for letters those that are marked `letters`.
///
/// ```ignore
/// mod mailbox {
///     redrive_run::source_conformance_tests!(crate::Mailboxes);
/// }
///
/// mod mailbox_over_tls {
///     redrive_run::source_conformance_tests!(crate::SecureMailboxes, transport);
/// }
/// ```
#[macro_export]
macro_rules! source_conformance_tests {
    ($harness:expr) => {
        $crate::source_conformance_tests! { $harness, all }
    };
    ($harness:expr, $cases:ident) => {
        $crate::each_source_conformance_case! { [$crate::source_conformance_test_functions] $cases $harness }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! source_conformance_test_functions {
    ([$cases:ident $harness:expr] $($theme:ident { $($(#[$mark:ident])* $case:ident,)* })*) => {
        $(mod $theme {
            #[allow(unused_imports, reason = "the harness may be named by a path from the root")]
            use super::*;

            $($crate::source_conformance_test! { $cases [$($mark)*] $theme $case $harness })*
        })*
    };
}

/// Generates the test of a case, if its marks are among those that the harness runs.
#[doc(hidden)]
#[macro_export]
macro_rules! source_conformance_test {
    (all [$($mark:ident)*] $theme:ident $case:ident $harness:expr) => {
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $case() {
            $crate::conformance::check(stringify!($theme), stringify!($case), $harness).await;
        }
    };
    (letters [] $($test:tt)*) => {};
    (letters [letters $($other:ident)*] $($test:tt)*) => { $crate::source_conformance_test! { all [] $($test)* } };
    (letters [$other:ident $($mark:ident)*] $($test:tt)*) => {
        $crate::source_conformance_test! { letters [$($mark)*] $($test)* }
    };
    (transport [] $($test:tt)*) => {};
    (transport [transport $($other:ident)*] $($test:tt)*) => { $crate::source_conformance_test! { all [] $($test)* } };
    (transport [$other:ident $($mark:ident)*] $($test:tt)*) => {
        $crate::source_conformance_test! { transport [$($mark)*] $($test)* }
    };
}

macro_rules! table {
    ([] $($theme:ident { $($(#[$mark:ident])* $case:ident,)* })*) => {
        /// All cases of the suite.
        pub const CASES: &[super::SourceCase] = &[$($(
            super::SourceCase {
                theme: stringify!($theme),
                name: stringify!($case),
                run: |fixture| Box::pin(super::cases::$theme::$case(fixture)),
            },
        )*)*];
    };
}

each_source_conformance_case! { [table] }

/// Runs the case of this name.
///
/// # Panics
///
/// When there is no such case, or the source violates the rule.
pub async fn check(theme: &str, name: &str, harness: impl super::SourceHarness) {
    let case = CASES.iter().find(|case| case.theme == theme && case.name == name);
    case.expect("the tests are generated from the list of cases").check(harness).await;
}
