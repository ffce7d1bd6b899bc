import type { AddressInfo } from 'node:net';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpApplication } from '../server/create-http-application';
import type { FaultReport } from '../response/error-responder';
import type { HttpOptions } from '../server/wire-adapter';
import { exchange, type RawAnswer } from './exchange';

/** A small application on a free port, for tests that send bytes. */
export interface BootedWire {
  readonly application: NestFastifyApplication;
  readonly port: number;
  readonly faults: FaultReport[];
  /** Sends the bytes of one request and reads one answer. */
  readonly send: (request: string | Buffer) => Promise<RawAnswer>;
  readonly get: (target: string, headers?: readonly string[]) => Promise<RawAnswer>;
  readonly post: (target: string, body: string, headers?: readonly string[]) => Promise<RawAnswer>;
}

export async function bootWire(module: Type, options: Partial<HttpOptions> = {}): Promise<BootedWire> {
  const faults: FaultReport[] = [];
  const application = await createHttpApplication(module, {
    auth: { mode: 'none', tokens: [] },
    onFault: (report) => faults.push(report),
    ...options,
  });
  await application.listen(0, '127.0.0.1');
  const { port } = application.getHttpServer().address() as AddressInfo;
  const send = (request: string | Buffer) => exchange(port, request);
  return {
    application,
    port,
    faults,
    send,
    get: (target, headers = []) => send(head('GET', target, headers)),
    post: (target, body, headers = []) =>
      send(`${head('POST', target, [...headers, `Content-Length: ${Buffer.byteLength(body)}`])}${body}`),
  };
}

function head(method: string, target: string, headers: readonly string[]): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: catalog', ...headers, '', ''].join('\r\n');
}
