import type { GraphIndex } from '@stratalog/ports';

/** Edges of one read. */
const PAGE = 200;

/** Lists the entities whose own aspects refer to an entity by one of the relationships, as `graph` has them, page by page. */
export async function* listReferrers(
  graph: GraphIndex,
  { urn, relationships }: { readonly urn: string; readonly relationships: readonly string[] },
): AsyncGenerator<string> {
  if (relationships.length === 0) return;
  for (let start = 0; ; start += PAGE) {
    const { related, total } = await graph.related({
      urn,
      direction: 'INCOMING',
      relationships,
      declaredBySource: true,
      start,
      count: PAGE,
    });
    yield* related.map(({ entity }) => entity);
    if (start + PAGE >= total) return;
  }
}
