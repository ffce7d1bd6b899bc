import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { ROOT } from '../catalog/catalog-process';
import type { RawRequest } from '../catalog/raw-http';

/** Names of headers, each with values that some code may react to. */
const HOSTILE = JSON.parse(
  readFileSync(join(ROOT, 'libs/http/hostile-headers.json'), 'utf8'),
) as readonly (readonly [name: string, values: readonly string[]])[];

const some = fc
  .array(
    fc
      .constantFrom(...HOSTILE)
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
