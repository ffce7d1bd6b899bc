-- What a task works on alone: the later of two tasks that share a subject begins when the earlier one has ended.
alter table task add column subjects text[] not null default '{}';
-- The code of the error with which a task failed.
alter table task add column failure text;

-- A pass of retention is a task; only the end of the last one stays here, because a pass that purges nothing leaves no task.
alter table retention_turn drop column owner, drop column until_ms, drop column after_urn, drop column after_aspect;
