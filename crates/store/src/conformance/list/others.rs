//! What concerns the whole of a store.

#[doc(hidden)]
#[macro_export]
macro_rules! each_other_case {
    ([$($then:tt)*] [$($with:tt)*] $($before:tt)*) => {
        $($then)* ! {
            [$($with)*]
            $($before)*
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
                a_reader_waits_as_long_where_the_clock_is_stepped,
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
                answers_that_nobody_read_before_the_end_give_their_items_back,
                what_fell_due_meanwhile_happens_at_once,
                ids_go_on_increasing,
                stale_ids_stay_stale,
                message_ids_and_messages_are_still_known,
                a_claim_survives_and_is_lost_in_time,
                who_holds_a_letter_survives,
                the_order_of_partitions_survives,
                the_turns_of_priorities_survive,
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
