import { NotFoundError } from '@stratalog/domain';
import * as z from 'zod';
import { asOf, urn } from '../arguments';
import { wholeList } from '../places';
import { defineTool } from '../tool';

export const getEntity = defineTool({
  name: 'get_entity',
  title: 'Read an entity',
  description: `Reads what the catalog knows about one entity: its aspects by name, such as datasetProperties, ownership, globalTags, glossaryTerms, domains, upstreamLineage. Name the aspects you need: all of them may take several answers. Very long values are shortened, and say so; list_columns answers the columns of a dataset in full.`,
  effect: 'reads',
  input: {
    urn,
    aspects: z.array(z.string()).optional().describe('Only these aspects. Absent: all.'),
    asOf,
  },
  run: async ({ reads }, { urn: of, aspects = [], asOf: time }, from) => {
    const { answer } = await reads.call('GET /entitiesV2/:urn', {
      urn: of,
      ...(aspects.length === 0 ? {} : { aspects }),
      ...(time === undefined ? {} : { asOf: time }),
    });
    const found = Object.values(answer.aspects);
    // Every valid urn has its key.
    if (found.length <= 1 && time === undefined) {
      const { answer: exists } = await reads.call('POST /entities?action=exists', { urn: of });
      if (!exists) throw new NotFoundError(`Did not find urn: ${of}`);
    }
    return {
      about: {
        urn: answer.urn,
        type: answer.entityName,
        ...(answer.asOf === undefined ? {} : { asOf: answer.asOf }),
        ...(answer.lost === undefined ? {} : { lost: answer.lost }),
      },
      list: wholeList(
        'aspects',
        found.map(({ name, value, created }) => ({ name, changed: created, value })),
        from,
      ),
    };
  },
});
