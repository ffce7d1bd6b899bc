import type { JsonOutputObject } from '@stratalog/json';
import { toBody, type SentProposal } from '../testing/catalog/catalog-client';
import type { RawRequest } from '../testing/catalog/raw-http';
import { post } from '../testing/catalog/wire-case';

/** Every write of this urn is rejected. */
export const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,rejected,PROD)';
/** This entity exists. */
export const TAG = 'urn:li:tag:rejected';
export const INGEST = '/aspects?action=ingestProposal';
/** The setting of the cases. */
export const MAX_BODY_BYTES = 200_000;

/** A request and its rejection. */
export type RejectedCase = readonly [name: string, request: RawRequest, status: number, message: string];

export const proposal = (changes: Partial<SentProposal>): RawRequest =>
  post(
    INGEST,
    toBody({ urn: URN, aspectName: 'datasetProperties', value: { description: 'x' }, ...changes }),
  );
/** A proposal in which members are replaced; `undefined` omits one. */
export const members = (replaced: JsonOutputObject): RawRequest => proposal({ members: replaced });
export const value = (aspectName: string, of: JsonOutputObject | string): RawRequest =>
  proposal({ aspectName, value: of });
export const urn = (text: string): RawRequest =>
  proposal({ urn: text, aspectName: 'status', value: { removed: true } });
