import type { LogBinding, LogOffset, LogOffsets } from '@stratalog/ports';
import type { Database } from '../database/database';

interface OffsetRow {
  readonly partition: number;
  readonly committed_offset: number;
  readonly topic: string;
  readonly topic_id: string;
}

/** Reads and binds the offsets of a log outside the database; each commit locks and moves their rows. */
export class PostgresLogOffsets implements LogOffsets {
  constructor(private readonly database: Database) {}

  async read(): Promise<ReadonlyMap<number, LogOffset>> {
    const rows = await this.database.use(async (client) => {
      const result = await client.query<OffsetRow>(
        'select partition, committed_offset, topic, topic_id from log_partition',
      );
      return result.rows;
    });
    return new Map(
      rows.map(({ partition, committed_offset: committedOffset, topic, topic_id: topicId }) => [
        partition,
        topicId === '' ? { committedOffset } : { committedOffset, source: { topic, topicId } },
      ]),
    );
  }

  async bind({ partition, topic, topicId, committedOffset }: LogBinding): Promise<void> {
    await this.database.use((client) =>
      client.query(
        `update log_partition set topic = $2, topic_id = $3, committed_offset = $4, end_offset = $4
          where partition = $1 and topic_id = '' and end_offset = 0`,
        [partition, topic, topicId, committedOffset],
      ),
    );
  }
}
