-- Operators work dead letters off: they replay or discard them.

alter table dead_letter
  -- What the reason does not follow from otherwise; null for letters of former releases too.
  add column cause        text,
  -- The last time that it was rejected, when a replay was rejected again, and how often it was in all.
  add column last_ms      bigint,
  add column times        integer not null default 1,
  -- When a start logged it again for a newer model; the commit that applies it settles it.
  add column logged_ms    bigint,
  add column discarded_ms bigint,
  -- Who replayed or discarded it; null when the catalog replayed it by itself.
  add column settled_by   text;
create index dead_letter_open on dead_letter (topic_id, partition, log_offset)
  where replayed_ms is null and discarded_ms is null;
