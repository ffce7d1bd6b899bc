-- The source of truth: the identity of the store, its partitions, every version of every aspect, and the latest of each.

create table store_identity (
  only_row   boolean primary key default true check (only_row),
  store_id   text    not null,
  epoch      integer not null,
  partitions integer not null
);

-- One hot row per partition: its lock makes commit order the order of seq. The low fill factor keeps updates in the page.
create table store_partition (
  partition integer primary key,
  seq       bigint not null default 0,
  stamp_ms  bigint not null default 0
) with (fillfactor = 10);

-- The last time at which a process used the store with a plausible clock. The age of an idle store is measured from it.
create table store_clock (
  only_row boolean primary key default true check (only_row),
  seen_ms  bigint not null
);

-- Append-only: history, outbox and change log in one. A deletion has no value, nor has a version whose value was truncated.
create table change (
  partition       integer not null,
  seq             bigint  not null,
  urn             text    not null collate "C",
  aspect          text    not null collate "C",
  version         bigint  not null,
  value           text,
  system_metadata text    not null,
  created_ms      bigint  not null,
  actor           text    not null,
  kind            text    not null default 'upsert',
  primary key (partition, seq),
  check (kind <> 'delete' or value is null)
);

-- A restated value keeps the number of its version. Timeseries values are no versions, and one busy series would outweigh all versions.
create unique index change_history on change (urn, aspect, version, (case kind when 'restate' then seq else 0 end))
  where kind <> 'timeseries';

-- The version of everything derived from a urn. The row of a deleted entity stays, so that nothing derived goes back behind the deletion.
create table entity (
  urn            text    primary key collate "C",
  seq            bigint  not null,
  deleted        boolean not null default false,
  -- Last seq of any timeseries value: projections of the entity's aspects do not depend on it.
  timeseries_seq bigint  not null default 0
) with (fillfactor = 70);

create table aspect_latest (
  urn               text   not null collate "C",
  aspect            text   not null collate "C",
  version           bigint not null,
  value             text   not null,
  system_metadata   text   not null,
  observed          text   not null,
  created_ms        bigint not null,
  actor             text   not null,
  -- Time and actor of the creation of the aspect; null while its first version is the latest.
  aspect_created_ms bigint,
  aspect_created_by text,
  -- The run that wrote the latest value, and when. Null where no run was named: an indexed column that changes costs a write its place
  -- in the page, so writes without a run keep theirs.
  run_id            text collate "C",
  run_ms            bigint,
  primary key (urn, aspect)
) with (fillfactor = 70);
create index aspect_latest_run on aspect_latest (run_id, run_ms) where run_id is not null;
