import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import fc from 'fast-check';
import { toBody } from '../testing/catalog/catalog-client';
import { withHostileHeaders } from '../testing/faults/hostile-headers';
import type { RawRequest } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

/** Samples of every kind of value in the model. */
const SAMPLES = readFileSync(join(import.meta.dirname, '../../demo/catalog.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const { entityUrn, aspectName, aspect } = parseJson(line) as JsonObject;
    const value = (aspect as JsonObject).json as JsonObject;
    return parseJson(toBody({ urn: entityUrn as string, aspectName: aspectName as string, value }));
  });

const TEXTS = JSON.parse(
  readFileSync(join(ROOT, 'libs/testkit/hostile-texts.json'), 'utf8'),
) as readonly string[];
const text = fc.oneof(
  fc.constantFrom(...TEXTS, 'x'.repeat(3_000)),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const leaf: fc.Arbitrary<JsonValue> = fc.oneof(
  text,
  fc.constantFrom(null, true, false, 0, -1, 0.5, 1e308, 9_007_199_254_740_993n, 2n ** 63n, 10n ** 300n),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const anything = fc.letrec<{ json: JsonValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(text, tie('json'), { maxKeys: 3 }),
  ),
})).json;

/** A change somewhere inside a value: each step selects one of the existing members. */
interface Mutation {
  readonly steps: readonly number[];
  readonly kind: 'replace' | 'remove' | 'add';
  readonly name: string;
  readonly value: JsonValue;
}
const mutation: fc.Arbitrary<Mutation> = fc.record({
  steps: fc.array(fc.nat({ max: 20 }), { maxLength: 6 }),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
  name: text,
  value: anything,
});

function mutated(value: JsonValue, change: Mutation, depth = 0): JsonValue {
  const step = change.steps[depth];
  // The value of an aspect is JSON inside a text: changes reach into it.
  if (typeof value === 'string' && value.startsWith('{') && step !== undefined) {
    return stringifyJson(mutated(parseJson(value), change, depth));
  }
  const isList = Array.isArray(value);
  if (!isList && !isJsonObject(value)) return change.value;
  const entries: [string, JsonValue][] = Object.entries(value);
  const chosen = entries[(step ?? 0) % Math.max(1, entries.length)];
  if (step === undefined || chosen === undefined) {
    if (change.kind === 'replace') return change.value;
    entries.push([change.name, change.value]);
  } else if (change.kind === 'remove' && change.steps[depth + 1] === undefined) {
    entries.splice(entries.indexOf(chosen), 1);
  } else {
    chosen[1] = mutated(chosen[1], change, depth + 1);
  }
  return isList ? entries.map(([, element]) => element) : Object.fromEntries(entries);
}

describe('whatever a client sends', () => {
  const catalog = catalogForSuite();

  /** The number of answers by status. */
  const statuses = new Map<number, number>();
  beforeEach(() => {
    statuses.clear();
  });

  /** Sends several at once, as clients do, so that they share commits. */
  const areGraceful = async (requests: readonly RawRequest[]): Promise<void> => {
    const answers = await Promise.all(requests.map((request) => catalog.http.send(request)));
    for (const answer of answers) {
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      expect(answer.status).toBeLessThan(500);
      if (answer.status < 400) continue;
      // A browser, by its Accept header, gets a page.
      if (answer.status === 404 && answer.headers['content-type']?.startsWith('text/html') === true) continue;
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.json).toMatchObject({ status: answer.status, message: expect.stringMatching(/./) });
    }
  };
  const isWell = async (): Promise<void> => {
    // Some requests must succeed and some must fail.
    for (const status of [200, 400]) expect(statuses.get(status)).toBeGreaterThan(10);
    expect((await catalog.http.get('/health')).status).toBe(200);
    await catalog.http.caughtUp();
  };
  const all = { endOnFailure: true } as const;

  it('whatever a client sends as a proposal, it is never a 5xx, and the catalog stays ready', async () => {
    const ingest = (body: JsonValue): RawRequest => ({
      method: 'POST',
      target: '/aspects?action=ingestProposal',
      body: stringifyJson(body),
    });
    const near = fc
      .tuple(fc.constantFrom(...SAMPLES), fc.array(mutation, { minLength: 1, maxLength: 2 }))
      .map(([sample, changes]) => changes.reduce<JsonValue>((body, change) => mutated(body, change), sample));
    const asynchronous = near.map((body) => (isJsonObject(body) ? { ...body, async: 'true' } : body));
    const body = fc.oneof(
      { weight: 6, arbitrary: near },
      { weight: 2, arbitrary: asynchronous },
      { weight: 1, arbitrary: anything },
      { weight: 1, arbitrary: fc.record({ proposal: anything }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(withHostileHeaders(body.map(ingest)), { minLength: 1, maxLength: 8 }),
        areGraceful,
      ),
      { numRuns: 100, ...all },
    );
    await isWell();
  });

  it('whatever a client sends as a read, it is never a 5xx', async () => {
    const urn = fc.oneof(
      text,
      text.map((name) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`),
    );
    const word = text.map((name) => encodeURIComponent(name.replace(/\p{Surrogate}/gu, '%')));
    const target = fc.oneof(
      fc.tuple(urn, word).map(([of, names]) => `/entitiesV2/${spelled(of)}?aspects=List(${names})`),
      fc
        .tuple(urn, word, fc.oneof(word, fc.bigInt().map(String)))
        .map(([of, aspect, version]) => `/aspects/${spelled(of)}?aspect=${aspect}&version=${version}`),
      fc
        .tuple(fc.constantFrom('status', 'datasetKey'), fc.integer({ min: -5, max: 5 }))
        .map(
          ([aspect, version]) =>
            `/aspects/${spelled(SAMPLE_URN)}?aspect=${aspect}&version=${String(version)}`,
        ),
    );
    const read = target.map((each): RawRequest => ({ method: 'GET', target: each }));
    await fc.assert(
      fc.asyncProperty(fc.array(withHostileHeaders(read), { minLength: 1, maxLength: 4 }), areGraceful),
      { numRuns: 100, ...all },
    );
    await isWell();
  });

  it('whatever a client sends as a search, it is never a 5xx', async () => {
    const operator = fc.constantFrom(
      'AND',
      'OR',
      '-',
      '(',
      ')',
      '"',
      '*',
      'tags:',
      'name:',
      'removed:',
      ':',
      '/q',
    );
    const input = fc.oneof(
      text,
      fc.array(fc.oneof(operator, text), { maxLength: 12 }).map((parts) => parts.join(' ')),
      fc.array(operator, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    const parameters = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ input, entity: fc.constant('dataset'), start: fc.nat(20), count: fc.nat(20) }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ input, entity: anything, start: anything, count: anything, filter: anything }),
      },
      { weight: 1, arbitrary: anything },
    );
    const headers = fc.oneof(
      fc.constant({}),
      fc.string({ unit: 'grapheme-ascii' }).map((token) => ({ 'X-Stratalog-Wait-For': token.trim() })),
    );
    const search = fc.tuple(parameters, headers).map(([body, own]): RawRequest => ({
      method: 'POST',
      target: '/entities?action=search',
      headers: own,
      body: stringifyJson(body),
    }));
    await fc.assert(
      fc.asyncProperty(fc.array(withHostileHeaders(search), { minLength: 1, maxLength: 4 }), areGraceful),
      { numRuns: 100, ...all },
    );
    await isWell();
  });
});

const SAMPLE_URN = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,brightspoke.mart.sales_daily,PROD)';

function spelled(urn: string): string {
  return encodeURIComponent(urn.replace(/\p{Surrogate}/gu, '%'));
}
