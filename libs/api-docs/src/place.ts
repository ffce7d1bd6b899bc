/**
 * The location of a page, as the beginnings of links from it. Links are relative, so that pages work under
 * every prefix, whether a proxy in front removes it or not.
 */
export interface Place {
  /** The page with the endpoints. */
  readonly index: string;
  /** The folder of all other pages. */
  readonly docs: string;
  /** The root of the interface. */
  readonly api: string;
}

export const INDEX_PLACE: Place = { index: 'docs', docs: 'docs/', api: '../' };
/** Of the pages in folders: `/restli/docs/entities/dataset`. */
export const INNER_PLACE: Place = { index: '../../docs', docs: '../', api: '../../../' };

export function entityLink({ docs }: Place, name: string): string {
  return `${docs}entities/${encodeURIComponent(name)}`;
}

export function aspectLink({ docs }: Place, name: string): string {
  return `${docs}aspects/${encodeURIComponent(name)}`;
}
