import { request, type IncomingMessage, type Server } from 'node:http';
import { request as requestTls } from 'node:https';
import { usesTls, type InjectedAnswer, type InjectedRequest } from '@stratalog/http';
import { toOwnHeaders } from './forwarded-for';

/**
 * Sends a request that was parsed by hand to the server itself, and returns its answer. The server would take a name of a user for one from
 * this machine, so the request goes without `userHeader`.
 */
export async function askItself(
  server: Server,
  { method, url, headers, remoteAddress }: InjectedRequest,
  userHeader: string | undefined,
): Promise<InjectedAnswer> {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('The proxy does not listen');
  const sent = toOwnHeaders(headers, remoteAddress);
  if (userHeader !== undefined) Reflect.deleteProperty(sent, userHeader);
  const own = { host: hostOf(address.address), port: address.port };
  return new Promise((resolve, reject) => {
    const options = { ...own, method, path: url, headers: sent, agent: false };
    const receive = (answer: IncomingMessage): void => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const { statusCode = 502, headers: answered } = answer;
        resolve({ statusCode, headers: answered, rawPayload: Buffer.concat(chunks) });
      });
    };
    // The other end is this process, whose certificate is for the name that clients use.
    const asked = usesTls(server)
      ? requestTls({ ...options, rejectUnauthorized: false }, receive)
      : request(options, receive);
    asked.on('error', reject);
    asked.end();
  });
}

function hostOf(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1';
  return address === '::' ? '::1' : address;
}
