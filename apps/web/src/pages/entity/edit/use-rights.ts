import { offlineSince } from '../../../data/catalog';
import { isDescribing } from '../../../data/entity-card';
import { useStore } from '../../../data/store';
import { useCall } from '../../../data/use-call';
import type { EntityView } from '../use-entity';

/** Aspects that people write besides those that describe the entity. */
const WRITTEN = [
  'deprecation',
  'domains',
  'editableSchemaMetadata',
  'globalTags',
  'glossaryTerms',
  'institutionalMemory',
  'ownership',
  'structuredProperties',
];

interface Rights {
  /** Urn of the user for whom the page acts. */
  readonly actor: string | undefined;
  /** Why an aspect cannot be changed now; `undefined`: it can, as far as is known. */
  readonly obstacle: (aspectName: string) => string | undefined;
}

/** What the caller may change of the entity of the page. */
export function useRights({ urn, model, atMs }: EntityView): Rights {
  const isOffline = useStore(offlineSince) !== undefined;
  const aspects = model.aspects
    .filter(({ name }) => (WRITTEN.includes(name) || isDescribing(name)) && name !== model.keyAspect)
    .map(({ name }) => name);
  const { data } = useCall(
    'GET /rights',
    { urn, aspects },
    { isWanted: atMs === undefined && aspects.length > 0 },
  );
  return {
    actor: data?.actor,
    obstacle: (aspectName) => {
      if (isOffline) return 'There is no connection to the catalog.';
      const right = data?.aspects.find((each) => each.aspectName === aspectName);
      return right?.mayWrite === false
        ? `Not permitted: ${right.reason ?? 'the catalog does not say why'}`
        : undefined;
    },
  };
}
