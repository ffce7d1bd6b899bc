import { InvalidRequestError, type EdgesRequest } from '@stratalog/domain';
import type { QueryConfig } from 'pg';
import { positionText, type FoundEdge, type RelatedRow } from './graph-read';
import { urnKey, type GraphTables } from './graph-tables';

/** One row per edge of the page, or one row without an edge. Each carries the checkpoint. */
export interface EdgesRow extends FoundEdge, Pick<RelatedRow, 'position'> {
  readonly source_key: string;
  readonly destination_key: string;
}

/** Type of a column of urns: the third part, which long urns have too. */
const typeOf = (end: string): string => `split_part(${end}, ':', 3)`;

/** Builds one statement for page and checkpoint; it goes along the primary key of the edges. */
export function edgesStatement(
  { edges }: GraphTables,
  indexVersion: number,
  request: EdgesRequest,
): QueryConfig {
  const values: unknown[] = [indexVersion, request.count];
  const parameter = (value: unknown, type: string): string => `$${String(values.push(value))}::${type}`;
  const oneOf = (column: string, wanted: readonly string[] | undefined, type = 'text'): string[] =>
    wanted === undefined ? [] : [`${column} = any(${parameter(wanted, `${type}[]`)})`];
  const keys = (urns: readonly string[] | undefined): readonly string[] | undefined => urns?.map(urnKey);
  const ends = keys(request.ends);
  const conditions = [
    ...oneOf('relationship', request.relationships),
    ...oneOf(typeOf('source'), request.sourceTypes),
    ...oneOf(typeOf('destination'), request.destinationTypes),
    ...oneOf('source_key', keys(request.sources), 'uuid'),
    ...oneOf('destination_key', keys(request.destinations), 'uuid'),
    ...(ends === undefined
      ? []
      : [
          `(${[...oneOf('source_key', ends, 'uuid'), ...oneOf('destination_key', ends, 'uuid')].join(' or ')})`,
        ]),
    ...(request.isLineage === undefined ? [] : ['is_lineage']),
    ...(request.after === undefined ? [] : [behind(request.after, parameter)]),
  ];
  return {
    text: `select p.position, e.*
             from ${positionText('$1')} p
             left join (select distinct on (source_key, relationship, destination_key) *
                          from ${edges} ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
                         order by source_key, relationship, destination_key, owner_key, aspect
                         limit $2) e on true
            order by e.source_key, e.relationship, e.destination_key`,
    values,
  };
}

const KEY = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PLACE = new RegExp(`^(${KEY}) (${KEY}) (.+)$`, 's');

/** Formats the place of an edge; `undefined` for a row without one. */
export function formatPlace(row: EdgesRow | undefined): string | undefined {
  if (typeof row?.source !== 'string') return undefined;
  return `${row.source_key} ${row.destination_key} ${row.relationship}`;
}

function behind(place: string, parameter: (value: unknown, type: string) => string): string {
  const [, source, destination, relationship] = PLACE.exec(place) ?? [];
  if (relationship === undefined) throw new InvalidRequestError('The place is none of the graph');
  const values = [parameter(source, 'uuid'), parameter(relationship, 'text'), parameter(destination, 'uuid')];
  return `(source_key, relationship, destination_key) > (${values.join(', ')})`;
}
