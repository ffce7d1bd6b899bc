import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FaultError } from '@stratalog/domain';
import type { SearchIndex, SearchIndexVersions } from '@stratalog/ports';
import type { CatalogStage } from '@stratalog/runtime';
import { indexerStage } from '@stratalog/stages-indexer';
import { ingestStage } from '@stratalog/stages-ingest';
import { queryStage } from '@stratalog/stages-query';
import { writerStage } from '@stratalog/stages-writer';
import { Site } from '../testing/catalog/booted-catalog';

const urnOf = (name: string): string => `urn:li:tag:${name}`;

/** The real indices, except that they reject the document of one urn. */
function rejecting(indexes: SearchIndexVersions, urn: string): SearchIndexVersions {
  const guarded = (index: SearchIndex): SearchIndex =>
    new Proxy(index, {
      get: (target, member) => {
        if (member !== 'write') return Reflect.get(target, member, target) as unknown;
        return (...[documents, position]: Parameters<SearchIndex['write']>) =>
          documents.some((document) => document.urn === urn)
            ? Promise.reject(new FaultError('this document cannot be held'))
            : target.write(documents, position);
      },
    });
  return {
    moves: indexes.moves,
    changesPerBatch: indexes.changesPerBatch,
    live: async () => {
      const index = await indexes.live();
      return index === undefined ? undefined : guarded(index);
    },
    create: async (identity) => guarded(await indexes.create(identity)),
    activate: (index) => indexes.activate(index),
    retire: (index) => indexes.retire(index),
    deleteRetired: () => indexes.deleteRetired(),
    holdRebuild: () => indexes.holdRebuild(),
    cancelRebuild: () => indexes.cancelRebuild(),
    requestRebuild: () => indexes.requestRebuild(),
    readBuild: (index) => indexes.readBuild(index),
    sendHeartbeat: (index, heartbeat) => indexes.sendHeartbeat(index, heartbeat),
    state: () => indexes.state(),
    drop: (index) => indexes.drop(index),
  };
}

describe('an entity that cannot be indexed', () => {
  let site: Site;
  const reported: string[] = [];

  beforeEach(async () => {
    site = await Site.create();
  });
  afterEach(async () => {
    await site.remove();
  });

  it('is reported, and all others are found, before and after it', async () => {
    const indexer: CatalogStage = {
      name: 'indexer',
      open: (deps) =>
        indexerStage.open({
          ...deps,
          searchIndexes: rejecting(deps.searchIndexes, urnOf('bad')),
          onUnindexable: (urn) => reported.push(urn),
        }),
    };
    const { http } = await site.boot({ stages: [ingestStage, queryStage, writerStage, indexer] });

    for (const name of ['first', 'bad', 'last']) {
      const position = await http.write(urnOf(name), 'tagProperties', { name, description: 'sample' });
      const found = await http.find('sample', { entity: 'tag', waitFor: position });
      expect(found.urns).not.toContain(urnOf('bad'));
    }

    const { urns } = await http.find('sample', { entity: 'tag' });
    expect([...urns].sort()).toEqual([urnOf('first'), urnOf('last')]);
    expect(reported).toEqual([urnOf('bad')]);
    expect((await http.aspect(urnOf('bad'), 'tagProperties')).status).toBe(200);
  });
});
