import { HttpClient } from '@stratalog/harness';
import { Violation } from '../ledger/violation';

/** The catalog's answers to some writes. */
export interface Answers {
  readonly acknowledged: number;
  /** By status; `lost` are connections that broke. */
  readonly failures: Readonly<Record<string, number>>;
  /** The message of the first rejection. */
  readonly message?: string;
}

interface Failure {
  readonly status: string;
  readonly message: string;
}

/** The urns of one read fit into a request line. */
const READ_AT_ONCE = 100;

/** Writes of entities with a number each, and what became of them. */
export class NumberedWrites {
  private readonly http: HttpClient;
  /** The names that acknowledged writes gave their entities. */
  private readonly acknowledged = new Map<string, string>();
  private next = 0;

  constructor(
    port: number,
    private readonly token: string,
    private readonly connections: number,
  ) {
    this.http = new HttpClient(port, connections);
  }

  /** Number of all acknowledged writes. */
  get count(): number {
    return this.acknowledged.size;
  }

  /**
   * Writes entities, each once, as several clients; every fourth write is asynchronous. A write that is answered 503 is sent `repeats` times
   * more, as the answer asks.
   */
  async write(count: number, repeats = 0): Promise<Answers> {
    const failures: Record<string, number> = {};
    let message: string | undefined;
    const before = this.count;
    let left = count;
    const client = async (): Promise<void> => {
      while (left-- > 0) {
        const number = this.next++;
        let repeatsLeft = repeats;
        let failure: Failure | undefined;
        do failure = await this.writeOne(`urn:li:tag:restores.${number}`, number);
        while (failure?.status === '503' && repeatsLeft-- > 0);
        if (failure === undefined) continue;
        failures[failure.status] = (failures[failure.status] ?? 0) + 1;
        message ??= failure.message;
      }
    };
    await Promise.all(Array.from({ length: this.connections }, client));
    return { acknowledged: this.count - before, failures, ...(message === undefined ? {} : { message }) };
  }

  /** **Errors**: `Violation` that names the first acknowledged write that cannot be read. */
  async check(): Promise<void> {
    const acknowledged = [...this.acknowledged];
    for (let from = 0; from < acknowledged.length; from += READ_AT_ONCE)
      await this.checkSome(acknowledged.slice(from, from + READ_AT_ONCE));
  }

  /** True when a search counts as many tags as the store has. */
  async isSearchable(): Promise<boolean> {
    const search = { input: '*', entity: 'tag', start: 0, count: 0 };
    const found = await this.readCount('search', search, 'numEntities');
    const stored = await this.readCount('getTotalEntityCount', { entity: 'tag' });
    return found !== undefined && found === stored;
  }

  /** Calls an action of operators. **Errors**: `Violation` when it is rejected. */
  async operate(action: string, parameters: object): Promise<Record<string, unknown>> {
    const answer = await this.http.ask({
      method: 'POST',
      path: `/operations?action=${action}`,
      headers: { authorization: `Bearer ${this.token}` },
      body: JSON.stringify(parameters),
    });
    if (answer.kind !== 'answered' || answer.status !== 200)
      throw new Violation('operations', `${action} was answered with ${JSON.stringify(answer)}`);
    return (JSON.parse(answer.body) as { value: Record<string, unknown> }).value;
  }

  close(): void {
    this.http.close();
  }

  private async checkSome(writes: readonly (readonly [urn: string, name: string])[]): Promise<void> {
    const ids = writes.map(([urn]) => encodeURIComponent(urn)).join(',');
    const path = `/entitiesV2?ids=List(${ids})&aspects=List(tagProperties)`;
    const read = await this.http.ask({ method: 'GET', path });
    if (read.kind !== 'answered' || read.status !== 200)
      throw new Violation('durability', `acknowledged writes read as ${JSON.stringify(read)}`);
    const { results } = JSON.parse(read.body) as { results: Record<string, unknown> };
    for (const [urn, name] of writes) {
      const found = JSON.stringify(results[urn] ?? 'nothing');
      if (!found.includes(`"${name}"`))
        throw new Violation('durability', `${urn} was acknowledged as ${name}, and reads as ${found}`);
    }
  }

  private async readCount(action: string, body: object, member?: string): Promise<number | undefined> {
    const path = `/entities?action=${action}`;
    const answer = await this.http.ask({ method: 'POST', path, body: JSON.stringify(body) });
    if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
    const { value } = JSON.parse(answer.body) as { value: unknown };
    const count = member === undefined ? value : (value as Record<string, unknown>)[member];
    return typeof count === 'number' ? count : undefined;
  }

  private async writeOne(urn: string, number: number): Promise<Failure | undefined> {
    const name = `tag ${number}`;
    const proposal = {
      entityType: 'tag',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'tagProperties',
      aspect: { value: JSON.stringify({ name }), contentType: 'application/json' },
    };
    const body = JSON.stringify({ proposal, async: number % 4 === 0 ? 'true' : 'false' });
    const answer = await this.http.ask({ method: 'POST', path: '/aspects?action=ingestProposal', body });
    if (answer.kind === 'answered' && answer.status === 200) this.acknowledged.set(urn, name);
    else if (answer.kind === 'answered')
      return { status: String(answer.status), message: messageIn(answer.body) };
    else return { status: 'lost', message: answer.kind };
    return undefined;
  }
}

function messageIn(body: string): string {
  const { message = body } = JSON.parse(body) as { message?: string };
  return message;
}
