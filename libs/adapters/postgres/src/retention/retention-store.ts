import { aspectKey, partitionOf } from '@stratalog/domain';
import type { AspectRef, Truncated, Truncation, NumberedAspect, RetentionStore } from '@stratalog/ports';
import { MoreThan } from 'typeorm';
import { LOCK_PARTITIONS } from '../aspect-store/commit-statements';
import type { CommitContext } from '../aspect-store/write-snapshot';
import type { Database, Statement } from '../database/database';
import { RetentionPassRow } from '../rows/retention-pass.row';
import { TRUNCATE_OLD, truncationParameters } from '../aspect-store/truncate-statement';

/**
 * Limits of one step. Writers of the partition wait for it; so many aspects and versions take a fraction of a second.
 */
const ASPECTS_PER_STEP = 50;
const VERSIONS_PER_STEP = 100;

/** Walks the names of aspects along the history's index: one probe per aspect, however many versions it has. */
const ASPECTS_AFTER: Statement = {
  name: 'aspects-after',
  text: `with recursive names(urn, aspect, n) as (
           (select urn, aspect, 1 from change where (urn, aspect) > ($1::text, $2::text) and kind <> 'timeseries' order by urn, aspect limit 1)
           union all
           select c.urn, c.aspect, n.n + 1
             from names n
            cross join lateral (select urn, aspect from change where (urn, aspect) > (n.urn, n.aspect) and kind <> 'timeseries'
                                 order by urn, aspect limit 1) c
            where n.n < $3::integer
         )
         select n.urn, n.aspect, (select version from change c where c.urn = n.urn and c.aspect = n.aspect and c.kind <> 'timeseries'
                                   order by version desc limit 1) as newest
           from names n order by n.n`,
};

/** Purges histories in the `change` table. */
export class PostgresRetentionStore implements RetentionStore {
  constructor(
    private readonly database: Database,
    private readonly options: CommitContext,
  ) {}

  async aspectsAfter(after: AspectRef | undefined, limit: number): Promise<readonly NumberedAspect[]> {
    const values = [after?.urn ?? '', after?.aspectName ?? '', limit];
    const rows = await this.select<{ urn: string; aspect: string; newest: number }>(ASPECTS_AFTER, values);
    return rows.map(({ urn, aspect, newest }) => ({ urn, aspectName: aspect, newest }));
  }

  async truncate(truncations: readonly Truncation[]): Promise<readonly Truncated[]> {
    const byPartition = new Map<number, Truncation[]>();
    for (const truncation of truncations) {
      const partition = partitionOf(truncation.urn, this.options.partitions);
      const own = byPartition.get(partition);
      if (own === undefined) byPartition.set(partition, [truncation]);
      else own.push(truncation);
    }
    const truncated: Truncated[] = [];
    for (const [partition, own] of byPartition) {
      for (let at = 0; at < own.length; at += ASPECTS_PER_STEP) {
        truncated.push(...(await this.step(partition, own.slice(at, at + ASPECTS_PER_STEP))));
      }
    }
    return truncated;
  }

  async readLastPass(): Promise<number | undefined> {
    const row = await this.database.use((_, rows) =>
      rows.findOneBy(RetentionPassRow, { finishedMs: MoreThan(0) }),
    );
    return row?.finishedMs;
  }

  async savePass(endedMs: number): Promise<void> {
    const row = { onlyRow: true, finishedMs: endedMs };
    await this.database.use((_, rows) => rows.upsert(RetentionPassRow, row, ['onlyRow']));
  }

  /** Takes the lock that writers take, so that the two cannot deadlock. */
  private step(partition: number, truncations: readonly Truncation[]): Promise<readonly Truncated[]> {
    return this.database.transaction(async (client) => {
      await client.query({ ...LOCK_PARTITIONS, values: [[partition]] });
      const { isPublished, clock } = this.options;
      const { rows } = await client.query<{ urn: string; aspect: string; first: number; last: number }>({
        ...TRUNCATE_OLD,
        values: truncationParameters(truncations, {
          partitionOf: () => partition,
          limit: VERSIONS_PER_STEP,
          isPublished,
          nowMs: clock.now(),
        }),
      });
      const upTo = new Map(truncations.map((truncation) => [aspectKey(truncation), truncation.upTo]));
      return rows.map(({ urn, aspect: aspectName, first: from, last: to }) => {
        const hasMore = to < (upTo.get(aspectKey({ urn, aspectName })) ?? 0);
        return { urn, aspectName, from, to, hasMore };
      });
    });
  }

  private select<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.database.use(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }
}
