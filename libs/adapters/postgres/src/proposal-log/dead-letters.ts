import type { Clock, DeadLetterPosition, DeadLetter, DeadLetters } from '@stratalog/ports';
import type { Proposal } from '@stratalog/model';
import type { Database } from '../database/database';
import { DeadLetterRow } from '../rows/dead-letter.row';
import { decodeProposal } from './proposal-codec';

/** An arbitrary number that every process of this product shares. */
const REPLAY_LOCK = 7_305_410_203;

/** Reads and marks the dead letters that have a code and were not replayed. */
export class PostgresDeadLetters implements DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async (client) => {
      // The work runs on other sessions; this one only holds the lock.
      await client.query('set local idle_in_transaction_session_timeout = 0');
      await client.query('select pg_advisory_xact_lock($1)', [REPLAY_LOCK]);
      return work();
    });
  }

  async readWaiting(after: DeadLetterPosition | undefined, limit: number): Promise<readonly DeadLetter[]> {
    const { log, partition, offset } = after ?? { log: '', partition: -1, offset: 0 };
    const letters = await this.database.use((_, rows) =>
      rows
        .createQueryBuilder(DeadLetterRow, 'letter')
        .where('code is not null and replayed_ms is null and proposal is not null')
        .andWhere('(topic_id, partition, log_offset) > (:log, :partition, :offset)', {
          log,
          partition,
          offset,
        })
        .orderBy({ 'letter.topicId': 'ASC', 'letter.partition': 'ASC', 'letter.logOffset': 'ASC' })
        .limit(limit)
        .getMany(),
    );
    return letters.map(({ topicId, partition: ownPartition, logOffset, proposal }) => ({
      position: { log: topicId, partition: ownPartition, offset: logOffset },
      // Only single proposals, not batches, are rejected with a code.
      proposal: decodeProposal(proposal ?? '') as Proposal,
    }));
  }

  async markReplayed(positions: readonly DeadLetterPosition[]): Promise<void> {
    const keys = positions.map(({ log, partition, offset }) => ({
      topicId: log,
      partition,
      logOffset: offset,
    }));
    const replayedMs = this.clock.now();
    await this.database.use((_, rows) => rows.update(DeadLetterRow, keys, { replayedMs }));
  }
}
