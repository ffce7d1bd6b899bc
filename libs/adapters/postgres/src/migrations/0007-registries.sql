-- The model at the time when the stored values were last accepted. A start compares its own model with it.
create table store_model (
  only_row    boolean primary key default true check (only_row),
  fingerprint text not null,
  shape       text not null
);

-- Schemas of encoded records. Records outside the store name a schema by its id, so none is ever removed.
create table registered_schema (
  id          integer primary key check (id > 0),
  fingerprint text    not null unique,
  schema_text text    not null
);

create table schema_subject (
  subject   text    not null,
  version   integer not null,
  schema_id integer not null references registered_schema,
  primary key (subject, version),
  unique (subject, schema_id)
);
create index schema_subject_schema on schema_subject (schema_id);

-- The running processes of a catalog. Each updates its row every few seconds, so the table is not logged: a crash of the server empties it,
-- and the next reports fill it again.
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
