import type { RouteDocs } from './route-docs';

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a call changes what the catalog holds, so that it goes on when its client has gone: one by a method that may, unless its
 * documentation says that it only reads. A route whose author thinks of neither is never left half done.
 */
export function isWriting({ method, docs }: { method: string; docs: RouteDocs | undefined }): boolean {
  return !READING_METHODS.has(method) && docs?.onlyReads !== true;
}
