import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { stringifyJson } from '@stratalog/json';
import { proposalFor, until } from '@stratalog/testkit';
import { Site, type BootOptions, type BootedCatalog } from '../catalog/booted-catalog';
import { at } from '../catalog/catalog-client';
import { SteppedClock } from './stepped-clock';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
const URN = 'urn:li:tag:clock';
const TOKEN = 'the-token-of-this-suite';
/** Purges every value except the newest as soon as it is a day old. */
const STRICT_RETENTION = {
  STRATALOG_RETENTION_MAX_VERSIONS: '1',
  STRATALOG_RETENTION_MAX_AGE_SECONDS: '86400',
  STRATALOG_RETENTION_EVERY_SECONDS: '1',
};
const SMALL_STEP = { STRATALOG_MAX_CLOCK_STEP_SECONDS: '60' };
/** A tolerance that permits any difference from the database server's clock. */
const ANY_STEP = { STRATALOG_MAX_CLOCK_STEP_SECONDS: String(YEAR_MS / 1_000) };

/** The behaviour of a catalog while the clock of its machine is wrong, and afterwards. */
export function clockStepsSuite(
  profile: string,
  environment: Readonly<Record<string, string>>,
  /** An external log may reject records with a wrong time before the store does. */
  { waitMs, isLogOurs }: { readonly waitMs: number; readonly isLogOurs: boolean },
): void {
  describe(`A clock that is wrong, ${profile},`, () => {
    let site: Site;
    let clock: SteppedClock;
    let catalog: BootedCatalog;
    beforeAll(async () => {
      site = await Site.create();
    });
    afterAll(() => site.remove());
    beforeEach(() => {
      clock = new SteppedClock();
    });
    afterEach(async () => {
      await catalog.stop();
      clock.restore();
    });

    const boot = async (more: Readonly<Record<string, string>> = {}, options: BootOptions = {}) => {
      catalog = await site.boot({
        ...options,
        environment: {
          ...environment,
          STRATALOG_TOKEN: TOKEN,
          STRATALOG_LOG_LEVEL: 'silent',
          STRATALOG_METRICS_PORT: '0',
          ...more,
        },
      });
    };
    const send = (name: string, isAsync = false) =>
      catalog.http.ingest({
        urn: URN,
        aspectName: 'tagProperties',
        value: { name },
        parameters: { async: String(isAsync) },
      });
    const versions = async (): Promise<{ time: number; name: unknown }[]> => {
      const { json } = await catalog.http.get(`/aspects/${URN}?aspect=tagProperties&count=100`);
      return (at(json, 'versions') as object[]).map((version) => ({
        time: at(version as never, 'created', 'time') as number,
        name: at(version as never, 'aspect', 'com.linkedin.tag.TagProperties', 'name'),
      }));
    };
    const nameAsOf = async (timeMs: number) =>
      at(
        (await catalog.http.entity(URN, `?asOf=${String(timeMs)}`)).json,
        'aspects',
        'tagProperties',
        'value',
        'name',
      );
    const clockHealth = async () => {
      const { status } = await catalog.http.get('/health');
      const stages = at((await catalog.health()).json, 'stages') as { name: string; reason?: string }[];
      return [status, stages.find(({ name }) => name === 'clock')?.reason] as const;
    };
    const proposal = (name: string) =>
      proposalFor(URN, { entityType: 'tag', aspectName: 'tagProperties', value: stringifyJson({ name }) });

    it(
      'a clock that is wrong by a jump of a year stamps and erases nothing, says so, and is believed again when it is back',
      async () => {
        await boot(STRICT_RETENTION);
        for (const name of ['a', 'b', 'c']) await catalog.http.write(URN, 'tagProperties', { name });
        const before = await versions();

        clock.set(YEAR_MS);
        for (const answer of [await send('lost'), await send('lost', true)]) {
          expect([answer.status, at(answer.json, 'message')]).toEqual([
            503,
            expect.stringContaining('Writes are rejected: The clock of this machine has jumped'),
          ]);
        }
        const erased = await catalog.http.post(
          '/entities?action=applyRetention',
          '{"attemptWithVersion":1}',
          {
            authorization: `Bearer ${TOKEN}`,
          },
        );
        expect([erased.status, at(erased.json, 'message')]).toEqual([
          503,
          expect.stringContaining('Nothing is truncated: The clock of this machine has jumped'),
        ]);
        await until(async () => {
          const { json } = await catalog.http.get('/health');
          return (at(json, 'stages') as { name: string; state: string }[]).some(
            ({ name, state }) => name === 'retention' && state === 'retrying',
          );
        });
        expect(await clockHealth()).toEqual([503, expect.stringContaining('has jumped')]);
        expect(await versions()).toEqual(before);
        // An asynchronous proposal waits in the log.
        if (isLogOurs) await catalog.deps.proposals.append([proposal('waits')]);

        clock.set(0);
        if (!isLogOurs) await send('waits');
        await until(async () => (await versions()).length === 4);
        await until(async () => (await catalog.http.get('/health')).status === 200, waitMs);
        await catalog.http.write(URN, 'tagProperties', { name: 'e' });
        const after = await versions();
        expect(after.map(({ name }) => name)).toEqual(['e', 'waits', 'c', 'b', 'a']);
        expect(Math.max(...after.map(({ time }) => time))).toBeLessThanOrEqual(Date.now());
        expect(await nameAsOf(Date.now())).toBe('e');
      },
      waitMs * 2,
    );

    it(
      'a clock that is wrong when it starts is told by the database server',
      async () => {
        clock.set(2 * 3_600_000);
        await boot({}, { untilReady: false });
        expect((await send('lost')).status).toBe(503);
        expect(await clockHealth()).toEqual([503, expect.stringContaining('that of the database server')]);
      },
      waitMs,
    );

    it(
      'a clock that was wrong and has left stamps that lie ahead, is corrected by the operator who says that it is right now',
      async () => {
        clock.set(50 * 60_000);
        await boot();
        await catalog.http.write(URN, 'tagProperties', { name: 'ahead' });
        await catalog.stop();

        clock.set(0);
        await boot(SMALL_STEP, { untilReady: false });
        const rejected = await send('lost');
        const today = new Date().toISOString().slice(0, 10);
        expect([rejected.status, at(rejected.json, 'message')]).toEqual([
          503,
          expect.stringContaining(`start once with STRATALOG_ACCEPT_CLOCK=${today}`),
        ]);
        expect(await nameAsOf(Date.now())).not.toBe('ahead');
        await catalog.stop();

        await boot({ ...SMALL_STEP, STRATALOG_ACCEPT_CLOCK: '2020-01-01' }, { untilReady: false });
        expect((await send('lost')).status).toBe(503);
        await catalog.stop();

        await boot({ ...SMALL_STEP, STRATALOG_ACCEPT_CLOCK: today });
        expect(await nameAsOf(Date.now())).toBe('ahead');
        await catalog.http.write(URN, 'tagProperties', { name: 'right' });
        expect(await nameAsOf(Date.now())).toBe('right');
      },
      waitMs * 3,
    );

    it(
      'a clock that is wrong after a long rest is believed when the operator says so',
      async () => {
        clock.set(40 * DAY_MS);
        await boot(ANY_STEP, { untilReady: false });
        const rejected = await send('lost');
        expect([rejected.status, at(rejected.json, 'message')]).toEqual([
          503,
          expect.stringContaining('but the store was last used at'),
        ]);
        await catalog.stop();
        await boot({ ...ANY_STEP, STRATALOG_ACCEPT_CLOCK: new Date(Date.now()).toISOString().slice(0, 10) });
        if (isLogOurs) expect((await send('rested')).status).toBe(200);
      },
      waitMs * 2,
    );
  });
}
