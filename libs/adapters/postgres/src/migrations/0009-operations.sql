-- The calls of operators: one row for each that may have changed something. Rows are only added, and deleted after their time.
create table audit_record (
  id          bigint      primary key generated always as identity,
  time        timestamptz not null default clock_timestamp(),
  actor       text        not null,
  -- Which of the tokens of the actor; null while each has one only.
  token       text,
  call        text        not null,
  -- JSON as text, because it may hold what jsonb cannot.
  parameters  text        not null,
  outcome     text        not null,
  status      integer     not null,
  duration_ms integer     not null,
  -- Where the call came from, and how many similar calls have no row of their own.
  address     text,
  omitted     integer     not null default 0
);
create index audit_record_time on audit_record (time);

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
