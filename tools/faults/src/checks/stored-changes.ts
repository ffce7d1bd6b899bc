import type { Database } from '@stratalog/adapters-postgres';

export interface ChangeRow {
  readonly partition: number;
  readonly seq: number;
  readonly urn: string;
  readonly aspect: string;
  readonly version: number;
  readonly value: string;
  readonly created_ms: number;
}

const PAGE = 2_000;

/** Reads every change of the store, partition after partition, in order. */
export async function* storedChanges(database: Database): AsyncGenerator<ChangeRow> {
  let after = { partition: -1, seq: 0 };
  for (;;) {
    const { rows } = await database.use((client) =>
      client.query<ChangeRow>({
        name: 'stored-changes',
        text: `select partition, seq, urn, aspect, version, value, created_ms from change
                where (partition, seq) > ($1, $2) order by partition, seq limit ${PAGE}`,
        values: [after.partition, after.seq],
      }),
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
  }
}
