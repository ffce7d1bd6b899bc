-- Operators and recurring work read the newest tasks of a kind.
create index task_kind on task (kind, id);

-- Tasks from before 0014 that have not ended work on their subjects too.
update task
   set subjects = case kind
         when 'rebuild-indices' then array(
           select 'index ' || i from jsonb_array_elements_text(
                    case jsonb_typeof(parameters -> 'indexes') when 'array' then parameters -> 'indexes' else '[]' end) i)
         when 'truncate-timeseries' then array[concat('values ', parameters ->> 'entityType', ' ', parameters ->> 'aspect')]
         else array[concat('run ', parameters ->> 'runId')] end
 where ended is null and subjects = '{}' and kind in ('rebuild-indices', 'truncate-timeseries', 'rollback-run');
