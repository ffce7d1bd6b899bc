/** One request, as both catalogs get it. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly target: string;
  readonly body?: string;
}
