import type { AnswerOf } from '@stratalog/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../../data/catalog';

export type Change = AnswerOf<'GET /entitiesV2/:urn/timeline'>['changes'][number];

const PAGE = 100;

/** The changes of an entity, the newest first, as far as they are read. `isAll`: there are no more. */
export function useChanges(urn: string) {
  const { data, error, refetch, isFetching, fetchNextPage } = useInfiniteQuery({
    queryKey: ['changes', urn],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const parameters = {
        urn,
        count: PAGE,
        ...(pageParam === undefined ? {} : { cursor: Number(pageParam) }),
      };
      return (await call('GET /entitiesV2/:urn/timeline', parameters, { signal })).answer;
    },
    getNextPageParam: ({ next }) => next,
  });
  const changes = data?.pages.flatMap((page) => page.changes);
  const isAll = data !== undefined && data.pages.at(-1)?.next === undefined;
  return { changes, isAll, error, refetch, isFetching, fetchNextPage };
}

/** The last change up to a time, or up to now. */
export function useLastChange(urn: string, atMs: number | undefined): Change | undefined {
  const { data } = useQuery({
    queryKey: ['changes', urn, 'last', atMs],
    queryFn: async ({ signal }) => {
      const parameters = { urn, count: 1, ...(atMs === undefined ? {} : { endTime: atMs }) };
      return (await call('GET /entitiesV2/:urn/timeline', parameters, { signal })).answer;
    },
  });
  return data?.changes[0];
}

/** On which days the entity changed, as the clock of the browser has them. */
export function useChangeDays(urn: string) {
  const { data } = useQuery({
    queryKey: ['changes', urn, 'by day'],
    queryFn: async ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      const parameters = { urn, startTime: 0, timeZone };
      return (await call('GET /entitiesV2/:urn/changesByDay', parameters, { signal })).answer;
    },
  });
  return data;
}
