import { asOf, column, hops, urn } from '../arguments';
import { wholeList } from '../places';
import { defineTool } from '../tool';

/** Most entities that the call behind the tool names. */
const MOST = 1_000;

export const getImpact = defineTool({
  name: 'get_impact',
  title: 'Count what depends on an entity',
  description: `Tells what would be affected by a change of an entity or of one column: the number of entities downstream by type, platform and distance, the owners to ask, and the nearest entities with a shortest path.`,
  effect: 'reads',
  input: { urn, column, hops: hops.default(1_000).describe('Most hops from the entity.'), asOf },
  run: async ({ reads }, { urn: of, column: path, hops: maxHops, asOf: time }, from) => {
    const { answer } = await reads.call('GET /lineage/:urn/impact', {
      urn: of,
      maxHops,
      count: MOST,
      ...(path === undefined ? {} : { column: path }),
      ...(time === undefined ? {} : { asOf: time }),
    });
    const { nearest, ...counts } = answer;
    return { about: from.skip === 0 ? counts : { urn: of }, list: wholeList('nearest', nearest, from) };
  },
});
