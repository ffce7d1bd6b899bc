-- A log on another server may move: its topic is made again, or loses records. The writer's stop is kept until an operator decides.

alter table log_partition
  -- Why the partition is stopped, and since when; null while it is applied.
  add column stop_reason text,
  add column stop_ms     bigint,
  -- The first offset that holds a record which the store has not applied, where the log lost its tail and grew again.
  add column new_from    bigint,
  -- The last end of the log that was seen: it says how much was lost with it.
  add column seen_end    bigint not null default 0;
