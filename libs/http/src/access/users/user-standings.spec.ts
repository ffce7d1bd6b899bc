import { describe, expect, it } from '@jest/globals';
import type { Principal, StoredAspect, StoredEntity } from '@stratalog/domain';
import { UserStandings } from './user-standings';

const ADA = 'urn:li:corpuser:ada';
const caller: Principal = {
  kind: 'jwt',
  name: 'ada',
  actor: ADA,
  scopes: new Set(['read']),
  limits: {},
  speaksForOthers: false,
  open: new Set(),
};

function user(aspects: Readonly<Record<string, string>>, deleted = false): StoredEntity {
  const stored = Object.entries(aspects).map(([name, value]) => ({ name, value }) as StoredAspect);
  return { urn: ADA, seq: 1, deleted, aspects: stored };
}
const SUSPENDED = user({ corpUserStatus: '{"status":"SUSPENDED"}' });

/** Standings over a store of one user, whose state and time the test sets. */
function open() {
  const state: { user: StoredEntity | undefined; failure: Error | undefined; nowMs: number; reads: number } =
    {
      user: undefined,
      failure: undefined,
      nowMs: 0,
      reads: 0,
    };
  const readEntity = (): Promise<StoredEntity | undefined> => {
    state.reads += 1;
    return state.failure === undefined ? Promise.resolve(state.user) : Promise.reject(state.failure);
  };
  const standings = new UserStandings({ readEntity }, () => state.nowMs);
  const check = (by = caller, acting = by): Promise<string> =>
    standings.require(by, acting).then(
      () => 'admitted',
      (error: unknown) => (error as Error).message,
    );
  return { state, check };
}

describe('the standing of a user', () => {
  it.each([
    ['has no entity', undefined, 'admitted'],
    ['is active', user({ corpUserStatus: '{"status":"ACTIVE"}', status: '{"removed":false}' }), 'admitted'],
    ['is suspended', SUSPENDED, `User ${ADA} is suspended`],
    ['is soft-deleted', user({ status: '{"removed":true}' }), `User ${ADA} is deleted`],
    ['is hard-deleted', user({}, true), `User ${ADA} is deleted`],
  ])('the standing of a user who %s is told', async (_, stored, answer) => {
    const { state, check } = open();
    state.user = stored;
    expect(await check()).toBe(answer);
  });

  it('is read once in five seconds, however many calls there are', async () => {
    const { state, check } = open();
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => check())))).toEqual(
      new Set(['admitted']),
    );
    state.user = SUSPENDED;
    state.nowMs = 4_999;
    expect([await check(), state.reads]).toEqual(['admitted', 1]);
    state.nowMs = 5_000;
    expect([await check(), await check(), state.reads]).toEqual([
      ...Array<string>(2).fill(`User ${ADA} is suspended`),
      2,
    ]);
    state.user = undefined;
    state.nowMs = 10_000;
    expect(await check()).toBe('admitted');
  });

  it('is read again after a failure, which admits no caller', async () => {
    const { state, check } = open();
    state.failure = new Error('no store');
    expect(await check()).toBe('no store');
    state.failure = undefined;
    expect(await check()).toBe('admitted');
  });

  it('counts for the user on whose behalf the operator acts, and not for the operator', async () => {
    const { state, check } = open();
    state.user = SUSPENDED;
    const operator: Principal = { ...caller, kind: 'operator', actor: 'urn:li:corpuser:admin' };
    expect(await check(operator)).toBe('admitted');
    expect(await check(operator, { ...operator, actor: ADA, actsForAnother: true })).toBe(
      `User ${ADA} is suspended`,
    );
  });
});
