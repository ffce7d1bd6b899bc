import type { RouteDocs } from './route-docs';

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a call may change the catalog and must therefore continue when its client disconnects. A call by a
 * writing method counts as one, unless its documentation says that it only reads. A route without either
 * statement is thus never left half done.
 */
export function isWriting({ method, docs }: { method: string; docs: RouteDocs | undefined }): boolean {
  return !READING_METHODS.has(method) && docs?.onlyReads !== true;
}
