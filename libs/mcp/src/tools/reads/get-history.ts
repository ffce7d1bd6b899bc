import { text, time } from '@stratalog/http';
import { urn } from '../arguments';
import { pageOfList } from '../places';
import { defineTool } from '../tool';

const MAX_NAME_BYTES = 200;
/** Changes that one call reads. */
const PAGE = 20;

export const getHistory = defineTool({
  name: 'get_history',
  title: 'Read the history of an aspect',
  description: `Lists the changes of an entity, or of one of its aspects, the newest first: when, by whom, which version, and each difference with its old and new value.`,
  effect: 'reads',
  input: {
    urn,
    aspect: text(MAX_NAME_BYTES)
      .optional()
      .describe('Name of the aspect, such as schemaMetadata or ownership. Absent: all of them.'),
    since: time().optional().describe('Only changes from this time on, ISO 8601.'),
    until: time().optional().describe('Only changes up to this time, ISO 8601.'),
  },
  run: async ({ reads }, { urn: of, aspect, since, until }, from) => {
    const { answer } = await reads.call('GET /entitiesV2/:urn/timeline', {
      urn: of,
      count: PAGE,
      ...(aspect === undefined ? {} : { aspects: [aspect] }),
      ...(since === undefined ? {} : { startTime: since }),
      ...(until === undefined ? {} : { endTime: until }),
      ...(from.page === undefined ? {} : { cursor: Number(from.page) }),
    });
    const changes = answer.changes.map(
      ({ time: at, actor, aspectName, version, kind, differences, isCut }) => ({
        time: at,
        actor,
        aspect: aspectName,
        version,
        kind,
        differences,
        isCut,
      }),
    );
    return { about: { urn: answer.urn }, list: pageOfList('changes', changes, from, answer.next) };
  },
});
