import { afterEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
import { pause } from '@stratalog/concurrency';
import type { NamedSubscription, NeedChecks, SubscriptionStatus } from '@stratalog/ports';
import { Readiness, type RoleNeeds } from './readiness';

const LIMIT_MS = limitMs(20_000);

/** Waits for the checks, which come once a second. */
async function until(condition: () => boolean, patienceMs: number): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Waited in vain for ${condition.toString()}`);
    await pause(10, new AbortController().signal);
  }
}

describe('Readiness', () => {
  let clockMs = 0;
  let readiness: Readiness;
  afterEach(() => readiness.stop());

  const role = (name: string, needs: RoleNeeds['needs'], more: Partial<RoleNeeds> = {}): RoleNeeds => ({
    name,
    needs,
    consumers: [],
    needsClock: false,
    ...more,
  });
  const start = async (
    roles: readonly RoleNeeds[],
    checks: Partial<NeedChecks> = {},
    clockDoubt: () => string | undefined = () => undefined,
  ): Promise<void> => {
    const answers = (): Promise<void> => Promise.resolve();
    const all = {
      store: answers,
      proposals: answers,
      changes: answers,
      search: answers,
      graph: answers,
      engine: answers,
    };
    readiness = new Readiness({ roles, checks: { ...all, ...checks }, clockDoubt, now: () => clockMs });
    await readiness.start();
  };
  const INGEST = role('ingest', ['store', 'proposals']);
  const QUERY = role('query', ['store']);
  const statuses = (): readonly string[] => readiness.roles().map(({ name, status }) => `${name} ${status}`);

  it('readiness of a role ends when what it needs has been away for a while, and returns with it', async () => {
    let isAway = false;
    let checks = 0;
    await start([INGEST, QUERY], {
      proposals: () => {
        checks += 1;
        return isAway ? Promise.reject(new UnavailableError('Kafka is away')) : Promise.resolve();
      },
    });
    expect(statuses()).toEqual(['ingest ready', 'query ready']);
    isAway = true;
    const before = checks;
    await until(() => checks > before, LIMIT_MS);
    // One check has failed, and then this process stood still: a moment is no outage.
    clockMs += 60_000;
    expect(statuses()).toEqual(['ingest ready', 'query ready']);
    await until(() => statuses()[0] === 'ingest not-ready', LIMIT_MS);
    expect(checks).toBe(before + 3);
    expect(readiness.roles()).toEqual([
      { name: 'ingest', status: 'not-ready', reason: 'Kafka is away' },
      { name: 'query', status: 'ready' },
    ]);
    isAway = false;
    await until(() => statuses()[0] === 'ingest ready', LIMIT_MS);
  });

  it('readiness of a role ends when a server hangs, without another question to it', async () => {
    let checks = 0;
    let answer = (): void => undefined;
    const hang = (): Promise<void> => {
      checks += 1;
      if (checks === 1) return Promise.resolve();
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    await start([QUERY], { store: hang });
    await until(() => checks === 2, LIMIT_MS);
    clockMs += 3_000;
    await until(() => {
      clockMs += 5_000;
      return statuses()[0] === 'query not-ready';
    }, LIMIT_MS);
    expect(readiness.roles()[0]?.reason).toBe('no answer');
    expect(checks).toBe(2);
    answer();
    await until(() => statuses()[0] === 'query ready', LIMIT_MS);
  });

  it('is not there before the first check has succeeded', async () => {
    await start([QUERY], { store: () => Promise.reject(new UnavailableError('away')) });
    expect(statuses()).toEqual(['query not-ready']);
  });

  it('follows the consumers of a log: one that retries is not ready, one that builds an index is', async () => {
    let status: SubscriptionStatus = { state: 'starting', reason: 'building' };
    const consumer: NamedSubscription = {
      name: 'graph',
      subscription: { start: () => Promise.resolve(), stop: () => Promise.resolve(), status: () => status },
    };
    await start([role('graph', [], { consumers: [consumer] })]);
    expect(statuses()).toEqual(['graph ready']);
    status = { state: 'retrying', reason: 'Kafka is away' };
    await until(() => {
      clockMs += 5_000;
      return statuses()[0] === 'graph not-ready';
    }, LIMIT_MS);
    expect(readiness.roles()[0]?.reason).toBe('graph: Kafka is away');
  });

  it('readiness of a role that stamps ends while the clock is implausible', async () => {
    let doubt: string | undefined = 'it jumped';
    await start([{ ...INGEST, needsClock: true }, QUERY], {}, () => doubt);
    expect(statuses()).toEqual(['ingest not-ready', 'query ready']);
    doubt = undefined;
    expect(statuses()).toEqual(['ingest ready', 'query ready']);
  });
});
