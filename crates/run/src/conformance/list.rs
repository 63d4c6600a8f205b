//! Every rule of the suite, by theme: the one list from which tests and table are made.

/// Calls a macro with every case of the suite. For [`source_conformance_tests!`](crate::source_conformance_tests).
#[doc(hidden)]
#[macro_export]
macro_rules! each_source_conformance_case {
    ([$($then:tt)*] $($with:tt)*) => {
        $($then)* ! {
            [$($with)*]
            claims {
                a_claim_waits_until_there_is_work,
                every_arrival_wakes_somebody_who_waits,
                a_claim_does_not_wait_for_more_than_there_is,
                no_more_is_yielded_than_was_asked_for,
                what_is_claimed_is_nobody_elses,
                a_delivery_carries_its_content_byte_for_byte,
                fresh_work_is_at_its_first_attempt,
                a_delivery_says_until_when_its_claim_holds,
                work_for_later_is_not_early,
                the_time_of_work_wakes_a_claim_that_waits,
                work_says_whom_it_is_for,
                work_of_held_destinations_is_not_yielded,
                only_work_of_the_destination_asked_for_is_yielded,
                a_source_of_one_destination_yields_nothing_while_that_is_held,
            }
            dropped_claims {
                a_claim_that_was_never_polled_takes_nothing,
                a_claim_dropped_while_it_waits_takes_nothing,
                a_claim_dropped_when_its_answer_was_sent_gives_the_work_back,
                a_claim_dropped_after_any_number_of_polls_takes_nothing,
                claims_dropped_at_random_as_work_arrives_take_nothing,
                many_who_give_up_lose_nothing,
                a_dropped_claim_keeps_the_order,
            }
            fences {
                every_resolution_makes_its_fence_old,
                an_old_fence_does_not_touch_the_next_holder,
                of_two_settlements_of_one_fence_the_second_is_stale,
                of_two_who_settle_one_fence_at_once_one_decides,
                settlements_are_answered_in_order_and_apart,
                extensions_are_answered_in_order_and_apart,
                nothing_to_do_is_answered_with_nothing,
                a_fence_that_nobody_was_given_is_stale,
            }
            give_back {
                a_release_spends_no_attempt,
                a_deferral_is_not_early_and_spends_no_attempt,
                a_retry_is_not_early_and_counts,
                a_retry_that_is_not_charged_gives_its_attempt_back,
                a_release_wakes_a_claim_that_waits,
                given_back_work_is_not_early_by_an_instant,
                a_short_delay_is_kept,
                a_time_that_has_passed_is_at_once,
                given_back_work_is_the_same_work,
            }
            attempts {
                a_claim_that_ran_out_has_used_its_attempt,
                extending_costs_no_attempt,
                attempts_and_deliveries_are_counted_exactly,
            }
            leases {
                an_extension_moves_the_end_on_and_keeps_others_away,
                an_extension_never_moves_the_end_back,
                only_what_is_extended_holds_on,
                the_end_of_a_claim_gives_the_work_to_the_next,
                a_claim_that_ran_out_is_stale_though_nobody_else_has_the_work,
                a_claim_without_an_end_holds,
            }
            dead_letters {
                a_letter_is_there_once_it_is_answered_and_the_work_is_gone,
                a_letter_keeps_its_content_byte_for_byte,
                a_letter_keeps_the_record_of_its_last_attempt,
                a_letter_keeps_the_failures_before_the_last,
                what_is_dropped_leaves_no_letter,
                many_letters_go_in_one_call,
                a_letter_that_is_not_taken_leaves_the_claim_as_it_was,
                a_letter_that_is_not_taken_does_not_keep_others,
            }
            condemned {
                condemned_work_is_yielded_again_for_its_hand_over,
                condemned_work_wakes_a_claim_that_waits,
                condemned_work_stays_condemned,
                the_letter_of_condemned_work_tells_why_it_failed,
                condemned_work_may_end_in_any_way,
                work_is_condemned_until_its_letter_is_taken,
            }
            parts {
                work_comes_with_its_parts,
                a_partial_retry_yields_only_the_parts_that_failed,
                a_failure_of_all_parts_changes_nothing_about_them,
                parts_outlive_what_is_no_attempt,
            }
            order {
                a_claim_takes_one_of_a_key,
                the_next_waits_while_the_earlier_is_claimed,
                the_next_waits_while_the_earlier_is_given_back,
                the_next_comes_when_the_earlier_has_ended,
                the_next_waits_while_the_letter_of_the_earlier_is_not_taken,
                other_keys_go_on,
                an_empty_key_is_a_key,
                work_without_a_key_waits_for_nobody,
                work_comes_in_its_order_whatever_happens_to_it,
            }
            revoked {
                a_revoked_claim_is_told,
                a_revoked_claim_decides_nothing,
                nobody_is_told_without_a_reason,
            }
            lost_answers {
                asking_again_after_a_lost_answer_is_stale_and_does_nothing_twice,
                another_resolution_after_a_lost_answer_is_stale,
                a_call_that_is_given_up_takes_effect_once_at_most,
                a_whole_call_may_be_asked_again,
            }
            identity {
                the_id_is_the_same_over_all_attempts,
                the_idempotency_key_is_the_same_over_all_attempts,
                the_origin_is_the_same_over_all_attempts,
                the_time_since_when_is_the_same_over_all_attempts,
                different_work_is_known_by_different_names,
            }
            restart {
                unfinished_work_survives,
                what_has_ended_stays_ended,
                a_claim_from_before_holds_or_is_stale,
                what_work_is_known_by_survives,
                what_happened_to_work_is_remembered,
                the_parts_that_failed_are_remembered,
            }
            many {
                each_piece_of_work_has_one_holder_at_a_time_and_one_end,
                results_that_come_in_bundles_lose_nothing,
            }
        }
    };
}

/// Makes a test of every rule that a source keeps, in a module for each theme.
///
/// It wants an expression that makes a [`SourceHarness`](crate::conformance::SourceHarness), and `tokio` with `macros`
/// and `rt-multi-thread`: those who claim at once do so in earnest.
///
/// ```ignore
/// mod mailbox {
///     redrive_run::source_conformance_tests!(crate::Mailboxes);
/// }
/// ```
#[macro_export]
macro_rules! source_conformance_tests {
    ($harness:expr) => {
        $crate::each_source_conformance_case! { [$crate::source_conformance_test_functions] $harness }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! source_conformance_test_functions {
    ([$harness:expr] $($theme:ident { $($case:ident,)* })*) => {
        $(mod $theme {
            #[allow(unused_imports, reason = "the harness may be named by a path from the root")]
            use super::*;

            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $case() {
                $crate::conformance::check(stringify!($theme), stringify!($case), $harness).await;
            })*
        })*
    };
}

macro_rules! table {
    ([] $($theme:ident { $($case:ident,)* })*) => {
        /// Every rule that a source keeps.
        pub const CASES: &[super::SourceCase] = &[$($(
            super::SourceCase {
                theme: stringify!($theme),
                name: stringify!($case),
                run: |bed| Box::pin(super::cases::$theme::$case(bed)),
            },
        )*)*];
    };
}

each_source_conformance_case! { [table] }

/// Tries the case of this name.
///
/// # Panics
///
/// When there is none, or the source breaks the rule.
pub async fn check(theme: &str, name: &str, harness: impl super::SourceHarness) {
    let case = CASES.iter().find(|case| case.theme == theme && case.name == name);
    case.expect("the list of tests is the list of cases").check(harness).await;
}
