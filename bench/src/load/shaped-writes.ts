import { makeAspects, ASPECTS_PER_ENTITY } from '../workload/make-aspects';
import type { WriteWorkload } from '../workload/write-workload';
import { toBody, withConnections } from './http-connection';
import { toFigures, type LoadFigures } from './load-figures';
import { closedLoop, forSeconds, type Exchange } from './loops';
import { batchRequest, patchTagRequest, snapshotsRequest, writeIfRequest, writeRequest } from './requests';

/** The shapes of writes: one plain proposal a request, or others. */
export const SHAPES = ['plain', 'batch', 'snapshot', 'patch', 'conditional'] as const;
export type Shape = (typeof SHAPES)[number];

/** Four aspects of each: a batch of 200 proposals. */
export const ENTITIES_PER_BATCH = 50;
export const ASPECTS_PER_BATCH = ENTITIES_PER_BATCH * ASPECTS_PER_ENTITY;

export interface ShapedLoad {
  readonly url: string;
  readonly shape: Shape;
  readonly connections: number;
  readonly seconds: number;
  /** Of plain proposals, batches and snapshots; patches and conditions concern existing entities. */
  readonly newShare: number;
}

/** Writes in one shape at the highest rate that the catalog acknowledges. */
export function writeShaped(workload: WriteWorkload, load: ShapedLoad): Promise<LoadFigures> {
  return withConnections(load.url, load.connections, async (connections) => {
    let at = 0;
    const next = forSeconds(load.seconds, (connection) => ({
      request: toRequest(workload, load, { connection, at: ++at }),
      onAnswer: toBody,
    }));
    return (await toFigures(() => closedLoop({ connections, next }))).figures;
  });
}

/** Writes new entities in batches, until there are `count`. */
export function fillInBatches(
  workload: WriteWorkload,
  load: { readonly url: string; readonly count: number; readonly connections: number },
): Promise<LoadFigures> {
  return withConnections(load.url, load.connections, async (connections) => {
    const next = (): Exchange | undefined =>
      workload.entityCount < load.count ? { request: nextBatch(workload, 1), onAnswer: toBody } : undefined;
    return (await toFigures(() => closedLoop({ connections, next }))).figures;
  });
}

interface Turn {
  readonly connection: number;
  /** Counts the requests. */
  readonly at: number;
}

function toRequest(workload: WriteWorkload, load: ShapedLoad, { connection, at }: Turn): string {
  const own = (): number => workload.ownEntity(connection, load.connections);
  switch (load.shape) {
    case 'plain': {
      const { urn, value } = workload.next(load.newShare);
      return writeRequest(urn, value);
    }
    case 'batch':
      return nextBatch(workload, load.newShare);
    case 'snapshot':
      return snapshotsRequest(
        workload
          .nextDistinct(ENTITIES_PER_BATCH, load.newShare)
          .map((write) => ({ urn: write.urn, aspects: makeAspects(write) })),
      );
    case 'patch':
      return patchTagRequest(
        workload.urnAt(own()),
        'urn:li:tag:patched',
        `patch ${String(at)} of ${String(load.seconds)} s`,
      );
    case 'conditional': {
      const { urn, version, value } = workload.writeOf(own());
      return writeIfRequest(urn, value, version === 1 ? -1 : version - 1);
    }
  }
}

function nextBatch(workload: WriteWorkload, newShare: number): string {
  const writes = workload.nextDistinct(ENTITIES_PER_BATCH, newShare);
  return batchRequest(
    writes.flatMap((write) => makeAspects(write).map((aspect) => ({ urn: write.urn, ...aspect }))),
  );
}
