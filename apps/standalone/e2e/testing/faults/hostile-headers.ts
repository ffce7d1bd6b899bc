import { readHostileHeaders } from '@stratalog/harness';
import fc from 'fast-check';
import type { RawRequest } from '../catalog/raw-http';

const some = fc
  .array(
    fc
      .constantFrom(...readHostileHeaders())
      .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value] as const)),
    { minLength: 1, maxLength: 4 },
  )
  .map((pairs) => Object.fromEntries(pairs));

/** Adds unexpected headers to every other request, and sends bodies in chunks. */
export function withHostileHeaders(requests: fc.Arbitrary<RawRequest>): fc.Arbitrary<RawRequest> {
  return fc
    .tuple(requests, fc.oneof(fc.constant({}), some), fc.boolean())
    .map(([request, headers, isChunked]) => ({
      ...request,
      headers: { ...headers, ...request.headers },
      isChunked,
    }));
}
