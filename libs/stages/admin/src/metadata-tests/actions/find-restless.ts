import { parseJson } from '@stratalog/json';
import type { AspectHistory, Clock, PastVersion } from '@stratalog/ports';
import { TEST_RESULTS, readOutcomes, type StoredResults } from '../results/merge-results';

/** Changes of the outcome of one test for one entity within the time below, after which its actions are not run. */
const MAX_CHANGES = 8;
const WITHIN_MS = 3_600_000;
/** Versions of the results that are read. */
const MAX_VERSIONS = 20;

interface RestlessQuery {
  readonly urn: string;
  /** The stored results. */
  readonly stored: StoredResults;
  /** Urns of tests whose outcome is new. */
  readonly tests: readonly string[];
}

/**
 * Finds the tests whose outcome for an entity changed so often within an hour that their actions may be the cause, with the reason
 * why they are not run: loops through other entities, and through clients that undo what a test writes.
 */
export async function findRestless(
  { history, clock }: { readonly history: AspectHistory; readonly clock: Clock },
  { urn, stored, tests }: RestlessQuery,
): Promise<ReadonlyMap<string, string>> {
  // Each change is a version.
  const { version } = stored;
  if (version < MAX_CHANGES) return new Map();
  const from = Math.max(1, version - MAX_VERSIONS + 1);
  const range = { urn, aspectName: TEST_RESULTS, from, to: version, newestFirst: true, limit: MAX_VERSIONS };
  const page = await history.listVersions(range);
  return selectRestless(page?.versions ?? [], { tests, sinceMs: clock.now() - WITHIN_MS });
}

/** Selects tests by versions of the results, the newest first. The outcome that is new is a change too. */
export function selectRestless(
  versions: readonly Pick<PastVersion, 'value' | 'created'>[],
  { tests, sinceMs }: { readonly tests: readonly string[]; readonly sinceMs: number },
): ReadonlyMap<string, string> {
  const recent = versions.filter(({ created }) => created.time >= sinceMs);
  const outcomes = recent.map(({ value }) =>
    readOutcomes(value === undefined ? undefined : parseJson(value)),
  );
  const restless = tests.filter((test) => {
    const changes = outcomes.slice(1).filter((former, at) => former.get(test) !== outcomes[at]?.get(test));
    return changes.length + 1 >= MAX_CHANGES;
  });
  return new Map(
    restless.map((test) => [test, `its outcome changed ${String(MAX_CHANGES)} times within an hour`]),
  );
}
