-- The versions of one kind of index: `<kind>` is `search` or `graph`. Each version has tables of its own, created with it.

create table <kind>_index_version (
  index_version integer primary key generated always as identity,
  store_id      text    not null,
  epoch         integer not null,
  mapping       text    not null,
  -- The table layout of the adapter that made the index.
  layout        integer not null,
  live          boolean not null default false,
  -- When the next version was activated; queries that started before may read this one for a moment.
  retired_ms    bigint,
  -- True when a new version was requested in place of this one.
  outdated      boolean not null default false,
  -- While it is built: the number of projected entities, and of all.
  done          bigint,
  total         bigint,
  -- A requested build may be on hold, and continues where a lost process left it: after a urn, as of a position.
  held          boolean not null default false,
  resume        jsonb,
  -- One process fills an index version at a time: each of its heartbeats follows the last one, or matches no row.
  heartbeats    bigint  not null default 0,
  builder       text
);
create unique index <kind>_index_version_live on <kind>_index_version (live) where live;

-- The last change of each partition that an index version contains.
create table <kind>_checkpoint (
  index_version integer not null references <kind>_index_version on delete cascade,
  partition     integer not null,
  seq           bigint  not null,
  primary key (index_version, partition)
) with (fillfactor = 10);
