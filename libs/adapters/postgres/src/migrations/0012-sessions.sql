-- A session of a person in a browser is a token of its own kind: it ends by itself, and is then deleted.
alter table access_token add column is_session boolean not null default false;
