import type { ApiClient } from '@stratalog/client';
import { oneOf } from '@stratalog/http';
import { didYouMean, entityTypeIn } from '@stratalog/domain';
import { urn } from '../arguments';
import { objectsIn } from '../objects-in';
import { pageOfList, wholeList } from '../places';
import { defineTool, type Found, type Place } from '../tool';

const OUTCOMES = ['passing', 'failing', 'error'] as const;
type Outcome = (typeof OUTCOMES)[number];
/** Entities that one call reads. */
const PAGE = 200;
/** Where an entity has its results, by outcome. */
const MEMBERS: Readonly<Record<Outcome, string>> = {
  passing: 'passing',
  failing: 'failing',
  error: 'errors',
};

export const getTestResults = defineTool({
  name: 'get_test_results',
  title: 'Read results of metadata tests',
  description: `Metadata tests are rules about metadata, such as "tables have owners". Given the urn of an entity, lists how it does at each test that is about it; given the urn of a test (urn:li:test:…), lists how the entities do.`,
  effect: 'reads',
  input: {
    urn: urn.describe('Urn of an entity, or of a test.'),
    outcome: oneOf(OUTCOMES, (sent) => ({
      message: `Argument parameter 'outcome' value '${sent.slice(0, 100)}' is invalid: it must be one of ${OUTCOMES.join(', ')}${didYouMean(sent, OUTCOMES)}`,
    }))
      .optional()
      .describe('Only results with this outcome. Absent: all.'),
  },
  run: ({ reads }, { urn: of, outcome }, from) =>
    entityTypeIn(of) === 'test'
      ? listEntities(reads, { of, outcome }, from)
      : listTests(reads, { of, outcome }, from),
});

interface Asked {
  readonly of: string;
  readonly outcome: Outcome | undefined;
}

async function listEntities(reads: ApiClient, { of, outcome }: Asked, from: Place): Promise<Found> {
  const { answer } = await reads.call('GET /tests/:urn/results', {
    urn: of,
    count: PAGE,
    ...(outcome === undefined ? {} : { outcome }),
    ...(from.page === undefined ? {} : { after: from.page }),
  });
  const { test, counts, results, next } = answer;
  return { about: { test, counts }, list: pageOfList('results', results, from, next) };
}

async function listTests(reads: ApiClient, { of, outcome }: Asked, from: Place): Promise<Found> {
  const { answer } = await reads.call('GET /entitiesV2/:urn', { urn: of, aspects: ['testResults'] });
  const value = answer.aspects.testResults?.value ?? {};
  const results = OUTCOMES.filter((each) => outcome === undefined || each === outcome).flatMap((each) =>
    objectsIn(value[MEMBERS[each]]).map(({ test, lastComputed, reason }) => ({
      test: typeof test === 'string' ? test : '',
      outcome: each,
      lastComputed,
      reason,
    })),
  );
  const list = wholeList('results', results, from);
  const tests = [...new Set(results.slice(from.skip, from.skip + PAGE).map(({ test }) => test))];
  const named =
    tests.length === 0
      ? {}
      : (await reads.call('GET /entitiesV2', { ids: tests, aspects: ['testInfo'] })).answer.results;
  const about = { urn: answer.urn, total: results.length };
  const withNames = results.slice(from.skip).map((each) => ({ ...each, ...nameOf(named[each.test]) }));
  return { about, list: { ...list, elements: withNames.slice(0, PAGE) } };
}

function nameOf(
  test: { readonly aspects: Readonly<Record<string, { readonly value: unknown }>> } | undefined,
) {
  const value = test?.aspects.testInfo?.value as
    | { readonly name?: string; readonly description?: string }
    | undefined;
  return { name: value?.name, description: value?.description };
}
