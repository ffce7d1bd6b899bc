import { expect } from '@jest/globals';
import { at } from './catalog-client';
import type { Answer, RawRequest } from './raw-http';

/** One row of a table: a request and the expected answer. */
export interface WireCase {
  readonly name: string;
  readonly request: RawRequest;
  readonly status: number;
  /** A part of the rejection's message. */
  readonly message?: string;
  /** The members that the answer's JSON has at least. */
  readonly json?: object;
  /** Exactly the aspects of the entity in the answer. */
  readonly aspects?: readonly string[];
  /** By lower-case name; `undefined` for a forbidden one. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** A later read, with the members that its JSON has at least. */
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

/** Every error has one form, whichever part of the catalog throws it. */
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

/** Compares an answer with its row. */
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
