-- The embedded proposal log. A row lives from being logged to being applied; one that is applied in the same
-- transaction is only counted.

create table log_partition (
  partition integer primary key,
  head      bigint not null default 0,
  applied   bigint not null default 0,
  check (applied <= head)
) with (fillfactor = 10);

create table proposal_log (
  partition  integer not null,
  log_offset bigint  not null,
  proposal   text    not null,
  primary key (partition, log_offset)
);

-- What was logged and could not be applied, with the reason; kept for whoever asks or replays.
create table refused_proposal (
  partition  integer not null,
  log_offset bigint  not null,
  reason     text    not null,
  proposal   text,
  bytes      bytea,
  refused_ms bigint  not null,
  primary key (partition, log_offset)
);
