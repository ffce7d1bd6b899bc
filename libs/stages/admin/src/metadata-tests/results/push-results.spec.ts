import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { compileDefinition } from '@stratalog/metadata-tests';
import { NO_RUN_ID, proposalsIn, type ProposalEntry } from '@stratalog/domain';
import { parseJson, stringifyJson, type JsonValue } from '@stratalog/json';
import type { SubmitOutcome } from '@stratalog/ports';
import { loadModel, type EntityRegistry, type EntityType } from '@stratalog/registry';
import type { TestReport } from '../evaluate-entity';
import { pushResults, type PushDeps } from './push-results';
import type { StoredTest } from '../test-library';

const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const [OWNED, DESCRIBED] = ['urn:li:test:owned', 'urn:li:test:described'];
const STAMP = { time: 1, actor: 'urn:li:corpuser:a' };

let registry: EntityRegistry;
let entityType: EntityType;

beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../../../models')] });
  const found = registry.entityType('dataset');
  if (found === undefined) throw new Error('the model has no dataset');
  entityType = found;
});

const toTest = (urn: string): StoredTest => ({
  urn,
  keyVersion: 1,
  name: urn,
  md5: 'x',
  definition: { kind: 'draft' },
});
const report = (urn: string, kind: 'passing' | 'error'): TestReport => ({
  test: toTest(urn),
  outcome: kind === 'passing' ? { kind } : { kind, reason: 'wrong' },
});
const resultOf = (test: string): JsonValue => ({ test, type: 'FAILURE', lastComputed: STAMP });

/** The state of the store at each read, and the writer's outcome of each proposal. */
interface Script {
  /** The test that is evaluated, and fails when it has actions. */
  readonly test?: StoredTest;
  readonly versions: readonly (number | undefined)[];
  /** Versions of the key aspect; absent: 1. */
  readonly keyVersions?: readonly number[];
  readonly outcomes?: readonly SubmitOutcome['kind'][];
  readonly deleted?: boolean;
  readonly tests?: readonly string[];
  /** True: every test was evaluated, not only one that is named. */
  readonly isEvery?: boolean;
}

/** Pushes over a store that changes between its reads, as other evaluations change it. */
async function push({
  versions,
  keyVersions = [1],
  outcomes = ['applied'],
  deleted = false,
  tests = [],
  isEvery = false,
  test,
}: Script) {
  const submitted: ProposalEntry[] = [];
  const attempts: number[] = [];
  let reads = 0;
  const value = stringifyJson({ passing: [], failing: [resultOf(DESCRIBED)] });
  const deps = {
    registry,
    clock: { now: () => 5 },
    store: {
      readEntity: () => {
        const key = { name: 'datasetKey', version: keyVersions[Math.min(reads, keyVersions.length - 1)] };
        const version = versions[Math.min(reads++, versions.length - 1)];
        const results = version === undefined ? [] : [{ name: 'testResults', version, value }];
        return Promise.resolve({ urn: URN, aspects: [key, ...results], deleted });
      },
    },
    submitter: {
      submitAndWait: (entry: ProposalEntry) => {
        const kind = outcomes[Math.min(submitted.push(entry), outcomes.length) - 1];
        return Promise.resolve({ kind, reason: 'version 1 expected', position: { seqs: {} } });
      },
    },
    testLibrary: {
      readActing: () => Promise.resolve(test === undefined ? [] : [test]),
      read: (urns: readonly string[]) =>
        Promise.resolve(urns.filter((urn) => tests.includes(urn)).map(toTest)),
    },
  } as unknown as PushDeps;
  const evaluate = (attempt: number) => {
    attempts.push(attempt);
    const reports: readonly TestReport[] =
      test === undefined
        ? [report(OWNED, 'passing')]
        : [{ test, outcome: { kind: 'failing', failures: undefined } }];
    return Promise.resolve({ reports });
  };
  const named = isEvery ? undefined : [OWNED];
  const error = await pushResults(deps, { urn: URN, entityType, named, evaluate }).then(
    () => undefined,
    (caught: unknown) => (caught as { readonly code?: unknown }).code,
  );
  return { error, attempts, submitted };
}

function resultsIn(entry: ProposalEntry | undefined): JsonValue {
  const value = entry !== undefined && 'value' in entry ? entry.value : undefined;
  return typeof value === 'string' ? parseJson(value) : null;
}

describe('pushed results', () => {
  it('are evaluated again after each conflict, so that none replaces a later one', async () => {
    const versions = [1, 2, 3, 4, 5, 6, 7, 8];
    const outcomes = [...versions.slice(1).map(() => 'rejected' as const), 'applied' as const];
    const { error, attempts, submitted } = await push({ versions, outcomes });
    expect(error).toBeUndefined();
    expect(attempts).toEqual(versions);
    expect(submitted.map((entry) => ('headers' in entry ? entry.headers['If-Version-Match'] : ''))).toEqual(
      versions.map(String),
    );
  });

  it('are written to the life of the entity that was evaluated, and evaluated again in a new one', async () => {
    const { error, submitted } = await push({
      versions: [undefined],
      keyVersions: [1, 3],
      outcomes: ['rejected', 'applied'],
    });
    expect(error).toBeUndefined();
    expect(submitted.map((entry) => ('headers' in entry ? entry.headers : {}))).toEqual(
      ['1', '3'].map((key) => ({ 'If-Version-Match': '-1', 'If-Key-Version-Match': key })),
    );
  });

  it('are given up when nothing changed since they were rejected', async () => {
    const { error, attempts } = await push({ versions: [1], outcomes: ['rejected'] });
    expect({ error, attempts }).toEqual({ error: 'invalid-proposal', attempts: [1, 2] });
  });

  it('are given up with an error that the caller may retry', async () => {
    const versions = Array.from({ length: 60 }, (_, index) => index + 1);
    const { error, attempts } = await push({ versions, outcomes: ['rejected'] });
    expect({ error, attempts: attempts.length }).toEqual({ error: 'unavailable', attempts: 50 });
  });

  it('pushed results of a deleted entity are not written', async () => {
    const { error, submitted } = await push({ versions: [undefined], deleted: true });
    expect({ error, submitted }).toEqual({ error: 'not-found', submitted: [] });
  });

  it.each([
    ['keep that of a test which the evaluation did not know', [DESCRIBED], [{ test: DESCRIBED }]],
    ['lose that of a test that is no more', [], []],
  ])('pushed results of every test %s', async (_, tests, failing) => {
    const { submitted } = await push({ versions: [1], tests, isEvery: true });
    expect(resultsIn(submitted[0])).toMatchObject({ passing: [{ test: OWNED }], failing });
  });

  it('are one entry with the patches of actions, each on the version that was read', async () => {
    const definition = compileDefinition(
      registry,
      stringifyJson({
        on: { types: ['dataset'] },
        rules: { property: 'ownership.owners', operator: 'exists' },
        actions: {
          failing: [
            { type: 'ADD_TAGS', values: ['urn:li:tag:a'] },
            { type: 'ADD_DOMAINS', values: ['urn:li:domain:b'] },
          ],
        },
      }),
    );
    const { submitted } = await push({ versions: [1], test: { ...toTest(OWNED), definition } });
    const proposals = submitted.flatMap((entry) => proposalsIn(entry));
    expect(
      proposals.map(({ aspectName, changeType, headers, actor, systemMetadata }) => [
        aspectName,
        changeType,
        headers,
        actor,
        systemMetadata?.runId,
      ]),
    ).toEqual([
      [
        'testResults',
        'UPSERT',
        { 'If-Version-Match': '1', 'If-Key-Version-Match': '1' },
        'urn:li:corpuser:__datahub_system',
        NO_RUN_ID,
      ],
      ['globalTags', 'PATCH', { 'If-Version-Match': '-1' }, 'urn:li:corpuser:__datahub_tests', OWNED],
      ['domains', 'PATCH', { 'If-Version-Match': '-1' }, 'urn:li:corpuser:__datahub_tests', OWNED],
    ]);
    expect(submitted).toHaveLength(1);
  });
});
