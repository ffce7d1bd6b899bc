-- The run that wrote a value, for its rollback. Null where no run was named. Each new month gets the same column and index.
alter table timeseries_value add column run_id text collate "C";

-- The server cannot read texts with NUL characters or unpaired surrogates, so values with such metadata stay without a run.
update timeseries_value
   set run_id = case when system_metadata !~* '\\u(0000|d[89a-f])' then
                  case when json_typeof(system_metadata::json -> 'runId') = 'string'
                       then nullif(nullif(system_metadata::json ->> 'runId', ''), 'no-run-id-provided') end end
 where system_metadata like '%"runId":%';

-- The values of a run, in the order in which it wrote them.
create index timeseries_value_run on timeseries_value (run_id, seq) where run_id is not null;
