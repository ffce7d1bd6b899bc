import { connect } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { Controller, Module, Req } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import { currentCaller } from '@stratalog/concurrency';
import { defineRoute } from '../routing/define-route';
import { Route } from '../routing/route.decorators';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { forwardCall, headersForCaller } from './forward-call';
import { actorOf, type WireRequest } from './wire';

const APP = { app: 'query' } as const;
const ADA = 'urn:li:corpuser:ada';
const TOKEN = 'a-token-of-ada-for-the-suite';
const signals = new EventEmitter();

@Controller()
class ForwardingController {
  @Route(defineRoute({ ...APP, path: 'inner', touches: 'proposals' }))
  inner(@Req() request: WireRequest) {
    const { headers, raw } = request;
    return {
      actor: actorOf(request),
      address: raw.socket.remoteAddress ?? '',
      names: Object.keys(headers).sort(),
      writes: currentCaller()?.writes ?? true,
    };
  }

  @Route(defineRoute({ ...APP, path: 'operations', access: 'administrative' }))
  guarded(): string {
    return 'guarded';
  }

  @Route(defineRoute({ ...APP, path: 'waiting' }))
  async waiting(): Promise<string> {
    signals.emit('waiting');
    const { disconnected } = currentCaller() ?? {};
    if (disconnected?.aborted === false) await once(disconnected, 'abort');
    signals.emit('left');
    return 'left';
  }

  @Route(defineRoute({ ...APP, path: 'outer/:target', touches: 'proposals' }))
  async outer(@Req() request: WireRequest) {
    const { target } = request.params as { readonly target: string };
    const headers = { 'X-RestLi-Protocol-Version': '2.0.0' };
    const answer = await forwardCall(request, { method: 'GET', target: `/${target}`, headers });
    const body = await answer.text();
    return { status: answer.status, protocol: answer.headers.get('X-RestLi-Protocol-Version'), body };
  }
}
@Module({ controllers: [ForwardingController] })
class ForwardingModule {}

describe('forwardCall', () => {
  let wire: BootedWire;
  const by = (token: string) => [`Authorization: Bearer ${token}`];
  const call = async (target: string, headers: readonly string[] = []) => {
    const { body } = await wire.get(`/outer/${target}`, headers);
    return JSON.parse(body) as { readonly status: number; readonly protocol: string; readonly body: string };
  };
  beforeAll(async () => {
    wire = await bootWire(ForwardingModule, {
      auth: { mode: 'operations', tokens: [{ token: TOKEN, actor: ADA }] },
    });
  });
  afterAll(() => wire.application.close());

  it('calls with the credentials and from the address of the caller', async () => {
    const { status, protocol, body } = await call('inner', by(TOKEN));
    expect([status, protocol]).toEqual([200, '2.0.0']);
    expect(JSON.parse(body)).toMatchObject({ actor: ADA, address: '127.0.0.1', writes: false });
    expect(JSON.parse((await call('inner')).body)).toMatchObject({ actor: 'urn:li:corpuser:unknown' });
  });

  it('keeps headers about the message, which is another one, to itself', async () => {
    const sent = [
      'Accept: application/json;q=0.5',
      'Accept-Encoding: gzip',
      'If-None-Match: "a"',
      'X-Other: b',
    ];
    const { names } = JSON.parse((await call('inner', sent)).body) as { readonly names: readonly string[] };
    expect(names).toContain('x-other');
    expect(names.filter((name) => /^(?:accept|if-|content-)/.test(name))).toEqual([]);
  });

  test.each([
    ['operations', 401],
    ['nothing', 404],
  ])('answers a rejection as it is: %s', async (target, status) => {
    const answer = await call(target);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([status, expect.objectContaining({ status })]);
  });

  it('ends when the caller leaves', async () => {
    const isWaiting = once(signals, 'waiting');
    const hasLeft = once(signals, 'left');
    const socket = connect(wire.port, '127.0.0.1', () =>
      socket.write('GET /outer/waiting HTTP/1.1\r\nHost: catalog\r\n\r\n'),
    );
    await isWaiting;
    socket.destroy();
    await hasLeft;
    expect(wire.faults).toEqual([]);
  });
});

describe('headersForCaller', () => {
  const from = (headers: Readonly<Record<string, string>>) =>
    ({ headers, raw: { socket: { remoteAddress: '10.0.0.7' } } }) as unknown as WireRequest;

  it('passes on what tells callers apart, and where each called from', () => {
    const sent = {
      authorization: 'Bearer x',
      cookie: 'stratalog-session=y',
      'x-stratalog-session': '1',
      'x-datahub-actor': 'urn:li:corpuser:ada',
      'x-stratalog-strict': 'true',
    };
    expect(headersForCaller(from({ ...sent, 'x-forwarded-for': '192.0.2.1' }), undefined)).toEqual({
      ...sent,
      'x-forwarded-for': '192.0.2.1, 10.0.0.7',
    });
  });

  it('names the user whom the proxy has named, and no user whom the caller names', () => {
    const sent = { 'x-remote-user': 'root', 'x-stratalog-proxy-user': 'ada' };
    expect(headersForCaller(from(sent), 'x-remote-user')).toEqual({
      'x-remote-user': 'ada',
      'x-forwarded-for': '10.0.0.7',
    });
    expect(headersForCaller(from({ 'x-remote-user': 'root' }), 'x-remote-user')).toEqual({
      'x-forwarded-for': '10.0.0.7',
    });
  });
});
