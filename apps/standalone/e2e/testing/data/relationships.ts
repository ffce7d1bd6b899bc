import { until } from '@stratalog/testkit';
import { at, type CatalogClient } from '../catalog/catalog-client';
import type { Answer } from '../catalog/raw-http';

export interface RelationshipsQuery {
  readonly urn: string;
  readonly direction?: string;
  readonly types: readonly string[];
  readonly start?: number;
  readonly count?: number;
  readonly waitFor?: string;
}

/** The members of an answer that specs need. */
export interface Related {
  readonly total: number;
  /** `<type> <urn>`, in the order of the answer. */
  readonly edges: readonly string[];
}

/** `GET /relationships` as a real client sends it. */
export function askRelationships(
  http: CatalogClient,
  { urn, direction = 'OUTGOING', types, start, count, waitFor }: RelationshipsQuery,
): Promise<Answer> {
  const page = Object.entries({ start, count }).flatMap(([name, value]) =>
    value === undefined ? [] : [`&${name}=${String(value)}`],
  );
  const target = `/relationships?urn=${encodeURIComponent(urn)}&direction=${direction}&types=List(${types.join(',')})${page.join('')}`;
  return http.get(target, waitFor === undefined ? {} : { 'X-Stratalog-Wait-For': waitFor });
}

/** **Errors**: rejects when the catalog rejects. */
export async function relatedTo(http: CatalogClient, question: RelationshipsQuery): Promise<Related> {
  const answer = await askRelationships(http, question);
  if (answer.status !== 200) throw new Error(answer.body);
  const relationships = at(answer.json, 'relationships') as unknown as { type: string; entity: string }[];
  return {
    total: at(answer.json, 'total') as number,
    edges: relationships.map(({ type, entity }) => `${type} ${entity}`),
  };
}

/** Waits until relationships include every write. */
export async function graphCaughtUp(http: CatalogClient): Promise<void> {
  const question = { urn: 'urn:li:tag:none', types: ['None'], count: 0 };
  await until(async () => (await askRelationships(http, question)).headers['x-stratalog-lag'] === '0');
}
