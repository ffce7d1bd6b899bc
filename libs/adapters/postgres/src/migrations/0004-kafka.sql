-- Logs outside the database.

-- The log whose offsets a partition counts: empty for the embedded one. A topic that is made anew has another id.
alter table log_partition
  add column topic    text not null default '',
  add column topic_id text not null default '';

-- Offsets mean something within one log only.
alter table refused_proposal
  add column topic    text not null default '',
  add column topic_id text not null default '',
  drop constraint refused_proposal_pkey,
  add primary key (topic_id, partition, log_offset);

-- Who publishes the changes of a partition, and up to which one they are published. The epoch counts the owners.
create table relay_lease (
  partition integer primary key,
  owner     text        not null default '',
  epoch     bigint      not null default 0,
  published bigint      not null default 0,
  until     timestamptz not null default '-infinity'
) with (fillfactor = 10);

-- Processes that can publish, so that each takes its share of the partitions.
create table relay_process (
  owner text primary key,
  seen  timestamptz not null
) with (fillfactor = 10);
