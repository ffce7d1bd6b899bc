import { expect, it } from '@jest/globals';
import { UnavailableError, type PartitionSequences } from '@stratalog/domain';
import { countLag } from '@stratalog/concurrency';
import { trackIndexProgress } from './index-progress';

/** An index whose answers the test decides, over a store with one partition. */
function track(position: () => Promise<PartitionSequences>) {
  const store = { seq: 10 };
  const progress = trackIndexProgress(
    {
      moves: { wait: () => Promise.resolve() } as never,
      live: () => Promise.resolve({ position, identity: {} as never }),
    },
    { readPartitionSequences: () => Promise.resolve(new Map([[0, store.seq]])) },
  );
  return { store, lag: async () => countLag(await progress()) };
}

const NEVER = new Promise<never>(() => undefined);

it.each([
  ['fails', () => Promise.reject(new UnavailableError('away'))],
  ['never answers', () => NEVER],
])('the lag of an index that %s grows with the store', async (_how, hang) => {
  let answer: () => Promise<PartitionSequences> = () => Promise.resolve(new Map([[0, 8]]));
  const { store, lag } = track(() => answer());
  expect(await lag()).toBe(2);
  answer = hang;
  store.seq = 15;
  expect(await lag()).toBe(7);
  store.seq = 20;
  expect(await lag()).toBe(12);
  answer = () => Promise.resolve(new Map([[0, 20]]));
  expect(await lag()).toBe(0);
});

it('an index that has never answered has no lag that could be told', async () => {
  const { lag } = track(() => NEVER);
  await expect(lag()).rejects.toThrow('The index does not answer');
});
