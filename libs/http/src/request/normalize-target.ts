import { decodeOnce } from './decode-once';

/**
 * Resources that are addressed by a urn in the path, each with the parts of an entity that are routes of
 * their own.
 */
export type UrnResources = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Normalizes a request target to the one form that the router knows: `/<resource>[/<urn as one encoded
 * segment>[/<part of it>]][?query]`.
 *
 * - It removes `/gms` and `/api/gms` in front, doubled slashes, and the slash before `?`.
 * - Behind a resource of `urnResources`, everything up to `?` is one urn, however it is encoded. The function
 *   decodes it once, trims it and encodes it again. A slash at the end belongs to the urn, and so does
 *   everything behind a slash except the name of a part of the resource. A urn that ends like a part must
 *   have its slash encoded.
 * - `deepUrns` match paths whose end is a urn behind more than one segment, in their first group what is in front of it. Everything
 *   behind that is one urn in the same way.
 * - A urn whose escapes are not UTF-8 stays as it came; the router rejects it.
 *
 * **Shape**: `rawTarget` as Node delivers it, one character per byte.
 */
export function normalizeTarget(
  rawTarget: string,
  urnResources: UrnResources,
  deepUrns: readonly RegExp[] = [],
): string {
  const target = originForm(rawTarget);
  const queryAt = target.indexOf('?');
  const query = queryAt === -1 ? '' : target.slice(queryAt);
  const path = (queryAt === -1 ? target : target.slice(0, queryAt)).replace(FRONT, '/');

  const slashAt = path.indexOf('/', 1);
  if (slashAt === -1) return path + query;
  const resource = path.slice(1, slashAt);
  const parts = urnResources.get(resource);
  if (parts === undefined) {
    const front = deepUrns.flatMap((pattern) => pattern.exec(path)?.[1] ?? [])[0];
    if (front === undefined) return withoutSlashesAtEnd(path.replace(DOUBLED_SLASHES, '/')) + query;
    const deep = encodeUrn(path.slice(front.length));
    return (deep === undefined ? path : front + deep) + query;
  }

  const lastSlashAt = path.lastIndexOf('/');
  const part = lastSlashAt > slashAt && parts.has(path.slice(lastSlashAt + 1)) ? path.slice(lastSlashAt) : '';
  const urn = encodeUrn(path.slice(slashAt + 1, path.length - part.length));
  if (urn === undefined) return path + query;
  return `/${resource}${urn === '' ? '' : `/${urn}${part}`}${query}`;
}

/** Encodes a urn as one segment, however it came; `undefined` when its escapes are not UTF-8. */
function encodeUrn(sent: string): string | undefined {
  const urn = decodeOnce(sent);
  return urn === undefined ? undefined : encodeURIComponent(urn.replace(BLANKS_AROUND, ''));
}

const FRONT = /^\/+(?:(?:api\/+)?gms(?=\/|$))?\/*/;
const PREFIX = /^(\/(?:api\/)?gms)(?=[/?#]|$)/;
const DOUBLED_SLASHES = /\/{2,}/g;
const BLANKS_AROUND = /^[ \t\r\n]+|[ \t\r\n]+$/g;
const BEYOND_ASCII = /[\u0080-\u00ff]/g;
/** Proxies may send the absolute form (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * Returns the prefix `/gms` or `/api/gms` of a target, or an empty string. Links to other paths of this
 * server begin with it.
 */
export function prefixOf(rawTarget: string): string {
  return PREFIX.exec(pathOfTarget(rawTarget))?.[1] ?? '';
}

/** Returns path and query of a target in ASCII, for forwarding: without scheme, host or bare bytes. */
export function originForm(rawTarget: string): string {
  return escapeBytes(pathOfTarget(rawTarget));
}

function pathOfTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const path = target.replace(ABSOLUTE_FORM, '');
  return path.startsWith('?') ? `/${path}` : path;
}

/** Clients that do not encode at all send names as bare UTF-8 bytes. */
function escapeBytes(target: string): string {
  return target.replace(BEYOND_ASCII, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

function withoutSlashesAtEnd(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  return path.slice(0, end);
}
