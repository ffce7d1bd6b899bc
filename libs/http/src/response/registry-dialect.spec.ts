import { Controller, Module, Req } from '@nestjs/common';
import { afterEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { defineRoute } from '../routing/define-route';
import { Route } from '../routing/route.decorators';
import { RegistryError } from './registry-dialect';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import type { WireRequest } from '../request/wire';

const REGISTRY = { app: 'ingest', dialect: 'schema-registry' } as const;

@Controller()
class SampleRegistry {
  @Route(defineRoute({ ...REGISTRY, method: 'POST', path: ['registry/echo/:name', 'registry/again/:name'] }))
  echo(@Req() request: WireRequest): JsonOutputObject {
    return { ...(request.params as Record<string, string>), ...(request.body as JsonOutputObject) };
  }

  @Route(defineRoute({ ...REGISTRY, path: 'registry/subjects/:subject' }))
  subject(): never {
    throw new RegistryError('unknown-subject', "Subject 'x' not found.");
  }

  @Route(defineRoute({ ...REGISTRY, path: 'registry/away' }))
  away(): never {
    throw new UnavailableError('The store is away');
  }

  @Route(defineRoute({ ...REGISTRY, path: 'registry/broken' }))
  broken(): never {
    throw new Error('secret');
  }
}

@Module({ controllers: [SampleRegistry] })
class SampleRegistryModule {}

describe("a schema registry's routes", () => {
  let wire: BootedWire | undefined;
  afterEach(async () => {
    await wire?.application.close();
  });
  const CONTENT_TYPE = 'application/vnd.schemaregistry.v1+json';
  const basic = (pair: string): string => `Authorization: Basic ${Buffer.from(pair).toString('base64')}`;

  it('answer bare values as 200 in their content type', async () => {
    wire = await bootWire(SampleRegistryModule);
    const sent = `Content-Type: ${CONTENT_TYPE}`;
    const answer = await wire.post('/registry/echo/a%2Fb%20c', '{"x":1}', [sent]);
    expect([answer.status, answer.headers['content-type'], answer.json]).toEqual([
      200,
      CONTENT_TYPE,
      { name: 'a/b c', x: 1 },
    ]);
    expect((await wire.post('//registry//again//n/?normalize=false', '{}')).json).toEqual({ name: 'n' });
  });

  it('reject in the error shape that its clients read', async () => {
    wire = await bootWire(SampleRegistryModule, { maxBodyBytes: 100 });
    const unknown = await wire.get('/registry/subjects/x');
    expect([unknown.status, unknown.headers['content-type'], unknown.json]).toEqual([
      404,
      CONTENT_TYPE,
      { error_code: 40401, message: "Subject 'x' not found." },
    ]);
    const away = await wire.get('/registry/away');
    expect([away.headers['retry-after'], away.json]).toEqual([
      '1',
      { error_code: 503, message: 'The store is away' },
    ]);
    expect((await wire.get('/registry/broken')).json).toEqual({
      error_code: 500,
      message: expect.stringContaining('reference'),
    });
    expect((await wire.post('/registry/echo/x', '{')).json).toMatchObject({ error_code: 400 });
    expect((await wire.post('/registry/echo/x', ' '.repeat(101))).json).toMatchObject({ error_code: 413 });
  });

  it('take the token as the password of basic authentication', async () => {
    const token = 'open:sesame';
    wire = await bootWire(SampleRegistryModule, {
      auth: { mode: 'all', tokens: [{ token, actor: 'urn:li:corpuser:admin' }] },
    });
    const statusWith = async (...headers: string[]): Promise<number | undefined> =>
      (await wire?.post('/registry/echo/x', '{}', headers))?.status;
    expect(await statusWith(basic(`anybody:${token}`))).toBe(200);
    expect(await statusWith(basic(`:${token}`))).toBe(200);
    expect(await statusWith(`Authorization: Bearer ${token}`)).toBe(200);
    expect(await statusWith(basic('anybody:else'))).toBe(401);
    expect(await statusWith(basic(token.replace(':', '')))).toBe(401);
    const rejected = await wire.post('/registry/echo/x', '{}');
    expect([rejected.status, rejected.json]).toEqual([
      401,
      { error_code: 401, message: expect.stringContaining('needs a token') },
    ]);
  });
});
