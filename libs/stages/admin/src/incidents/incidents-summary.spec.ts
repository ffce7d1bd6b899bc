import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import { placeIncident, summarizeInfo } from './incidents-summary';

const URN = 'urn:li:incident:b';
const by = { actor: 'urn:li:corpuser:ann' };
const info = (more: JsonObject = {}): JsonObject => ({
  type: 'FRESHNESS',
  entities: ['urn:li:tag:a'],
  status: { state: 'ACTIVE', lastUpdated: { time: 20, ...by } },
  created: { time: 10, ...by },
  ...more,
});
const OPEN = summarizeInfo(URN, info());
const RESOLVED = summarizeInfo(
  URN,
  info({ status: { state: 'RESOLVED', lastUpdated: { time: 30, ...by } } }),
);
const OTHER = { urn: 'urn:li:incident:a', type: 'FIELD', createdAt: 15 };
const summary = (activeIncidentDetails: JsonObject[], resolvedIncidentDetails: JsonObject[] = []) => ({
  activeIncidentDetails,
  resolvedIncidentDetails,
});

describe('what a summary says of an incident', () => {
  it('is its type, its urgency and its times, with the end of a resolved one', () => {
    expect(summarizeInfo(URN, info({ priority: 0 }))).toEqual({
      state: 'ACTIVE',
      details: { urn: URN, type: 'FRESHNESS', createdAt: 10, priority: 0 },
    });
    expect(RESOLVED).toEqual({
      state: 'RESOLVED',
      details: { urn: URN, type: 'FRESHNESS', createdAt: 10, resolvedAt: 30 },
    });
  });

  it('is the name of a type of its own', () => {
    const typeOf = (more: JsonObject) => summarizeInfo(URN, info(more)).details.type;
    expect(typeOf({ type: 'CUSTOM', customType: 'scanner' })).toBe('scanner');
    expect(typeOf({ type: 'CUSTOM' })).toBe('CUSTOM');
    expect(typeOf({ type: 'FIELD', customType: 'scanner' })).toBe('FIELD');
  });
});

describe('the summary of an entity', () => {
  it('has an incident in the list of its state, the oldest first', () => {
    const both = summary([OPEN.details, OTHER]);
    expect(placeIncident(undefined, URN, OPEN)).toEqual(summary([OPEN.details]));
    expect(placeIncident(summary([OTHER]), URN, OPEN)).toEqual(both);
    expect(placeIncident(both, URN, RESOLVED)).toEqual(summary([OTHER], [RESOLVED.details]));
    expect(placeIncident(summary([OTHER], [RESOLVED.details]), URN, OPEN)).toEqual(both);
  });

  it('stays as it is when the incident says the same, or was not there and is not', () => {
    expect(placeIncident(summary([OPEN.details]), URN, OPEN)).toBeUndefined();
    expect(placeIncident(summary([OTHER]), URN, undefined)).toBeUndefined();
    expect(placeIncident(undefined, URN, undefined)).toBeUndefined();
  });

  it('loses an incident that is no more, and keeps its other members', () => {
    const before = { ...summary([OPEN.details, OTHER]), resolvedIncidents: [] };
    expect(placeIncident(before, URN, undefined)).toEqual({ ...summary([OTHER]), resolvedIncidents: [] });
  });

  it('keeps the newest hundred of the resolved incidents', () => {
    const old = Array.from({ length: 100 }, (_, n) => ({
      ...OTHER,
      urn: `${OTHER.urn}${String(n)}`,
      createdAt: n - 100,
    }));
    const placed = placeIncident(summary([], old), URN, RESOLVED);
    expect(placed).toEqual(summary([], [...old.slice(1), RESOLVED.details]));
  });
});
