-- Long work as durable records. The process with the lease runs a task; each claim raises the fence, and a write with a lower fence matches
-- no row. All times are the server's.
create table task (
  id                bigint      primary key generated always as identity,
  kind              text        not null,
  parameters        jsonb       not null,
  -- Of two tasks of one kind and the same parameters, at most one has not ended.
  parameters_digest text        not null,
  actor             text        not null,
  state             text        not null default 'queued',
  checkpoint        jsonb,
  done              bigint      not null default 0,
  total             bigint,
  worked_ms         bigint      not null default 0,
  owner             text,
  fence             bigint      not null default 0,
  lease_until       timestamptz,
  created           timestamptz not null default now(),
  started           timestamptz,
  ended             timestamptz,
  outcome           jsonb,
  reason            text,
  -- The code of the error with which a task failed.
  failure           text,
  log               jsonb       not null default '[]',
  -- What a task works on alone: the later of two tasks that share a subject begins when the earlier one has ended.
  subjects          text[]      not null default '{}'
) with (fillfactor = 50);
create unique index task_active on task (kind, parameters_digest) where ended is null;
create index task_ended on task (ended) where ended is not null;
-- Operators and recurring work read the newest tasks of a kind.
create index task_kind on task (kind, id);
