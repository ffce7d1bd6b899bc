import type { CallScope } from '../call-scope';
import {
  placeOfColumn,
  propose,
  requireExisting,
  requireResources,
  requireTypes,
  type SentResource,
} from './propose';

interface Labels {
  /** Their entity type. */
  readonly type: string;
  readonly aspectName: string;
  /** The list in the aspect. */
  readonly list: string;
  /** The member of an element that names the entity. */
  readonly member: string;
}

const TAGS: Labels = { type: 'tag', aspectName: 'globalTags', list: 'tags', member: 'tag' };
const TERMS: Labels = { type: 'glossaryTerm', aspectName: 'glossaryTerms', list: 'terms', member: 'urn' };

interface Labelled {
  readonly urns: readonly string[];
  readonly resources: readonly SentResource[];
}

export const addTags = adding(TAGS);
export const removeTags = removing(TAGS);
export const addTerms = adding(TERMS);
export const removeTerms = removing(TERMS);

type ChangeLabels = (scope: CallScope, labelled: Labelled) => Promise<true>;

/** **Errors**: those of the proposal; also for a label or a resource that does not exist. */
function adding(labels: Labels): ChangeLabels {
  return async (scope, { urns, resources }) => {
    await requireExisting(scope, urns, labels.type);
    return change(scope, labels, { op: 'add', urns, resources });
  };
}

/** A label that does not exist can be removed where it is. */
function removing(labels: Labels): ChangeLabels {
  return async (scope, { urns, resources }) => {
    requireTypes(urns, labels.type);
    return change(scope, labels, { op: 'remove', urns, resources });
  };
}

async function change(
  scope: CallScope,
  { aspectName, list, member }: Labels,
  { op, urns, resources }: Labelled & { readonly op: 'add' | 'remove' },
): Promise<true> {
  await requireResources(scope, resources);
  return propose(
    scope,
    resources.map((resource) => {
      const column = placeOfColumn(resource);
      const front = column === undefined ? [list] : [...column.front, aspectName, list];
      return {
        urn: resource.resourceUrn,
        aspectName: column?.aspectName ?? aspectName,
        operations: urns.map((urn) => ({
          op,
          steps: [...front, urn],
          ...(op === 'add' ? { value: { [member]: urn } } : {}),
        })),
      };
    }),
  );
}
