import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, parseJson } from '@stratalog/json';
import type { CatalogClient } from '../catalog/catalog-client';
import type { NewSend } from '../ledger/ledger';
import { sentValue } from '../ledger/sent-value';
import { Violation } from '../ledger/violation';

/** The last entities acknowledged before a kill are most at risk. */
const KEPT = 40;

/** The new entities that were acknowledged last. */
export class RecentEntities {
  private readonly written: NewSend[] = [];

  add(send: NewSend): void {
    this.written.push(send);
    if (this.written.length > KEPT) this.written.shift();
  }

  /**
   * Reads back the first version of each, over HTTP; returns their number.
   *
   * **Errors**: `Violation` when one is missing or differs.
   */
  async readBack(client: CatalogClient): Promise<number> {
    let count = 0;
    for (const { urn, aspectName, value } of this.written.splice(0)) {
      const read = await client.read(urn, aspectName, 1);
      if (read.kind !== 'answered' || read.status >= 500) continue;
      const wanted = sentValue(aspectName, value);
      if (read.status !== 200 || !isDeepStrictEqual(valueIn(read.body), wanted)) {
        const answer = `${read.status} ${read.body.slice(0, 300)}`;
        throw new Violation('read back', `${urn} ${aspectName} was acknowledged and reads ${answer}`);
      }
      count++;
    }
    return count;
  }
}

function valueIn(body: string): unknown {
  const answer = parseJson(body);
  const aspect = isJsonObject(answer) ? answer.aspect : undefined;
  return isJsonObject(aspect) ? Object.values(aspect)[0] : undefined;
}
