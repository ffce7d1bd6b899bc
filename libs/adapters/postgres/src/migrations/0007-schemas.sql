-- Schemas of encoded records. What names one by its id is kept elsewhere and for long, so none is ever removed.
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
