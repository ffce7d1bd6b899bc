import type { Edge } from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import type { AspectHistory, AspectStore, PastAspects } from '@stratalog/ports';
import type { LineageGraph } from '../walk-lineage';

/** How the model reads lineage. */
export interface LineageModel {
  /** Aspects that can declare lineage. */
  readonly aspectNames: readonly string[];
  /** Projects a version of an aspect to its edges. */
  readonly project: (
    urn: string,
    aspect: Omit<PastAspects['aspects'][number], 'aspectName'> & { readonly name: string },
  ) => Steps<readonly Edge[]>;
  /** Returns the name of the aspect that every entity of the urn's type has. */
  readonly keyAspect: (urn: string) => string | undefined;
}

export interface PastDeps {
  readonly store: Pick<AspectStore, 'readPartitionSequences'>;
  readonly history: Pick<
    AspectHistory,
    'aspectsAt' | 'positionAt' | 'listChangedAspects' | 'filterUnwritten'
  >;
  readonly live: LineageGraph;
  readonly model: LineageModel;
}
