-- The running processes of a catalog. Each updates its row every few seconds, so the table is not logged: after a crash of the
-- server it is empty, and full again after the next reports.
create unlogged table app_instance (
  id      text        primary key,
  app     text        not null,
  roles   text[]      not null,
  address text        not null,
  host    text        not null,
  pid     integer     not null,
  version text        not null,
  status  text        not null,
  lag     jsonb       not null,
  seen    timestamptz not null
) with (fillfactor = 10);
