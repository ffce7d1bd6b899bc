import type { Clock, DeadLetterPosition, DeadLetter, DeadLetters } from '@stratalog/ports';
import type { Proposal } from '@stratalog/model';
import type { Database } from '../database/database';
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
    const rows = await this.database.use(
      async (client) =>
        (
          await client.query<{ topic_id: string; partition: number; log_offset: number; proposal: string }>(
            `select topic_id, partition, log_offset, proposal from dead_letter
              where code is not null and replayed_ms is null and proposal is not null
                and (topic_id, partition, log_offset) > ($1::text, $2::integer, $3::bigint)
              order by topic_id, partition, log_offset limit $4`,
            [log, partition, offset, limit],
          )
        ).rows,
    );
    return rows.map((row) => ({
      position: { log: row.topic_id, partition: row.partition, offset: row.log_offset },
      // Only single proposals, not batches, are rejected with a code.
      proposal: decodeProposal(row.proposal) as Proposal,
    }));
  }

  async markReplayed(positions: readonly DeadLetterPosition[]): Promise<void> {
    await this.database.use((client) =>
      client.query(
        `update dead_letter p set replayed_ms = $4
           from unnest($1::text[], $2::integer[], $3::bigint[]) r(log, partition, log_offset)
          where p.topic_id = r.log and p.partition = r.partition and p.log_offset = r.log_offset`,
        [
          positions.map(({ log }) => log),
          positions.map(({ partition }) => partition),
          positions.map(({ offset }) => offset),
          this.clock.now(),
        ],
      ),
    );
  }
}
