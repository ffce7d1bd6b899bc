import { expect } from '@jest/globals';
import { at } from './catalog-client';
import type { Answer, RawRequest } from './raw-http';

/** One row of a table: what is sent, and what must come back. */
export interface WireCase {
  readonly name: string;
  readonly request: RawRequest;
  readonly status: number;
  /** A part of what a rejection says. */
  readonly message?: string;
  /** What the answer's JSON has at least. */
  readonly json?: object;
  /** Exactly the aspects that an entity comes with. */
  readonly aspects?: readonly string[];
  /** By lower-case name; `undefined` for one that must not be there. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** What is read afterwards, with what its JSON has at least. */
  readonly then?: { readonly target: string; readonly json: object };
}

export const get = (target: string, headers: RawRequest['headers'] = {}): RawRequest => ({
  method: 'GET',
  target,
  headers,
});

export const post = (
  target: string,
  body: string | Buffer,
  headers: RawRequest['headers'] = {},
): RawRequest => ({
  method: 'POST',
  target,
  body,
  headers,
});

const EXCEPTION = 'com.linkedin.restli.server.RestLiServiceException';

/** Every error has one form, whichever part of the catalog it comes from. */
export function expectRejection(answer: Answer, status: number, message: string): void {
  expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json']);
  expect(answer.headers).toMatchObject({
    'x-restli-error-response': 'true',
    'x-linkedin-error-response': 'true',
  });
  expect(answer.headers).not.toHaveProperty('x-stratalog-position');
  const { message: said } = answer.json as { message: string };
  expect(said).toContain(message);
  expect(answer.json).toEqual({
    exceptionClass: EXCEPTION,
    message: said,
    stackTrace: `${EXCEPTION} [HTTP Status:${String(status)}]: ${said}`,
    status,
    ...(status < 500
      ? { docUrl: expect.stringMatching(/^(?:\/(?:api\/)?gms)?\/restli\/docs#[\w.-]+$/) }
      : {}),
  });
}

/** Holds an answer against its row. */
export function expectAnswer(
  { status, message, json, aspects, headers = {} }: WireCase,
  answer: Answer,
): void {
  if (message === undefined) expect([answer.status, answer.body]).toEqual([status, answer.body]);
  else expectRejection(answer, status, message);
  if (json !== undefined) expect(answer.json).toMatchObject(json);
  if (aspects !== undefined) expect(Object.keys(at(answer.json, 'aspects') ?? {}).sort()).toEqual(aspects);
  for (const [name, value] of Object.entries(headers))
    expect([name, answer.headers[name]]).toEqual([name, value]);
}
