import { HttpClient, type Exchange } from '@stratalog/harness';
import { parsePosition, type Position } from '@stratalog/domain';
import { stringifyJson } from '@stratalog/json';
import type { Ledger, NewSend } from '../ledger/ledger';
import { toProposal } from '../ledger/make-proposal';
import { Violation } from '../ledger/violation';

export type SendResult =
  | { readonly kind: 'acknowledged'; readonly position: Position | undefined }
  | { readonly kind: 'unreached' | 'unacknowledged' };

/** A way into the catalog: sends one proposal, and records the outcome in the ledger. */
export type SendProposal = (proposed: NewSend) => Promise<SendResult>;

/** The number of each unsuccessful answer: `503`, `500`, `lost`. */
export type FailureCounts = Map<string, number>;

/** Sends to the catalog under test, and records the outcome in the ledger. */
export class CatalogClient {
  private readonly http: HttpClient;

  constructor(
    readonly port: number,
    connections: number,
    private readonly ledger: Ledger,
    readonly failures: FailureCounts = new Map(),
  ) {
    this.http = new HttpClient(port, connections);
  }

  /** **Errors**: `Violation` when the catalog rejects a valid proposal. */
  async send(proposed: NewSend): Promise<SendResult> {
    const { urn, aspectName, isAsync } = proposed;
    const body = stringifyJson({ proposal: toProposal(proposed), ...(isAsync ? { async: true } : {}) });
    const send = this.ledger.sending(proposed);
    const exchange = await this.http.ask({ method: 'POST', path: '/aspects?action=ingestProposal', body });
    if (exchange.kind === 'unreached') {
      this.ledger.withdraw(urn, aspectName, send);
      return { kind: 'unreached' };
    }
    if (exchange.kind === 'lost' || exchange.status !== 200) {
      this.countFailure(exchange);
      return { kind: 'unacknowledged' };
    }
    const position = positionIn(exchange.headers['x-stratalog-position']);
    if (!isAsync && position === undefined) {
      throw new Violation('answers', `a synchronous write of ${urn} was answered without a position`);
    }
    this.ledger.acknowledge(send, position?.seqs);
    return { kind: 'acknowledged', position };
  }

  read(urn: string, aspectName: string, version: number): Promise<Exchange> {
    const path = `/aspects/${encodeURIComponent(urn)}?aspect=${aspectName}&version=${version}`;
    return this.http.ask({ method: 'GET', path });
  }

  search(position: string): Promise<Exchange> {
    const body = JSON.stringify({ input: 'send', entity: 'dataset', start: 0, count: 1 });
    const headers = { 'x-stratalog-wait-for': position };
    return this.http.ask({ method: 'POST', path: '/entities?action=search', headers, body });
  }

  relationships(position: string): Promise<Exchange> {
    const path = '/relationships?direction=INCOMING&urn=urn:li:tag:faults.1&types=TaggedWith&count=1';
    return this.http.ask({ method: 'GET', path, headers: { 'x-stratalog-wait-for': position } });
  }

  health(): Promise<Exchange> {
    return this.http.ask({ method: 'GET', path: '/health' });
  }

  close(): void {
    this.http.close();
  }

  private countFailure(exchange: Exclude<Exchange, { kind: 'unreached' }>): void {
    const name = exchange.kind === 'lost' ? 'lost' : String(exchange.status);
    this.failures.set(name, (this.failures.get(name) ?? 0) + 1);
    if (exchange.kind === 'answered' && exchange.status < 500) {
      throw new Violation(
        'answers',
        `a valid write was rejected with ${name}: ${exchange.body.slice(0, 500)}`,
      );
    }
  }
}

function positionIn(header: string | string[] | undefined): Position | undefined {
  return typeof header === 'string' ? parsePosition(header) : undefined;
}
