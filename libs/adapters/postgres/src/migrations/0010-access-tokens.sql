-- Tokens of the catalog's clients. Secrets are not stored: a row has salted hashes of them.
create table access_token (
  id                text        primary key,
  name              text        not null,
  actor             text        not null,
  scopes            text[]      not null,
  -- Limits of the scopes: entity types, platforms, calls.
  limits            jsonb       not null default '{}',
  speaks_for_others boolean     not null,
  salt              bytea       not null,
  digest            bytea       not null,
  -- The secret before the last rotation, which stays valid for a while.
  previous_salt     bytea,
  previous_digest   bytea,
  previous_until    timestamptz,
  created           timestamptz not null default clock_timestamp(),
  created_by        text        not null,
  expires           timestamptz,
  revoked           timestamptz,
  rotated           timestamptz,
  last_used         timestamptz
);
create index access_token_created on access_token (created);
