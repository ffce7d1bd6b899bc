import { describe } from '@jest/globals';
import { aspectCommitsContract } from './aspect-store/commits.contract';
import { aspectDecisionsContract } from './aspect-store/decisions.contract';
import { aspectDeletionContract } from './aspect-store/deletion.contract';
import { aspectReadsContract } from './aspect-store/reads.contract';
import { TestedStore, type AspectStoreUnderTest } from './aspect-store/tested-store';

/** The contract of every `AspectStore`. `open` returns a new, empty store. */
export function aspectStoreContract(open: () => Promise<AspectStoreUnderTest>): void {
  describe('AspectStore', () => {
    const tested = TestedStore.forEachTest(open);
    aspectReadsContract(tested);
    aspectDecisionsContract(tested);
    aspectCommitsContract(tested);
    aspectDeletionContract(tested);
  });
}
