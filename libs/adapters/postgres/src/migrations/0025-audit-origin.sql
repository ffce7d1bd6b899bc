-- Where a call came from, and how many similar calls have no row of their own.
alter table audit_record add column address text, add column omitted integer not null default 0;
