-- Offsets of a log on another server, in order, of records whose effect is stored although an earlier one of their partition waits.

alter table log_partition add column ahead bigint[] not null default '{}';
