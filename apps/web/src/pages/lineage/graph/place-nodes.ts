import type { LineageGraph, LineageNode } from './lineage-graph';

/** **Units**: pixels of the canvas at 100 %. The styles of the nodes agree. */
const NODE_WIDTH = 184;
const TILE = 24;
const GAP_X = 60;
const GAP_Y = 20;
const HEAD = 48;
const ROW = 22;
const PADDING = 8;

interface Place {
  readonly x: number;
  readonly y: number;
}

export type Places = ReadonlyMap<string, Place>;

function heightOf({ columns, moreColumns, isTile }: LineageNode): number {
  if (isTile) return TILE;
  const rows = columns.length + (moreColumns > 0 ? 1 : 0);
  return HEAD + (rows === 0 ? 0 : rows * ROW + PADDING);
}

/** The left edge of the nodes of a degree. */
export function columnX(degree: number): number {
  return degree * (NODE_WIDTH + GAP_X);
}

/** A tile stands before the tables that its job writes. */
function xOf({ degree, isTile }: LineageNode): number {
  if (!isTile) return columnX(degree);
  const gap = degree > 0 ? columnX(degree) - GAP_X : columnX(degree) + NODE_WIDTH;
  return gap + (GAP_X - TILE) / 2;
}

/**
 * Finds a place for each node of a graph, in columns by degree, near its neighbours.
 * Nodes that have a place keep it, so a growing graph moves nothing.
 */
export function placeNodes({ nodes, edges }: LineageGraph, placed: Places): Places {
  const places = new Map(placed);
  const byUrn = new Map(nodes.map((node) => [node.urn, node]));
  const near = neighbours(edges);
  const middle = (urn: string): number | undefined => {
    const node = byUrn.get(urn);
    const place = places.get(urn);
    return node === undefined || place === undefined ? undefined : place.y + heightOf(node) / 2;
  };
  const wanted = (node: LineageNode): number => {
    const direct = [...(near.get(node.urn) ?? [])];
    // Tiles get their place last: nodes look through them.
    const through = node.isTile
      ? direct
      : direct.flatMap((urn) => (byUrn.get(urn)?.isTile === true ? [...(near.get(urn) ?? [])] : [urn]));
    const known = through.flatMap((urn) => middle(urn) ?? []);
    return known.length === 0 ? 0 : known.reduce((sum, each) => sum + each, 0) / known.length;
  };
  for (const lane of lanes(nodes)) {
    const items = lane
      .filter(({ urn }) => !places.has(urn))
      .map((node) => ({ node, y: wanted(node), height: heightOf(node) }))
      .sort((one, other) => one.y - other.y);
    const taken = lane.flatMap((node) => {
      const place = places.get(node.urn);
      return place === undefined ? [] : [{ top: place.y, bottom: place.y + heightOf(node) }];
    });
    const tops = taken.length === 0 ? stack(items) : fill(items, taken);
    for (const [at, { node }] of items.entries()) places.set(node.urn, { x: xOf(node), y: tops[at] ?? 0 });
  }
  return places;
}

function neighbours(edges: LineageGraph['edges']): ReadonlyMap<string, ReadonlySet<string>> {
  const near = new Map<string, Set<string>>();
  const add = (one: string, other: string): void => {
    near.set(one, (near.get(one) ?? new Set()).add(other));
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return near;
}

/** Nodes by degree from the start outwards, then the tiles. */
function lanes(nodes: readonly LineageNode[]): readonly (readonly LineageNode[])[] {
  const found = new Map<string, LineageNode[]>();
  const order = (node: LineageNode): number => (node.isTile ? 1e6 : 0) + Math.abs(node.degree);
  for (const node of [...nodes].sort((one, other) => order(one) - order(other))) {
    const lane = `${String(node.isTile)} ${String(node.degree)}`;
    found.set(lane, [...(found.get(lane) ?? []), node]);
  }
  return [...found.values()];
}

interface Item {
  readonly y: number;
  readonly height: number;
}

/** One above the other around the middle of their wishes. */
function stack(items: readonly Item[]): readonly number[] {
  const total = items.reduce((sum, { height }) => sum + height + GAP_Y, -GAP_Y);
  const middle = items.reduce((sum, { y }) => sum + y, 0) / Math.max(1, items.length);
  let top = Math.round(middle - total / 2);
  return items.map(({ height }) => {
    const at = top;
    top += height + GAP_Y;
    return at;
  });
}

interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** Each into the free space that is nearest to its wish. */
function fill(items: readonly Item[], before: readonly Span[]): readonly number[] {
  const taken = [...before];
  return items.map(({ y, height }) => {
    const wish = Math.round(y - height / 2);
    const isFree = (top: number): boolean =>
      taken.every((span) => top >= span.bottom + GAP_Y || top + height + GAP_Y <= span.top);
    const candidates = [
      wish,
      ...taken.flatMap(({ top, bottom }) => [bottom + GAP_Y, top - GAP_Y - height]),
    ].filter(isFree);
    const [top = wish] = candidates.sort((one, other) => Math.abs(one - wish) - Math.abs(other - wish));
    taken.push({ top, bottom: top + height });
    return top;
  });
}
