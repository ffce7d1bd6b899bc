import { beforeAll, describe, expect, it } from '@jest/globals';
import { at, toBody } from '../testing/catalog/catalog-client';
import { catalogForSuite, type SuiteCatalog } from '../testing/catalog/suite-catalog';
import { expectAnswer, get, type WireCase } from '../testing/catalog/wire-case';
import { AWKWARD, BLANKS, PREFIXES, SEED, URNS } from './addresses';
import { BYTES, CONTENT_TYPES, INTEGERS, LENGTHS, MAX_BODY_BYTES, ENCODED } from './bodies';
import { METHODS, READ_PATHS, TUNNELS } from './methods';
import { LISTS, PROTOCOLS } from './notations';
import { CLOSED, OPENED, ORIGIN } from './origins';

/** The requirements of the transport, line by line, for any resource. */
const LINES: readonly (readonly [line: string, cases: readonly WireCase[]])[] = [
  ['prefixes, and the slash before ?', PREFIXES],
  ['urns in paths', URNS],
  ['blanks around urns, and their encodings', BLANKS],
  ['both notations of lists', LISTS],
  ['protocol 1.0.0 and 2.0.0, and X-RestLi-Method', PROTOCOLS],
  ['queries in tunnels', TUNNELS],
  ['content types', CONTENT_TYPES],
  ['gzip and its like', ENCODED],
  ['strings of bytes', BYTES],
  ['integers of 64 bits', INTEGERS],
  ['lengths', LENGTHS],
  ['methods and actions', METHODS],
  ['pages of other sites, none of which is named', CLOSED],
];

async function hold(catalog: SuiteCatalog, row: WireCase): Promise<void> {
  expectAnswer(row, await catalog.http.send(row.request));
  const { then } = row;
  if (then === undefined) return;
  expectAnswer(
    { ...row, request: get(then.target), status: 200, json: then.json, headers: {} },
    await catalog.http.get(then.target),
  );
}

describe('the transport', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_MAX_BODY_BYTES: String(MAX_BODY_BYTES) } });
  beforeAll(async () => {
    await catalog.http.write(SEED, 'status', { removed: false });
    await catalog.http.write(SEED, 'tagProperties', { name: 'seed' });
    for (const [, urn] of AWKWARD) await catalog.http.write(urn, 'status', { removed: false });
    const [, tagged = ''] = AWKWARD.find(([what]) => what === 'parentheses and commas') ?? [];
    const waitFor = await catalog.http.write(tagged, 'globalTags', { tags: [{ tag: SEED }] });
    await catalog.http.find('*', { count: 0, waitFor });
    await catalog.http.get('/relationships?urn=urn:li:tag:x&direction=OUTGOING&types=x', {
      'X-Stratalog-Wait-For': waitFor,
    });
  });

  describe.each(LINES)('%s', (_line, cases) => {
    it.each(cases.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
      await hold(catalog, row);
    });
  });

  it.each(READ_PATHS)('answers HEAD as GET, without the body: %s', async (target) => {
    const [head, whole] = [
      await catalog.http.send({ method: 'HEAD', target }),
      await catalog.http.get(target),
    ];
    expect([head.status, head.body]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe(whole.headers['content-type']);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });

  it.each(AWKWARD)('finds a urn with %s by itself', async (_what, urn) => {
    const entity = urn.split(':')[2] ?? '';
    const input = `urn:"${urn.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    expect((await catalog.http.find(input, { entity })).urns).toEqual([urn]);
  });

  it('answers an unknown urn with its key aspect alone', async () => {
    const before = Date.now();
    const answer = await catalog.http.entity('urn:li:chart:(looker,nobody)');
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        urn: 'urn:li:chart:(looker,nobody)',
        entityName: 'chart',
        aspects: {
          chartKey: {
            name: 'chartKey',
            type: 'VERSIONED',
            version: 0,
            value: { chartId: 'nobody', dashboardTool: 'looker' },
            created: { time: expect.any(Number), actor: 'urn:li:corpuser:__datahub_system' },
          },
        },
      },
    ]);
    expect(at(answer.json, 'aspects', 'chartKey', 'created', 'time')).toBeGreaterThanOrEqual(before);
  });
});

describe('the transport with a configured origin', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_CORS_ORIGINS: ORIGIN } });
  beforeAll(() => catalog.http.write(SEED, 'status', { removed: false }));

  it.each(OPENED.map((row) => [row.name, row] as const))('%s', async (_name, row) => {
    await hold(catalog, row);
  });

  it.each([
    ['/aspects?action=ingestProposal', 16],
    ['/entities?action=exists', 1],
  ])('takes for %s bodies of %i MB, and no larger ones', async (target, megabytes) => {
    const body = toBody({ urn: SEED, aspectName: 'status', value: { removed: false } });
    const limit = megabytes * 1024 * 1024;
    const sized = (bytes: number): string => body.replace('{', `{"urn":"${SEED}",`).padEnd(bytes);
    const sent = await Promise.all(
      [limit, limit + 1].map((bytes) => catalog.http.post(target, sized(bytes))),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 413]);
  });
});
