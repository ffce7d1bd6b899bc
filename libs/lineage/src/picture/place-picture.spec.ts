import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
import { actFor } from '@stratalog/concurrency';
import fc from 'fast-check';
import { LayoutThreads } from './layout-threads';
import type { EntityLabel, Picture, PictureNode } from './picture';
import { placePicture, type PlacedBox, type PlacedLine, type PlacedPicture } from './place-picture';
import { FONT, PLACES, measureText } from './size-boxes';

const threads = new LayoutThreads();
const urnAt = (at: number): string => `urn:li:dataset:${String(at)}`;
const columnAt = (at: number, column: number): string =>
  `urn:li:schemaField:(${urnAt(at)},c${String(column)})`;

interface Drawn {
  readonly picture: Pick<Picture, 'nodes' | 'edges'>;
  readonly labels: readonly EntityLabel[];
}

const label = fc.record({
  entityType: fc.constantFrom('dataset', 'chart', 'mlPrimaryKey'),
  platform: fc.constantFrom('hive', 'bigquery', 'a platform with a rather long name'),
  name: fc.string({ unit: 'grapheme', maxLength: 80 }),
});

/** Any graph, with cycles, and lines of columns among those of entities. */
const drawn = fc.integer({ min: 1, max: 40 }).chain((count): fc.Arbitrary<Drawn> => {
  const at = fc.nat(count - 1);
  const end = fc.record({ at, column: fc.option(fc.nat(3), { nil: undefined }) });
  const more = fc.constantFrom(0, 12, 1_234).map((omitted) => ({ count: omitted, isExact: true }));
  return fc.record({
    labels: fc.array(label, { minLength: count, maxLength: count }),
    picture: fc.record({
      nodes: fc
        .array(fc.record({ columns: fc.nat(4), moreUpstream: more, moreDownstream: more }), {
          minLength: count,
          maxLength: count,
        })
        .map((nodes) =>
          nodes.map(({ columns, ...rest }, index): PictureNode => ({
            ...rest,
            urn: urnAt(index),
            degree: index,
            columns: Array.from({ length: columns }, (_, column) => columnAt(index, column)),
            moreColumns: columns > 3 ? 7 : 0,
          })),
        ),
      edges: fc.array(fc.tuple(end, end), { maxLength: 80 }).map((pairs) =>
        pairs
          .filter(([from, to]) => from.at !== to.at)
          .map(([from, to]) => ({
            from: urnAt(from.at),
            to: urnAt(to.at),
            ...(from.column === undefined ? {} : { fromColumn: columnAt(from.at, from.column) }),
            ...(to.column === undefined ? {} : { toColumn: columnAt(to.at, to.column) }),
          })),
      ),
    }),
  });
});

function place({ picture, labels }: Drawn): Promise<PlacedPicture> {
  const byUrn = new Map(picture.nodes.map(({ urn }, at) => [urn, labels[at]]));
  return placePicture(
    picture,
    (urn) => byUrn.get(urn) ?? { entityType: '', name: '' },
    (request) => threads.place(request),
  );
}

describe('placePicture', () => {
  it('places any graph without boxes that overlap, texts that overflow, and lines through boxes', async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const placed = await place(given);
        expect(findOverlaps(placed.boxes)).toEqual([]);
        expect(placed.boxes.flatMap(findOverflows)).toEqual([]);
        expect(placed.lines.flatMap((line) => findCrossed(line, placed.boxes))).toEqual([]);
        expect(placed.lines.filter((line) => turnsBack(line, placed.boxes))).toEqual([]);
        const { width, height } = placed;
        const outside = placed.boxes.filter(
          (box) => box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height,
        );
        expect(outside).toEqual([]);
        expect(placed.lines).toHaveLength(given.picture.edges.length);
      }),
      { numRuns: 12 },
    );
  });

  it('places upstream left of downstream, and lines end at the rows of their columns', async () => {
    const none = { count: 0, isExact: true };
    const node = (at: number, columns: readonly string[]): PictureNode => ({
      urn: urnAt(at),
      degree: at,
      columns,
      moreColumns: 0,
      moreUpstream: none,
      moreDownstream: none,
    });
    const { boxes, lines } = await place({
      labels: Array.from({ length: 3 }, () => ({ entityType: 'dataset', name: 'table' })),
      picture: {
        nodes: [node(0, [columnAt(0, 0), columnAt(0, 1)]), node(1, [columnAt(1, 0)]), node(2, [])],
        edges: [
          { from: urnAt(0), to: urnAt(1), fromColumn: columnAt(0, 1), toColumn: columnAt(1, 0) },
          { from: urnAt(1), to: urnAt(2) },
          { from: urnAt(0), to: urnAt(2) },
        ],
      },
    });
    const [a, b, c] = boxes as [PlacedBox, PlacedBox, PlacedBox];
    expect([a.x + a.width < b.x, b.x + b.width < c.x]).toEqual([true, true]);
    const [first] = lines as [PlacedLine];
    expect([first.pieces[0]?.x1, first.pieces[0]?.y]).toEqual([a.x + a.width, a.y + (a.rows[1]?.y ?? 0)]);
    expect([first.pieces.at(-1)?.x2, first.pieces.at(-1)?.y]).toEqual([b.x, b.y + (b.rows[0]?.y ?? 0)]);
  });
});

describe('LayoutThreads', () => {
  it('places several pictures, two at a time, and nothing of none', async () => {
    const request = { boxes: [{ width: 100, height: 50 }], lines: [] };
    const layouts = await Promise.all([1, 2, 3].map(() => threads.place(request)));
    expect(new Set(layouts.map((layout) => JSON.stringify(layout))).size).toBe(1);
    expect(await threads.place({ boxes: [], lines: [] })).toEqual({ boxes: [], lines: [] });
  });

  it('rejects a picture behind fifty others, and ends those whose callers leave', async () => {
    const busy = new LayoutThreads();
    const leaving = new AbortController();
    const caller = { disconnected: leaving.signal, timeLimitMs: 60_000, writes: false };
    const request = { boxes: [{ width: 100, height: 50 }], lines: [] };
    const waiting = Array.from({ length: 50 }, () => actFor(caller, () => busy.place(request)));
    const ends = Promise.allSettled(waiting);
    await expect(busy.place(request)).rejects.toThrow(UnavailableError);
    leaving.abort(new Error('gone'));
    // The first two are under way, and may be placed before their threads end.
    const waited = (await ends).slice(2);
    const reasons = waited.map((end) => (end.status === 'rejected' ? String(end.reason) : end.status));
    expect(new Set(reasons)).toEqual(new Set(['Error: gone']));
    expect(await busy.place(request)).toMatchObject({ lines: [] });
  });
});

/** Free space that two boxes of a layer keep between them. */
const SPACE = 10;

function findOverlaps(boxes: readonly PlacedBox[]): readonly (readonly [string, string])[] {
  return boxes.flatMap((a, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (b) =>
          a.x < b.x + b.width + SPACE &&
          b.x < a.x + a.width + SPACE &&
          a.y < b.y + b.height + SPACE &&
          b.y < a.y + a.height + SPACE,
      )
      .map((b) => [a.urn, b.urn] as const),
  );
}

function findOverflows({
  title,
  rows,
  notes,
  platform,
  entityType,
  width,
  height,
}: PlacedBox): readonly string[] {
  const small = [...rows.map(({ text }) => text), ...notes].filter(
    (text) => PLACES.left + measureText(text, FONT.small) > width,
  );
  const kind = PLACES.left + measureText(platform, FONT.small) + measureText(entityType, FONT.small) + 20;
  return [
    ...(PLACES.left + measureText(title, FONT.title) > width ? [title] : []),
    ...(kind > width ? [platform] : []),
    ...small,
    ...rows.filter(({ y }) => y + PLACES.row / 2 > height).map(({ text }) => text),
  ];
}

/** True when a piece runs against the line: an arrow at its end would point away from the box. */
function turnsBack({ from, to, pieces }: PlacedLine, boxes: readonly PlacedBox[]): boolean {
  const [start, end] = [from, to].map((urn) => boxes.find((box) => box.urn === urn)?.x ?? 0);
  const isBack = (start ?? 0) > (end ?? 0);
  return pieces.some(({ x1, x2 }) => (isBack ? x2 > x1 : x2 < x1));
}

/** Finds the boxes that a line runs through, except its own at its ends. */
function findCrossed({ from, to, pieces }: PlacedLine, boxes: readonly PlacedBox[]): readonly string[] {
  const sampled = sampleLine(pieces);
  return boxes
    .filter(({ urn }) => urn !== from && urn !== to)
    .filter(({ x, y, width, height }) =>
      sampled.some((at) => at.x > x && at.x < x + width && at.y > y && at.y < y + height),
    )
    .map(({ urn }) => `${from} ${to} through ${urn}`);
}

/** Coordinates on the level pieces, and on the curves between them. */
function sampleLine(pieces: PlacedLine['pieces']): readonly { readonly x: number; readonly y: number }[] {
  return pieces.flatMap(({ x1, x2, y }, at) => {
    const before = pieces[at - 1];
    const steps = Array.from({ length: 11 }, (_, step) => step / 10);
    const level = steps.map((part) => ({ x: x1 + (x2 - x1) * part, y }));
    if (before === undefined) return level;
    const middle = (before.x2 + x1) / 2;
    const curve = steps.map((t) => {
      const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      return { x: a * before.x2 + (b + c) * middle + d * x1, y: (a + b) * before.y + (c + d) * y };
    });
    return [...curve, ...level];
  });
}
