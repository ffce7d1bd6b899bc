import { getEntity } from './reads/get-entity';
import { getHistory } from './reads/get-history';
import { getTestResults } from './reads/get-test-results';
import { compareLineage } from './reads/compare-lineage';
import { getImpact } from './reads/get-impact';
import { getLineage } from './reads/get-lineage';
import { listColumns } from './reads/list-columns';
import { listQueries } from './reads/list-queries';
import { search } from './reads/search';
import { changeOwners } from './writes/change-owners';
import { changeTags, changeTerms } from './writes/change-labels';
import { setDescription } from './writes/set-description';
import type { Tool } from './tool';

const READS: readonly Tool[] = [
  search,
  getEntity,
  listColumns,
  getLineage,
  getImpact,
  compareLineage,
  getHistory,
  listQueries,
  getTestResults,
];
const WRITES: readonly Tool[] = [setDescription, changeTags, changeTerms, changeOwners];

/** Lists the tools that a catalog offers, in reading order. */
export function listTools({ hasWriteTools }: { readonly hasWriteTools: boolean }): readonly Tool[] {
  return hasWriteTools ? [...READS, ...WRITES] : READS;
}
