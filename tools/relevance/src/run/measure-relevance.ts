import { join } from 'node:path';
import { ROOT } from '@stratalog/harness';
import { loadModel } from '@stratalog/registry';
import type { CatalogEntity } from '../catalog/catalog-entity';
import { generateCatalog, type CatalogOptions } from '../catalog/generate-catalog';
import { readCatalogFiles } from '../catalog/read-catalog-files';
import { measureQuery, summarize, type QueryReport, type Summary } from '../measure/summarize';
import { judge, type JudgedEntity } from '../queries/judge';
import { readQueries } from '../queries/read-queries';
import { askCatalog } from './ask-catalog';
import { buildIndex } from './build-index';
import { openSearch, type ServerUrls } from './search-deps';

export interface RelevanceRun {
  readonly summary: Summary;
  readonly queries: readonly QueryReport[];
  /** Time to generate, project and write the catalog. */
  readonly buildMs: number;
  /** Time of all queries, one after another. */
  readonly askMs: number;
}

/** Indexes a generated catalog, asks every query, and judges the hits. */
export async function measureRelevance(urls: ServerUrls, options: CatalogOptions): Promise<RelevanceRun> {
  const registry = await loadModel({ folders: [join(ROOT, 'models')] });
  const { deps, close } = await openSearch(registry, urls);
  try {
    const startMs = performance.now();
    const judged: JudgedEntity[] = [];
    await buildIndex(deps, noteEach(generateCatalog(readCatalogFiles(), options), judged));
    const builtMs = performance.now();
    const queries: QueryReport[] = [];
    for (const query of readQueries()) {
      const hits = await askCatalog(deps, query);
      queries.push(measureQuery({ query, hits, grades: judge(query, judged) }));
    }
    const askMs = performance.now() - builtMs;
    return { summary: summarize(queries), queries, buildMs: builtMs - startMs, askMs };
  } finally {
    await close();
  }
}

/** Passes entities on, and keeps of each what judges read. */
function* noteEach(entities: Iterable<CatalogEntity>, judged: JudgedEntity[]): Generator<CatalogEntity> {
  for (const entity of entities) {
    const { urn, entityType, traits } = entity;
    judged.push({ urn, entityType, traits });
    yield entity;
  }
}
