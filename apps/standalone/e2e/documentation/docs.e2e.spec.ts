import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_ROUTES, pathText } from '@stratalog/api-docs';
import { ApiClient } from '@stratalog/client';
import { everyPath, type DocumentedRoute, type ExampleDocs, type ServedRoute } from '@stratalog/http';
import type { JsonObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import { Ajv2020 } from 'ajv/dist/2020';
import { Site, type BootedCatalog } from '../testing/catalog/booted-catalog';
import { at } from '../testing/catalog/catalog-client';
import { toRequest } from '../testing/browser/documented-call';
import { addExampleLetters } from '../testing/catalog/example-letters';
import { addExampleTokens } from '../testing/catalog/example-tokens';
import type { Answer } from '../testing/catalog/raw-http';

const EXAMPLES = API_ROUTES.flatMap((route) =>
  route.docs.examples.map(
    (example) => [`${route.method} ${pathText(route)}: ${example.title}`, route, example] as const,
  ),
);

const named = (route: ServedRoute): string => `${route.method} ${pathText(route)}`;

/** True when the route rejects an unknown name. */
const isRejecting = ({ docs }: DocumentedRoute): boolean =>
  docs.answer === undefined || [400, 404].some((status) => docs.rejections?.[status] !== undefined);

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonObject }>> }>
  >;
  readonly 'x-actions'?: Readonly<Record<string, { readonly response?: JsonObject }>>;
}

describe('the documentation of a running catalog', () => {
  let site: Site;
  let catalog: BootedCatalog;
  let document: JsonObject;
  let schemas: Ajv2020;
  beforeAll(async () => {
    site = await Site.create();
    // Examples of administrative calls carry no token.
    catalog = await site.boot({ environment: { STRATALOG_AUTH: 'none' } });
    await addExampleTokens(catalog.deps);
    await addExampleLetters(catalog.deps);
    document = (await catalog.http.get('/openapi.json')).json as JsonObject;
    schemas = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');
  });
  afterAll(async () => {
    await site.remove();
  });

  /** The document's schema of a call's answer, without the alternatives of other actions. */
  const responseSchema = (
    { method, path, action }: ServedRoute,
    { status, headers }: Answer,
  ): JsonObject | undefined => {
    const operation = at(document, 'paths', pathText({ path }), method.toLowerCase()) as unknown as Operation;
    if (status === 200 && action !== undefined) return operation['x-actions']?.[action]?.response;
    const type = headers['content-type']?.split(';')[0] ?? '';
    return operation.responses[String(status)]?.content?.[type]?.schema;
  };
  /** The document has no content where an answer is empty. */
  const isEmpty = ({ method, path, action }: ServedRoute, { status }: Answer): boolean => {
    const operation = at(document, 'paths', pathText({ path }), method.toLowerCase()) as unknown as Operation;
    if (action === undefined) return operation.responses[String(status)]?.content === undefined;
    const described = operation['x-actions']?.[action];
    return status === 200 && described !== undefined && described.response === undefined;
  };
  const expectDocumented = (route: ServedRoute, answer: Answer): void => {
    if (isEmpty(route, answer)) {
      expect([answer.headers['content-type'], answer.body]).toEqual([undefined, '']);
      return;
    }
    const schema = responseSchema(route, answer);
    expect([answer.status, answer.headers['content-type'], schema]).not.toContain(undefined);
    const isJson = answer.headers['content-type']?.includes('json') === true;
    const reference = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as JsonObject;
    const validate = schemas.compile(reference);
    expect([validate(isJson ? answer.json : answer.body), validate.errors]).toEqual([true, null]);
  };
  const call = (route: DocumentedRoute, example: ExampleDocs): Promise<Answer> =>
    catalog.http.send(toRequest(route, example));

  it('has every route that is served, and no other', () => {
    // A read answers HEAD too. A path that ends in a star only rejects, in the dialect of its path.
    const told = catalog.routes.filter(({ method, path }) => method !== 'HEAD' && !path.endsWith('*'));
    expect(told.map(named).sort()).toEqual(everyPath(API_ROUTES).map(named).sort());
  });

  it('has every route in its OpenAPI document, and no other', () => {
    const paths = document.paths as unknown as Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    const listed = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        const actions = Object.keys(operation['x-actions'] ?? {});
        const call = `${method.toUpperCase()} ${path}`;
        return actions.length === 0 ? [call] : actions.map((action) => `${call}?action=${action}`);
      }),
    );
    expect(listed.sort()).toEqual(everyPath(API_ROUTES).map(named).sort());
  });

  it('has a summary, an answer and an example for every route', () => {
    for (const { docs, path } of API_ROUTES.filter((route) => route.docs.answer !== undefined)) {
      const inPath = docs.parameters.filter((one) => one.in === 'path').map(({ name }) => `:${name}`);
      expect([path, ...inPath]).toEqual([path, ...(path.match(/:\w+/g) ?? [])]);
      expect([docs.summary, docs.answer?.description].every((text) => text !== '')).toBe(true);
      expect(docs.examples.length).toBeGreaterThan(0);
    }
  });

  it.each(EXAMPLES)(
    'has an example that succeeds and answers as documented: %s',
    async (_title, route, example) => {
      // The example before may have asked for a rebuild, and a catalog that rebuilds an index is not ready.
      await until(async () => (await catalog.http.get('/health')).status === 200);
      const answer = await call(route, example);
      expect([answer.status, answer.status === 200 ? '' : answer.body.slice(0, 1_000)]).toEqual([200, '']);
      expectDocumented(route, answer);
    },
  );

  /** What calls can change, once no task is under way. */
  const settledState = async (): Promise<readonly unknown[]> => {
    const { store, tasks } = catalog.deps;
    await until(async () => (await tasks.countUnfinished()).length === 0);
    const client = new ApiClient({ server: catalog.url });
    return [
      await store.readPartitionSequences(),
      (await client.call('GET /operations/tasks')).answer,
      (await client.call('GET /operations/tokens')).answer,
      (await client.call('GET /operations/deadLetters')).answer,
    ];
  };

  it('says of no call that it only reads where the call changes something', async () => {
    const before = await settledState();
    for (const route of API_ROUTES.filter(({ writes }) => !writes))
      for (const example of route.docs.examples) await call(route, example);
    expect(await settledState()).toEqual(before);
  });

  it.each(API_ROUTES.map((route) => [named(route), route] as const))(
    'documents the rejections of %s',
    async (_name, route) => {
      // A path whose parameter accepts any name is left out.
      const plain = everyPath([route]).find(({ path }) => !path.includes(':'));
      const { path } = isRejecting(route) ? route : (plain ?? route);
      const target = path.replace(':urn', 'no-urn').replace(/:\w+/g, 'nothing');
      const answer = await catalog.http.send({
        method: route.method,
        ...(route.docs.body === undefined
          ? { target: isRejecting(route) ? target : `${target}?action=none` }
          : { target: `${target}${route.action === undefined ? '' : `?action=${route.action}`}`, body: '[' }),
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectDocumented(route, answer);
    },
  );

  it('documents the rejection of a proposal', async () => {
    const route = API_ROUTES.find(({ action }) => action === 'ingestProposal');
    const rejected = await catalog.http.ingest({
      urn: 'urn:li:tag:x',
      aspectName: 'tagProperties',
      value: {},
    });
    expect(rejected.status).toBe(422);
    if (route !== undefined) expectDocumented(route, rejected);
  });

  it('is a page under every prefix, with working links', async () => {
    for (const prefix of ['', '/gms', '/api/gms']) {
      const page = await catalog.http.get(`${prefix}/restli/docs`);
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      const base = new URL(`${prefix}/restli/docs`, 'http://catalog/');
      for (const link of [
        'docs/entities/dataset',
        '../openapi.json',
        /docs\/assets\/docs\.js\?v=\w+/.exec(page.body)?.[0] ?? '',
      ]) {
        const { pathname, search } = new URL(link, base);
        expect([link, (await catalog.http.get(pathname + search)).status]).toEqual([link, 200]);
      }
      const slashed = await catalog.http.get(`${prefix}/restli/docs/entities/dataset/?q=1`);
      expect(slashed.status).toBe(308);
      const moved = new URL(
        slashed.headers.location ?? '',
        `http://catalog${prefix}/restli/docs/entities/dataset/`,
      );
      expect(moved.pathname).toBe(`${prefix}/restli/docs/entities/dataset`);
    }
  });

  it('is sent once to a browser that caches it, and compressed where the browser accepts it', async () => {
    const first = await catalog.http.get('/restli/docs');
    const etag = first.headers.etag ?? '';
    expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', vary: 'accept-encoding' });
    const again = await catalog.http.get('/restli/docs', { 'If-None-Match': `"other", ${etag}` });
    expect([again.status, again.body, again.headers.etag]).toEqual([304, '', etag]);
    const packed = await fetch(`${catalog.url}/restli/docs`, { headers: { 'accept-encoding': 'gzip' } });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    expect(await packed.text()).toBe(first.body);
    const asset = await catalog.http.get('/restli/docs/assets/docs.css');
    expect(asset.headers['cache-control']).toContain('immutable');
  });

  it('lets a browser run and load its own assets only', async () => {
    const { headers } = await catalog.http.get('/restli/docs/aspects/ownership');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('is public where everything else needs a token', async () => {
    await catalog.stop();
    catalog = await site.boot({
      environment: { STRATALOG_AUTH: 'all', STRATALOG_TOKEN: 'a-token-of-our-own-for-this' },
    });
    for (const target of [
      '/restli/docs',
      '/restli/docs/entities/dataset',
      '/openapi.json',
      '/models/entities',
    ])
      expect([target, (await catalog.http.get(target)).status]).toEqual([target, 200]);
    const operation = at((await catalog.http.get('/openapi.json')).json, 'paths', '/entitiesV2/{urn}', 'get');
    expect(at(operation, 'security')).toEqual([{ token: [] }]);
    const rejected = await catalog.http.get('/entitiesV2/urn:li:tag:x');
    expect([rejected.status, at(operation, 'responses', '401', 'description')]).toEqual([
      401,
      expect.any(String),
    ]);
  });
});
