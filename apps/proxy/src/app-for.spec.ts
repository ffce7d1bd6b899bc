import { describe, expect, it } from '@jest/globals';
import { appFor, writesPages } from './app-for';

describe('appFor', () => {
  it.each([
    ['/aspects?action=ingestProposal', 'ingest'],
    ['/aspects/?action=ingestProposal', 'ingest'],
    ['/gms/aspects?action=ingestProposal', 'ingest'],
    ['/api/gms/aspects?x=1&action=ingestProposalBatch', 'ingest'],
    ['/entities?action=ingest', 'ingest'],
    ['/entities?action=delete', 'ingest'],
    ['/entities?action=applyRetention', 'ingest'],
    ['/schema-registry/api/subjects', 'ingest'],
    ['/aspects?action=noSuchAction', 'ingest'],
    ['/entities?action=search', 'query'],
    ['/entities?action=exists', 'query'],
    ['/entities?action=listUrns', 'query'],
    ['/entities?action=filter', 'query'],
    ['/gms/entities?action=scrollAcrossEntities', 'query'],
    ['/gms/aspects?action=getCount', 'query'],
    ['/entitiesV2?ids=List(a)', 'query'],
    ['/aspects?action=getTimeseriesAspectValues', 'query'],
    ['/entitiesV2/urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Ax,a%2Fb,PROD)', 'query'],
    ['/entitiesV2/urn:li:tag:a?action=ingest', 'ingest'],
    ['/config', 'query'],
    ['/', 'query'],
    ['/favicon.ico', 'query'],
    ['/gms', 'query'],
    ['/nothing', 'query'],
    ['', 'query'],
    ['/relationships?direction=INCOMING', 'graph'],
    ['/gms/operations?action=getIndexSizes', 'admin'],
    ['/runs?action=list', 'ingest'],
    ['/gmsx/operations', 'query'],
    ['/constructor', 'query'],
  ])('sends %s to %s', (target, role) => {
    expect(appFor(target)).toBe(role);
  });
});

describe('writesPages', () => {
  it.each([
    ['/runs?action=rollback', true],
    ['/api/gms/runs?x=1&action=rollback', true],
    ['/entities?action=deleteReferences', true],
    ['/runs?action=list', false],
    ['/entities?action=delete', false],
    ['/rollback', false],
    ['', false],
  ])('of %s is %s', (target, isLong) => {
    expect(writesPages(target)).toBe(isLong);
  });
});
