-- Relationship graphs: each generation has tables of its own, made when the generation is created.

create table graph_generation (
  generation integer primary key generated always as identity,
  store_id   text    not null,
  epoch      integer not null,
  mapping    text    not null,
  -- How the adapter of that time laid its tables out.
  layout     integer not null,
  live       boolean not null default false,
  -- When another took its place; questions that had begun may still read it for a moment.
  retired_ms bigint
);
create unique index graph_generation_live on graph_generation (live) where live;

-- Up to where a generation has every change.
create table graph_position (
  generation integer not null references graph_generation on delete cascade,
  partition  integer not null,
  seq        bigint  not null,
  primary key (generation, partition)
) with (fillfactor = 10);
