import { useQueries, useQuery } from '@tanstack/react-query';
import { CallRejectedError } from '@stratalog/client';
import { call } from './catalog';
import { cardAspects, cardFromUrn, toCard, type EntityCard } from './entity-card';
import { callOptions, queryClient } from './use-call';

/** A call has its urns in its address, which servers and proxies bound. */
const MAX_URNS = 25;

interface Waiting {
  readonly urn: string;
  readonly settle: (card: EntityCard) => void;
  readonly fail: (error: unknown) => void;
}

let waiting: Waiting[] = [];

/** Reads a card with all others that are asked for in the same moment, in one call. */
function readCard(urn: string): Promise<EntityCard> {
  return new Promise((settle, fail) => {
    waiting.push({ urn, settle, fail });
    if (waiting.length === 1) setTimeout(() => void readWaiting());
  });
}

async function readWaiting(): Promise<void> {
  const all = waiting;
  waiting = [];
  for (let at = 0; at < all.length; at += MAX_URNS) void readTogether(all.slice(at, at + MAX_URNS));
  await Promise.resolve();
}

async function readTogether(asked: readonly Waiting[]): Promise<void> {
  try {
    const model = await queryClient.query({
      ...callOptions('GET /models/entities', undefined),
      staleTime: Infinity,
    });
    const aspects = cardAspects([...new Set(model.entities.flatMap((each) => each.aspects))]);
    const { answer } = await call('GET /entitiesV2', {
      ids: asked.map(({ urn }) => urn),
      aspects: [...aspects],
    });
    for (const { urn, settle } of asked) {
      const entity = answer.results[urn];
      settle(entity === undefined ? cardFromUrn(urn) : toCard(entity));
    }
  } catch (error) {
    await readOneByOne(asked, error);
  }
}

/** One wrong urn rejects the call of all; a reference in metadata may be wrong, and has a card nevertheless. */
async function readOneByOne(asked: readonly Waiting[], error: unknown): Promise<void> {
  const isRejected = error instanceof CallRejectedError && error.status !== 401 && error.status !== 429;
  const [only, ...others] = asked;
  if (!isRejected) {
    for (const { fail } of asked) fail(error);
  } else if (others.length === 0) {
    only?.settle(cardFromUrn(only.urn));
  } else {
    const half = Math.ceil(asked.length / 2);
    await Promise.all([readTogether(asked.slice(0, half)), readTogether(asked.slice(half))]);
  }
}

function cardOptions(urn: string) {
  return { queryKey: ['card', urn], queryFn: () => readCard(urn), staleTime: 60_000 };
}

/** What lists show of an entity; what an answer said of it, else its urn alone, until more is known. */
export function useCard(urn: string, found = cardFromUrn(urn)): EntityCard {
  const { data } = useQuery(cardOptions(urn));
  return data ?? found;
}

/** The cards of several entities, in order. */
export function useCards(urns: readonly string[]): readonly EntityCard[] {
  return useQueries({
    queries: urns.map(cardOptions),
    combine: (results) => results.map(({ data }, at) => data ?? cardFromUrn(urns[at] ?? '')),
  });
}
