import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { many, one, present } from '../../app/search-parameters';
import { readAt } from '../../data/times';

/** What the address of a lineage says, next to its time. */
export interface LineageSearch {
  /** `up` or `down`; absent: both. */
  readonly dir?: string | undefined;
  /** Field path of the selected column. */
  readonly column?: string | undefined;
  readonly hops?: string | undefined;
  /** `tables` or `list`; absent: columns. */
  readonly view?: string | undefined;
  /** `nodes`: jobs are no tiles. */
  readonly jobs?: string | undefined;
  /** Compares with this time. */
  readonly from?: string | undefined;
  /** Urns of nodes whose neighbours are shown too. */
  readonly open?: readonly string[] | undefined;
  /** Degrees whose folded neighbours are shown. */
  readonly unfold?: readonly string[] | undefined;
}

export function readLineageSearch(search: Record<string, unknown>): LineageSearch {
  const { dir, column, hops, view, jobs, from, open, unfold } = search;
  return present({
    ...{ dir: one(dir), column: one(column), hops: one(hops), view: one(view), jobs: one(jobs) },
    ...{ from: one(from), open: many(open), unfold: many(unfold) },
  });
}

export type Direction = 'up' | 'both' | 'down';
type View = 'columns' | 'tables' | 'list';

const DEFAULT_HOPS = 3;
const MAX_HOPS = 1_000;
/** Each opened node is a call. */
const MAX_OPENED = 50;

const route = getRouteApi('/lineage/$urn');

/** The address with its defaults. **Units**: times in epoch milliseconds. */
export function useLineageAddress() {
  const { urn } = route.useParams();
  const { dir, column, hops, view, jobs, from, open = [], unfold = [], at } = route.useSearch();
  const number = Number(hops);
  const direction: Direction = dir === 'up' || dir === 'down' ? dir : 'both';
  const shown: View = view === 'tables' || view === 'list' ? view : 'columns';
  return {
    urn,
    direction,
    column,
    hops: Number.isInteger(number) && number >= 1 && number <= MAX_HOPS ? number : DEFAULT_HOPS,
    view: shown,
    hasJobsAsNodes: jobs === 'nodes',
    atMs: readAt(at),
    fromMs: readAt(from),
    opened: [...new Set(open)].slice(0, MAX_OPENED),
    unfolded: unfold,
  };
}

export type LineageAddress = ReturnType<typeof useLineageAddress>;

/** Changes members of the address: a step that Back undoes. */
export function useChangeAddress() {
  const navigate = useNavigate();
  return (changed: LineageSearch & { readonly at?: string | undefined }): void =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, ...changed }),
      resetScroll: false,
    });
}

/** The parameter of the calls; absent: both directions. */
export function directionOf(direction: Direction): { readonly direction?: 'UPSTREAM' | 'DOWNSTREAM' } {
  if (direction === 'both') return {};
  return { direction: direction === 'up' ? 'UPSTREAM' : 'DOWNSTREAM' };
}
