import {
  parseSequences,
  type LineageDirection,
  type LineageHop,
  type LineageHopRequest,
  type LineageStep,
  type PartitionSequences,
} from '@stratalog/domain';
import type { QueryConfig } from 'pg';
import { uuidArray } from '../database/binary-arrays';
import { positionText } from './graph-read';
import { columnKeyRange, lineageCondition, urnKey, type GraphTables } from './graph-tables';
import { OWNER, nameVariant, neighboursText, timeValues } from './lineage-ends';

/**
 * The only row of a hop. Each member of all steps is one JSON array, because the client parses it several times as fast
 * as rows; with many walks at once this process is the limit.
 */
export interface HopRow {
  readonly position: Readonly<Record<string, number>> | null;
  /** For each step the place of its urn in the request, from 1. */
  readonly places: readonly number[] | null;
  readonly fars: readonly string[] | null;
  /** Null when no step has one. */
  readonly vias: readonly (string | null)[] | null;
  readonly owners?: readonly string[] | null;
  readonly aspects?: readonly string[] | null;
}

/** Edges that the statement for ordinary entities reads, beyond those of one full urn. */
const ORDINARY_EDGES = 10_000;

/** The most edges that the statement for ordinary entities reads; an answer with as many may lack some. */
export function ordinaryLimit({ limitPerUrn, limit }: LineageHopRequest): number {
  return Math.min(limit, limitPerUrn + ORDINARY_EDGES);
}

/**
 * Builds the statement for one hop from urns that together have few edges: one scan of each index for all of them. A scan
 * for each urn would cost several times as much, but stops at a hub.
 */
export function ordinaryHopStatement(
  { edges }: GraphTables,
  indexVersion: number,
  request: LineageHopRequest,
): QueryConfig {
  const { urns, withOwners = false } = request;
  const ends = neighboursText(edges, request, {
    key: 'any($1::uuid[])',
    columns: stepColumns(withOwners),
    withKey: true,
    times: ['$4', '$5'],
  });
  return {
    name: `ordinary-hop-${nameVariant(request)}-${withOwners ? 'owned-' : ''}${edges}`,
    text: `select p.position, e.*
             from ${positionText('$3')} p
            cross join (
                 select ${stepArrays(withOwners)}
                   from (select f.n, b.*
                           from (select * from (${ends}) a limit $2) b
                           join unnest($1::uuid[]) with ordinality f(key, n) on f.key = b.near_key
                          order by f.n, b.far) s) e`,
    values: [uuidArray(urns.map(urnKey)), ordinaryLimit(request), indexVersion, ...timeValues(request)],
  };
}

/** Builds the statement for one hop from urns of which some may be hubs: two index scans per urn. */
export function lineageHopStatement(
  { edges }: GraphTables,
  indexVersion: number,
  { urns, limitPerUrn, limit, withOwners = false, ...scope }: LineageHopRequest,
): QueryConfig {
  const ends = neighboursText(edges, scope, {
    key: 'f.key',
    columns: stepColumns(withOwners),
    times: ['$5', '$6'],
    perIndex: 'order by far limit $2',
  });
  return {
    name: `lineage-hop-${nameVariant(scope)}-${withOwners ? 'owned-' : ''}${edges}`,
    text: `select p.position, e.*
             from ${positionText('$4')} p
            cross join (
                 select ${stepArrays(withOwners)}
                   from (select f.n, o.*
                           from unnest($1::uuid[]) with ordinality f(key, n)
                          cross join lateral (select * from (${ends}) b order by far limit $2) o
                          limit $3) s) e`,
    values: [uuidArray(urns.map(urnKey)), limitPerUrn, limit, indexVersion, ...timeValues(scope)],
  };
}

function stepColumns(withOwners: boolean): string {
  return withOwners ? `step_via as via, ${OWNER}` : 'step_via as via';
}

function stepArrays(withOwners: boolean): string {
  return [
    'json_agg(n) as places, json_agg(far) as fars',
    'case when count(via) > 0 then json_agg(via) end as vias',
    ...(withOwners ? ['json_agg(owner) as owners, json_agg(aspect) as aspects'] : []),
  ].join(', ');
}

/** Builds the statement for the columns of an entity that have lineage; their keys lie in one range. */
export function lineageColumnsStatement(
  { edges }: GraphTables,
  urn: string,
  direction: LineageDirection,
  limit: number,
): QueryConfig {
  const isUp = direction === 'UPSTREAM';
  return {
    name: `lineage-columns-${direction}-${edges}`,
    text: `select source as urn from ${edges}
            where source_key between $1::uuid and $2::uuid and ${lineageCondition('source', isUp)}
            union
           select destination from ${edges}
            where destination_key between $1::uuid and $2::uuid and ${lineageCondition('destination', !isUp)}
            order by urn limit $3`,
    values: [...columnKeyRange(urn), limit],
  };
}

export function toLineageHop(
  request: LineageHopRequest,
  [row]: readonly HopRow[],
): LineageHop & { readonly position: PartitionSequences } {
  const { urns, limit } = request;
  const { places, fars, vias, owners, aspects } = row ?? {};
  const steps = (fars ?? []).map((far, at): LineageStep => {
    const step: { -readonly [Member in keyof LineageStep]: LineageStep[Member] } = {
      near: urns[(places?.[at] ?? 0) - 1] ?? '',
      far,
    };
    const via = vias?.[at] ?? undefined;
    if (via !== undefined) step.via = via;
    const owner = owners?.[at];
    if (owner !== undefined) {
      step.owner = owner;
      step.aspectName = aspects?.[at] ?? '';
    }
    return step;
  });
  // The last urn of a cut answer may lack steps, and those after it lack all.
  const answered = steps.length < limit ? urns.length : (places?.at(-1) ?? 1) - 1;
  return { steps, answered, position: parseSequences(row?.position ?? {}) };
}

/** Leaves out the steps beyond the limit of each urn; those of one urn follow each other. */
export function limitSteps(steps: readonly LineageStep[], limitPerUrn: number): readonly LineageStep[] {
  if (steps.length <= limitPerUrn) return steps;
  let [near, count] = ['', 0];
  return steps.filter((step) => {
    if (step.near !== near) [near, count] = [step.near, 0];
    return ++count <= limitPerUrn;
  });
}
