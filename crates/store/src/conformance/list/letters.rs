//! What a store does with letters.

#[doc(hidden)]
#[macro_export]
macro_rules! each_letter_case {
    ([$($then:tt)*] [$($with:tt)*] $($before:tt)*) => {
        $crate::each_other_case! {
            [$($then)*] [$($with)*]
            $($before)*
            waiting_claims {
                a_claim_waits_for_the_due_time,
                whatever_makes_a_letter_due_wakes_a_claim,
                a_death_wakes_a_claim_where_the_dead_queue_retries,
                an_edit_wakes_a_claim,
                a_claim_that_is_lost_wakes_a_claim,
                a_claim_and_a_lease_wait_for_different_things,
                a_held_letter_wakes_nobody,
                a_paused_queue_gives_no_letters,
            }
            letters_capture {
                everything_that_was_said_is_kept,
                a_policy_decides_when_a_letter_is_due,
                without_retries_a_letter_is_exhausted_at_once,
                a_second_failure_of_a_live_letter_is_merged,
                a_merge_that_says_never_ends_the_schedule_of_a_derived_policy,
                an_exhausted_letter_takes_merges_too,
                a_failure_told_while_it_is_retried_is_a_record_only,
                another_payload_under_a_live_source_id_is_a_conflict,
                a_queue_may_refuse_duplicates,
                a_queue_that_refuses_duplicates_refuses_them_in_one_request,
                a_new_generation_takes_the_place_of_a_waiting_letter,
                a_message_that_was_told_is_no_new_generation,
                generations_of_one_request_follow_each_other,
                one_request_may_tell_one_failure_twice,
                a_failure_after_the_end_of_a_letter_is_the_next_generation,
                the_same_message_is_captured_once,
                the_message_of_a_finished_letter_is_still_known,
                coordinates_are_all_that_tell_messages_apart,
                a_plain_item_holds_its_source_id_too,
                a_queue_says_by_what_failures_are_assessed,
                letters_that_were_assessed_by_old_settings_are_rejected,
                a_full_queue_refuses_captures,
                a_full_queue_takes_a_new_generation,
                a_message_may_make_a_letter_after_it_was_merged_into_another,
                a_queue_may_overflow,
                one_bad_letter_refuses_all,
                a_captured_letter_is_spread_over_the_partitions,
            }
            letters_auto_archive {
                a_letter_is_archived_so_long_after_it_was_exhausted,
                the_time_of_its_archive_survives_a_restart,
                a_letter_that_is_restored_is_left_alone_for_as_long,
                a_letter_that_is_archived_at_once_is_left_alone_when_it_is_restored,
                nobody_archives_a_letter_that_somebody_holds,
                letters_stay_exhausted_where_nothing_is_said,
            }
            letters_custom {
                the_delays_of_a_queue_hold_from_capture_to_exhaustion,
                what_a_queue_gives_to_letters_may_be_its_own_delays,
                an_edited_letter_gets_the_delays_of_its_queue,
                the_time_that_a_holder_decides_holds,
                a_holder_may_decide_on_one_retry_more,
                other_delays_concern_the_next_failure,
                letters_whose_queue_has_no_delays_any_more_wait_for_a_person,
                nothing_asks_for_delays_that_a_queue_does_not_have,
            }
            letters_dependencies {
                a_letter_is_retried_when_all_that_it_waits_for_are_completed,
                a_letter_waits_across_a_restart,
                completing_frees_whoever_waits_to_claim,
                a_letter_that_is_tried_by_hand_waits_on_when_it_fails,
                a_letter_waits_on_for_what_fails_is_archived_or_is_gone,
                a_letter_that_is_freed_has_the_schedule_that_it_would_have_had,
                what_a_letter_waits_for_must_be_there,
                no_more_than_a_hundred_wait_for_one_letter,
            }
            letters_lost_dependencies {
                a_letter_goes_on_without_one_that_is_exhausted,
                a_letter_is_exhausted_with_the_one_that_it_waits_for,
                a_letter_is_lost_when_it_is_archived_or_gone,
                a_chain_of_letters_is_exhausted_to_its_end,
                one_that_is_retried_by_hand_is_not_lost_yet,
                new_settings_hold_for_those_who_wait_already,
            }
            letters_templates {
                templates_stay_with_their_queue_in_their_order,
            }
            letters_overflow {
                only_what_would_be_retried_waits_for_room,
                whatever_makes_room_lets_the_next_one_in,
                a_letter_that_expires_makes_room,
                the_oldest_that_waits_is_next,
                a_person_may_retry_what_waits_for_room,
                a_lost_retry_leaves_the_line,
                waiting_for_room_outlives_merges_and_edits,
                a_letter_comes_back_from_the_archive_to_its_line,
                room_wakes_a_claim,
                a_retried_letter_takes_room_until_it_is_done,
                the_line_survives_a_restart,
            }
            letters_claim {
                a_letter_is_never_claimed_early,
                a_claim_gives_a_new_id,
                earlier_due_letters_come_first,
                held_destinations_are_passed_over,
                one_destination_alone_can_be_asked_for,
                priorities_of_letters_share_8_to_4_to_1,
                of_two_claims_one_wins,
                of_many_claims_at_once_one_wins,
                a_claim_is_extended_like_a_lease,
                success_completes_a_letter,
                a_completed_letter_is_kept_for_a_while,
                failures_wait_longer_each_time_and_end_exhausted,
                an_immediate_letter_waits_a_cycle_after_each_failed_retry,
                a_later_time_of_the_holder_counts,
                the_newest_failure_is_shown_and_the_first_is_kept,
                a_derived_policy_follows_the_newest_failure,
                a_partial_success_is_a_failure_with_its_parts,
                a_deferred_letter_spends_nothing,
                a_released_letter_is_due_as_it_was,
                a_lost_claim_counts_and_says_so,
                a_claim_whose_holder_is_gone_is_lost_at_once,
                claims_that_are_lost_exhaust_a_letter,
                a_letter_that_is_given_up_waits_for_a_person,
                a_condemned_letter_comes_back_to_those_who_claim,
                a_retry_of_a_letter_that_is_not_charged_spends_nothing,
                the_first_and_the_last_twenty_attempts_are_kept,
                a_letters_revision_grows_with_every_change,
                a_lease_takes_unscheduled_and_exhausted_letters_only,
                a_leased_letter_is_completed_on_the_wire,
                a_wire_retry_counts_and_its_time_only_delays_the_lease,
                max_attempts_of_a_dead_queue_exhaust_and_never_delete,
                a_never_letter_is_exhausted_by_failed_leases,
                a_released_exhausted_letter_is_exhausted,
            }
            letters_late {
                a_late_result_is_kept_and_changes_nothing,
                a_late_success_is_known,
                a_late_result_does_not_disturb_the_next_holder,
                a_result_is_late_after_an_edit_too,
                what_says_nothing_of_an_attempt_leaves_no_record,
                only_a_former_id_of_a_letter_is_late,
                what_stands_before_a_late_result_stays_settled,
            }
            letters_by_hand {
                a_person_claims_whatever_the_schedule_says,
                only_waiting_letters_are_claimed_by_hand,
                one_letter_that_is_not_free_refuses_the_whole_claim,
                a_failed_manual_retry_of_an_exhausted_letter_stays_exhausted,
                a_failed_manual_retry_goes_back_to_the_schedule,
                a_manual_retry_that_was_not_tried_restores_the_schedule,
                a_manual_retry_that_is_lost_counts,
                a_letter_is_archived_from_any_state_once,
                an_unknown_letter_refuses_the_whole_archive,
                archiving_makes_a_running_retry_stale,
                a_restored_letter_is_where_it_was,
                an_exhausted_letter_is_so_since_before_its_archive,
                a_completed_letter_keeps_its_time_through_the_archive,
                a_due_time_that_passed_in_the_archive_is_now,
                a_letter_that_was_on_its_last_retry_is_restored_exhausted,
                only_archived_letters_are_restored,
                a_restore_conflict_names_the_holder,
                a_plain_item_stands_in_the_way_of_a_restore,
                an_archive_may_be_forgotten_after_a_while,
                an_archive_is_kept_for_ever_by_default,
                an_edit_keeps_the_original,
                an_edit_settles_a_letter_anew,
                only_waiting_letters_are_edited,
                a_bad_edit_changes_nothing,
                a_letter_is_purged_from_any_state,
                a_purged_letter_is_forgotten,
                notes_are_kept_in_any_state,
                the_first_and_the_newest_notes_are_kept,
                letters_are_listed_by_status_in_pages,
                a_letter_belongs_to_its_queue,
            }
            letters_seen {
                what_changed_since_it_was_seen_stays_as_it_is,
                a_letter_that_is_named_twice_is_acted_on_once,
                a_letter_that_changed_since_it_was_seen_is_not_claimed,
            }
            letters_found {
                letters_are_found_by_what_is_known_of_them,
            }
            letters_reinstated {
                a_letter_comes_back_whole_and_survives,
                a_letter_comes_back_in_its_status,
                a_claimed_letter_comes_back_unclaimed_and_its_attempt_counts,
                a_letter_that_is_there_is_left_alone,
                a_newer_revision_takes_the_place_of_an_older_one_if_it_may,
                a_source_that_somebody_holds_keeps_a_letter_out,
                one_that_is_refused_keeps_nobody_else_out,
                a_letter_is_found_by_its_id_wherever_there_was_room,
                what_is_put_back_is_counted_and_told,
            }
        }
    };
}
