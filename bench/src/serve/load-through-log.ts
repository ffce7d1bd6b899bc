import type { Proposal } from '@stratalog/domain';
import type { RunningCatalog } from '@stratalog/runtime';

export interface Loaded {
  readonly seconds: number;
  readonly proposals: number;
}

/** Proposals in flight: enough for full commits, and the queue stays small. */
const IN_FLIGHT = 1_024;

/** Submits proposals to the writer, like a consumer of a topic: many at once, unchecked. */
export async function loadThroughLog(
  { deps }: RunningCatalog,
  proposals: Iterable<Proposal>,
): Promise<Loaded> {
  const start = performance.now();
  let count = 0;
  let batch: Proposal[] = [];
  let former: Promise<unknown> = Promise.resolve();
  const append = async (): Promise<void> => {
    const submitted = batch.map((proposal) => deps.submitter.submitAndWait(proposal));
    const own = Promise.all(submitted).then((outcomes) => {
      for (const outcome of outcomes) {
        if (outcome.kind !== 'applied')
          throw new Error(`A proposal was not written: ${JSON.stringify(outcome)}`);
      }
    });
    count += batch.length;
    batch = [];
    // One batch is prepared while the one before is written.
    await former;
    former = own;
  };
  for (const proposal of proposals) {
    batch.push(proposal);
    if (batch.length >= IN_FLIGHT / 2) await append();
  }
  await append();
  await former;
  return { seconds: (performance.now() - start) / 1000, proposals: count };
}
