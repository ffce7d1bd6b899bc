import { InvalidRequestError, entityTypeIn } from '@stratalog/domain';
import * as z from 'zod';
import { anyUrn, column, urn } from '../arguments';
import { defineTool } from '../tool';
import { placeOfColumn, proposePatch, requireChanges, requireExisting } from './propose-patch';

/** Most tags or terms of one call. */
const MOST = 50;

export const changeTags = defineLabels({
  name: 'change_tags',
  one: 'tag',
  many: 'tags',
  type: 'tag',
  aspect: 'globalTags',
  member: 'tag',
});

export const changeTerms = defineLabels({
  name: 'change_terms',
  one: 'glossary term',
  many: 'terms',
  type: 'glossaryTerm',
  aspect: 'glossaryTerms',
  member: 'urn',
});

interface Labels {
  readonly name: string;
  /** What one of them is called. */
  readonly one: string;
  /** The list in the aspect. */
  readonly many: string;
  /** Their entity type. */
  readonly type: string;
  readonly aspect: string;
  /** The member of an element that names the entity. */
  readonly member: string;
}

function defineLabels({ name, one, many, type, aspect, member }: Labels) {
  const urns = z.array(anyUrn).max(MOST).default([]);
  return defineTool({
    name,
    title: `Change the ${many} of an entity or a column`,
    description: `Adds ${many} to an entity or to one of its columns, and removes others. Each must exist already: search finds them with types ["${type}"].`,
    effect: 'writes',
    input: {
      urn,
      column,
      add: urns.describe(`Urns of each ${one} to add: urn:li:${type}:….`),
      remove: urns.describe(`Urns of each ${one} to remove.`),
    },
    run: async (clients, { urn: of, column: path, add, remove }) => {
      requireChanges(add, remove);
      const wrong = [...add, ...remove].find((each) => entityTypeIn(each) !== type);
      if (wrong !== undefined)
        throw new InvalidRequestError(`${wrong.slice(0, 200)} is not the urn of a ${one}`);
      await requireExisting(clients, add);
      const ofColumn = path === undefined ? undefined : placeOfColumn(path);
      const front = ofColumn === undefined ? [many] : [...ofColumn.front, aspect, many];
      return proposePatch(clients, {
        urn: of,
        aspect: ofColumn?.aspect ?? aspect,
        operations: [
          ...remove.map((each) => ({ op: 'remove' as const, steps: [...front, each] })),
          ...add.map((each) => ({ op: 'add' as const, steps: [...front, each], value: { [member]: each } })),
        ],
      });
    },
  });
}
