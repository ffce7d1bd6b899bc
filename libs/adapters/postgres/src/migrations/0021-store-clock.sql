-- When a process last used the store with a clock that it believed: how long the store was left alone is counted from then.
create table store_clock (
  only_row boolean primary key default true check (only_row),
  seen_ms  bigint not null
);
