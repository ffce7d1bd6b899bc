import type { IndexedAnswer } from '@stratalog/indexing';
import {
  labelEntity,
  placePicture,
  readPicture,
  renderDot,
  renderMermaid,
  renderSvg,
  type EntityLabel,
  type LayoutThreads,
  type Picture,
  type PictureQuery,
} from '@stratalog/lineage';
import { distance, type SearchHit } from '@stratalog/domain';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { SearchIndex, SearchIndexVersions } from '@stratalog/ports';
import { displayName, readDisplayNames } from '../facets/display-names';
import { ownersInCard, toCard } from '../search/cards';
import { requireLineageUrn } from './lineage-types';
import { openLineage, type LineageUseCaseDeps, type OpenedLineage } from './open-lineage';

export interface DrawingDeps extends LineageUseCaseDeps {
  readonly searchIndexes: SearchIndexVersions;
  readonly layouts: LayoutThreads;
}

/** The formats of a picture, by the end of its address. */
export const PICTURE_FORMATS = ['svg', 'mmd', 'dot', 'json'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A drawn picture: the body is its text. */
type Drawn = Omit<IndexedAnswer, 'body'> & { readonly body: string };
type Labels = (urn: string) => EntityLabel;

/**
 * Draws the lineage around an entity or a column.
 *
 * Names are those of the search index; an entity that it does not have shows the name in its urn.
 *
 * **Errors**: `InvalidRequestError` for a urn without lineage; `UnavailableError` while the first graph is being built,
 * and when too many pictures are being drawn.
 *
 * **Source**: `docs/wire-decisions.md`, Lineage.
 */
export async function drawLineage(
  deps: DrawingDeps,
  { asOf, ...query }: PictureQuery & { readonly asOf?: number | undefined },
  format: PictureFormat,
): Promise<Drawn> {
  requireLineageUrn(deps.registry, query.urn);
  const opened = await openLineage(deps, asOf);
  const picture = await readPicture(opened, query);
  const { position } = picture;
  const index = await deps.searchIndexes.live();
  const values = await index?.readValues(picture.nodes.map(({ urn }) => urn));
  const labels: Labels = (urn) => {
    const label = labelEntity(urn);
    return { ...label, name: displayName(values?.get(urn) ?? {}) ?? label.name };
  };
  const body =
    format === 'json'
      ? stringifyJson(
          formatPicture(picture, labels, { ...query, ...opened, facts: await readFacts(index, values) }),
        )
      : await render[format](picture, labels, deps);
  return { body, position, lag: distance(position, await deps.store.readPartitionSequences()) };
}

/** Reads what the index says of the shown entities beyond their names: subtype and owners. */
async function readFacts(
  index: SearchIndex | undefined,
  values: ReadonlyMap<string, SearchHit['values']> = new Map(),
): Promise<ReadonlyMap<string, JsonOutputObject>> {
  const owners = [...new Set([...values.values()].flatMap(ownersInCard))];
  const names = index === undefined ? new Map<string, string>() : await readDisplayNames(index, owners);
  return new Map(
    [...values].map(([urn, own]) => {
      const card = toCard({ urn, values: own }, names);
      return [urn, { subtype: card.subtype, owners: card.owners }];
    }),
  );
}

type Render = (picture: Picture, labels: Labels, deps: DrawingDeps) => Promise<string> | string;

const render: Readonly<Record<Exclude<PictureFormat, 'json'>, Render>> = {
  svg: async (picture, labels, { layouts }) =>
    renderSvg(await placePicture(picture, labels, (request) => layouts.place(request))),
  mmd: renderMermaid,
  dot: renderDot,
};

interface Described extends Pick<PictureQuery, 'urn'>, Pick<OpenedLineage, 'about'> {
  readonly facts: ReadonlyMap<string, JsonOutputObject>;
}

function formatPicture(
  { nodes, edges, isPartial }: Picture,
  labels: Labels,
  { urn, about, facts }: Described,
): JsonOutputObject {
  return {
    urn,
    ...about,
    nodes: nodes.map(({ columns, moreColumns, moreUpstream, moreDownstream, ...node }) => ({
      ...node,
      ...labels(node.urn),
      ...facts.get(node.urn),
      ...(columns.length === 0 ? {} : { columns, moreColumns }),
      moreUpstream: moreUpstream.count,
      moreDownstream: moreDownstream.count,
      ...(moreUpstream.isExact && moreDownstream.isExact ? {} : { mayHaveMore: true }),
    })),
    edges: edges.map((edge) => ({ ...edge })),
    ...(isPartial ? { partial: true } : {}),
  };
}
