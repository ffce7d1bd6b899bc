-- What a change of kind delete took away of points: within which time, and how many. Without a row it took none.
create table point_deletion (
  partition integer not null,
  seq       bigint  not null,
  start_ms  bigint,
  end_ms    bigint,
  points    bigint  not null,
  primary key (partition, seq)
);
