import type { Statement } from '../database/database';

/** Locks the log partitions of a batch in ascending order, so that two writers cannot deadlock. */
export const LOCK_LOG: Statement = {
  name: 'lock-log',
  text: `select partition, head, applied from log_partition
          where partition = any($1::integer[]) order by partition for update`,
};
