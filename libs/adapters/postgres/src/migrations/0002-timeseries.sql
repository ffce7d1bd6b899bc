-- Values of timeseries aspects, each stored once: its change says only that it was written. A partition for each month is attached when the
-- month is first needed. The default partition holds dates far from today, and values written while a partition cannot be made.
create table timeseries_value (
  urn             text   not null collate "C",
  aspect          text   not null collate "C",
  timestamp_ms    bigint not null,
  -- Distinguishes values of one timestamp.
  value_key       text   not null collate "C",
  seq             bigint not null,
  value           text   not null,
  system_metadata text   not null,
  primary key (urn, aspect, timestamp_ms, value_key)
) partition by range (timestamp_ms);
create table timeseries_value_default partition of timeseries_value default;

-- How many timeseries values a change of kind delete removed, and within which time. A change without a row removed none.
create table timeseries_deletion (
  partition   integer not null,
  seq         bigint  not null,
  start_ms    bigint,
  end_ms      bigint,
  value_count bigint  not null,
  primary key (partition, seq)
);
