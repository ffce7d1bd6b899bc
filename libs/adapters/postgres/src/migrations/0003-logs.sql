-- The proposal log, its consumers' offsets, and the publishing of changes.

-- Each partition of the proposal log: the offset of its last record, and of the last one that is applied. The topic is empty for the embedded
-- log; a topic that was deleted and created again has another id.
create table log_partition (
  partition        integer primary key,
  end_offset       bigint not null default 0,
  committed_offset bigint not null default 0,
  topic            text   not null default '',
  topic_id         text   not null default '',
  check (committed_offset <= end_offset)
) with (fillfactor = 10);

-- The embedded log. A row lives from being logged to being applied; a proposal applied in the same transaction is only counted.
create table proposal_log (
  partition  integer not null,
  log_offset bigint  not null,
  proposal   text    not null,
  primary key (partition, log_offset)
);

-- Rejected proposals, with the reason. The code is set where a later model may accept the proposal.
create table dead_letter (
  topic       text    not null default '',
  topic_id    text    not null default '',
  partition   integer not null,
  log_offset  bigint  not null,
  reason      text    not null,
  proposal    text,
  bytes       bytea,
  rejected_ms bigint  not null,
  code        text,
  replayed_ms bigint,
  primary key (topic_id, partition, log_offset)
);
create index dead_letter_waiting on dead_letter (partition, log_offset)
  where code is not null and replayed_ms is null;
-- Operators read the newest dead letters first.
create index dead_letter_rejected on dead_letter (rejected_ms, topic_id, partition, log_offset);

-- The process that publishes the changes of a partition, and the last published change. The epoch counts the owners.
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

-- Processes that fell silent while they published. The process that finds one has Kafka fence it, and then deletes its row.
create table relay_fence (
  owner text primary key
);

-- How far consumers of the change log are that keep no derived data with which they could store it.
create table consumer_checkpoint (
  consumer  text    not null,
  partition integer not null,
  seq       bigint  not null,
  primary key (consumer, partition)
);
