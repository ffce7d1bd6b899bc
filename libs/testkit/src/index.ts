export { applyTo } from './proposals/apply-to';
export { aspectHistoryContract, type AspectHistoryUnderTest } from './aspect-history.contract';
export { aspectStoreContract } from './aspect-store.contract';
export { type AspectStoreUnderTest } from './aspect-store/tested-store';
export {
  projectDocument,
  datasetUrn,
  collectEdges,
  toEdge,
  plainBatch,
  timeseriesBatch,
  proposalFor,
  toRange,
  SEARCH_FIELDS,
} from './builders';
export { changeLogContract, type ChangeLogUnderTest } from './change-log.contract';
export { indexVersionsOver, type OpenedIndexVersions } from './indexes/index-versions.contract';
export {
  entryVersionsContract,
  type EntryInput,
  type EntryVersionsUnderTest,
} from './indexes/entry-versions.contract';
export { rebuildContract, type RebuildUnderTest } from './indexes/rebuild.contract';
export { graphIndexesContract } from './indexes/graph-indexes.contract';
export {
  timeseriesStorageContract,
  type TimeseriesStorageUnderTest,
} from './operations/timeseries-storage.contract';
export {
  timeseriesStatisticsContract,
  type TimeseriesStatisticsUnderTest,
} from './timeseries/timeseries-statistics.contract';
export { STATISTICS_FIELDS, anyQuery, anyTime, anyWholeMembers } from './timeseries/random-statistics';
export { timeseriesContract } from './timeseries.contract';
export { proposalLogContract, type ProposalLogUnderTest } from './proposals/proposal-log.contract';
export { proposalSubmitterContract } from './proposals/proposal-submitter.contract';
export { retentionStoreContract, type RetentionStoreUnderTest } from './retention-store.contract';
export { runStoreContract, type RunStoreUnderTest } from './run-store.contract';
export { schemaStoreContract } from './schema-store.contract';
export { searchIndexContract, searchIndexesContract } from './indexes/search-indexes.contract';
export { SteadyLoad } from './steady-load';
export { latestAspectsContract } from './operations/latest-aspects.contract';
export { consumerCheckpointsContract } from './operations/consumer-checkpoints.contract';
export { taskRunnerContract } from './operations/task-runner.contract';
export { tokenStoreContract } from './operations/token-store.contract';
export { callCountsContract } from './operations/call-counts.contract';
export { auditLogContract } from './operations/audit-log.contract';
export { taskStoreContract, type TaskStoreUnderTest } from './operations/task-store.contract';
export { TurnClock } from './turn-clock';
export { until } from './until';
export { NaiveGraph } from './indexes/naive-lineage';
