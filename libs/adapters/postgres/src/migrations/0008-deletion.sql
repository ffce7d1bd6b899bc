-- Deletion. A change says what it did: one that deletes has no value, nor has one whose value was erased.
alter table change
  add column kind text not null default 'upsert',
  alter column value drop not null,
  add check (kind <> 'delete' or value is null);

-- A value that is said once more is not numbered anew, so it stands beside its version.
drop index change_history;
create unique index change_history on change (urn, aspect, version, (case kind when 'restate' then seq else 0 end));

-- The row of a deleted entity stays, so that nothing derived from it goes back behind its deletion.
alter table entity add column deleted boolean not null default false;

-- When the aspect came to be; null while that is when its latest value did.
alter table aspect_latest add column begun_ms bigint, add column begun_by text;
update aspect_latest l set begun_ms = c.created_ms, begun_by = c.actor
  from change c where c.urn = l.urn and c.aspect = l.aspect and c.version = 1 and l.version > 1;
