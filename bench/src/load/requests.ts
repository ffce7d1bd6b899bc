/** Requests as text, ready to be written to a connection. All are ASCII, so characters are bytes. */

const COMMON = 'Host: catalog\r\nX-RestLi-Protocol-Version: 2.0.0\r\n';

/** A proposal of new dataset properties. */
export function writeRequest(urn: string, value: string): string {
  const proposal =
    `{"proposal":{"entityType":"dataset","entityUrn":"${urn}","changeType":"UPSERT","aspectName":"datasetProperties",` +
    `"aspect":{"value":${JSON.stringify(value)},"contentType":"application/json"},` +
    `"systemMetadata":{"lastObserved":1700000000000,"runId":"bench"}}}`;
  return post('/aspects?action=ingestProposal', proposal);
}

export interface SearchOptions {
  readonly count?: number;
  /** A position that the answer must include. */
  readonly waitFor?: string;
}

export function searchRequest(input: string, { count = 10, waitFor }: SearchOptions = {}): string {
  const body = `{"input":${JSON.stringify(input)},"entity":"dataset","start":0,"count":${String(count)}}`;
  const header = waitFor === undefined ? '' : `X-Stratalog-Wait-For: ${waitFor}\r\n`;
  return post('/entities?action=search', body, header);
}

export function readEntityRequest(urn: string): string {
  return get(`/entitiesV2/${encodeURIComponent(urn)}`);
}

export function readAspectRequest(urn: string, version: number): string {
  return get(`/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties&version=${String(version)}`);
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
