import type { PartitionSequences } from '@stratalog/domain';
import type { ConsumerCheckpoints } from '@stratalog/ports';
import type { Database, Statement } from '../database/database';

const SAVE: Statement = {
  name: 'save-consumer-checkpoint',
  text: `insert into consumer_checkpoint as stored (consumer, partition, seq)
         select $1, reached.partition, reached.seq from unnest($2::integer[], $3::bigint[]) reached(partition, seq)
             on conflict (consumer, partition) do update set seq = excluded.seq where stored.seq < excluded.seq`,
};

/** Stores one row for each partition of a consumer. */
export class PostgresConsumerCheckpoints implements ConsumerCheckpoints {
  constructor(private readonly database: Database) {}

  async read(consumer: string): Promise<PartitionSequences> {
    const rows = await this.database.use(async (client) => {
      const result = await client.query<{ readonly partition: number; readonly seq: number }>(
        'select partition, seq from consumer_checkpoint where consumer = $1',
        [consumer],
      );
      return result.rows;
    });
    return new Map(rows.map(({ partition, seq }) => [partition, seq]));
  }

  async save(consumer: string, reached: PartitionSequences): Promise<void> {
    await this.database.use((client) =>
      client.query({ ...SAVE, values: [consumer, [...reached.keys()], [...reached.values()]] }),
    );
  }
}
