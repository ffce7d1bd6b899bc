import { once } from 'node:events';
import { connect } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineRoute } from '../routing/define-route';
import { Route } from '../routing/route.decorators';
import { bootWire, type BootedWire } from '../testing/boot-wire';
import { SampleModule } from '../testing/sample.module';

/** Answers with the value that the test hands over later. */
@Controller()
class HeldController {
  static onHeld: (release: () => void) => void = () => undefined;

  @Route(defineRoute({ path: 'models/held', app: 'query' }))
  async read(): Promise<string> {
    await new Promise<void>((resolve) => {
      HeldController.onHeld(resolve);
    });
    return 'held';
  }
}
@Module({ imports: [SampleModule], controllers: [HeldController] })
class HeldModule {}

describe('several requests at once', () => {
  let wire: BootedWire;
  beforeAll(async () => {
    wire = await bootWire(HeldModule);
  });
  afterAll(() => wire.application.close());

  const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const read = (name: string): string => get(`/entitiesV2/urn:li:tag:${name}`);
  const broken = (line: string): string =>
    `POST /entities?action=ingest HTTP/1.1\r\nHost: x\r\n${line}\r\n\r\n`;

  /** How the requests are sent: in one packet, or each once the previous one has been taken. */
  const WAYS = ['together', 'one by one'] as const;

  /** The beginnings of all answers in order, until the connection is closed. */
  const answersTo = async (way: (typeof WAYS)[number], ...requests: string[]): Promise<readonly string[]> => {
    const server = wire.application.getHttpServer();
    const held = new Promise<() => void>((resolve) => (HeldController.onHeld = resolve));
    const rejected = new Promise<void>((resolve) => {
      for (const event of ['clientError', 'connect'])
        server.once(event, () => {
          resolve();
        });
    });
    const socket = connect(wire.port, '127.0.0.1').setEncoding('latin1');
    let received = '';
    socket.on('data', (chunk: string) => (received += chunk));
    const closed = once(socket, 'close');
    if (way === 'one by one') {
      for (const request of requests.splice(0, requests.length - 1)) {
        const taken = once(server, 'request');
        socket.write(request);
        await taken;
      }
    }
    socket.write(requests.join(''));
    const [release] = await Promise.all([held, rejected]);
    // The last one has been rejected, and the first one is not answered yet.
    expect(received).toBe('');
    release();
    await closed;
    const mark = /"held"|tag:\w*|not valid HTTP|malformed|larger than|CONNECT/;
    const answers = received.split('HTTP/1.1 ').slice(1);
    return answers.map((answer) => `${answer.slice(0, 3)} ${mark.exec(answer)?.[0] ?? ''}`);
  };

  describe.each(WAYS)('sent %s', (way) => {
    it.each([
      ['invalid HTTP', 'hello\r\n\r\n', '400 not valid HTTP'],
      ['a broken header', get('/health').replace('Host: x', 'Host x'), '400 not valid HTTP'],
      ['a broken chunk', `${broken('Transfer-Encoding: chunked')}zz\r\n`, '400 not valid HTTP'],
      ['two lengths', broken('Content-Length: 1\r\nContent-Length: 2'), '400 not valid HTTP'],
      [
        'too many headers',
        get('/health').replace('Host: x', `Host: ${'x'.repeat(20_000)}`),
        '431 larger than',
      ],
      ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n', '405 CONNECT'],
    ])('are answered in their order when the last is %s', async (_name, last, answer) => {
      const answers = await answersTo(way, get('/models/held'), read('second'), last);
      expect(answers).toEqual(['200 "held"', '200 tag:second', answer]);
    });
  });

  it.each([
    ['together', '400 malformed'],
    ['one by one', '200 tag:'],
  ] as const)('are answered in their order when the last is a bare target: %s', async (way, answer) => {
    const answers = await answersTo(way, get('/models/held'), read('second'), read('\u00e9'));
    expect(answers).toEqual(['200 "held"', '200 tag:second', answer]);
  });

  it('are not answered after a malformed one, whose answer ends the connection', async () => {
    const answers = await answersTo('together', get('/models/held'), 'hello\r\n\r\n', read('behind'));
    expect(answers).toEqual(['200 "held"', '400 not valid HTTP']);
  });
});
