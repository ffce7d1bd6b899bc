-- Which run wrote the latest value of an aspect, and when. Both are null where no run was named: a column of an index that changes costs a
-- write its place in the page, so writes that name none keep theirs.
alter table aspect_latest add column run_id text collate "C", add column run_ms bigint;

-- An escape that PostgreSQL cannot decode, anywhere in the text, would fail all of it; such runs cannot be looked up.
update aspect_latest l set run_id = r.run_id, run_ms = l.created_ms
  from (select urn, aspect, case when system_metadata like '%"runId":"%' and system_metadata !~ '\\u(0000|d[89a-f])'
                                 then system_metadata::json ->> 'runId' end as run_id from aspect_latest) r
 where l.urn = r.urn and l.aspect = r.aspect
   and r.run_id not in ('', 'no-run-id-provided') and octet_length(r.run_id) <= 256;

create index aspect_latest_run on aspect_latest (run_id, run_ms) where run_id is not null;
