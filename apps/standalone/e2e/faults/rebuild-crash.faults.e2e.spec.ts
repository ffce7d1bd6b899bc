import { describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { at } from '../testing/catalog/catalog-client';
import { crashSuite } from '../testing/crash/crash-suite';

/** So many that a rebuild can be killed at many places. */
const ENTITIES = 8_000;
const BATCH = 1_000;
/** A page of 200, and some of the next. */
const REPEATED = 240;

describe('a rebuild', () => {
  const suite = crashSuite();
  const fill = async (): Promise<void> => {
    for (let from = 0; from < ENTITIES; from += BATCH) {
      const proposals = Array.from({ length: BATCH }, (_, n) => ({
        entityType: 'tag',
        entityUrn: `urn:li:tag:t${String(from + n).padStart(6, '0')}`,
        changeType: 'UPSERT',
        aspectName: 'tagProperties',
        aspect: {
          value: stringifyJson({ name: `crashed ${String(from + n)}` }),
          contentType: 'application/json',
        },
      }));
      const body = stringifyJson({ proposals });
      expect((await suite.http().post('/aspects?action=ingestProposalBatch', body)).status).toBe(200);
    }
  };
  const count = async (): Promise<unknown> =>
    at((await suite.http().search('crashed', { entity: 'tag', count: 0 })).json, 'value', 'numEntities');
  const isBuilding = async (): Promise<boolean> =>
    (await suite.query(
      'select exists (select from search_index_version where not live and retired_ms is null)',
    )) === true;
  /** The work that a new process repeats: the entities in the unfinished version behind its checkpoint. */
  const countRepeated = async (): Promise<number> => {
    const version = await suite.query(
      `select max(index_version)::text from search_index_version where not live and retired_ms is null and resume is not null`,
    );
    if (typeof version !== 'string') return 0;
    const repeated = await suite.query(
      `select (select count(*) from search_document_${version}) - done from search_index_version where index_version = ${version}`,
    );
    return Number(repeated);
  };
  /** Waits until so many entities are in the unfinished version, or everything is over already. */
  const untilUnderWay = (task: string, from: number): Promise<void> =>
    until(
      async () =>
        ((await isBuilding()) && (at(await suite.readTask(task), 'progress', 'done') as number) >= from) ||
        suite.hasEnded(task),
    );

  it(
    `is complete after kill -9 at ${String(suite.moments)} moments, and lost connections after each`,
    async () => {
      await suite.start();
      await fill();
      await until(async () => (await count()) === ENTITIES);
      for (let moment = 1; moment <= suite.moments; moment++) {
        const rebuild = await suite.operate('rebuildIndices', { index: 'search' });
        const task = at(rebuild, 'task') as string;
        // Small numbers most often, because a build is short.
        const from = Math.floor(suite.random.fraction() ** 3 * ENTITIES);
        await untilUnderWay(task, from);
        await suite.kill(async () => {
          expect(await countRepeated()).toBeLessThan(REPEATED);
        });
        await untilUnderWay(task, from);
        await suite.query(
          `select count(pg_terminate_backend(pid)) from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`,
        );
        // The former version answers whole until the new one does.
        await until(async () => {
          const found = await suite.http().search('crashed', { entity: 'tag', count: 0 });
          if (found.status === 200) expect(at(found.json, 'value', 'numEntities')).toBe(ENTITIES);
          return at(await suite.readTask(task), 'state') === 'completed';
        });
        expect(await count()).toBe(ENTITIES);
        expect(await suite.readTask(task)).toMatchObject({ progress: { done: ENTITIES, total: ENTITIES } });
      }
      await suite.stop();
    },
    limitMs(120_000 + 60_000 * suite.moments),
  );
});
