import { NO_RUN_ID, whileAlive, type Proposal } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import { inParallel } from '@stratalog/concurrency';
import type { Clock, ProposalSubmitter } from '@stratalog/ports';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';
import { systemActor } from '../../system-actor';
import type { StoredTest } from '../test-library';

const COUNTS_ASPECT = 'testResultCounts';

/** The numbers of entities with each outcome of a test. */
export interface OutcomeCounts {
  readonly passing: number;
  readonly failing: number;
  readonly error: number;
}

interface TestCounts extends OutcomeCounts, Pick<StoredTest, 'urn' | 'keyVersion'> {}

/** Proposals in flight; enough to share commits well. */
const AT_ONCE = 64;

interface CountsDeps {
  readonly registry: EntityRegistry;
  readonly submitter: ProposalSubmitter;
  readonly clock: Clock;
}

/**
 * Writes the numbers of entities with each outcome to the tests, as timeseries values of one time. A model without the aspect keeps
 * none, nor does a test that was deleted since it was read.
 *
 * **Order and repeats**: a repetition writes the same values.
 */
export async function writeCounts(
  { registry, submitter, clock }: CountsDeps,
  timestampMillis: number,
  counts: readonly TestCounts[],
): Promise<void> {
  const proposals = counts.flatMap(({ urn, keyVersion, passing, failing, error }): readonly Proposal[] => {
    const type = findEntityType(registry, urn);
    if (type?.aspects.has(COUNTS_ASPECT) !== true) return [];
    return [
      {
        urn,
        entityType: type.name,
        aspectName: COUNTS_ASPECT,
        changeType: 'UPSERT',
        headers: whileAlive(keyVersion),
        value: stringifyJson({ timestampMillis, passing, failing, error }),
        systemMetadata: { lastObserved: clock.now(), runId: NO_RUN_ID },
        actor: systemActor(registry),
      },
    ];
  });
  await inParallel(proposals, AT_ONCE, (proposal) => submitter.submitAndWait(proposal));
}
