/** The topics of a catalog, each under the name that existing producers and consumers know. */
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

/** The names with a prefix, so that several catalogs share a cluster; a name given by itself is taken as it stands. */
export function topicNamesOf(prefix = '', given: Partial<TopicNames> = {}): TopicNames {
  return {
    proposals: given.proposals ?? prefix + NAMES.proposals,
    failedProposals: given.failedProposals ?? prefix + NAMES.failedProposals,
    changes: given.changes ?? prefix + NAMES.changes,
    timeseriesChanges: given.timeseriesChanges ?? prefix + NAMES.timeseriesChanges,
  };
}
