import { InvalidRequestError, entityTypeIn } from '@stratalog/domain';
import type { CallScope } from '../call-scope';
import { placeOfColumn, propose, requireResources, type Patch, type SentResource } from './propose';

/** The aspect of what people write about an entity of one type, beside that of its source. */
const EDITABLE = /^editable\w+Properties$/;

/** Where the description of the other types is: people write these entities, and no source does. */
const OWN: Readonly<Record<string, { readonly aspectName: string; readonly member: string }>> = {
  tag: { aspectName: 'tagProperties', member: 'description' },
  glossaryTerm: { aspectName: 'glossaryTermInfo', member: 'definition' },
  glossaryNode: { aspectName: 'glossaryNodeInfo', member: 'definition' },
  domain: { aspectName: 'domainProperties', member: 'description' },
  dataProduct: { aspectName: 'dataProductProperties', member: 'description' },
  corpGroup: { aspectName: 'corpGroupEditableInfo', member: 'description' },
  businessAttribute: { aspectName: 'businessAttributeInfo', member: 'description' },
};

/** Sets the description by people of an entity or a column. **Errors**: those of the proposal; also where there is no such description. */
export async function updateDescription(
  scope: CallScope,
  { description, ...resource }: SentResource & { readonly description: string },
): Promise<true> {
  await requireResources(scope, [resource]);
  const { resourceUrn: urn } = resource;
  const column = placeOfColumn(resource);
  const { steps, ...place } =
    column === undefined
      ? placeOfDescription(scope, entityTypeIn(urn))
      : { aspectName: column.aspectName, steps: [...column.front, 'description'] };
  return propose(scope, [{ urn, ...place, operations: [{ op: 'add', steps, value: description }] }]);
}

function placeOfDescription(
  { deps }: CallScope,
  entityType: string,
): { readonly aspectName: string; readonly steps: readonly string[]; readonly keys?: Patch['keys'] } {
  const own = OWN[entityType];
  if (own !== undefined) return { aspectName: own.aspectName, steps: [own.member], keys: {} };
  const names = [...(deps.registry.entityType(entityType)?.aspects.keys() ?? [])];
  const editable = names.find((name) => EDITABLE.test(name));
  if (editable !== undefined) return { aspectName: editable, steps: ['description'] };
  throw new InvalidRequestError(`The model has no description by people of the entity type ${entityType}`);
}
