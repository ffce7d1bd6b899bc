import { mintToken } from '@stratalog/http';
import type { JsonOutputObject } from '@stratalog/json';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite, type SuiteCatalog } from '../testing/catalog/suite-catalog';
import { assertionsSuite } from './assertions-suite';
import { cardsSuite } from './cards-suite';
import { changesSuite } from './changes-suite';

const TOKEN = 'a-token-of-this-suite';
const OPERATOR = { authorization: `Bearer ${TOKEN}` };

type Headers = Readonly<Record<string, string>>;

/** A catalog where every call needs a token, called as its operator unless a call has other headers. */
export interface SummariesCatalog {
  readonly catalog: SuiteCatalog;
  readonly get: (target: string, headers?: Headers) => Promise<Answer>;
  readonly post: (target: string, body: string, headers?: Headers) => Promise<Answer>;
  /** Writes one aspect and returns its position. */
  readonly write: (
    urn: string,
    aspectName: string,
    value: JsonOutputObject,
    members?: JsonOutputObject,
  ) => Promise<string>;
  /** Makes a token that may read within limits. */
  readonly headersOf: (limits: {
    readonly entityTypes?: string[];
    readonly platforms?: string[];
  }) => Promise<Headers>;
}

/** The calls that sum up many changes or entities for a page, on a catalog with these settings. */
export function summariesSuite(environment: Headers): void {
  const catalog = catalogForSuite({
    environment: { ...environment, STRATALOG_AUTH: 'all', STRATALOG_TOKEN: TOKEN },
  });
  const calls: SummariesCatalog = {
    catalog,
    get: (target, headers = OPERATOR) => catalog.http.get(target, headers),
    post: (target, body, headers = {}) => catalog.http.post(target, body, { ...OPERATOR, ...headers }),
    write: async (urn, aspectName, value, members = {}) => {
      const answer = await catalog.http.ingest({ urn, aspectName, value, members, headers: OPERATOR });
      if (answer.status !== 200) throw new Error(`${aspectName} of ${urn}: ${answer.body}`);
      return answer.headers['x-stratalog-position'] ?? '';
    },
    headersOf: async (limits) => {
      const { id, token, hash } = mintToken();
      const actor = 'urn:li:corpuser:limited';
      const grant = { name: id, actor, scopes: ['read'] as const, limits, createdBy: actor };
      await catalog.deps.tokens.add({ ...grant, speaksForOthers: false, isSession: false, id, hash });
      return { authorization: `Bearer ${token}` };
    },
  };
  changesSuite(calls);
  cardsSuite(calls);
  assertionsSuite(calls);
}
