-- A requested build may be on hold, and continues where a lost process left it: after a urn, as of a position.
alter table search_index_version add column held boolean not null default false, add column resume jsonb;
alter table graph_index_version add column held boolean not null default false, add column resume jsonb;

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
  duration_ms integer     not null
);
create index audit_record_time on audit_record (time);
