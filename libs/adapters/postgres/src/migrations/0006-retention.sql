-- Up to which version retention has truncated the values of an aspect. A hard delete truncates too, without a row here.
create table aspect_truncation (
  urn          text    not null collate "C",
  aspect       text    not null collate "C",
  partition    integer not null,
  upto         bigint  not null,
  truncated_ms bigint  not null,
  primary key (urn, aspect)
) with (fillfactor = 70);

-- The process that passes over the store, how far it is, and when the last pass ended.
create table retention_turn (
  only_row     boolean primary key default true check (only_row),
  owner        text    not null default '',
  until_ms     bigint  not null default 0,
  after_urn    text,
  after_aspect text,
  finished_ms  bigint  not null default 0
);
