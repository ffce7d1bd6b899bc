import { HttpClient, type Exchange, type HttpRequest } from '@stratalog/harness';
import { isJsonObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '@stratalog/json';
import type { LogCounts } from '../checks/check-tables';
import { Violation } from '../ledger/violation';
import { COUNTER, countIn } from './race-values';

/** A change to one aspect, with an optional condition. */
export interface RaceProposal {
  readonly urn: string;
  readonly aspectName: string;
  readonly changeType: 'UPSERT' | 'PATCH';
  readonly value: JsonValue;
  /** The version that must be stored; -1: none. */
  readonly ifVersion?: number;
}

/** A counter as read; missing: version -1, number 0. */
export interface ReadCounter {
  readonly version: number;
  readonly count: number;
}

/** Matches a failed condition: by the header, or by `test` in a patch. */
export const OVERTAKEN = /Expected version -?\d+, actual version -?\d+|the value is another/;

/**
 * A client that changes a value that it has read. Any result other than written or overtaken is a violation.
 */
export class RaceClient implements LogCounts {
  private readonly http: HttpClient;
  readonly counts = { reads: 0, written: 0, overtaken: 0 };
  /** How long each write waited for its answer. */
  readonly answeredMs: number[] = [];

  constructor(port: number, connections: number) {
    this.http = new HttpClient(port, connections);
  }

  /** **Errors**: `Violation` when the value is not the one of its version. */
  async readCounter(urn: string): Promise<ReadCounter> {
    const path = `/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${COUNTER})`;
    const body = await this.toAnswer({ method: 'GET', path });
    this.counts.reads++;
    const found = memberOf(memberOf(parseJson(body), 'aspects'), COUNTER);
    if (found === undefined) return { version: -1, count: 0 };
    const version = Number(memberOf(memberOf(found, 'systemMetadata'), 'version'));
    const count = countIn(memberOf(found, 'value'))?.count;
    if (count === version) return { version, count };
    throw new Violation(
      'reads',
      `version ${version} of ${urn} was read with another value: ${body.slice(0, 500)}`,
    );
  }

  /** Proposes one change, or several in one batch. */
  async propose(proposals: readonly [RaceProposal, ...RaceProposal[]]): Promise<'written' | 'overtaken'> {
    const [first, ...others] = proposals.map(wireOf);
    const [action, body] =
      others.length === 0
        ? ['ingestProposal', { proposal: first ?? null }]
        : ['ingestProposalBatch', { proposals: [first ?? null, ...others] }];
    const sentAt = performance.now();
    const exchange = await this.http.ask({
      method: 'POST',
      path: `/aspects?action=${action}`,
      body: stringifyJson(body),
    });
    this.answeredMs.push(performance.now() - sentAt);
    if (isOvertaken(exchange)) {
      this.counts.overtaken++;
      return 'overtaken';
    }
    mustBeDone(exchange);
    this.counts.written++;
    return 'written';
  }

  /** Of the log's entries. */
  acknowledged(): number {
    return this.counts.written;
  }

  all(): number {
    return this.counts.written + this.counts.overtaken;
  }

  close(): void {
    this.http.close();
  }

  private async toAnswer(question: HttpRequest): Promise<string> {
    return mustBeDone(await this.http.ask(question));
  }
}

function wireOf({ urn, aspectName, changeType, value, ifVersion }: RaceProposal): JsonObject {
  return {
    entityType: 'dataset',
    entityUrn: urn,
    changeType,
    aspectName,
    aspect: { value: stringifyJson(value), contentType: 'application/json' },
    ...(ifVersion === undefined ? {} : { headers: { 'If-Version-Match': String(ifVersion) } }),
  };
}

function isOvertaken(exchange: Exchange): boolean {
  return exchange.kind === 'answered' && exchange.status === 422 && OVERTAKEN.test(exchange.body);
}

/** Returns the answer's body. This test kills nothing, so every query must succeed. */
function mustBeDone(exchange: Exchange): string {
  if (exchange.kind === 'answered' && exchange.status === 200) return exchange.body;
  const answer =
    exchange.kind === 'answered' ? `${exchange.status}: ${exchange.body.slice(0, 500)}` : exchange.kind;
  throw new Violation('answers', `a caller was answered ${answer}`);
}

function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}
