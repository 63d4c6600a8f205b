//! Every rule of the suite, by theme: the one list from which tests and table are made.

/// Calls a macro with every case of the suite. For [`conformance_tests!`](crate::conformance_tests).
#[doc(hidden)]
#[macro_export]
macro_rules! each_conformance_case {
    ([$($then:tt)*] $($with:tt)*) => {
        $($then)* ! {
            [$($with)*]
            queues {
                a_queue_is_made_as_it_was_asked_for,
                a_name_is_given_once,
                a_name_is_data,
                every_partition_exists,
                queues_are_listed_by_name_from_the_pivot_on,
                a_list_of_queues_filters_before_it_limits,
                an_update_shows_at_once_and_keeps_what_it_does_not_name,
                an_update_overwrites_attempts_reference_and_dead_queue,
                updated_at_is_later_than_created_at,
                an_update_is_checked_on_the_merged_settings,
                a_refused_update_changes_nothing,
                new_timeouts_concern_what_comes,
                max_attempts_of_today_count,
                a_dead_queue_must_exist,
                a_queue_is_not_its_own_dead_queue,
                a_dead_queue_has_no_dead_queue,
                two_queues_are_not_each_others_dead_queue,
                a_dead_queue_that_is_made_again_has_no_dead_queue_either,
                several_queues_share_a_dead_queue,
                deleting_a_dead_queue_needs_force,
                a_dead_queue_that_nobody_names_any_more_is_deleted_freely,
                a_queue_of_a_deleted_ones_name_starts_empty,
                a_queue_is_deleted_once,
            }
            produce {
                a_request_goes_to_one_partition,
                one_bad_item_refuses_all,
                contents_come_back_byte_for_byte,
                ids_increase,
                ids_increase_when_the_clock_steps_back,
                a_message_id_is_taken_once,
                a_duplicate_is_answered_with_todays_id,
                a_message_id_is_free_when_its_item_is_gone,
                the_same_message_id_in_another_queue_is_another_item,
                a_time_less_than_100_ms_ahead_means_now,
                a_later_time_is_never_early,
                due_items_come_behind_those_that_were_there,
                a_time_beyond_the_calendar_is_never,
                an_item_expires_strictly_after_its_time,
                an_item_may_have_its_own_life,
                a_schedule_does_not_shorten_a_life,
                an_empty_produce_is_refused,
            }
            lease {
                items_come_in_the_order_of_their_ids,
                a_lease_counts_an_attempt_and_sets_a_deadline,
                a_lease_may_have_its_own_duration,
                a_short_batch_comes_instead_of_waiting,
                a_lease_that_ran_out_gives_the_item_to_the_next,
                a_lease_protects_its_item,
                an_item_that_expired_while_leased_dies_with_its_lease,
                nobody_gets_an_expired_item_however_many_expire_at_once,
                a_paused_queue_gives_nothing_and_takes_everything,
                priorities_share_8_to_4_to_1,
                within_a_priority_the_oldest_comes_first,
                low_priority_never_starves,
                a_priority_alone_gets_every_turn,
                five_produces_over_two_partitions,
                leases_of_5_10_20_over_two_partitions,
                the_fuller_partition_is_leased_first,
                ten_partitions_are_emptied_evenly,
                waiting_leases_share_one_partition_in_turn,
                waiting_leases_meet_at_the_partition_that_got_the_items,
                scheduled_items_do_not_weigh,
            }
            waiting {
                a_produce_wakes,
                a_retry_wakes,
                a_release_wakes,
                a_condemned_item_wakes,
                a_lease_that_runs_out_wakes,
                a_due_item_wakes,
                a_due_retry_wakes,
                the_end_of_a_deferral_wakes,
                an_import_wakes,
                an_imported_lease_that_runs_out_wakes,
                an_arrival_in_the_dead_queue_wakes,
                an_expired_item_in_the_dead_queue_wakes,
                the_end_of_a_pause_wakes,
                one_item_wakes_one,
                waiting_does_not_delay_other_queues,
                those_who_wait_are_counted,
                a_lease_waits_until_its_deadline,
                no_work_is_given_after_the_deadline,
                a_vanished_client_gets_nothing,
                a_vanished_client_leaves_its_turn_to_the_next,
                an_answer_that_nobody_reads_gives_its_items_back,
                a_claim_that_nobody_reads_gives_its_letters_back,
                a_client_waits_once_on_a_queue,
                a_vanished_client_may_wait_again_at_once,
                deleting_the_queue_ends_the_waiting,
                closing_the_store_ends_the_waiting,
                several_wait_and_each_item_is_given_once,
                many_clients_at_once_lose_and_double_nothing,
            }
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
            attempts {
                the_parts_that_failed_come_with_the_next_lease,
                the_parts_that_failed_are_a_letters_too,
                a_claim_tells_the_letters_story,
                work_is_known_by_the_id_of_its_first_delivery,
                a_lost_attempt_leaves_a_record,
                every_attempt_at_a_letter_that_counts_leaves_a_record,
                a_delivery_that_was_no_attempt_is_not_counted_at_death,
                a_retry_is_not_early_by_a_tenth_of_a_second,
            }
            settle {
                extend_moves_the_deadline,
                extend_never_shortens_a_lease,
                a_stale_id_extends_nothing,
                a_lease_that_ran_out_is_not_extended,
                release_gives_the_attempt_back,
                a_released_item_does_not_die_of_its_attempts,
                a_deferred_item_comes_later_and_spends_nothing,
                a_deferral_is_not_early_by_a_tenth_of_a_second,
                complete_removes_the_item,
                completing_twice_is_an_error,
                an_id_is_settled_once_in_one_request,
                what_stands_before_a_bad_id_stays_settled,
                an_error_tells_of_the_first_that_was_not_settled,
                each_item_of_a_request_may_end_in_its_own_way,
                an_item_of_another_partition_does_not_exist,
                a_partition_that_is_not_there_is_refused,
                an_item_of_another_queue_does_not_exist,
                an_item_that_nobody_holds_is_not_settled,
                a_scheduled_item_does_not_exist_for_holders,
                an_id_is_stale_after_its_lease_ran_out,
                an_id_is_stale_after_each_verb,
                a_retry_goes_to_the_tail_under_a_new_id,
                a_retry_that_is_due_is_a_retry_now,
                a_later_retry_is_never_early,
                a_retry_honours_max_attempts,
                a_lost_lease_honours_max_attempts,
                a_retry_that_is_not_charged_gives_the_attempt_back,
                without_max_attempts_there_is_no_limit,
                what_is_given_up_without_a_dead_queue_is_gone,
                a_condemned_item_comes_back_for_its_hand_over_only,
                an_item_that_expired_while_leased_dies_when_given_back,
                an_item_that_expired_while_leased_may_be_completed,
                failures_before_the_last_are_remembered,
            }
            dead_queues {
                what_is_given_up_goes_to_the_dead_queue,
                what_spent_its_attempts_goes_to_the_dead_queue,
                what_expired_goes_to_the_dead_queue_once,
                a_dead_item_begins_a_new_life,
                a_dead_item_keeps_its_history,
                a_producers_message_id_goes_along,
                a_second_arrival_of_a_source_id_is_dropped,
                a_source_id_is_free_when_its_letter_is_done,
                dead_items_go_through_the_dead_queues_placement,
                a_dead_queue_may_retry_what_dies_into_it,
                letters_expire_as_items_do,
                letters_of_a_queue_that_keeps_them_do_not_expire,
                a_size_limit_does_not_bind_moves,
                a_dead_queue_that_is_named_later_counts_at_once,
                what_dies_without_its_dead_queue_waits_for_it,
                every_way_to_die_waits_for_the_dead_queue,
                a_stranded_item_keeps_its_reason,
                a_stranded_item_follows_the_settings_of_today,
                a_stranded_item_is_cleared_with_the_others,
                a_stranded_item_holds_its_message_id,
            }
            clear_and_delete {
                clearing_takes_what_nobody_holds,
                destructive_clearing_takes_what_is_held_too,
                clearing_the_schedule_takes_scheduled_retries_too,
                clearing_everything_leaves_nothing,
                destructive_alone_is_no_request,
                clearing_frees_message_ids,
                what_comes_back_after_a_clearing_stays,
                held_items_outlive_a_clearing_of_the_others,
                clearing_takes_letters_that_are_live,
                items_are_deleted_in_any_state,
                unknown_ids_are_passed_over,
                items_of_another_partition_are_not_deleted,
                deleting_frees_message_ids,
            }
            import_export {
                an_import_keeps_everything_but_id_and_creation,
                a_missing_expiry_is_the_queues_own,
                an_imported_lease_holds,
                a_known_source_id_is_passed_over,
                a_queue_is_moved_by_listing_and_importing,
                a_plain_item_in_a_dead_queue_is_no_letter,
                a_bad_import_changes_nothing,
                a_list_begins_at_its_pivot,
                scheduled_items_are_listed_apart,
                a_list_of_a_missing_partition_is_refused,
                finished_letters_are_invisible_to_lists,
                an_item_is_found_by_todays_id_only,
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
                a_holder_can_only_ask_for_a_longer_delay_than_that_of_the_queue,
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
                an_immediate_letter_is_due_again_at_once,
                a_later_time_of_the_holder_counts,
                the_newest_failure_is_shown_and_the_first_is_kept,
                a_derived_policy_follows_the_newest_failure,
                a_partial_success_is_a_failure_with_its_parts,
                a_deferred_letter_spends_nothing,
                a_released_letter_is_due_as_it_was,
                a_lost_claim_counts_and_says_so,
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
            counters {
                each_partition_has_its_own_numbers,
                leased_goes_down_again,
                average_ages_are_means_of_ages,
                what_happened_is_counted,
                what_came_in_is_there_or_has_ended,
                faults_group_letters_by_fingerprint,
                letters_are_counted_by_what_they_are_now,
                the_next_due_time_is_told,
                every_letter_is_accounted_for,
                retries_are_counted_by_who_asked_for_them,
                a_refusal_by_a_full_queue_is_counted,
                overdue_letters_are_told,
                the_pace_of_letters_is_that_of_the_last_minutes,
            }
            keys {
                a_key_is_put_read_and_deleted,
                a_version_is_never_the_same_twice,
                who_changes_an_old_version_is_told,
                one_condition_that_does_not_hold_refuses_all,
                keys_are_scanned_in_order,
                keys_and_values_have_limits,
                bytes_are_bytes,
                keys_go_along_with_an_operation,
                a_refused_operation_writes_no_keys,
                refused_keys_refuse_the_operation,
                key_writes_and_keys_along_are_one_unit,
            }
            feed {
                without_a_reader_nothing_is_kept,
                each_letter_is_told_once_with_its_newest_state,
                everything_that_changes_a_letter_is_told,
                plain_items_are_not_told,
                a_letter_that_is_gone_leaves_a_tombstone,
                a_queue_that_is_gone_is_told_once,
                changes_come_in_pages,
                what_everybody_has_seen_is_forgotten,
                the_last_reader_takes_the_feed_along,
                a_reader_never_goes_back,
                a_change_behind_a_read_is_told_again,
                only_registered_readers_read,
                readers_have_limits,
                a_change_wakes_a_reader,
                time_wakes_a_reader,
                a_reader_hears_at_once_what_is_there,
                a_reader_does_not_wait_for_ever,
                a_reader_who_waits_hears_of_the_cursors_end,
                a_reader_who_waits_hears_of_the_stores_end,
                so_many_readers_wait_and_those_who_went_do_not,
            }
            bad_input {
                an_unknown_queue_is_refused_by_every_operation,
                a_deleted_queue_is_unknown,
                settings_out_of_range_are_refused,
                a_lease_says_how_many_and_how_long,
                a_claim_says_how_many_and_how_long,
                an_extension_says_how_long,
                a_list_of_nothing_is_refused,
                a_list_that_is_too_long_is_refused,
                a_note_that_is_too_long_is_refused,
                times_at_the_ends_of_the_calendar_do_no_harm,
                foreign_ids_are_unknown,
            }
            restart {
                a_lease_survives,
                a_schedule_survives,
                answers_that_nobody_read_before_the_end_give_their_items_back,
                what_fell_due_meanwhile_happens_at_once,
                ids_go_on_increasing,
                stale_ids_stay_stale,
                message_ids_and_messages_are_still_known,
                a_claim_survives_and_is_lost_in_time,
                the_order_of_partitions_survives,
                the_turns_of_priorities_survive,
                stranded_items_survive,
                a_deleted_queue_stays_deleted,
                cleared_items_stay_cleared,
                keys_and_their_versions_survive,
                the_feed_and_its_readers_survive,
                nothing_is_lost_in_long_traffic,
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

/// Makes a test of every rule that a store keeps, in a module for each theme.
///
/// It wants an expression that makes a [`Harness`](crate::conformance::Harness), and `tokio` with `macros` and `rt`.
///
/// ```ignore
/// mod in_memory {
///     redrive_store::conformance_tests!(crate::InMemory);
/// }
/// ```
#[macro_export]
macro_rules! conformance_tests {
    ($harness:expr) => {
        $crate::each_conformance_case! { [$crate::conformance_test_functions] $harness }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! conformance_test_functions {
    ([$harness:expr] $($theme:ident { $($case:ident,)* })*) => {
        $(mod $theme {
            #[allow(unused_imports, reason = "the harness may be named by a path from the root")]
            use super::*;

            $(#[tokio::test]
            async fn $case() {
                $crate::conformance::check(stringify!($theme), stringify!($case), $harness).await;
            })*
        })*
    };
}

macro_rules! table {
    ([] $($theme:ident { $($case:ident,)* })*) => {
        /// Every rule that a store keeps.
        pub const CASES: &[super::Case] = &[$($(
            super::Case {
                theme: stringify!($theme),
                name: stringify!($case),
                run: |bed| Box::pin(super::cases::$theme::$case(bed)),
            },
        )*)*];
    };
}

each_conformance_case! { [table] }
