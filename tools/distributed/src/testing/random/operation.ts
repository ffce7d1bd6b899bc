/** One request, which both catalogs get. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly target: string;
  readonly body?: string;
}
