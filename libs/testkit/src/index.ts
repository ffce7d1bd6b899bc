export { applyTo } from './proposals/apply-to';
export {
  projectDocument,
  datasetUrn,
  collectEdges,
  toEdge,
  plainBatch,
  timeseriesBatch,
  toDeletion,
  proposalFor,
  toRange,
  NO_WRITES,
  SEARCH_FIELDS,
} from './builders';
export { changeLogContract, type ChangeLogUnderTest } from './change-log.contract';
export {
  IDENTITY,
  indexVersionsContract,
  indexVersionsOver,
  type OpenedIndexVersions,
} from './indexes/index-versions.contract';
export {
  entryVersionsContract,
  type EntryInput,
  type EntryVersionsUnderTest,
} from './indexes/entry-versions.contract';
export { rebuildContract, type RebuildUnderTest } from './indexes/rebuild.contract';
export {
  timeseriesStatisticsContract,
  type TimeseriesStatisticsUnderTest,
} from './timeseries/timeseries-statistics.contract';
export { STATISTICS_FIELDS, anyQuery, anyTime, anyWholeMembers } from './timeseries/random-statistics';
export { proposalLogContract, type ProposalLogUnderTest } from './proposals/proposal-log.contract';
export { proposalSubmitterContract } from './proposals/proposal-submitter.contract';
export { searchIndexContract, searchIndexesContract } from './indexes/search-indexes.contract';
export { SteadyLoad } from './steady-load';
export { TurnClock } from './turn-clock';
export { until } from './until';
export { NaiveGraph } from './indexes/naive-lineage';
