import { cut, type TestOutcome } from '@stratalog/metadata-tests';
import type { AuditStamp, StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { EntityType } from '@stratalog/registry';
import { readKeyVersion } from '../../read-key-version';
import type { TestReport } from '../evaluate-entity';

export const TEST_RESULTS = 'testResults';

/** The lists of `testResults`, by the outcome of which they have the results. */
const LISTS = { passing: 'passing', failing: 'failing', error: 'errors' } as const;
type Listed = keyof typeof LISTS;
const OUTCOMES = ['passing', 'failing', 'error'] as const satisfies readonly Listed[];
const TYPES = { passing: 'SUCCESS', failing: 'FAILURE' } as const;
/** Longer reasons are cut: an entity may have errors of a thousand tests. */
const MAX_REASON_CHARACTERS = 300;

/** A result in `testResults`. */
interface Result extends JsonObject {
  test: string;
}

/** A result, and the outcome that its list says. */
interface ListedResult {
  readonly outcome: Listed;
  readonly result: Result;
}

/** The results that an entity has, parsed once for everything that asks for them. */
export interface StoredResults {
  /** Version of the aspect; -1: there is none. */
  readonly version: number;
  /** Version of the entity's key aspect when the results were read. */
  readonly keyVersion: number;
  /** Length of its text. */
  readonly characters: number;
  readonly byTest: ReadonlyMap<string, ListedResult>;
}

/** The results of an entity, as `testResults` has them. */
export interface Results {
  readonly passing: readonly Result[];
  readonly failing: readonly Result[];
  /** Absent when there are none. */
  readonly errors?: readonly Result[];
}

interface Merge {
  readonly stored: StoredResults;
  readonly reports: readonly TestReport[];
  /** Tests that are no more, whose results go. The results of all others that were not evaluated stay. */
  readonly gone: ReadonlySet<string>;
  readonly now: AuditStamp;
}

/** Parses the results of an entity that was read with its key aspect. */
export function parseResults(entityType: EntityType, entity: StoredEntity): StoredResults {
  const keyVersion = readKeyVersion(entityType, entity);
  const aspect = entity.aspects.find(({ name }) => name === TEST_RESULTS);
  if (aspect === undefined) return { version: -1, keyVersion, characters: 0, byTest: new Map() };
  const { version, value } = aspect;
  return { version, keyVersion, characters: value.length, byTest: readByTest(parseJson(value)) };
}

/** Returns the outcome of each result in a value of `testResults`, by the urn of its test. */
export function readOutcomes(value: JsonValue | undefined): ReadonlyMap<string, Listed> {
  return new Map([...readByTest(value)].map(([test, { outcome }]) => [test, outcome]));
}

/**
 * Computes the value of `testResults` after an evaluation; `undefined` when it is the stored one, or has no result at all. A result
 * that is as before keeps its stamp, so that an evaluation without news is no new version. A test that does not apply has no
 * result.
 */
export function mergeResults({ stored, reports, gone, now }: Merge): Results | undefined {
  const before = stored.byTest;
  const kept = listOtherTests(stored, reports).flatMap((test) =>
    gone.has(test) ? [] : (before.get(test) ?? []),
  );
  const fresh = reports.flatMap((report): readonly ListedResult[] => {
    const last = before.get(report.test.urn);
    if (last !== undefined && isAsBefore(last, report)) return [last];
    const { outcome } = report;
    return outcome.kind === 'not-applicable' ? [] : [toResult(report, outcome, now)];
  });
  const merged = [...kept, ...fresh];
  if (merged.length === before.size && merged.every((each) => before.get(each.result.test) === each))
    return undefined;
  merged.sort((one, other) => (one.result.test < other.result.test ? -1 : 1));
  const list = (wanted: Listed): readonly Result[] =>
    merged.filter(({ outcome }) => outcome === wanted).map(({ result }) => result);
  const errors = list('error');
  return {
    passing: list('passing'),
    failing: list('failing'),
    ...(errors.length === 0 ? {} : { errors }),
  };
}

function toResult(
  { test }: TestReport,
  outcome: Exclude<TestOutcome, { kind: 'not-applicable' }>,
  now: AuditStamp,
): ListedResult {
  const said = outcome.kind === 'error' ? { reason: toReason(outcome) } : { type: TYPES[outcome.kind] };
  const result = { test: test.urn, ...said, testDefinitionMd5: test.md5, lastComputed: { ...now } };
  return { outcome: outcome.kind, result };
}

function toReason({ reason }: Extract<TestOutcome, { kind: 'error' }>): string {
  return cut(reason, MAX_REASON_CHARACTERS);
}

/** Lists the reports whose result is another one than the stored one, or of another definition. */
export function listNew({ byTest }: StoredResults, reports: readonly TestReport[]): readonly TestReport[] {
  return reports.filter((report) => !isAsBefore(byTest.get(report.test.urn), report));
}

function isAsBefore(last: ListedResult | undefined, { test, outcome }: TestReport): boolean {
  if (last === undefined || outcome.kind === 'not-applicable') {
    return last === undefined && outcome.kind === 'not-applicable';
  }
  return (
    last.outcome === outcome.kind &&
    last.result.testDefinitionMd5 === test.md5 &&
    (outcome.kind !== 'error' || last.result.reason === toReason(outcome))
  );
}

/** Lists tests with stored results that are not among the evaluated ones. */
export function listOtherTests({ byTest }: StoredResults, reports: readonly TestReport[]): readonly string[] {
  const evaluated = new Set(reports.map(({ test }) => test.urn));
  return [...byTest.keys()].filter((test) => !evaluated.has(test));
}

function readByTest(value: JsonValue | undefined): ReadonlyMap<string, ListedResult> {
  const byTest = new Map<string, ListedResult>();
  for (const outcome of OUTCOMES) {
    for (const result of readList(value, LISTS[outcome])) byTest.set(result.test, { outcome, result });
  }
  return byTest;
}

function readList(value: JsonValue | undefined, list: string): readonly Result[] {
  const results = isJsonObject(value) ? value[list] : undefined;
  return Array.isArray(results) ? results.filter(isResult) : [];
}

function isResult(value: JsonValue): value is Result {
  return isJsonObject(value) && typeof value.test === 'string';
}
