import type { MigrationInterface, QueryRunner } from 'typeorm';
import store from './0001-store.sql';
import proposalLog from './0002-proposal-log.sql';
import search from './0003-search.sql';
import kafka from './0004-kafka.sql';
import model from './0005-model.sql';
import relayFences from './0006-relay-fences.sql';
import schemas from './0007-schemas.sql';
import deletion from './0008-deletion.sql';
import graph from './0009-graph.sql';
import points from './0011-points.sql';
import runs from './0012-runs.sql';
import retention from './0013-retention.sql';
import pointDeletions from './0016-point-deletions.sql';
import indexRebuilds from './0019-index-rebuilds.sql';
import storeClock from './0021-store-clock.sql';
import instances from './0023-instances.sql';

type MigrationClass = new () => MigrationInterface;

/** Forward only: a step back is a restored backup. TypeORM orders migrations by the number that ends their name. */
function migration(name: string, sql: string): MigrationClass {
  return class implements MigrationInterface {
    readonly name = name;

    async up(runner: QueryRunner): Promise<void> {
      await runner.query(sql);
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`Migration ${name} is forward only`));
    }
  };
}

/**
 * Every migration of the schema, oldest first. The number is the day it was written and a counter, in 13 digits. The counts 10, 14 and 15
 * were not used.
 */
export const migrations: readonly MigrationClass[] = [
  migration('Store2026112100001', store),
  migration('ProposalLog2026112100002', proposalLog),
  migration('Search2026112100003', search),
  migration('Kafka2026112100004', kafka),
  migration('Model2026112100005', model),
  migration('RelayFences2026112100006', relayFences),
  migration('Schemas2026112100007', schemas),
  migration('Deletion2026112100008', deletion),
  migration('Graph2026112100009', graph),
  migration('Points2026112100011', points),
  migration('Runs2026112100012', runs),
  migration('Retention2026112100013', retention),
  migration('PointDeletions2026112100016', pointDeletions),
  migration('IndexRebuilds2026112200019', indexRebuilds),
  migration('StoreClock2026112200021', storeClock),
  migration('Instances2026112200023', instances),
];
