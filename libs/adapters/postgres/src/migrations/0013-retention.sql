-- Retention: up to which version it has erased the values of an aspect; without a row none. The versions before an entity was deleted have
-- no values either, and no row here.
create table aspect_erasure (
  urn       text    not null collate "C",
  aspect    text    not null collate "C",
  partition integer not null,
  upto      bigint  not null,
  erased_ms bigint  not null,
  primary key (urn, aspect)
) with (fillfactor = 70);

-- Which process passes over the store, how far it is, and when the last pass ended.
create table retention_turn (
  only_row     boolean primary key default true check (only_row),
  owner        text    not null default '',
  until_ms     bigint  not null default 0,
  after_urn    text,
  after_aspect text,
  finished_ms  bigint  not null default 0
);
