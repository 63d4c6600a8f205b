//! The cases of letters.

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
                a_death_wakes_a_claim_if_the_dead_queue_retries,
                an_edit_wakes_a_claim,
                a_lost_claim_wakes_a_claim,
                a_claim_and_a_lease_wait_for_different_things,
                a_letter_of_an_excluded_destination_wakes_no_claim,
                a_paused_queue_gives_no_letters,
            }
            letters_capture {
                everything_that_was_said_is_kept,
                metadata_beyond_its_bounds_is_rejected,
                a_policy_decides_when_a_letter_is_due,
                a_failure_may_set_the_delay_of_its_first_retry,
                without_retries_a_letter_is_exhausted_at_once,
                a_queue_returns_its_capture_settings,
                letters_that_were_assessed_by_old_settings_are_rejected,
                a_full_queue_rejects_captures,
                a_full_queue_accepts_a_new_generation,
                a_message_may_become_a_letter_after_it_was_merged_into_another,
                a_queue_may_overflow,
                one_invalid_letter_rejects_the_request,
                a_captured_letter_is_spread_over_the_partitions,
            }
            letters_duplicates {
                a_second_failure_of_a_live_letter_is_merged,
                a_merge_with_policy_never_ends_the_schedule_of_a_derived_policy,
                an_exhausted_letter_accepts_merges_too,
                a_failure_captured_during_a_retry_is_only_recorded,
                another_payload_under_a_live_source_id_is_a_conflict,
                a_queue_may_reject_duplicates,
                a_queue_that_rejects_duplicates_rejects_them_within_a_request,
                a_new_generation_replaces_a_waiting_letter,
                a_known_message_is_not_a_new_generation,
                generations_of_one_request_follow_each_other,
                one_request_may_capture_one_failure_twice,
                a_failure_after_the_end_of_a_letter_is_the_next_generation,
                the_same_message_is_captured_once,
                the_message_of_a_finished_letter_is_still_known,
                messages_are_distinguished_by_coordinates_only,
                a_plain_item_holds_its_source_id_too,
                work_that_fails_again_after_it_was_handed_back_opens_its_letter,
                work_that_always_fails_after_its_hand_back_is_exhausted,
                work_may_fail_again_before_its_hand_back_is_settled,
                a_failed_hand_back_may_still_have_arrived,
                an_archived_letter_opens_again_only_if_it_was_done,
                another_payload_with_the_coordinates_of_a_letter_is_a_conflict,
                two_payloads_with_the_same_coordinates_in_a_request_are_a_conflict,
                replays_that_skip_a_number_are_rejected,
                an_edited_letter_opens_again_with_what_was_handed_back,
                a_letter_that_opens_again_needs_space,
                all_failures_of_one_message_may_come_in_one_request,
            }
            letters_auto_archive {
                a_letter_is_archived_some_time_after_it_was_exhausted,
                the_time_of_its_archive_survives_a_restart,
                a_restored_letter_waits_for_the_full_time_again,
                a_letter_archived_at_once_is_not_archived_again_after_a_restore,
                a_claimed_letter_is_not_archived,
                letters_are_not_archived_by_default,
            }
            letters_custom {
                the_delays_of_a_queue_hold_from_capture_to_exhaustion,
                a_queue_may_assign_its_own_delays_to_letters,
                an_edited_letter_gets_the_delays_of_its_queue,
                the_time_decided_by_the_holder_is_kept,
                a_holder_may_decide_on_another_retry,
                changed_delays_apply_to_the_next_failure,
                letters_whose_queue_lost_its_delays_wait_for_an_operator,
                the_custom_policy_requires_delays_of_the_queue,
            }
            letters_dependencies {
                a_letter_is_retried_when_all_its_dependencies_are_completed,
                a_letter_waits_across_a_restart,
                completing_a_dependency_wakes_a_waiting_claim,
                a_blocked_letter_stays_blocked_after_a_failed_manual_retry,
                a_letter_stays_blocked_by_failed_archived_and_removed_dependencies,
                an_unblocked_letter_gets_its_regular_schedule,
                dependencies_must_exist,
                at_most_a_hundred_letters_depend_on_one,
            }
            letters_lost_dependencies {
                a_letter_continues_without_an_exhausted_dependency,
                a_letter_is_exhausted_with_its_dependency,
                a_dependency_is_lost_when_it_is_archived_or_removed,
                a_chain_of_letters_is_exhausted_to_its_end,
                a_dependency_being_retried_manually_is_not_lost,
                changed_settings_apply_to_letters_already_blocked,
            }
            letters_templates {
                templates_are_kept_in_order,
            }
            letters_overflow {
                only_letters_with_retries_wait_as_overflow,
                freed_capacity_admits_the_next_letter,
                an_expired_letter_frees_capacity,
                the_oldest_overflow_letter_is_admitted_first,
                an_overflow_letter_can_be_retried_manually,
                a_lost_retry_ends_overflow,
                overflow_survives_merges_and_edits,
                a_restored_letter_is_overflow_again,
                freed_capacity_wakes_a_claim,
                a_retried_letter_counts_until_it_is_finished,
                overflow_survives_a_restart,
            }
            letters_claim {
                a_letter_is_never_claimed_early,
                a_claim_gives_a_new_id,
                earlier_due_letters_come_first,
                excluded_destinations_are_skipped,
                a_claim_can_be_limited_to_one_destination,
                priorities_of_letters_share_8_to_4_to_1,
                of_two_claims_one_wins,
                of_many_claims_at_once_one_wins,
                a_claim_is_extended_like_a_lease,
                success_completes_a_letter,
                a_completed_letter_is_kept_for_a_while,
                failures_wait_longer_each_time_and_end_exhausted,
                an_immediate_letter_waits_a_cycle_after_each_failed_retry,
                a_later_time_given_by_the_holder_is_kept,
                the_newest_failure_is_shown_and_the_first_is_kept,
                a_derived_policy_follows_the_newest_failure,
                a_partial_success_is_a_failure_with_its_parts,
                a_deferred_letter_spends_nothing,
                a_released_letter_is_due_as_it_was,
                a_lost_claim_counts_and_is_recorded,
                a_claim_whose_holder_is_gone_is_lost_at_once,
                lost_claims_exhaust_a_letter,
                a_given_up_letter_waits_for_an_operator,
                a_letter_redelivered_for_hand_over_can_be_claimed,
                an_uncharged_retry_of_a_letter_spends_nothing,
                the_first_and_the_last_twenty_attempts_are_kept,
                a_letters_revision_grows_with_every_change,
                a_lease_returns_unscheduled_and_exhausted_letters_only,
                a_leased_letter_is_completed_on_the_wire,
                a_wire_retry_counts_and_its_time_only_delays_the_lease,
                max_attempts_of_a_dead_queue_exhaust_and_never_delete,
                a_never_letter_is_exhausted_by_failed_leases,
                a_released_exhausted_letter_is_exhausted,
            }
            letters_late {
                a_late_result_is_kept_and_changes_nothing,
                a_late_success_is_recorded,
                a_late_result_does_not_disturb_the_next_holder,
                a_result_is_late_after_an_edit_too,
                actions_without_an_attempt_leave_no_record,
                only_a_former_id_of_a_letter_is_late,
                items_before_a_late_result_stay_settled,
            }
            letters_by_hand {
                a_manual_claim_ignores_the_schedule,
                only_waiting_letters_can_be_claimed_manually,
                one_unavailable_letter_rejects_the_whole_claim,
                a_failed_manual_retry_of_an_exhausted_letter_stays_exhausted,
                a_failed_manual_retry_goes_back_to_the_schedule,
                a_manual_retry_that_was_not_tried_restores_the_schedule,
                a_manual_retry_that_is_lost_counts,
                a_letter_is_archived_from_any_state_once,
                an_unknown_letter_rejects_the_whole_archive,
                archiving_makes_a_running_retry_stale,
                a_restored_letter_has_its_previous_status,
                an_exhausted_letter_keeps_its_time_through_the_archive,
                a_completed_letter_keeps_its_time_through_the_archive,
                a_due_time_passed_in_the_archive_means_now,
                a_letter_that_was_on_its_last_retry_is_restored_exhausted,
                only_archived_letters_are_restored,
                a_restore_conflict_names_the_holder,
                a_plain_item_with_the_source_id_blocks_a_restore,
                archived_letters_may_have_a_retention,
                archived_letters_are_kept_forever_by_default,
                an_edit_keeps_the_original,
                an_edit_reschedules_a_letter,
                only_waiting_letters_can_be_edited,
                an_invalid_edit_changes_nothing,
                a_letter_is_purged_from_any_state,
                a_purged_letter_is_forgotten,
                notes_are_kept_in_any_state,
                the_first_and_the_newest_notes_are_kept,
                letters_are_listed_by_status_in_pages,
                a_letter_is_found_in_its_queue_only,
            }
            letters_seen {
                a_letter_changed_since_it_was_read_is_not_modified,
                a_letter_named_twice_is_changed_once,
                an_archived_letter_changed_since_it_was_read_is_not_restored,
                a_letter_changed_since_it_was_read_is_not_claimed,
            }
            hand_back {
                a_letter_goes_back_to_its_queue_in_one_step,
                work_that_dies_again_is_the_same_letter,
                a_letter_that_cannot_go_back_stays,
                work_whose_letter_is_gone_becomes_a_letter,
                work_that_expires_has_failed_again_after_a_restart,
            }
            letters_resumed {
                a_resumed_letter_has_all_its_retries_again,
                only_exhausted_letters_with_retries_are_resumed,
                a_letter_changed_since_it_was_read_is_not_resumed,
                a_resumed_letter_has_the_attempts_of_its_queue_again,
                a_resumed_letter_that_is_never_retried_waits_for_an_operator,
                a_resumed_letter_is_not_archived_automatically,
            }
            letters_found {
                letters_are_found_by_indexed_properties,
                letters_are_found_in_the_order_of_capture_or_of_their_retries,
                letters_are_found_by_the_time_of_their_capture,
                the_number_of_letters_is_known_on_every_page,
            }
            letters_reinstated {
                a_letter_is_reinstated_completely_and_survives,
                a_letter_is_reinstated_in_its_status,
                a_claimed_letter_is_reinstated_unclaimed_and_its_attempt_counts,
                an_existing_letter_is_not_changed,
                a_newer_revision_replaces_an_older_one_if_allowed,
                a_held_source_id_prevents_reinstatement,
                a_rejected_letter_does_not_affect_the_others,
                a_reinstated_letter_is_found_by_its_id_in_any_slot,
                reinstated_letters_are_counted_and_in_the_feed,
            }
        }
    };
}
