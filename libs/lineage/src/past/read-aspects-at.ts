import type { AspectHistory, AspectRef, PastAspects } from '@stratalog/ports';

/** Number of aspects that one read of the store names. */
const PAGE = 5_000;

/** Reads aspects as they were at a time, page by page, so that not all values are held at once. */
export async function readAspectsAt(
  history: Pick<AspectHistory, 'aspectsAt'>,
  refs: readonly AspectRef[],
  timeMs: number,
  take: (page: PastAspects) => void | Promise<void>,
): Promise<void> {
  let rest = refs;
  while (rest.length > 0) {
    const page = await history.aspectsAt(rest.slice(0, PAGE), timeMs);
    await take(page);
    rest = [...page.rest, ...rest.slice(PAGE)];
  }
}
