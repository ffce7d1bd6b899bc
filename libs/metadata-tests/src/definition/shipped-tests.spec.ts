import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isJsonObject, parseJson, type JsonValue } from '@stratalog/json';
import { NOW_MS, evaluateOn, type SmallStore } from '../testing/evaluate-on';
import { loadShippedModel } from '../testing/shipped-model';
import { readTestFile } from './read-test-file';

const registry = await loadShippedModel();
const FOLDER = join(import.meta.dirname, '../../../../models/tests');
const NAMES = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ''));

const DAY_MS = 86_400_000;
const TABLE = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,PROD)';
const RAW = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.raw,PROD)';
const TEST_TABLE = 'urn:li:dataset:(urn:li:dataPlatform:postgres,shop.orders,DEV)';
const DASHBOARD = 'urn:li:dashboard:(looker,sales)';
const JOB = 'urn:li:dataJob:(urn:li:dataFlow:(airflow,load,prod),orders)';
const TERM = 'urn:li:glossaryTerm:revenue';
const JDOE = 'urn:li:corpuser:jdoe';
const PII = { tags: [{ tag: 'urn:li:tag:pii' }] };

const key = (origin: string, name = 'shop.orders'): JsonValue => ({
  platform: 'urn:li:dataPlatform:postgres',
  name,
  origin,
});
const ownership: JsonValue = { owners: [{ owner: JDOE, type: 'DATAOWNER' }] };
const columns = (...fields: readonly JsonValue[]): JsonValue => ({ fields: [...fields] });
const upstreamLineage: JsonValue = { upstreams: [{ dataset: RAW, type: 'TRANSFORMED' }] };
const at = (daysAgo: number, more: Record<string, JsonValue> = {}): JsonValue => [
  { timestampMillis: NOW_MS - daysAgo * DAY_MS, ...more },
];

type Entity = Readonly<Record<string, JsonValue>>;

interface Sample {
  readonly urn: string;
  readonly passing: Entity;
  readonly failing: readonly Entity[];
  /** Another entity that the test is not about, or the same one with other aspects. */
  readonly unselected: Entity | string;
  /** Entities that the tested one refers to, in the failing case. */
  readonly others?: SmallStore;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  'datasets-have-owner-and-description': {
    urn: TABLE,
    passing: { datasetKey: key('PROD'), ownership, editableDatasetProperties: { description: 'Orders' } },
    failing: [
      { datasetKey: key('PROD'), ownership },
      { datasetKey: key('PROD'), datasetProperties: { description: 'Orders' } },
      { datasetKey: key('PROD'), ownership, datasetProperties: { description: ' ' } },
    ],
    unselected: { datasetKey: key('DEV') },
  },
  'owners-are-active': {
    urn: TABLE,
    passing: {},
    failing: [{ ownership }],
    others: { [JDOE]: { corpUserInfo: { active: false } } },
    unselected: TERM,
  },
  'pii-columns-have-term': {
    urn: TABLE,
    passing: {
      schemaMetadata: columns(
        { fieldPath: 'id' },
        { fieldPath: 'email', globalTags: PII, glossaryTerms: { terms: [{ urn: TERM }] } },
      ),
    },
    failing: [
      { schemaMetadata: columns({ fieldPath: 'email', globalTags: PII }) },
      { editableSchemaMetadata: { editableSchemaFieldInfo: [{ fieldPath: 'email', globalTags: PII }] } },
    ],
    unselected: { schemaMetadata: columns({ fieldPath: 'id' }) },
  },
  'no-deprecated-upstream': {
    urn: TABLE,
    passing: { upstreamLineage: { upstreams: [{ dataset: TEST_TABLE, type: 'TRANSFORMED' }] } },
    failing: [{ upstreamLineage }],
    others: { [RAW]: { deprecation: { deprecated: true, note: '', actor: JDOE } } },
    unselected: {},
  },
  'profile-is-recent': {
    urn: TABLE,
    passing: { datasetKey: key('PROD'), datasetProfile: at(6) },
    failing: [{ datasetKey: key('PROD'), datasetProfile: at(8) }],
    unselected: { datasetKey: key('PROD') },
  },
  'assets-have-domain': {
    urn: DASHBOARD,
    passing: { domains: { domains: ['urn:li:domain:sales'] } },
    failing: [{}, { domains: { domains: ['urn:li:domain:sales', 'urn:li:domain:finance'] } }],
    unselected: JOB,
  },
  'deprecations-say-what-next': {
    urn: TABLE,
    passing: { deprecation: { deprecated: true, note: 'Use the other', replacement: RAW, actor: JDOE } },
    failing: [
      { deprecation: { deprecated: true, note: 'No more', actor: JDOE } },
      { deprecation: { deprecated: true, note: '', replacement: RAW, actor: JDOE } },
    ],
    unselected: { deprecation: { deprecated: false, note: '', actor: JDOE } },
  },
  'measured-tables-are-used': {
    urn: TABLE,
    passing: { datasetUsageStatistics: at(20, { totalSqlQueries: 1 }) },
    failing: [
      { datasetUsageStatistics: at(1, { totalSqlQueries: 0 }) },
      { datasetUsageStatistics: at(40, { totalSqlQueries: 9 }) },
    ],
    unselected: {},
  },
  'dashboards-have-owner-and-description': {
    urn: DASHBOARD,
    passing: { ownership, dashboardInfo: { description: 'Sales by week' } },
    failing: [{ ownership }, { dashboardInfo: { description: 'Sales by week' } }],
    unselected: TABLE,
  },
  'terms-are-defined': {
    urn: TERM,
    passing: { ownership, glossaryTermInfo: { definition: 'Money that came in' } },
    failing: [
      { ownership, glossaryTermInfo: { definition: '' } },
      { glossaryTermInfo: { definition: 'Money' } },
    ],
    unselected: TABLE,
  },
  'jobs-declare-lineage': {
    urn: JOB,
    passing: { dataJobInputOutput: { inputDatasets: [RAW], outputDatasets: [TABLE] } },
    failing: [{ dataJobInputOutput: { inputDatasets: [RAW], outputDatasets: [] } }],
    unselected: TABLE,
  },
  'names-are-plain': {
    urn: TABLE,
    passing: { datasetKey: key('PROD', 'shop.orders-2/part_1') },
    failing: [{ datasetKey: key('PROD', 'shop orders') }, { datasetKey: key('PROD', 'bestände') }],
    unselected: { datasetKey: key('DEV', 'shop orders') },
  },
  'assets-have-owner': {
    urn: TABLE,
    passing: { ownership },
    failing: [{}, { status: { removed: false } }],
    unselected: { status: { removed: true } },
  },
};

describe('the shipped tests', () => {
  test('are these thirteen', () => {
    expect(NAMES.sort()).toEqual(Object.keys(SAMPLES).sort());
    expect(NAMES).toHaveLength(13);
  });

  test('write nothing but results: none has actions', () => {
    for (const name of NAMES) {
      const { definition } = readTestFile(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
      expect([name, parseJson(definition)]).toEqual([
        name,
        expect.not.objectContaining({ actions: expect.anything() }),
      ]);
    }
  });

  test.each(Object.entries(SAMPLES))('%s', (name, { urn, passing, failing, unselected, others = {} }) => {
    const { info, definition } = readTestFile(readFileSync(join(FOLDER, `${name}.json`), 'utf8'));
    expect([info.name, info.category, info.description].every((text) => typeof text === 'string')).toBe(true);
    const parsed = parseJson(definition);
    const evaluate = (store: SmallStore, of = urn): string =>
      evaluateOn(registry, store, { urn: of, definition: parsed }).kind;
    expect(isJsonObject(parsed)).toBe(true);
    expect(evaluate({ [urn]: passing })).toBe('passing');
    expect(failing.map((aspects) => evaluate({ ...others, [urn]: aspects }))).toEqual(
      failing.map(() => 'failing'),
    );
    expect(typeof unselected === 'string' ? evaluate({}, unselected) : evaluate({ [urn]: unselected })).toBe(
      'not-applicable',
    );
  });
});
