import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonValue } from '@stratalog/json';
import { catalogForSuite } from '../testing/catalog/suite-catalog';
import { hostileTexts } from './hostile-texts';

const COLUMNS = 20;
const urnOf = (at: number): string =>
  `urn:li:dataset:(urn:li:dataPlatform:mysql,bakery.shelf${String(at)},PROD)`;
const MB = 1024 * 1024;
/** What a process may keep of texts: those that are cached. */
const MAX_GROWTH = 40 * MB;
/** A read beside them waits for a part of one text. */
const LONGEST_READ_MS = limitMs(5_000);

describe('Hostile GraphQL texts', () => {
  const catalog = catalogForSuite();
  const post = (body: string) => catalog.http.post('/api/graphql', body);

  beforeAll(async () => {
    const fields = Array.from({ length: COLUMNS }, (_each, at) => ({
      fieldPath: `column${String(at)}`,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: 'text',
    }));
    for (let at = 0; at < 20; at++) {
      await catalog.http.write(urnOf(at), 'schemaMetadata', {
        schemaName: 'shelf',
        platform: 'urn:li:dataPlatform:mysql',
        version: 0,
        hash: '',
        platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
        fields,
      });
    }
    await catalog.http.caughtUp();
  });

  it('are two hundred', () => {
    expect(hostileTexts().length).toBeGreaterThanOrEqual(200);
  });

  it.each(hostileTexts().map(({ title, ...hostile }) => [title, hostile] as const))(
    '%s',
    async (_title, { text, variables = {}, fault }) => {
      const answer = await post(stringifyJson({ query: text, variables: variables as JsonValue }));
      expect([200, 400]).toContain(answer.status);
      expect(answer.body.length).toBeLessThan(8 * MB);
      if (fault === undefined) expect(answer.json).not.toHaveProperty('errors');
      else expect(messageOf(answer.status, answer.json)).toMatch(fault);
    },
  );

  it('in a list are no call', async () => {
    const answer = await post(`[${Array.from({ length: 50 }, () => '{"query":"{__typename}"}').join(',')}]`);
    expect(answer.status).toBe(400);
  });

  it('leave memory as it was, and reads beside them unharmed', async () => {
    const bodies = hostileTexts().map(({ text, variables = {} }) =>
      stringifyJson({ query: text, variables: variables as JsonValue }),
    );
    // The tests above have sent each of them once.
    const before = heldMemory();
    const reads = { count: 0, longestMs: 0, isOver: false };
    const reading = (async () => {
      while (!reads.isOver) {
        const startedAt = performance.now();
        expect((await catalog.http.entity(urnOf(0))).status).toBe(200);
        reads.longestMs = Math.max(reads.longestMs, performance.now() - startedAt);
        reads.count++;
      }
    })();
    for (const body of bodies) await post(body);
    reads.isOver = true;
    await reading;
    expect(heldMemory() - before).toBeLessThan(MAX_GROWTH);
    expect(reads.count).toBeGreaterThan(50);
    expect(reads.longestMs).toBeLessThan(LONGEST_READ_MS);
  });
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory that is held after garbage is collected. **Units**: bytes. */
function heldMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function messageOf(status: number, answer: unknown): string {
  if (status === 400) return (answer as { readonly message: string }).message;
  const { errors = [] } = answer as { readonly errors?: readonly { readonly message: string }[] };
  return errors.map(({ message }) => message).join('\n');
}
