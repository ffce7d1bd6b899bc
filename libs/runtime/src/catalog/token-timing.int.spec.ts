import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Database,
  PostgresTokenStore,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { TokenVerifier, mintToken } from '@stratalog/http';

const WARM_UP = 50;
const PAIRS = 300;

describe('the time of a rejection', () => {
  let scratch: ScratchDatabase;
  let database: Database;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  it('does not tell a wrong secret from an unknown token', async () => {
    const store = new PostgresTokenStore(database);
    const { verify } = new TokenVerifier(store);
    const { id, hash } = mintToken();
    const actor = 'urn:li:corpuser:ada';
    const grant = {
      name: 'a token',
      actor,
      scopes: ['read'] as const,
      limits: {},
      speaksForOthers: false,
    };
    await store.add({ ...grant, id, hash, createdBy: actor });
    const timeOf = async (token: string): Promise<number> => {
      const begun = performance.now();
      await expect(Promise.resolve(token).then(verify)).rejects.toThrow('The token of this call is unknown');
      return performance.now() - begun;
    };
    const wrong: number[] = [];
    const unknown: number[] = [];
    // Taken in turns, so that both have the same load; medians, so that a pause of the machine counts for neither.
    for (let pair = 0; pair < WARM_UP + PAIRS; pair += 1) {
      const [one, other] = [await timeOf(mintToken(id).token), await timeOf(mintToken().token)];
      if (pair < WARM_UP) continue;
      wrong.push(one);
      unknown.push(other);
    }
    // A rejection without a lookup, or one with a slow hash, would differ by a factor of ten.
    const ratio = medianOf(wrong) / medianOf(unknown);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  });
});

function medianOf(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
