import type { LogBinding, LogOffset, LogOffsets } from '@stratalog/ports';
import type { Database } from '../database/database';

interface OffsetRow {
  readonly partition: number;
  readonly applied: number;
  readonly topic: string;
  readonly topic_id: string;
}

/** Reads and binds the offsets of a log outside the database; each commit locks and moves their rows. */
export class PostgresLogOffsets implements LogOffsets {
  constructor(private readonly database: Database) {}

  async read(): Promise<ReadonlyMap<number, LogOffset>> {
    const rows = await this.database.use(async (client) => {
      const result = await client.query<OffsetRow>(
        'select partition, applied, topic, topic_id from log_partition',
      );
      return result.rows;
    });
    return new Map(
      rows.map(({ partition, applied, topic, topic_id: topicId }) => [
        partition,
        topicId === '' ? { applied } : { applied, source: { topic, topicId } },
      ]),
    );
  }

  async bind({ partition, topic, topicId, applied }: LogBinding): Promise<void> {
    await this.database.use((client) =>
      client.query(
        `update log_partition set topic = $2, topic_id = $3, applied = $4, head = $4
          where partition = $1 and topic_id = '' and head = 0`,
        [partition, topic, topicId, applied],
      ),
    );
  }
}
