import { Controller, Inject, Req } from '@nestjs/common';
import {
  Parameters,
  Route,
  authorizeCall,
  touchEntities,
  type Input,
  type UseCase,
  type WireRequest,
} from '@stratalog/http';
import { InvalidRequestError } from '@stratalog/domain';
import { isJsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import type { AspectRef } from '@stratalog/ports';
import { parseTrace } from './trace-id';
import { traceWrites } from './trace-writes';
import { TRACE_WRITE } from './trace.routes';

/** Most aspects that one call asks for. */
const MAX_ASPECTS = 1_000;

/** Tells clients what became of their writes. */
@Controller()
export class TraceController {
  @Inject(traceWrites) private readonly traceWrites!: UseCase<typeof traceWrites>;

  @Route(TRACE_WRITE)
  trace(
    @Parameters() { traceId, onlyIncludeErrors }: Input<typeof TRACE_WRITE>,
    @Req() request: WireRequest,
  ): Promise<JsonOutputObject> {
    const trace = parseTrace(traceId);
    const refs = parseRefs(request.body);
    authorizeCall(request, touchEntities([...new Set(refs.map(({ urn }) => urn))]));
    return this.traceWrites({ trace, refs, onlyErrors: onlyIncludeErrors });
  }
}

/** **Errors**: `InvalidRequestError` for a member that is no list of texts, and for too many. */
function parseRefs(body: unknown): readonly AspectRef[] {
  const members: readonly (readonly [string, JsonValue | undefined])[] = isJsonObject(body)
    ? Object.entries(body)
    : [];
  const refs = members.flatMap(([urn, names]) => {
    const isList = Array.isArray(names) && names.every((name) => typeof name === 'string');
    if (!isList) TRACE_WRITE.reject(urn.slice(0, 100), 'is not a list of names of aspects');
    return [...new Set(names as readonly string[])].map((aspectName) => ({ urn, aspectName }));
  });
  if (refs.length <= MAX_ASPECTS) return refs;
  throw new InvalidRequestError(
    `The body names ${String(refs.length)} aspects; at most ${String(MAX_ASPECTS)} are traced at once`,
  );
}
