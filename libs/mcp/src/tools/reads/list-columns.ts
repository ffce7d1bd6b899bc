import { text } from '@stratalog/http';
import { isJsonObject, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { asOf, urn } from '../arguments';
import { objectsIn } from '../objects-in';
import { wholeList } from '../places';
import { defineTool } from '../tool';

const MAX_WORDS_BYTES = 1_024;

export const listColumns = defineTool({
  name: 'list_columns',
  title: 'List the columns of a dataset',
  description: `Lists the columns of a dataset with path, type, description, tags and terms, as its source has them and as people have described them in the catalog.`,
  effect: 'reads',
  input: {
    urn,
    containing: text(MAX_WORDS_BYTES)
      .optional()
      .describe('Only columns whose path or description has this text, in any case.'),
    asOf,
  },
  run: async ({ reads }, { urn: of, containing = '', asOf: time }, from) => {
    const { answer } = await reads.call('GET /entitiesV2/:urn', {
      urn: of,
      aspects: ['schemaMetadata', 'editableSchemaMetadata'],
      ...(time === undefined ? {} : { asOf: time }),
    });
    const { schemaMetadata, editableSchemaMetadata } = answer.aspects;
    const edited = new Map(
      objectsIn(editableSchemaMetadata?.value.editableSchemaFieldInfo).map((each) => [each.fieldPath, each]),
    );
    const columns = objectsIn(schemaMetadata?.value.fields).map((field) =>
      toColumn(field, edited.get(field.fieldPath)),
    );
    const words = containing.toLowerCase();
    const isWanted = ({ path, description, editedDescription }: JsonOutputObject): boolean =>
      [path, description, editedDescription].some(
        (each) => typeof each === 'string' && each.toLowerCase().includes(words),
      );
    const wanted = words === '' ? columns : columns.filter(isWanted);
    return {
      about: {
        urn: answer.urn,
        total: wanted.length,
        ...(schemaMetadata === undefined ? { note: 'The catalog has no columns of this entity.' } : {}),
      },
      list: wholeList('columns', wanted, from),
    };
  },
});

function toColumn(field: JsonObject, edited: JsonObject | undefined): JsonOutputObject {
  const tags = [
    ...namesIn(field, 'globalTags', 'tags', 'tag'),
    ...namesIn(edited, 'globalTags', 'tags', 'tag'),
  ];
  const terms = [
    ...namesIn(field, 'glossaryTerms', 'terms', 'urn'),
    ...namesIn(edited, 'glossaryTerms', 'terms', 'urn'),
  ];
  return {
    path: field.fieldPath,
    type: field.nativeDataType,
    nullable: field.nullable,
    ...(field.isPartOfKey === true ? { isPartOfKey: true } : {}),
    description: field.description,
    editedDescription: edited?.description,
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    ...(terms.length === 0 ? {} : { terms: [...new Set(terms)] }),
  };
}

/** The urns in a list of an aspect that a column has: `globalTags`, `glossaryTerms`. */
function namesIn(
  column: JsonObject | undefined,
  aspect: string,
  list: string,
  member: string,
): readonly JsonValue[] {
  const value = column?.[aspect];
  return isJsonObject(value) ? objectsIn(value[list]).map((each) => each[member] ?? null) : [];
}
