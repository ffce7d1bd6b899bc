import { describe, expect, it } from '@jest/globals';
import { API_ROUTES } from '@stratalog/api-docs';
import { documentedRoutes, everyPath } from '@stratalog/http';
import { ADMIN_CONTROLLERS } from '@stratalog/stages-admin';
import { GRAPH_CONTROLLERS } from '@stratalog/stages-graph';
import { INGEST_CONTROLLERS } from '@stratalog/stages-ingest';
import { QUERY_CONTROLLERS } from '@stratalog/stages-query';
import { appFor, isLong } from './app-for';

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
    ['/entitiesV2/urn:li:tag:a?action=ingest', 'query'],
    ['/entities?action=noSuchAction', 'ingest'],
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
    expect(appFor(target, target.includes('action=') ? 'POST' : 'GET')).toBe(role);
  });

  it.each([
    ['POST', '/openapi/v3/entity/scroll', 'query'],
    ['POST', '/openapi/v3/entity/dataset', 'ingest'],
    ['POST', '/openapi/v3/entity/dataset/batchGet', 'query'],
    ['PATCH', '/api/gms/openapi/v3/entity/dataset?async=true', 'ingest'],
    ['GET', '/openapi/v3/entity/dataset', 'query'],
    ['HEAD', '/openapi/v3/entity/tag/urn:li:tag:a', 'query'],
    ['DELETE', '/openapi/v3/entity/tag/urn:li:tag:a/b', 'ingest'],
    ['GET', '/openapi/relationships/v1/?urn=a', 'graph'],
  ])('sends %s %s to %s', (method, target, role) => {
    expect(appFor(target, method)).toBe(role);
  });

  it('sends a call of every route to the app that serves it', () => {
    const sent = everyPath(API_ROUTES).map(({ method, path, action, app }) => ({
      method,
      path,
      action,
      app,
      to: appFor(`/gms${path}${action === undefined ? '' : `?action=${action}`}`, method),
    }));
    expect(sent.filter(({ app, to }) => app !== to)).toEqual([]);
  });
});

describe('the routes of a stage', () => {
  it.each([
    ['admin', ADMIN_CONTROLLERS],
    ['graph', GRAPH_CONTROLLERS],
    ['ingest', INGEST_CONTROLLERS],
    ['query', QUERY_CONTROLLERS],
  ])('%s name the app that runs it', (name, controllers) => {
    const routes = documentedRoutes(controllers);
    expect(new Set(routes.map(({ app }) => app))).toEqual(new Set([name]));
  });
});

describe('isLong', () => {
  it.each([
    ['/runs?action=rollback', true],
    ['/api/gms/runs?x=1&action=rollback', true],
    ['/entities?action=deleteReferences', true],
    ['/runs?action=list', false],
    ['/entities?action=delete', false],
    ['/rollback', false],
    ['', false],
  ])('isLong of %s is %s', (target, expected) => {
    expect(isLong(target, 'POST')).toBe(expected);
  });
});
