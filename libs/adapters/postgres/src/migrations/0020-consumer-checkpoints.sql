-- How far consumers of the change log are that keep no derived data with which they could store it.
create table consumer_checkpoint (
  consumer  text    not null,
  partition integer not null,
  seq       bigint  not null,
  primary key (consumer, partition)
);
