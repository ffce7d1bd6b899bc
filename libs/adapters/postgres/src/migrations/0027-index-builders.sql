-- One process fills an index version at a time: each of its notes follows the last one, or matches no row.
alter table search_index_version add column notes bigint not null default 0, add column builder text;
alter table graph_index_version add column notes bigint not null default 0, add column builder text;
