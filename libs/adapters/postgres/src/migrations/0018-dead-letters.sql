-- Operators read the newest dead letters first.
create index dead_letter_rejected on dead_letter (rejected_ms, topic_id, partition, log_offset);
