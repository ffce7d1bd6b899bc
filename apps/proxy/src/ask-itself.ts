import { request, type Server } from 'node:http';
import type { InjectedAnswer, InjectedRequest } from '@stratalog/http';

/** Sends a request that was parsed by hand to the server itself, and returns its answer. */
export async function askItself(
  server: Server,
  { method, url, headers }: InjectedRequest,
): Promise<InjectedAnswer> {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('The proxy does not listen');
  const own = { host: hostOf(address.address), port: address.port };
  return new Promise((resolve, reject) => {
    const asked = request({ ...own, method, path: url, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode = 502, headers: answered } = answer;
        resolve({ statusCode, headers: answered, rawPayload: Buffer.concat(chunks) });
      });
    });
    asked.on('error', reject);
    asked.end();
  });
}

function hostOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}
