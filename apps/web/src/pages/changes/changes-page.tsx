import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ParametersOf } from '@stratalog/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { present } from '../../app/search-parameters';
import { Button } from '../../components/button/button';
import { EmptyState, Loaded } from '../../components/states/states';
import { PageTitle } from '../../components/text/page-title';
import { call } from '../../data/catalog';
import { DAY_MS, readAt } from '../../data/times';
import { periodOf } from '../entity/history/group-changes';
import { ChangesFilters } from './changes-filters';
import type { ChangesSearch } from './changes-route';
import { DeedList, type CatalogChange } from './deed-list';
import css from './changes-page.module.css';

const route = getRouteApi('/changes');
const LIST = 'GET /changes';
const PAGE_SIZE = 100;

/** What people and connectors did to the whole catalog. */
export function ChangesPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const selection = toSelection(search);
  const pages = useInfiniteQuery({
    queryKey: [LIST, selection, 'endless'],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const cursor = pageParam === undefined ? {} : { cursor: pageParam };
      const { answer } = await call(LIST, { ...selection, ...cursor, count: PAGE_SIZE }, { signal });
      return answer;
    },
    getNextPageParam: ({ next }) => next,
  });
  const changes = pages.data?.pages.flatMap((page) => page.changes);
  return (
    <div className={css.page}>
      <PageTitle title="Changes" />
      <ChangesFilters
        search={search}
        actors={[...new Set((changes ?? []).map(({ actor }) => actor))]}
        onChange={(next) => void navigate({ to: '/changes', search: present(next) })}
      />
      <Loaded query={{ data: changes, error: pages.error, refetch: pages.refetch }} what="The changes">
        {(shown) =>
          shown.length === 0 ? (
            <EmptyState title={pages.hasNextPage ? 'No such changes so far' : 'No such changes'}>
              <p>Take a filter away to see others.</p>
            </EmptyState>
          ) : (
            byPeriod(shown).map(([title, inPeriod]) => (
              <section key={title} className={css.group}>
                <h2>{title}</h2>
                <DeedList changes={inPeriod} />
              </section>
            ))
          )
        }
      </Loaded>
      {pages.hasNextPage && (
        <Button isBusy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
          Older changes
        </Button>
      )}
    </div>
  );
}

function toSelection({ type, by, from, to }: ChangesSearch): ParametersOf<typeof LIST> {
  const toMs = readAt(to === undefined ? undefined : `${to}T00:00`);
  return present({
    types: type === undefined ? undefined : [type],
    actor: by,
    startTime: readAt(from === undefined ? undefined : `${from}T00:00`),
    endTime: toMs === undefined ? undefined : toMs + DAY_MS - 1,
  });
}

function byPeriod(
  changes: readonly CatalogChange[],
): readonly (readonly [string, readonly CatalogChange[]])[] {
  const now = Date.now();
  const periods = new Map<string, CatalogChange[]>();
  for (const change of changes) {
    const title = periodOf(change.time, now);
    periods.set(title, [...(periods.get(title) ?? []), change]);
  }
  return [...periods];
}
