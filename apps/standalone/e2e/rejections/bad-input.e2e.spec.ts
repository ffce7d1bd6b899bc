import { beforeAll, describe, expect, it } from '@jest/globals';
import { API_ROUTES, pathText } from '@stratalog/api-docs';
import { everyPath, type DocumentedRoute, type ExampleDocs } from '@stratalog/http';
import { until } from '@stratalog/testkit';
import { makeBadInputs, type BadInput } from '../testing/browser/bad-inputs';
import { toRequest } from '../testing/browser/documented-call';
import { addExampleLetters } from '../testing/catalog/example-letters';
import { addExampleTokens } from '../testing/catalog/example-tokens';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

/**
 * The routes that the running program documents; the suite of its documentation compares them with the served
 * ones.
 */
const named = (route: DocumentedRoute): string => `${route.method} ${pathText(route)}`;

/**
 * Answers that are no rejections although the input looks bad, each with the reason. All are in
 * `docs/wire-decisions.md`.
 */
const TAKEN: readonly (readonly [call: RegExp, input: RegExp, why: string])[] = [
  [
    /^(?!DELETE)/,
    /^too long (?:query aspects|aspects\/0)$/,
    'names that the model does not know are passed over',
  ],
  [/^GET \/(?:entit|assertions)/, /^empty query ids$/, 'no ids: an empty answer'],
  [/mcp$/, /^a (?:string|integer) for id$/, 'any text or whole number identifies a message'],
  [/api\/graphql$/, /^too long query$/, 'a wrong text is answered with errors'],
  [/openapi\/v3\/entity\//, /^too long query query$/, 'any text is a query'],
  [/\/relationships/, /^an unknown type in query urn$/, 'edges may lead anywhere'],
  [
    /(?:action=(search|filter|(?:search|scroll)Across(?:Entities|Lineage)|list|autocomplete|browse|browseV2|getTimeseries(?:Stats|AspectValues))|entity\/scroll)$/,
    /^(?:a (?:integer|number|boolean) for|too long) filter\/.*\/(?:value|values\/0)$/,
    'numbers and booleans are read as text, and a long text finds nothing',
  ],
  [/action=(search|filter|searchAcross|scrollAcross)/, /^too long facets\/0$/, 'unknown facets are reported'],
  [
    /action=(filter|getTimeseriesStats)$/,
    /^(?!too deep|twice).*filter\/criteria/,
    'with `or` it is not read',
  ],
  [
    /\/relationships|(?:relationship|lineage)\/scroll$/,
    /^too long query (?:types|relationshipTypes)$/,
    'names that no aspect draws find nothing',
  ],
  [/action=ingestProposal/, /^too long .*entityKeyAspect\/value$/, 'with a urn the key is not read'],
  [
    /\/(config|mode)\/\{subject\}$/,
    /^too long path subject$/,
    'one rule for all subjects, whichever there are',
  ],
  [
    /deadLetters(?:\/counts)?$|action=(?:replay|discard)DeadLetters$/,
    /^(?:an unknown entity type|no urn|an unknown type|too long a urn|half a tuple) in /,
    'what was rejected may have any urn and any type',
  ],
  [
    /action=(?:replay|discard)DeadLetters$/,
    /^a integer for (?:from|to)$/,
    'a time may be a number of milliseconds',
  ],
  [/\/impact$/, /^too long query column$/, 'a column may have a name of any length'],
  [/\/compatibility\//, /^too long schema$/, 'what is no schema is not compatible, and the messages say why'],
  [
    /\/restli\/docs/,
    /^(?:duplicated|too long) query [qv]$/,
    'read by the page in the browser, not by the catalog',
  ],
  [/action=/, /header X-RestLi-Protocol-Version$/, 'every version but 1.0.0 is answered as 2.0.0'],
];

const WRITING_TASKS: ReadonlySet<string> = new Set([
  'evaluate-tests',
  'restore-indices',
  'summarize-incidents',
]);

/** They settle the letter of their example once; the suite of dead letters has their bad input. */
const SETTLING = /action=(?:replay|discard)DeadLetter$/;

const CASES = everyPath(API_ROUTES).flatMap((route) => {
  const [example] = route.docs.examples;
  return example === undefined || route.docs.answer === undefined || SETTLING.test(named(route))
    ? []
    : [[named(route), route, example] as const];
});

const isTaken = (call: string, { name }: BadInput): boolean =>
  TAKEN.some(([calls, inputs]) => calls.test(call) && inputs.test(name));

/** Describes the fault of an answer to bad input; `undefined` for a rejection that explains itself. */
function findShortcoming({ mentions }: BadInput, answer: Answer, isRegistry: boolean): string | undefined {
  const { status, body } = answer;
  const said = `${String(status)} ${body.slice(0, 300)}`;
  if (status < 400 || status >= 500) return said;
  const { message } = answer.json as { readonly message?: string };
  const members = Object.keys(answer.json as object)
    .sort()
    .join();
  const form =
    isRegistry && status !== 413
      ? /^error_code,message$/
      : /^docUrl,exceptionClass,message,stackTrace,status$/;
  if (!form.test(members)) return `in another form: ${said}`;
  return mentions.some((each) => message?.toLowerCase().includes(each.toLowerCase()) === true)
    ? undefined
    : `does not say what: ${said}`;
}

describe('bad input', () => {
  // Examples of administrative calls carry no token.
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'none' } });
  const call = (route: DocumentedRoute, example: ExampleDocs) => catalog.http.send(toRequest(route, example));
  /** The tasks of examples that change the state after the answer. */
  const untilWritten = (): Promise<void> =>
    until(async () => {
      const unfinished = await catalog.deps.tasks.countUnfinished();
      return unfinished.every(({ kind }) => !WRITING_TASKS.has(kind));
    });
  beforeAll(async () => {
    await addExampleTokens(catalog.deps);
    await addExampleLetters(catalog.deps);
    for (const route of API_ROUTES) {
      for (const example of route.docs.examples) {
        if (route.writes)
          expect([named(route), (await call(route, example)).status]).toEqual([named(route), 200]);
      }
    }
    await catalog.http.caughtUp();
  });

  it.each(CASES)('%s', async (name, route, example) => {
    expect([name, (await call(route, example)).status]).toEqual([name, 200]);
    await untilWritten();
    const before = await toState();
    const found: string[] = [];
    for (const input of makeBadInputs(route, example)) {
      const answer = await catalog.http.send(input.request);
      const shortcoming = findShortcoming(input, answer, route.dialect !== undefined);
      if (isTaken(name, input)) {
        if (answer.status >= 400) found.push(`${input.name}: is rejected, and listed as taken`);
      } else if (shortcoming !== undefined) found.push(`${input.name}: ${shortcoming}`);
    }
    expect(found).toEqual([]);
    expect(await toState()).toEqual(before);
  });

  it.each(TAKEN)('%s: the accepted exceptions occur among the inputs: %s', (calls, inputs) => {
    const sent = CASES.filter(([name]) => calls.test(name)).flatMap(([, route, example]) =>
      makeBadInputs(route, example),
    );
    expect(sent.some(({ name }) => inputs.test(name))).toBe(true);
  });

  const toState = async () => {
    // Waits until an index that an example has rebuilt is live.
    await until(async () => (await catalog.http.get('/health')).status === 200);
    return [
      await catalog.deps.store.readPartitionSequences(),
      (await catalog.http.get('/schema-registry/subjects')).json,
    ];
  };
});
