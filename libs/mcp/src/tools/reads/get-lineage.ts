import { columnUrn } from '@stratalog/registry';
import { asOf, column, direction, hops, urn } from '../arguments';
import { partOfList } from '../places';
import { defineTool } from '../tool';

/** Entities that one call reads; an answer has room for fewer. */
const PAGE = 200;

export const getLineage = defineTool({
  name: 'get_lineage',
  title: 'Follow lineage',
  description: `Lists what an entity or column is made from, or what is made from it, the nearest first: each with its distance in hops and a shortest path. With asOf the lineage is that of a past time. To compare two times, use compare_lineage; to count what depends on an entity, get_impact.`,
  effect: 'reads',
  input: {
    urn,
    column,
    direction,
    hops: hops.default(3).describe('Most hops from the entity.'),
    asOf,
  },
  run: async ({ reads }, { urn: of, column: path, direction: way, hops: maxHops, asOf: time }, from) => {
    const { answer } = await reads.call('POST /relationships?action=getLineage', {
      urn: path === undefined ? of : columnUrn(of, path),
      direction: way,
      maxHops,
      start: from.skip,
      count: PAGE,
      ...(time === undefined ? {} : { asOf: time }),
    });
    const { relationships, total, partial, continueAt, asOf: at, purged } = answer;
    const steps = relationships.map(({ entity, degree, paths, via, updatedOn }) => ({
      urn: entity,
      hops: degree,
      path: paths[0] ?? [],
      changed: updatedOn,
      ...(via === undefined ? {} : { via }),
    }));
    return {
      about: { total, asOf: at, purged, partial, continueAt },
      list: partOfList('entities', steps, from, total),
    };
  },
});
