import { expect, it } from '@jest/globals';
import { NoAnswerError } from './call-errors';

it.each([
  ['http:', 'ECONNREFUSED', 'connection refused', 'start one with "npm start"'],
  ['http:', 'ECONNRESET', 'connection broken', 'where it speaks TLS, its address begins with https://'],
  ['https:', 'EPROTO', 'no TLS', 'where it speaks no TLS, its address begins with http://'],
  ['https:', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed', 'NODE_EXTRA_CA_CERTS=issuer.pem'],
  ['https:', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'self-signed', 'NODE_EXTRA_CA_CERTS=issuer.pem'],
])('a call without an answer over %s for %s says what may help', (protocol, code, reason, advice) => {
  const cause = Object.assign(new Error('self-signed'), { code });
  const error = new NoAnswerError(new URL(`${protocol}//ann:secret@there:1/gms`), cause);
  expect(error.message).toBe(`cannot reach the catalog at ${protocol}//there:1/gms (${reason})`);
  expect(error.advice).toContain(advice);
});
