import { partitionOf } from '@stratalog/domain';
import { fail, flag, integer } from '@stratalog/http';
import type * as z from 'zod';
import { scrolling } from '../search/search-parameters';
import type { ScrollParameter } from '../search/scroll-id';

/** Parts of a scroll that are read side by side. */
const MAX_SLICES = 1_000;

/** Parameters that the scrolls of OpenAPI clients share. */
export const slicing = {
  scrollId: scrolling.scrollId,
  pitKeepAlive: scrolling.keepAlive,
  includeSoftDelete: flag().default(false).describe('True: includes soft-deleted entities.'),
  sliceId: integer({ minimum: 0, maximum: MAX_SLICES - 1 })
    .optional()
    .describe('With `sliceMax`: only this slice, counted from 0. Pages are then shorter than `count`.'),
  sliceMax: integer({ minimum: 2, maximum: MAX_SLICES })
    .optional()
    .describe('Number of slices; each entity, or edge, is in one of them.'),
};

/** One of several parts of a scroll that have nothing in common. */
export interface Slice {
  readonly id: number;
  readonly max: number;
}

interface SentSlice {
  readonly sliceId?: number | undefined;
  readonly sliceMax?: number | undefined;
}

export function rejectHalfSlice({ sliceId, sliceMax }: SentSlice, context: z.RefinementCtx): void {
  const wanted = 'with the other of sliceId and sliceMax';
  if (sliceId === undefined && sliceMax !== undefined) fail(context, { wanted }, ['sliceId']);
  if (sliceId !== undefined && sliceMax === undefined) fail(context, { wanted }, ['sliceMax']);
  if (sliceId !== undefined && sliceMax !== undefined && sliceId >= sliceMax) {
    fail(context, { wanted: 'less than sliceMax' }, ['sliceId']);
  }
}

export function toSlice({ sliceId: id, sliceMax: max }: SentSlice): { readonly slice?: Slice } {
  return id === undefined || max === undefined ? {} : { slice: { id, max } };
}

/** Tells whether a urn belongs to the slice; without a slice, each does. */
export function isInSlice(urn: string, slice: Slice | undefined): boolean {
  return slice === undefined || partitionOf(urn, slice.max) === slice.id;
}

/** A scroll continues in its slice only. */
export function scopeOf(slice: Slice | undefined): readonly ScrollParameter[] {
  return slice === undefined ? [] : [['sliceId', [slice.id, slice.max]]];
}
