import type { EntityLabel, Picture, PictureEdge } from './picture';
import type { Layout, LayoutRequest, Coordinates } from './layout-threads';
import { sizeBox, type Box } from './size-boxes';

/** A box with its upper left corner. */
export interface PlacedBox extends Box, Coordinates {}

/** A line from the right side of a box to the left side of another. */
export interface PlacedLine extends PictureEdge {
  /**
   * Its straight pieces, all level, in order: in layers between its boxes. Between two of them it is a curve, outside of
   * all boxes.
   */
  readonly pieces: readonly Piece[];
}

/** **Units**: pixels. */
interface Piece {
  readonly x1: number;
  readonly x2: number;
  readonly y: number;
}

/** A picture with the place of everything. **Units**: pixels. */
export interface PlacedPicture {
  readonly boxes: readonly PlacedBox[];
  readonly lines: readonly PlacedLine[];
  readonly width: number;
  readonly height: number;
}

type PlaceBoxes = (request: LayoutRequest) => Promise<Layout>;

/** Empty space around everything, as the layout leaves it at the left. */
const MARGIN = 24;

/** Places a picture in layers, from upstream on the left to downstream on the right; boxes never overlap. */
export async function placePicture(
  { nodes, edges }: Pick<Picture, 'nodes' | 'edges'>,
  labels: (urn: string) => EntityLabel,
  placeBoxes: PlaceBoxes,
): Promise<PlacedPicture> {
  const boxes = nodes.map((node) => sizeBox(node, labels(node.urn)));
  const places = new Map(boxes.map(({ urn }, at) => [urn, at]));
  const pairs = new Map(
    edges.map(({ from, to }) => [`${from} ${to}`, [places.get(from) ?? 0, places.get(to) ?? 0] as const]),
  );
  const layout = await placeBoxes({
    boxes: boxes.map(({ width, height }) => ({ width, height })),
    lines: [...pairs.values()],
  });
  const placed = boxes.map((box, at): PlacedBox => {
    const { x = 0, y = 0 } = layout.boxes[at] ?? {};
    return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
  });
  const layers = findLayers(placed);
  const routes = new Map([...pairs.keys()].map((pair, at) => [pair, layout.lines[at] ?? []]));
  const byUrn = new Map(placed.map((box) => [box.urn, box]));
  const lines = edges.flatMap((edge) => {
    const [from, to] = [byUrn.get(edge.from), byUrn.get(edge.to)];
    if (from === undefined || to === undefined) return [];
    return [
      {
        ...edge,
        pieces: routeLine(edge, { from, to, layers, bends: routes.get(`${edge.from} ${edge.to}`) ?? [] }),
      },
    ];
  });
  // No spread: a line has a piece in each layer that it passes, and a call takes some 120,000 arguments.
  const bottom = lines.flatMap((line) => line.pieces).reduce((most, { y }) => Math.max(most, y), 0);
  return {
    boxes: placed,
    lines,
    width: Math.ceil(Math.max(0, ...placed.map(({ x, width }) => x + width)) + MARGIN),
    height: Math.ceil(Math.max(bottom, ...placed.map(({ y, height }) => y + height)) + MARGIN),
  };
}

/** A layer of boxes: its middle, and how far it extends to both sides. */
interface Layer {
  readonly middle: number;
  readonly left: number;
  readonly right: number;
}

/** Finds the layers: the layout aligns the boxes of a layer at their middles. */
function findLayers(boxes: readonly PlacedBox[]): readonly Layer[] {
  const layers = new Map<number, Layer>();
  for (const { x, width } of boxes) {
    const middle = Math.round(x + width / 2);
    const { left, right } = layers.get(middle) ?? { left: x, right: x + width };
    // A box never extends beyond its layer, not by a fraction: its line would end with a step back, and point backwards.
    layers.set(middle, { middle, left: Math.min(left, x), right: Math.max(right, x + width) });
  }
  return [...layers.values()];
}

interface Route {
  readonly from: PlacedBox;
  readonly to: PlacedBox;
  readonly layers: readonly Layer[];
  readonly bends: readonly Coordinates[];
}

/**
 * Routes a line: level through each layer, because a slope could cross the boxes next to it. A line that closes a cycle
 * runs from right to left.
 */
function routeLine(edge: PictureEdge, { from, to, layers, bends }: Route): readonly Piece[] {
  const layerAt = (x: number) => layers.find(({ middle }) => Math.abs(middle - x) <= 1);
  const isBack = from.x > to.x;
  const across = (left: number, right: number, y: number): Piece =>
    isBack ? { x1: right, x2: left, y } : { x1: left, x2: right, y };
  const leave = (box: PlacedBox, toRight: boolean, y: number): Piece => {
    const layer = layerAt(box.x + box.width / 2);
    const right = box.x + box.width;
    return toRight ? across(right, layer?.right ?? right, y) : across(layer?.left ?? box.x, box.x, y);
  };
  const between = bends.slice(1, -1).flatMap(({ x, y }): readonly Piece[] => {
    const layer = layerAt(x);
    return layer === undefined ? [] : [across(layer.left, layer.right, y)];
  });
  return [
    leave(from, !isBack, findEnd(from, edge.fromColumn)),
    ...between,
    leave(to, isBack, findEnd(to, edge.toColumn)),
  ];
}

/** Finds the height of the end of a line: at the row of its column, or at the title. */
function findEnd({ y, rows }: PlacedBox, column: string | undefined): number {
  const row = rows.find(({ urn }) => urn === column);
  return y + (row?.y ?? TITLE_MIDDLE);
}
const TITLE_MIDDLE = 31;
