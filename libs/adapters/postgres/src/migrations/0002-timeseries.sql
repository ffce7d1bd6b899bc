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
  -- The run that wrote the value, for its rollback. Null where no run was named, and where the server cannot read the name: one with NUL
  -- characters or unpaired surrogates.
  run_id          text   collate "C",
  primary key (urn, aspect, timestamp_ms, value_key)
) partition by range (timestamp_ms);
create table timeseries_value_default partition of timeseries_value default;
-- The values of a run, in the order in which it wrote them. Each new month gets the same index.
create index timeseries_value_run on timeseries_value (run_id, seq) where run_id is not null;

-- How many timeseries values a change of kind delete removed, and within which time. A change without a row removed none.
create table timeseries_deletion (
  partition   integer not null,
  seq         bigint  not null,
  start_ms    bigint,
  end_ms      bigint,
  value_count bigint  not null,
  primary key (partition, seq)
);
