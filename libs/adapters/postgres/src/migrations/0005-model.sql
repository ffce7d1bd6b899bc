-- Why a proposal was set aside, where that may pass, and when it was taken up again.
alter table refused_proposal add column code text, add column replayed_ms bigint;
create index refused_proposal_waiting on refused_proposal (partition, log_offset)
  where code is not null and replayed_ms is null;

-- What the model said when the stored values were last accepted: a start compares its own with it.
create table store_model (
  only_row    boolean primary key default true check (only_row),
  fingerprint text not null,
  shape       text not null
);
