import { describe } from '@jest/globals';
import { proposalLogContract, proposalSubmitterContract } from '@stratalog/testkit';
import { LogSubmitter, TableProposalLog } from '@stratalog/writing';
import { openEmptyStore } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresProposalTable } from './proposal-table';

describe('PostgresProposalTable', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  const openLog = (partitions: number): TableProposalLog =>
    new TableProposalLog(new PostgresProposalTable(suite.database, partitions), 16);

  proposalLogContract(async () => {
    const { store } = await openEmptyStore(suite.database);
    return { store, open: () => openLog(store.identity.partitions) };
  });

  proposalSubmitterContract(async () => {
    const { store } = await openEmptyStore(suite.database);
    return {
      store,
      open: (commitTimeoutMs) => {
        const log = openLog(store.identity.partitions);
        return { log, submitter: new LogSubmitter(log, { store, commitTimeoutMs }) };
      },
    };
  });
});
