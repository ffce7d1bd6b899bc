import { describe, expect, it } from '@jest/globals';
import { parseJson } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { crashSuite } from '../testing/crash/crash-suite';

const ENTITIES = 20;
/** Each entity has so many letters in a row, and each value is another one. */
const VALUES = 30;

describe('a task that replays dead letters', () => {
  const suite = crashSuite();
  /** A former life of the log left these: they have offsets below those of its present end. */
  const fill = (): Promise<void> =>
    suite.run(`insert into dead_letter (partition, log_offset, reason, proposal, rejected_ms)
      select 0, n, 'of the test', format('{"entityType":"tag","urn":"urn:li:tag:crashed-%s","aspectName":"tagProperties","changeType":"UPSERT","value":"{\\"name\\":\\"%s\\"}","actor":"urn:li:corpuser:a"}',
                                         n % ${String(ENTITIES)}, n), 1000
        from generate_series(1, ${String(ENTITIES * VALUES)}) n`);
  const count = async (state: string): Promise<number> =>
    Number(await suite.query(`select count(*) from dead_letter where reason = 'of the test' and ${state}`));

  it(
    `loses none and applies none twice, in the order of each entity, after kill -9 at ${String(suite.moments)} moments`,
    async () => {
      await suite.start();
      await fill();
      const value = await suite.operate('replayDeadLetters', { reason: 'of the test', dryRun: false });
      const task = at(value, 'task') as string;
      for (let moment = 1; moment <= suite.moments; moment++) {
        const slice = Math.floor((ENTITIES * VALUES) / (suite.moments + 1));
        const from = (moment - 1) * slice + suite.random.below(slice);
        await until(async () => (await count('replayed_ms is not null')) >= from);
        expect(await suite.hasEnded(task)).toBe(false);
        await suite.kill();
      }
      await until(() => suite.hasEnded(task));
      expect(await suite.readTask(task)).toMatchObject({
        state: 'completed',
        outcome: { rejected: 0, held: 0 },
      });
      expect(await count('replayed_ms is not null')).toBe(ENTITIES * VALUES);
      // A second application of a letter would make a version of its own, and break the order.
      const histories = await suite.query(
        `select json_agg(names)::text from (
           select array_agg((value::json ->> 'name')::integer order by version) as names from change
            where aspect = 'tagProperties' and urn like 'urn:li:tag:crashed-%' group by urn) h`,
      );
      const expected = Array.from({ length: ENTITIES }, (_, entity) =>
        Array.from({ length: VALUES }, (__, nth) => (nth + (entity === 0 ? 1 : 0)) * ENTITIES + entity),
      );
      const byFirst = (one: readonly number[], other: readonly number[]): number =>
        (one[0] ?? 0) - (other[0] ?? 0);
      const found = parseJson(histories as string) as unknown as number[][];
      expect(found.sort(byFirst)).toEqual(expected.sort(byFirst));
      await suite.stop();
    },
    limitMs(120_000 + 30_000 * suite.moments),
  );
});
