import type { ApiClient } from '@stratalog/client';
import { text } from '@stratalog/http';
import { InvalidRequestError, entityTypeIn } from '@stratalog/domain';
import { column, urn } from '../arguments';
import { defineTool } from '../tool';
import { placeOfColumn, proposePatch } from './propose-patch';

const MAX_TEXT_BYTES = 32_768;
/** The aspect of what people write about an entity of one type, beside that of its source. */
const EDITABLE = /^editable\w+Properties$/;

export const setDescription = defineTool({
  name: 'set_description',
  title: 'Describe an entity or a column',
  description: `Sets the description by people of an entity or of one of its columns, in Markdown. The description that the source gives stays as it is.`,
  effect: 'writes',
  input: {
    urn,
    column,
    description: text(MAX_TEXT_BYTES).describe('The whole new description; it replaces the one before.'),
  },
  run: async (clients, { urn: of, column: path, description: value }) => {
    const { aspect, front } =
      path === undefined
        ? { aspect: await findEditable(clients.reads, entityTypeIn(of)), front: [] }
        : placeOfColumn(path);
    const operations = [{ op: 'add', steps: [...front, 'description'], value }] as const;
    return proposePatch(clients, { urn: of, aspect, operations });
  },
});

/** **Errors**: `InvalidRequestError` for an entity type whose model has no such aspect. */
async function findEditable(reads: ApiClient, type: string): Promise<string> {
  const { answer } = await reads.call('GET /models/entities/:name', { name: type });
  const found = answer.aspects.find(({ name }) => EDITABLE.test(name));
  if (found !== undefined) return found.name;
  throw new InvalidRequestError(`The model has no description by people of the entity type ${type}`);
}
