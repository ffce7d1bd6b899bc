-- Up to which version retention has truncated the values of an aspect. A hard delete truncates too, without a row here.
create table aspect_truncation (
  urn          text    not null collate "C",
  aspect       text    not null collate "C",
  partition    integer not null,
  upto         bigint  not null,
  truncated_ms bigint  not null,
  primary key (urn, aspect)
) with (fillfactor = 70);

-- When the last pass over the store ended. A pass is a task, but one that purges nothing leaves no task.
create table retention_pass (
  only_row    boolean primary key default true check (only_row),
  finished_ms bigint  not null default 0
);
