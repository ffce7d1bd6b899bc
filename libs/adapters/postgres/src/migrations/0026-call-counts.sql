-- Calls of callers in windows of time, shared by the processes of a catalog. Unlogged, because a crash may forget them.
create unlogged table call_count (
  kind          text        not null,
  caller        text        not null,
  window_number bigint      not null,
  count         integer     not null,
  updated       timestamptz not null default clock_timestamp(),
  primary key (kind, caller, window_number)
);
create index call_count_updated on call_count (updated);
