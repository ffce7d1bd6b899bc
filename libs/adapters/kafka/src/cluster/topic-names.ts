/** The topics of a catalog, under the names that existing producers and consumers use. */
export interface TopicNames {
  readonly proposals: string;
  readonly failedProposals: string;
  readonly changes: string;
  readonly timeseriesChanges: string;
}

const NAMES: TopicNames = {
  proposals: 'MetadataChangeProposal_v1',
  failedProposals: 'FailedMetadataChangeProposal_v1',
  changes: 'MetadataChangeLog_Versioned_v1',
  timeseriesChanges: 'MetadataChangeLog_Timeseries_v1',
};

/** Builds the topic names. The prefix lets several catalogs share a cluster; a name in `given` is used unchanged. */
export function buildTopicNames(prefix = '', given: Partial<TopicNames> = {}): TopicNames {
  return {
    proposals: given.proposals ?? prefix + NAMES.proposals,
    failedProposals: given.failedProposals ?? prefix + NAMES.failedProposals,
    changes: given.changes ?? prefix + NAMES.changes,
    timeseriesChanges: given.timeseriesChanges ?? prefix + NAMES.timeseriesChanges,
  };
}
