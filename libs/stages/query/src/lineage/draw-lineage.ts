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
import { distance, stringifyJson, type JsonOutputObject } from '@stratalog/model';
import type { SearchIndexVersions } from '@stratalog/ports';
import { readDisplayNames } from '../facets/display-names';
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
  const urns = picture.nodes.map(({ urn }) => urn);
  const names = index === undefined ? new Map<string, string>() : await readDisplayNames(index, urns);
  const labels: Labels = (urn) => {
    const label = labelEntity(urn);
    return { ...label, name: names.get(urn) ?? label.name };
  };
  const body = await render[format](picture, labels, deps, { ...query, about: opened.about });
  return { body, position, lag: distance(position, await deps.store.readPartitionSequences()) };
}

type Render = (
  picture: Picture,
  labels: Labels,
  deps: DrawingDeps,
  query: PictureQuery & Pick<OpenedLineage, 'about'>,
) => Promise<string> | string;

const render: Readonly<Record<PictureFormat, Render>> = {
  svg: async (picture, labels, { layouts }) =>
    renderSvg(await placePicture(picture, labels, (request) => layouts.place(request))),
  mmd: renderMermaid,
  dot: renderDot,
  json: (picture, labels, _, query) => stringifyJson(formatPicture(query, picture, labels)),
};

function formatPicture(
  { urn, about }: Pick<PictureQuery, 'urn'> & Pick<OpenedLineage, 'about'>,
  { nodes, edges, isPartial }: Picture,
  labels: Labels,
): JsonOutputObject {
  return {
    urn,
    ...about,
    nodes: nodes.map(({ columns, moreColumns, moreUpstream, moreDownstream, ...node }) => ({
      ...node,
      ...labels(node.urn),
      ...(columns.length === 0 ? {} : { columns, moreColumns }),
      moreUpstream: moreUpstream.count,
      moreDownstream: moreDownstream.count,
      ...(moreUpstream.isExact && moreDownstream.isExact ? {} : { mayHaveMore: true }),
    })),
    edges: edges.map((edge) => ({ ...edge })),
    ...(isPartial ? { partial: true } : {}),
  };
}
