-- The truth: what the store is, its partitions, every version of every aspect, and the latest of each.

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

-- Append-only: history, outbox and change log in one.
create table change (
  partition       integer not null,
  seq             bigint  not null,
  urn             text    not null collate "C",
  aspect          text    not null collate "C",
  version         bigint  not null,
  value           text    not null,
  system_metadata text    not null,
  created_ms      bigint  not null,
  actor           text    not null,
  primary key (partition, seq)
);
create unique index change_history on change (urn, aspect, version);

-- The version of everything derived from a urn.
create table entity (
  urn text   primary key collate "C",
  seq bigint not null
) with (fillfactor = 70);

create table aspect_latest (
  urn             text   not null collate "C",
  aspect          text   not null collate "C",
  version         bigint not null,
  value           text   not null,
  system_metadata text   not null,
  observed        text   not null,
  created_ms      bigint not null,
  actor           text   not null,
  primary key (urn, aspect)
) with (fillfactor = 70);
