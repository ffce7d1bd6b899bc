import { NO_RUN_ID, stringifyJson, type Proposal } from '@stratalog/model';
import type { Clock, ProposalSubmitter } from '@stratalog/ports';
import { findEntityType, type EntityRegistry } from '@stratalog/registry';
import { systemActor } from '../../system-actor';

const COUNTS_ASPECT = 'testResultCounts';

/** The numbers of entities with each outcome of a test. */
export interface OutcomeCounts {
  readonly passing: number;
  readonly failing: number;
  readonly error: number;
}

interface CountsDeps {
  readonly registry: EntityRegistry;
  readonly submitter: ProposalSubmitter;
  readonly clock: Clock;
}

/**
 * Writes the numbers of entities with each outcome to the tests, as timeseries values of one time. A model without the aspect keeps
 * none.
 *
 * **Order and repeats**: a repetition writes the same values.
 */
export async function writeCounts(
  { registry, submitter, clock }: CountsDeps,
  timestampMillis: number,
  counts: ReadonlyMap<string, OutcomeCounts>,
): Promise<void> {
  const proposals = [...counts].flatMap(([urn, { passing, failing, error }]): readonly Proposal[] => {
    const type = findEntityType(registry, urn);
    if (type?.aspects.has(COUNTS_ASPECT) !== true) return [];
    return [
      {
        urn,
        entityType: type.name,
        aspectName: COUNTS_ASPECT,
        changeType: 'UPSERT',
        value: stringifyJson({ timestampMillis, passing, failing, error }),
        systemMetadata: { lastObserved: clock.now(), runId: NO_RUN_ID },
        actor: systemActor(registry),
      },
    ];
  });
  const [first, ...others] = proposals;
  if (first !== undefined) await submitter.submitAndWait({ proposals: [first, ...others] });
}
