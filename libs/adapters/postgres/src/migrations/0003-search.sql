-- Search indices: each generation has a document table of its own, made when the generation is created.

create table search_generation (
  generation integer primary key generated always as identity,
  store_id   text    not null,
  epoch      integer not null,
  mapping    text    not null,
  -- How the adapter of that time laid its tables out.
  layout     integer not null,
  live       boolean not null default false,
  -- When another took its place; searches that had begun may still read it for a moment.
  retired_ms bigint
);
create unique index search_generation_live on search_generation (live) where live;

-- Up to where a generation can find every change.
create table search_position (
  generation integer not null references search_generation on delete cascade,
  partition  integer not null,
  seq        bigint  not null,
  primary key (generation, partition)
) with (fillfactor = 10);
