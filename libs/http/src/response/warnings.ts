import { InvalidRequestError, UnknownNames } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type Steps } from '@stratalog/json';
import { reportUnknownMembers } from '../request/unknown-members';
import type { QueryParameters } from '../request/query-parameters';
import type { WireReply, WireRequest } from '../request/wire';

/** On an answer: the names in the request that the catalog ignored. */
const WARNINGS_HEADER = 'x-stratalog-warnings';
/** On a request: `true` rejects a call with names that would be ignored. */
const STRICT_HEADER = 'x-stratalog-strict';
const DANGEROUS = 'An administrative or deleting call may not have unknown names';
/**
 * **Units**: characters, which are bytes here. Servers and proxies keep a few kilobytes for all headers of an
 * answer.
 */
const MAX_HEADER_LENGTH = 1_800;

/**
 * Starts to collect the unknown names in a request, with the members and parameters that its route does not
 * have.
 *
 * **Errors**: `UnknownNamesError` when the call is strict, administrative or deletes, and has some; `InvalidRequestError` for a
 * strictness that is neither true nor false.
 */
export function* reportUnknownIn(request: WireRequest, isStrictServer: boolean): Steps<void> {
  const { docs, action, dialect, access, effect } = request.routeOptions.config;
  const isStrict = isStrictIn(request) || isStrictServer;
  // A member that is passed over can turn a part into the whole, or a trial into the deed.
  const isDangerous = access === 'administrative' || effect === 'destroys';
  request.unknownNames = new UnknownNames(
    isStrict || isDangerous,
    isDangerous && !isStrict ? DANGEROUS : undefined,
  );
  // Clients of a schema registry send more members than any one registry needs.
  if (docs === undefined || dialect !== undefined) return;
  const { report } = request.unknownNames;
  const parameters = docs.parameters.flatMap((each) => (each.in === 'query' ? [each.name] : []));
  const known = action === undefined ? parameters : [...parameters, 'action'];
  for (const name of (request.query as QueryParameters).names()) {
    if (!known.includes(name)) report('?', name, known);
  }
  if (docs.body !== undefined) {
    yield* reportUnknownMembers(request.body as JsonObject | undefined, docs.body, report);
  } else if (isDangerous && isJsonObject(request.body)) {
    // The call has no parameters, so every member is unknown.
    for (const name of Object.keys(request.body)) report('/', name, []);
  }
  request.unknownNames.settle();
}

/** `false` in a request cannot relax a strict server: the operator decides. */
function isStrictIn({ headers }: WireRequest): boolean {
  const sent = headers[STRICT_HEADER];
  if (sent === undefined) return false;
  const word = String(sent).trim().toLowerCase();
  if (word !== 'true' && word !== 'false') {
    throw new InvalidRequestError(
      `Header X-Stratalog-Strict: "${String(sent).slice(0, 100)}" is not true or false`,
    );
  }
  return word === 'true';
}

/** Reports the ignored names to the caller. */
export function setWarnings({ unknownNames }: WireRequest, reply: WireReply): void {
  if (unknownNames === undefined || unknownNames.count === 0) return;
  void reply.header(WARNINGS_HEADER, warningsHeader(unknownNames));
}

/**
 * Renders the warnings as one header.
 *
 * **Shape**: a JSON array of texts in ASCII, as many as fit; the last gives the number of those left out.
 */
function warningsHeader({ texts, count }: Pick<UnknownNames, 'texts' | 'count'>): string {
  const shown: string[] = [];
  let length = 0;
  for (const text of texts) {
    const quoted = inAscii(JSON.stringify(text));
    length += quoted.length + 1;
    if (length > MAX_HEADER_LENGTH) break;
    shown.push(quoted);
  }
  const more = count - shown.length;
  return `[${[...shown, ...(more === 0 ? [] : [`"and ${String(more)} more"`])].join(',')}]`;
}

function inAscii(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
