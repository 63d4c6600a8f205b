//! The cases of counters, keys, the feed, input, twins and restarts.

#[doc(hidden)]
#[macro_export]
macro_rules! each_other_case {
    ([$($then:tt)*] [$($with:tt)*] $($before:tt)*) => {
        $($then)* ! {
            [$($with)*]
            $($before)*
            counters {
                each_partition_has_its_own_counters,
                leased_goes_down_again,
                average_ages_are_means_of_ages,
                events_are_counted,
                arrived_items_are_present_or_have_ended,
                faults_group_letters_by_fingerprint,
                letters_are_counted_by_what_they_are_now,
                the_next_due_time_is_reported,
                every_letter_is_accounted_for,
                retries_are_counted_by_trigger,
                a_rejection_by_a_full_queue_is_counted,
                overdue_letters_are_reported,
                the_rate_of_items_is_that_of_the_last_minutes,
                the_rate_of_letters_is_that_of_the_last_minutes,
            }
            keys {
                a_key_is_put_read_and_deleted,
                a_version_is_never_the_same_twice,
                a_write_to_an_old_version_is_rejected,
                one_failed_condition_rejects_all_writes,
                keys_are_scanned_in_order,
                keys_and_values_have_limits,
                bytes_are_bytes,
                keys_are_written_together_with_an_operation,
                a_rejected_operation_writes_no_keys,
                rejected_keys_reject_the_operation,
                key_writes_and_accompanying_keys_are_one_transaction,
            }
            feed {
                without_a_reader_nothing_is_kept,
                each_letter_is_listed_once_with_its_newest_state,
                every_change_of_a_letter_is_in_the_feed,
                plain_items_are_not_in_the_feed,
                a_removed_letter_leaves_a_tombstone,
                a_deleted_queue_is_listed_once,
                changes_come_in_pages,
                changes_read_by_all_readers_are_forgotten,
                the_feed_ends_with_its_last_reader,
                a_reader_never_goes_back,
                a_change_after_a_read_is_listed_again,
                only_registered_readers_read,
                readers_have_limits,
                a_change_wakes_a_reader,
                time_wakes_a_reader,
                a_reader_gets_existing_changes_at_once,
                a_reader_does_not_wait_forever,
                a_step_of_the_clock_does_not_change_a_readers_timeout,
                a_waiting_reader_fails_when_its_cursor_is_removed,
                a_waiting_reader_fails_when_the_store_closes,
                waiting_readers_are_limited_and_disconnected_ones_do_not_count,
            }
            bad_input {
                an_unknown_queue_is_rejected_by_every_operation,
                a_deleted_queue_is_unknown,
                settings_out_of_range_are_rejected,
                a_lease_needs_a_valid_batch_size_and_duration,
                a_claim_needs_a_valid_batch_size_and_duration,
                an_extension_needs_a_valid_duration,
                an_empty_list_is_rejected,
                a_list_that_is_too_long_is_rejected,
                a_note_that_is_too_long_is_rejected,
                minimum_and_maximum_times_are_handled,
                ids_of_other_stores_are_unknown,
            }
            twins {
                a_produce_is_the_rule,
                a_lease_is_the_rule,
                an_extension_is_the_rule,
                a_complete_is_the_rule,
                a_clear_of_ready_items_is_the_rule,
                a_clear_of_leased_items_is_the_rule,
                a_clear_of_scheduled_items_is_the_rule,
                a_clear_of_everything_is_the_rule,
                a_purge_is_the_rule,
                a_deletion_is_the_rule,
                what_time_does_is_the_rule,
            }
            restart {
                a_lease_survives,
                a_schedule_survives,
                answers_unread_before_closing_release_their_items,
                transitions_due_meanwhile_happen_at_once,
                ids_go_on_increasing,
                stale_ids_stay_stale,
                message_ids_and_messages_are_still_known,
                the_payload_of_an_edited_letter_is_still_known,
                a_claim_survives_and_is_lost_in_time,
                the_holder_of_a_letter_survives,
                the_order_of_partitions_survives,
                the_rotation_of_priorities_survives,
                stranded_items_survive,
                a_deleted_queue_stays_deleted,
                cleared_items_stay_cleared,
                keys_and_their_versions_survive,
                the_feed_and_its_readers_survive,
                nothing_is_lost_in_long_traffic,
            }
        }
    };
}
