import { flag, time } from '@stratalog/http';
import { direction, hops, urn } from '../arguments';
import { wholeList } from '../places';
import { defineTool } from '../tool';

/** Most changes of each kind that the call behind the tool names. */
const MOST = 1_000;

export const compareLineage = defineTool({
  name: 'compare_lineage',
  title: 'Compare lineage between two times',
  description: `Tells how the lineage of an entity differs between two times: which entities and edges came or went, and the change that did it, with its time and actor.`,
  effect: 'reads',
  input: {
    urn,
    from: time()
      .optional()
      .describe(
        'The earlier time, ISO 8601. Absent: a week before the later one, or as far back as the history reaches.',
      ),
    to: time().optional().describe('The later time, ISO 8601. Absent: now.'),
    direction: direction.optional().describe('UPSTREAM or DOWNSTREAM. Absent: both.'),
    hops: hops.default(1_000).describe('Most hops from the entity.'),
    columns: flag().default(false).describe('True: columns and the edges between them are compared too.'),
  },
  run: async ({ reads }, { urn: of, from: earlier, to, direction: way, hops: maxHops, columns }, place) => {
    const { answer } = await reads.call('GET /lineage/:urn/diff', {
      urn: of,
      maxHops,
      columns,
      count: MOST,
      ...(earlier === undefined ? {} : { from: earlier }),
      ...(to === undefined ? {} : { to }),
      ...(way === undefined ? {} : { direction: way }),
    });
    const kinds = ['entities', 'edges', 'columns', 'columnEdges'] as const;
    const { urn: start, from, to: until, purged, partial } = answer;
    const counts = kinds.map((kind) => {
      const { added = 0, removed = 0 } = answer[kind] ?? {};
      return [kind, { added, removed }] as const;
    });
    const changes = kinds.flatMap((kind) =>
      (answer[kind]?.changes ?? []).map((each) => ({ of: kind, ...each })),
    );
    return {
      about: {
        urn: start,
        from,
        to: until,
        counts: Object.fromEntries(counts.filter(([kind]) => answer[kind] !== undefined)),
        purged,
        partial,
      },
      list: wholeList('changes', changes, place),
    };
  },
});
