import type { PlannedAspect } from '../workload/make-aspects';

/** Requests as text, ready to be written to a connection. All are ASCII, so characters are bytes. */

const COMMON = 'Host: localhost\r\nX-RestLi-Protocol-Version: 2.0.0\r\n';

const SYSTEM_METADATA = '{"lastObserved":1700000000000,"runId":"bench"}';

/** A proposal of new dataset properties. */
export function writeRequest(urn: string, value: string): string {
  return post('/aspects?action=ingestProposal', `{"proposal":${toProposal({ urn, value })}}`);
}

/** The same, on condition that the aspect is still at `version`; -1: that it does not exist. */
export function writeIfRequest(urn: string, value: string, version: number): string {
  const members = `,"headers":{"If-Version-Match":"${String(version)}"}`;
  return post('/aspects?action=ingestProposal', `{"proposal":${toProposal({ urn, value, members })}}`);
}

/** A patch of one tag's context. */
export function patchTagRequest(urn: string, tag: string, context: string): string {
  const value = `[{"op":"add","path":"/tags/${tag}","value":{"tag":"${tag}","context":"${context}"}}]`;
  const proposal = toProposal({ urn, aspectName: 'globalTags', changeType: 'PATCH', value });
  return post('/aspects?action=ingestProposal', `{"proposal":${proposal}}`);
}

/** One batch of proposals, all or nothing. */
export function batchRequest(
  proposals: readonly { urn: string; aspectName: string; value: string }[],
): string {
  return post(
    '/aspects?action=ingestProposalBatch',
    `{"proposals":[${proposals.map(toProposal).join(',')}]}`,
  );
}

/** One snapshot for each entity. */
export function snapshotsRequest(
  entities: readonly { readonly urn: string; readonly aspects: readonly PlannedAspect[] }[],
): string {
  const snapshots = entities.map(({ urn, aspects }) => {
    const union = aspects.map(({ aspectName, value }) => `{"${RECORDS[aspectName] ?? aspectName}":${value}}`);
    return `{"value":{"com.linkedin.metadata.snapshot.DatasetSnapshot":{"urn":"${urn}","aspects":[${union.join(',')}]}}}`;
  });
  const metadata = entities.map(() => SYSTEM_METADATA);
  return post(
    '/entities?action=batchIngest',
    `{"entities":[${snapshots.join(',')}],"systemMetadata":[${metadata.join(',')}]}`,
  );
}

/** The record names of aspects in snapshots. */
const RECORDS: Readonly<Record<string, string>> = {
  datasetProperties: 'com.linkedin.dataset.DatasetProperties',
  editableDatasetProperties: 'com.linkedin.dataset.EditableDatasetProperties',
  globalTags: 'com.linkedin.common.GlobalTags',
  ownership: 'com.linkedin.common.Ownership',
};

interface ProposalDeps {
  readonly urn: string;
  readonly value: string;
  readonly aspectName?: string;
  readonly changeType?: string;
  /** More members of the proposal. */
  readonly members?: string;
}

function toProposal(deps: ProposalDeps): string {
  const { urn, value, aspectName = 'datasetProperties', changeType = 'UPSERT', members = '' } = deps;
  return (
    `{"entityType":"dataset","entityUrn":"${urn}","changeType":"${changeType}","aspectName":"${aspectName}",` +
    `"aspect":{"value":${JSON.stringify(value)},"contentType":"application/json"},` +
    `"systemMetadata":${SYSTEM_METADATA}${members}}`
  );
}

export interface SearchOptions {
  readonly count?: number;
  /** A position that the answer must include. */
  readonly waitFor?: string;
  /** True: a search without a match ends there, and looks for no words like those of the input. */
  readonly isStrict?: boolean;
}

export function searchRequest(
  input: string,
  { count = 10, waitFor, isStrict = false }: SearchOptions = {},
): string {
  const flags = isStrict ? ',"searchFlags":{"fulltext":false}' : '';
  const body = `{"input":${JSON.stringify(input)},"entity":"dataset","start":0,"count":${String(count)}${flags}}`;
  const header = waitFor === undefined ? '' : `X-Stratalog-Wait-For: ${waitFor}\r\n`;
  return post('/entities?action=search', body, header);
}

export function readEntityRequest(urn: string): string {
  return get(`/entitiesV2/${encodeURIComponent(urn)}`);
}

export function readAspectRequest(urn: string, version: number): string {
  return get(`/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties&version=${String(version)}`);
}

/** Versions of dataset properties, newest first. */
export function readVersionsRequest(urn: string, from: number, to: number): string {
  const range = `startVersion=${String(from)}&endVersion=${String(to)}`;
  return get(`/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties&${range}`);
}

export function readEntityAtRequest(urn: string, timeMs: number): string {
  return get(`/entitiesV2/${encodeURIComponent(urn)}?asOf=${String(timeMs)}`);
}

/** A request of any call, with a body in ASCII; without one, a GET. */
export interface CatalogRequest {
  readonly target: string;
  readonly body?: object;
}

export function toRequest({ target, body }: CatalogRequest): string {
  return body === undefined ? get(target) : post(target, JSON.stringify(body));
}

function post(target: string, body: string, headers = ''): string {
  return (
    `POST ${target} HTTP/1.1\r\n${COMMON}${headers}Content-Type: application/json\r\n` +
    `Content-Length: ${String(body.length)}\r\n\r\n${body}`
  );
}

function get(target: string): string {
  return `GET ${target} HTTP/1.1\r\n${COMMON}\r\n`;
}
