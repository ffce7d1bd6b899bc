-- A live index is outdated when a new one was asked for in its place. One that is being built tells how many entities it holds of how many.

alter table search_generation
  add column outdated boolean not null default false,
  add column done bigint,
  add column total bigint;

alter table graph_generation
  add column outdated boolean not null default false,
  add column done bigint,
  add column total bigint;
