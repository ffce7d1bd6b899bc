import { COUNT, EXAMPLE_URN, WAIT, WAIT_FOR, defineRoute, fail, flag, integer } from '@stratalog/http';
import { didYouMean } from '@stratalog/domain';
import * as z from 'zod';
import { PICTURE_FORMATS } from './draw-lineage';
import { NAMED_LIST } from '../search/search-answer';
import { asOf, lineageDirection, maxHops } from './lineage-parameters';
import { ABOUT_PAST, LINEAGE_HEADERS, LINEAGE_REJECTIONS } from './lineage.routes';

/** A taller picture has no overview left. */
const MAX_NODES = 200;
const FORMATS = PICTURE_FORMATS.map((format) => `.${format}`);

/** A urn, followed by the format. */
const picture = z
  .string()
  .transform((sent, context) => {
    const dot = sent.lastIndexOf('.');
    const format = PICTURE_FORMATS.find((each) => each === sent.slice(dot + 1));
    if (dot > 0 && format !== undefined) return { urn: sent.slice(0, dot), format };
    const near = dot > 0 ? didYouMean(sent.slice(dot), FORMATS) : '';
    return fail(context, {
      message: `A picture of lineage is addressed by the urn and its format: ${FORMATS.join(', ')}${near}`,
    });
  })
  .meta({
    type: 'string',
    description: 'Urn of the entity or column, followed by `.svg`, `.mmd`, `.dot` or `.json`.',
  });

export const DRAW_LINEAGE = defineRoute({
  path: 'lineage/:urn',
  app: 'query',
  parameters: z.object({
    urn: picture,
    direction: lineageDirection.optional().describe('`UPSTREAM` or `DOWNSTREAM`; absent: both.'),
    maxHops: maxHops.default(3).describe('Most hops from the entity, in each direction.'),
    maxNodes: integer({ minimum: 1, maximum: MAX_NODES })
      .default(60)
      .describe('Most entities that the picture shows; the nearest ones are.'),
    columns: flag()
      .default(false)
      .describe('True: the columns with lineage are shown in their entities. Those of a column always are.'),
    includeSoftDeleted: flag().default(false).describe('True: soft-deleted entities are shown too.'),
    asOf,
  }),
  otherParameters: [WAIT_FOR, WAIT],
  docs: {
    group: 'Relationships',
    summary: 'Draw the lineage around an entity or a column',
    description: `Layers run from upstream on the left to downstream on the right. The asked entity is marked, and colours and labels tell platform and
type. "+12 more downstream" counts neighbours that the picture does not show, also those beyond \`maxHops\`. Platform and name come from the urn; a display
name of the search index has precedence.
\`.mmd\` is a Mermaid flowchart, \`.dot\` a graph of Graphviz, \`.json\` what the picture shows.`,
    answer: {
      description: 'The picture. JSON has the members below; the other formats are text.',
      contentTypes: ['image/svg+xml', 'text/vnd.mermaid', 'text/vnd.graphviz', 'application/json'],
      schema: z.object({
        urn: z.string(),
        ...ABOUT_PAST,
        nodes: z.array(
          z.object({
            urn: z.string(),
            degree: z.int().describe('Hops from the asked entity; negative upstream.'),
            entityType: z.string(),
            platform: z.string().optional(),
            name: z.string(),
            subtype: z
              .string()
              .optional()
              .describe('The first sub-type of the entity, as the search index has it.'),
            owners: NAMED_LIST.describe('Its owners, as the search index has them.'),
            columns: z.array(z.string()).optional().describe('Urns of shown columns.'),
            moreColumns: COUNT.optional().describe('Number of columns that are not shown.'),
            moreUpstream: COUNT.describe('Number of neighbours that are not shown.'),
            moreDownstream: COUNT,
            mayHaveMore: z.boolean().optional().describe('True: only the first neighbours were counted.'),
          }),
        ),
        edges: z
          .array(
            z.object({
              from: z.string(),
              to: z.string(),
              fromColumn: z.string().optional(),
              toColumn: z.string().optional(),
              via: z
                .array(z.string())
                .optional()
                .describe('Urns of the entities that produced the edge, such as queries; at most ten.'),
            }),
          )
          .describe('From upstream to downstream.'),
        partial: z.boolean().optional().describe('True: more lies within the hops than the picture shows.'),
      }),
      headers: LINEAGE_HEADERS,
    },
    rejections: LINEAGE_REJECTIONS,
    examples: [
      { title: 'A picture for a browser', parameters: { urn: `${EXAMPLE_URN}.svg` } },
      { title: 'With columns', parameters: { urn: `${EXAMPLE_URN}.svg`, columns: 'true' } },
      { title: 'What it shows, as JSON', parameters: { urn: `${EXAMPLE_URN}.json`, maxHops: '5' } },
    ],
  },
});
