import { performance } from 'node:perf_hooks';
import { expect, it } from '@jest/globals';
import { mintToken } from '@stratalog/http';
import { addExampleTokens, EXAMPLE_TOKEN_ID } from '../testing/catalog/example-tokens';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const PAIRS = 800;
/** Standard deviations of a fair coin: one run of the suite in 100,000 exceeds them by chance. */
const MAX_DEVIATIONS = 4.4;

const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'all' } });

/** Returns the time of one rejected call, in milliseconds. */
async function reject(token: string): Promise<number> {
  const started = performance.now();
  const { status } = await catalog.http.get('/entitiesV2/urn:li:tag:a', { authorization: `Bearer ${token}` });
  expect(status).toBe(401);
  return performance.now() - started;
}

/** Counts the pairs in which the first kind of token took longer. The kinds take turns in going first. */
async function countSlower(one: () => string, other: () => string): Promise<number> {
  let slower = 0;
  for (let pair = 0; pair < PAIRS; pair++) {
    const isSwapped = pair % 2 === 1;
    const first = await reject((isSwapped ? other : one)());
    const second = await reject((isSwapped ? one : other)());
    if (isSwapped ? second > first : first > second) slower++;
  }
  return slower;
}

it(
  'the time of a rejection does not tell an unknown token from a wrong secret',
  async () => {
    await addExampleTokens(catalog.deps);
    const unknown = () => mintToken().token;
    const wrong = () => mintToken(EXAMPLE_TOKEN_ID).token;
    await countSlower(unknown, wrong);
    const slower = await countSlower(unknown, wrong);
    expect(Math.abs(slower - PAIRS / 2)).toBeLessThan((MAX_DEVIATIONS * Math.sqrt(PAIRS)) / 2);
  },
  limitMs(60_000),
);
