-- Points of timeseries aspects, each value once: its change says only that it was written. A partition for each month is attached when
-- the month is first needed; dates far from today, and whatever comes while a partition cannot be made, lie in the default one.
create table point (
  urn             text   not null collate "C",
  aspect          text   not null collate "C",
  timestamp_ms    bigint not null,
  -- Tells points of one moment apart.
  point_key       text   not null collate "C",
  seq             bigint not null,
  value           text   not null,
  system_metadata text   not null,
  primary key (urn, aspect, timestamp_ms, point_key)
) partition by range (timestamp_ms);
create table point_default partition of point default;

-- Last seq of any point: what is derived from the aspects of an entity is not newer for it.
alter table entity add column point_seq bigint not null default 0;

-- Points are no versions, and a busy series would outweigh all of them.
drop index change_history;
create unique index change_history on change (urn, aspect, version, (case kind when 'restate' then seq else 0 end))
  where kind <> 'point';
