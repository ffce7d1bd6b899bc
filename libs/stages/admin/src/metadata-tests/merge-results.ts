import { isJsonObject, type AuditStamp, type JsonObject, type JsonValue } from '@stratalog/model';
import type { TestReport } from './evaluate-entity';

export const TEST_RESULTS = 'testResults';

/** A result in `testResults`. */
interface Result extends JsonObject {
  test: string;
}

/** The results of an entity, as `testResults` has them. */
export interface Results {
  readonly passing: readonly Result[];
  readonly failing: readonly Result[];
}

interface Merge {
  /** The stored value; `undefined` when there is none. */
  readonly stored: JsonValue | undefined;
  readonly reports: readonly TestReport[];
  /** Tests that are no more, whose results go. The results of all others that were not evaluated stay. */
  readonly gone: ReadonlySet<string>;
  readonly now: AuditStamp;
}

/**
 * Computes the value of `testResults` after an evaluation; `undefined` when it is the stored one, or has no result at all. A result
 * that is as before keeps its stamp, so that an evaluation without news is no new version. A test that does not apply or that
 * cannot be evaluated has no result.
 */
export function mergeResults({ stored, reports, gone, now }: Merge): Results | undefined {
  const before = readByTest(stored);
  const kept = listOtherTests(stored, reports).flatMap((test) =>
    gone.has(test) ? [] : (before.get(test) ?? []),
  );
  const fresh = reports.flatMap((report): Result[] => {
    const { test } = report;
    const type = toType(report);
    if (type === undefined) return [];
    const last = before.get(test.urn);
    if (last !== undefined && isAsBefore(last, report)) return [last];
    return [{ test: test.urn, type, testDefinitionMd5: test.md5, lastComputed: { ...now } }];
  });
  const merged = [...kept, ...fresh];
  if (merged.length === before.size && merged.every((each) => before.get(each.test) === each))
    return undefined;
  const results = merged.sort((one, other) => (one.test < other.test ? -1 : 1));
  return {
    passing: results.filter(({ type }) => type === 'SUCCESS'),
    failing: results.filter(({ type }) => type !== 'SUCCESS'),
  };
}

/** Lists the reports whose result is another one than the stored one, or of another definition. */
export function listNew(
  stored: JsonValue | undefined,
  reports: readonly TestReport[],
): readonly TestReport[] {
  const before = readByTest(stored);
  return reports.filter((report) => !isAsBefore(before.get(report.test.urn), report));
}

/** Returns the type of each stored result by the urn of its test. */
export function readTypes(stored: JsonValue | undefined): ReadonlyMap<string, JsonValue | undefined> {
  return new Map([...readByTest(stored)].map(([test, { type }]) => [test, type]));
}

function isAsBefore(last: Result | undefined, report: TestReport): boolean {
  const type = toType(report);
  if (last === undefined || type === undefined) return last === type;
  return last.type === type && last.testDefinitionMd5 === report.test.md5;
}

function toType({ outcome }: TestReport): 'SUCCESS' | 'FAILURE' | undefined {
  if (outcome.kind === 'passing') return 'SUCCESS';
  return outcome.kind === 'failing' ? 'FAILURE' : undefined;
}

/** Lists tests with stored results that are not among the evaluated ones. */
export function listOtherTests(
  stored: JsonValue | undefined,
  reports: readonly TestReport[],
): readonly string[] {
  const evaluated = new Set(reports.map(({ test }) => test.urn));
  return [...readByTest(stored).keys()].filter((test) => !evaluated.has(test));
}

function readByTest(stored: JsonValue | undefined): ReadonlyMap<string, Result> {
  const results = ['passing', 'failing'].flatMap((member) => readResults(stored, member));
  return new Map(results.map((result) => [result.test, result]));
}

function readResults(stored: JsonValue | undefined, member: string): readonly Result[] {
  const list = isJsonObject(stored) ? stored[member] : undefined;
  return Array.isArray(list) ? list.filter(isResult) : [];
}

function isResult(value: JsonValue): value is Result {
  return isJsonObject(value) && typeof value.test === 'string';
}
