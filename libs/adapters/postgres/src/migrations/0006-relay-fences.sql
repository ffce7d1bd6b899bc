-- Processes that went without a word while they published. Whoever finds one has Kafka refuse it, and then removes its row.
create table relay_fence (
  owner text primary key
);
