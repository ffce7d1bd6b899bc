import type { AnswerOf } from '@stratalog/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../data/catalog';

export type Change = AnswerOf<'GET /entitiesV2/:urn/timeline'>['changes'][number];

const PAGE = 100;
/** The rail and the counts read so many pages: the newest 500 changes. */
const MAX_PAGES = 5;

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
  const isEnough = isAll || (data?.pages.length ?? 0) >= MAX_PAGES;
  return { changes, isAll, isEnough, error, refetch, isFetching, fetchNextPage };
}
