import { describe, expect, it } from '@jest/globals';
import { API_ROUTES, pathText } from '@stratalog/api-docs';
import { everyPath } from '@stratalog/http';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '@stratalog/json';
import { toRequest } from '../testing/browser/documented-call';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const NUL = '\u0000';

/** Places that accept a NUL, each with the reason; every other place rejects it. */
const TAKEN: readonly (readonly [call: RegExp, text: RegExp, why: string])[] = [
  [/./, /\(a name\)$/, 'what nothing knows is reported, as under any other name'],
  [/schema-registry/, /^\/schema(\{\}|$)/, 'a text that is no schema is not compatible'],
  [
    /./,
    /\/aspect\/value\{\}|^\/entit(y|ies\/\d+)\/value\/.*\/aspects\/|\/topSqlQueries\/\d+$/,
    'values are kept as JSON text, in which a NUL is an escape',
  ],
  [
    /^POST \/openapi\/v3\/entity\/\{entityType\}$/,
    /^\/\d+\/\w+\/value\//,
    'values are kept as JSON text, in which a NUL is an escape',
  ],
  [/./, /^\/facets\/\d+$/, 'a facet that no type has is reported'],
  [/mcp$/, /^\/params\/name$/, 'there is no such tool, which is an error of JSON-RPC'],
  [/entity\/scroll$/, /^\/aspects\/\d+$/, 'an aspect that no entity has is left out'],
  [
    /^PATCH \/openapi\/v3\/entity/,
    /^\/\d+\/\w+\/value\/(?:patch\/\d+\/path|arrayPrimaryKeys\/.*)$/,
    'paths and keys name elements, and are not stored',
  ],
  [/trace\/write/, /\/\d+$/, 'no write of an aspect that no entity has is known'],
  [
    /api\/graphql$/,
    /^\/(query|variables\/.*)$/,
    'the answer says what is wrong with a text, and no entity has such words',
  ],
  [/action=tryDefinition$/, /^\/definition/, 'the answer says what is wrong with a definition'],
  [
    /action=ingestProposal$/,
    /^\/proposal\/aspectName$/,
    'an asynchronous proposal may name what no model knows yet',
  ],
  [
    /./,
    /^\/(input|query|params\/arguments\/query|path(\/\d+)?|filter\/.*\/values?(\/\d+)?)$/,
    'values may hold one, so they are searched and compared with one',
  ],
];

interface WithNul {
  /** The place of the text: `proposal/aspect/value{}/name` for one in JSON that is a text itself. */
  readonly place: string;
  readonly body: JsonValue;
}

/** Copies the body once for each text in it, with a NUL in that one. */
function withNul(value: JsonValue, place = ''): readonly WithNul[] {
  if (typeof value === 'string') {
    const inner =
      value.startsWith('{') || value.startsWith('[') ? withNul(parseJson(value), `${place}{}`) : [];
    return [
      { place, body: `${value}${NUL}x` },
      ...inner.map((each) => ({ place: each.place, body: stringifyJson(each.body) })),
    ];
  }
  if (Array.isArray(value)) {
    return value.flatMap((element, at) =>
      withNul(element, `${place}/${String(at)}`).map((each) => ({
        ...each,
        body: value.with(at, each.body),
      })),
    );
  }
  if (!isJsonObject(value)) return [];
  return [
    ...Object.entries(value).flatMap(([name, member]) =>
      withNul(member, `${place}/${name}`).map((each) => ({ ...each, body: { ...value, [name]: each.body } })),
    ),
    { place: `${place}/(a name)`, body: { ...value, [`a${NUL}b`]: 1 } },
  ];
}

const CASES = everyPath(API_ROUTES).flatMap((route) => {
  const calls = route.docs.examples.flatMap((example) =>
    example.body === undefined
      ? []
      : withNul(parseJson(JSON.stringify(example.body))).map(({ place, body }) => ({
          place,
          request: { ...toRequest(route, example), body: stringifyJson(body) },
        })),
  );
  return calls.length === 0 ? [] : [[`${route.method} ${pathText(route)}`, calls] as const];
});

describe('a NUL character in a body', () => {
  const catalog = catalogForSuite({ environment: { STRATALOG_AUTH: 'none' } });

  it.each(CASES)('%s', async (call, requests) => {
    const found: string[] = [];
    for (const { place, request } of requests) {
      const { status, body } = await catalog.http.send(request);
      const isTaken = status < 400 && TAKEN.some(([calls, texts]) => calls.test(call) && texts.test(place));
      const isRejected = status >= 400 && status < 500;
      if (!isTaken && !isRejected) found.push(`${place}: ${String(status)} ${body.slice(0, 300)}`);
    }
    expect(found).toEqual([]);
    const health = await catalog.http.get('/health');
    expect([health.status, health.body]).toEqual([200, expect.any(String)]);
  });
});
