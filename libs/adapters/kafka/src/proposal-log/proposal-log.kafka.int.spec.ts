import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import { LogSubmitter } from '@stratalog/writing';
import { proposalLogContract, proposalSubmitterContract } from '@stratalog/testkit';
import { KafkaFixture } from '../cluster/kafka.fixture';
import { KafkaProposalLog } from './proposal-log';

describe('Kafka and PostgreSQL', () => {
  let fixture: KafkaFixture;

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const empty = async () => {
    const store = await fixture.store();
    const cluster = await fixture.cluster();
    const options = { offsets: fixture.offsets, maxRecords: 16 };
    return { store, open: () => fixture.closing(new KafkaProposalLog(cluster, options)) };
  };

  proposalLogContract(empty);

  proposalSubmitterContract(async () => {
    const { store, open } = await empty();
    return {
      store,
      open: (commitTimeoutMs) => {
        const log = open();
        return { log, submitter: new LogSubmitter(log, { store, commitTimeoutMs }) };
      },
    };
  });
});
